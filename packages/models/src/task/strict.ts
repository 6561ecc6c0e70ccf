/**
 * What the wire forms of tasks share: a schema that providers take, and faults.
 *
 * @module
 */
import { admit, err, ok, OUTSIDE_LIMITS, type Json, type JsonObject, type Result } from '@assay/kernel';
import * as z from 'zod';
import type { AnswerFault } from './task.js';

/**
 * A wire form as JSON Schema, in the part of it that providers take: every property required, no other, no
 * bounds.
 */
export function schemaOf(wire: z.ZodType): JsonObject {
  // Without what zod hangs on it beside the JSON.
  return JSON.parse(JSON.stringify(z.toJSONSchema(wire, { target: 'draft-7' }))) as JsonObject;
}

/**
 * Reads an answer's shape. Faults: `inadmissible`, what no record can hold, such as a lone surrogate: of the
 * port's answers that is told before; `schema`, at the first place that departs from it.
 */
export function shaped<T>(wire: z.ZodType<T>, answer: Json): Result<AnswerFault, T> {
  const admitted = admit(answer, OUTSIDE_LIMITS);
  if (admitted._tag === 'Left') return fault('inadmissible', admitted.left.path, admitted.left.code);
  const read = wire.safeParse(answer);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return fault('schema', pointer(issue?.path ?? []), issue?.message ?? '');
}

/** A fault as a result. */
export function fault(code: string, path: string, text: string): Result<AnswerFault, never> {
  return err({ code, path, text });
}

/** What stands for an answer where a model says that it has none, and why. */
export function declined(why: string | null): Result<AnswerFault, never> {
  return err({ code: 'declined', path: '', text: why ?? '', isFinal: true });
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
