/**
 * Shapes: total parsers of closed JSON that say what they are built of. `@assay/kernel` reads by them
 * (`parseShape`), `@assay/kernel/schemas` makes zod schemas of them. Of shapes, coded values are made: a machine's
 * state, its JSON and both ways.
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
  tuple,
  type Shape,
  type TypeOf,
} from '../ledger/shape.js';
export { decodeBy, mapOf, record, type Coded, type Part, type ValueOf } from './coded.js';
