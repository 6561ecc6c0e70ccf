/**
 * Shapes: total parsers of closed JSON that say what they are built of. `@assay/kernel` reads by them
 * (`parseShape`), `@assay/kernel/schemas` makes zod schemas of them.
 *
 * @packageDocumentation
 */
export {
  closed,
  digest,
  flag,
  free,
  freeObject,
  integer,
  list,
  nullable,
  number,
  oneOf,
  refined,
  sized,
  table,
  text,
  type Shape,
} from '../ledger/shape.js';
