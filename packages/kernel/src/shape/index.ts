/**
 * Shapes: total parsers of closed JSON that say what they are built of. `@assay/kernel` reads by them
 * (`parseShape`). Of them JSON Schemas and coded values are made: a machine's
 * state, its JSON and both ways.
 *
 * @packageDocumentation
 */
export {
  anyOf,
  closed,
  digest,
  flag,
  free,
  freeObject,
  integer,
  lazy,
  list,
  matching,
  nullable,
  number,
  oneOf,
  open,
  pairOf,
  refined,
  said,
  sized,
  table,
  text,
  tuple,
  type Fields,
  type Shape,
  type TypeOf,
} from '../ledger/shape.js';
export { listObjects, readField, readText } from '../json.js';
export { countEdits } from '../text.js';
export { decodeBy, mapOf, record, type Coded, type Part, type ValueOf } from './coded.js';
export { toJsonSchema } from './json-schema.js';
