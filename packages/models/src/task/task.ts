/**
 * What a model is asked for a kind of request: a prompt, the data, the schema of its answer, and how that
 * answer is read. A released version of a prompt is never edited: a change is a prompt with the next number.
 *
 * @module
 */
import type { LanguageModelV3Message } from '@ai-sdk/provider';
import {
  admit,
  type Digest,
  err,
  hashCanonical,
  type Json,
  type JsonObject,
  ok,
  orThrow,
  OUTSIDE_LIMITS,
  type Result,
} from '@assay/kernel';
import * as z from 'zod';

/** A model's answer as it is proposed. */
export type TaskAnswer = { readonly value: Json; readonly confidence: number | null };

/**
 * What is wrong with an answer: a code, a JSON pointer into it, and what stands there or what was expected,
 * at most 240 units. `isFinal`: nothing is wrong, but the model says, in a form that its task gives it, that
 * it has no answer; it is not asked again, and the failure is `denied`.
 */
export type AnswerFault = {
  readonly code: string;
  readonly path: string;
  readonly text: string;
  readonly isFinal?: true;
};

/** A tool that a model may call. `schema`: JSON Schema of its input, an object. */
export type OfferedTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
};

/**
 * How one kind of request is put to a model. `data`: what the model is told of a request, all of it
 * untrusted, a text or JSON; null for a body that is not of this kind, or of whose run too little is known:
 * `missing` is the code of that, `no_task` where there is none. `schema`: of the answer, as JSON Schema.
 * `tools`: what it is to call instead; its calls are read as the answer {why, calls: [{tool, input}]}, each input
 * JSON as text, and `schema` is of that, for models that have no tools. `read`: the proposal an answer stands
 * for. Total on any JSON.
 */
export type Task = {
  readonly kind: string;
  readonly prompt: Prompt;
  readonly schema: JsonObject;
  readonly data: (body: Json) => Json | null;
  readonly missing?: string;
  readonly tools?: (body: Json) => readonly OfferedTool[];
  readonly read: (answer: Json, body: Json) => Result<AnswerFault, TaskAnswer>;
};

/**
 * A versioned prompt. `system`: the instructions, sent as they are. `again`: what is said of a rejected
 * answer before the data that says why; empty where the data itself says why. Both are constants: nothing is
 * ever put into them.
 */
export type Prompt = {
  readonly name: string;
  readonly version: number;
  readonly system: string;
  readonly again: string;
};

/**
 * Why the last answer was not accepted: the code and detail as recorded, and the raw text if there was any.
 */
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

/**
 * Data between two marks. The digits are of its own hash, so no text can hold the mark it stands in.
 */
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

/**
 * A wire form as JSON Schema, in the part of it that providers take: every property required, no other, no
 * bounds.
 */
export function makeSchema(wire: z.ZodType): JsonObject {
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
