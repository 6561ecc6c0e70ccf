/**
 * What a language model is asked for a kind of request: a prompt, the data, the schema of its answer, and how that
 * answer is read. Machines have their prompts beside them; `@assay/models` asks. A released version of a prompt is
 * never edited: a change is a prompt with the next number.
 *
 * @packageDocumentation
 */
import type { Json, JsonObject } from '../json.js';
import type { Shape } from '../ledger/shape.js';
import { err, type Result } from '../result.js';

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

/** Reads an answer by a shape: the fault is at the first place that departs from it. */
export type ReadShape = <T>(shape: Shape<T>, answer: Json) => Result<AnswerFault, T>;

/** A tool that a model may call. `schema`: of its input, an object; a shape, or JSON Schema. */
export type OfferedTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: Shape | JsonObject;
};

/**
 * How one kind of request is put to a model. `data`: what the model receives of a request, all of it
 * untrusted, a text or JSON; null for a body that is not of this kind, or of whose run too little is known:
 * `missing` is the code of that, `no_task` if there is none. `schema`: of the answer, a shape or JSON Schema.
 * `tools`: what it is to call instead; its calls are read as the answer {why, calls: [{tool, input}]}, each input
 * JSON as text, and `schema` is of that, for models that have no tools. `read`: the proposal an answer stands
 * for. Total on any JSON.
 */
export type Task = {
  readonly kind: string;
  readonly prompt: Prompt;
  readonly schema: Shape | JsonObject;
  readonly data: (body: Json) => Json | null;
  readonly missing?: string;
  readonly tools?: (body: Json) => readonly OfferedTool[];
  readonly read: (answer: Json, body: Json, readShape: ReadShape) => Result<AnswerFault, TaskAnswer>;
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

/** What is said of a rejected answer, version 1. */
export const AGAIN_1 =
  'Your last answer was not accepted, for the reason in the data. Answer again with one ' +
  'whole JSON object of the schema.';

/** A task whose answers have a shape: `read` is given only what fits. */
export function makeTask<T>({
  schema,
  read,
  ...rest
}: Omit<Task, 'schema' | 'read'> & {
  readonly schema: Shape<T>;
  readonly read: (said: T, body: Json, readShape: ReadShape) => Result<AnswerFault, TaskAnswer>;
}): Task {
  return {
    ...rest,
    schema,
    read: (answer, body, readShape) => {
      const said = readShape(schema, answer);
      return said._tag === 'Left' ? said : read(said.right, body, readShape);
    },
  };
}

/** A fault as a result. */
export function fault(code: string, path: string, text: string): Result<AnswerFault, never> {
  return err({ code, path, text });
}

/** What stands for an answer where a model says that it has none, and why. */
export function declined(why: string | null): Result<AnswerFault, never> {
  return err({ code: 'declined', path: '', text: why ?? '', isFinal: true });
}

/**
 * A key that stands twice in one object of a JSON text; null if none does. Which of two values is meant
 * would be a guess. Of a text that does not parse the answer says nothing. Linear.
 */
export function keyTwiceIn(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') open.push(character === '{' ? new Set() : null);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      // By hand: an expression for strings keeps a place to go back to for each escape, and runs out of stack
      // at some millions.
      const from = at;
      for (at += 1; at < text.length && text.charAt(at) !== '"'; at += 1)
        if (text.charAt(at) === '\\') at += 1;
      const keys = open.at(-1);
      if (keys === undefined || keys === null || !isBeforeColon(text, at + 1)) continue;
      const key = readKey(text.slice(from, at + 1));
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return null;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ':';
}

/** A key without its escapes; as it stands where it is none. */
function readKey(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
