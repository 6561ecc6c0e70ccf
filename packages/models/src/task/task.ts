/**
 * What a model is asked for a kind of request: a prompt, the data, the schema of its answer, and how that
 * answer is read.
 *
 * @module
 */
import type { Json, JsonObject, Result } from '@assay/kernel';
import type { Prompt } from './prompt.js';

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
