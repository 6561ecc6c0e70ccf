/**
 * How a task is put to a model: its prompt, beside it as data what somebody else wrote, and the shape of an answer
 * as a schema in the part that providers take, and as a check whose words a model can go by.
 *
 * @module
 */
import type { LanguageModelV3Message } from '@ai-sdk/provider';
import {
  admit,
  hashCanonical,
  ok,
  orThrow,
  OUTSIDE_LIMITS,
  type Digest,
  type Json,
  type JsonObject,
  type Result,
} from '@assay/kernel';
import { fault, type AnswerFault, type Prompt } from '@assay/kernel/prompt';
import type { Shape } from '@assay/kernel/shape';
import * as z from 'zod';

/** Why the last answer was not accepted: the code and detail as recorded, and the raw text if there was any. */
export type Feedback = { readonly code: string; readonly detail: Json; readonly text: string };

/** UTF-16 units of a rejected answer that are sent back. */
export const FEEDBACK_UNITS_MAX = 8_192;

/** H({t: "prompt", name, version, system, again}). */
export function promptHash({ name, version, system, again }: Prompt): Digest {
  return hashValue({ t: 'prompt', name, version, system, again });
}

/** The messages of a call: instructions, data, and after a rejected answer that answer and why. */
export function makeMessages(
  { system, again }: Prompt,
  data: Json,
  feedback: Feedback | null,
): LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = [{ role: 'system', content: system }, said(delimited(data))];
  if (feedback === null || again === '') return messages;
  const { code, detail, text } = feedback;
  if (text !== '') messages.push({ role: 'assistant', content: [{ type: 'text', text }] });
  return [...messages, said(`${again}\n${delimited({ code, detail })}`)];
}

/** Data as it is shown: a text as it stands, anything else as one line of JSON. */
export function shownData(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** Data between two marks. The digits are of its own hash, so no text can hold the mark it stands in. */
function delimited(data: Json): string {
  const mark = hashValue({ t: 'data', data }).slice(0, 16);
  return `BEGIN ${mark}\n${shownData(data)}\nEND ${mark}`;
}

/** H of what is admitted JSON by construction. */
export function hashValue(value: Json): Digest {
  return orThrow(hashCanonical(value));
}

function said(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** JSON Schema of an answer or input: every property required, no other, no bounds; what is one stays as it is. */
export function makeSchema(schema: Shape | JsonObject): JsonObject {
  if (typeof schema !== 'function') return schema;
  // Without what zod hangs on it beside the JSON.
  return JSON.parse(JSON.stringify(z.toJSONSchema(makeWire(schema), { target: 'draft-7' }))) as JsonObject;
}

/**
 * Reads an answer's shape. Faults: `inadmissible`, what no record can hold, such as a lone surrogate: of the
 * port's answers that is told before; `schema`, at the first place that departs from it.
 */
export function readShape<T>(shape: Shape<T>, answer: Json): Result<AnswerFault, T> {
  const admitted = admit(answer, OUTSIDE_LIMITS);
  if (admitted._tag === 'Left') return fault('inadmissible', admitted.left.path, admitted.left.code);
  const read = makeWire(shape).safeParse(answer);
  if (read.success) return ok(read.data as T);
  const [issue] = read.error.issues;
  return fault('schema', pointer(issue?.path ?? []), issue?.message ?? '');
}

function makeWire({ form }: Shape): z.ZodType {
  switch (form?.is) {
    case 'text':
      return z.string();
    case 'number':
      return z.number();
    case 'flag':
      return z.boolean();
    case 'one_of':
      return z.enum(form.allowed as readonly string[]);
    case 'nullable':
      return z.nullable(makeWire(form.item));
    case 'any_of':
      return z.union(form.items.map(makeWire));
    case 'list':
      return z.array(makeWire(form.item));
    case 'closed':
      return z.strictObject(
        Object.fromEntries(Object.entries(form.fields).map(([name, part]) => [name, makeWire(part)])),
      );
    default:
      throw new TypeError(`makeSchema: no provider is told of a shape that is ${form?.is ?? 'without form'}`);
  }
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
