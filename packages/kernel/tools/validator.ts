/** Judges values by the JSON Schema of a shape, as a reader of `schemas/` does. */
import { Validator, type Schema } from '@cfworker/json-schema';
import type { Json } from '@assay/kernel';
import { toJsonSchema, type Shape } from '@assay/kernel/shape';

/** What says whether a value is valid by the schema of a shape. */
export function validator(shape: Shape): (value: Json) => boolean {
  const judge = new Validator(toJsonSchema(shape) as Schema, '2020-12');
  return (value) => judge.validate(value).valid;
}
