/**
 * A tool as it is listed and called: its arguments are checked before it sees them, and what it gives is a
 * document or a problem.
 */
import { isObject, LINE_LIMITS, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { safeJson } from '@assay/views';
import * as z from 'zod';
import { ANSWER_BYTES_MAX, type Caller, problem, type ToolProblem } from './desk.js';

/**
 * What a client may assume of a tool. `readOnly`: nothing is stored; `idempotent`: called again with the same
 * arguments, it changes nothing more; `openWorld`: it may reach beyond this machine. No tool destroys.
 */
type Hints = { readonly readOnly: boolean; readonly idempotent: boolean; readonly openWorld: boolean };

/**
 * A tool. `input`: JSON Schema of what it takes, as it is listed. `schemas`: those that are given where they are asked
 * for, `output` that of what it gives.
 */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly schemas: { readonly [name: string]: JsonObject };
  readonly hints: Hints;
  readonly call: (args: unknown, caller: Caller) => Promise<Result<ToolProblem, object>>;
};

type Definition<A> = Pick<Tool, 'name' | 'title' | 'description' | 'schemas' | 'hints'> & {
  readonly input: z.ZodType<A>;
  readonly call: (args: A, caller: Caller) => Promise<Result<ToolProblem, object>>;
};

/** Hints of a tool that only reads this server's own store. */
export const READS: Hints = { readOnly: true, idempotent: true, openWorld: false };

/**
 * A tool from its definition. Arguments that do not fit, or are nested deeper than a record, are the problem
 * `bad_arguments`, with the first place that does not.
 */
export function tool<A>({ input, call, ...rest }: Definition<A>): Tool {
  // Of which dialect it is costs each tool of a list 60 bytes.
  const { $schema: _, ...listed } = makeSchema(input);
  return {
    ...rest,
    input: listed,
    call: async (args, caller) => {
      const unread = beforeSchema(args);
      if (unread !== null) return unread;
      const read = input.safeParse(withoutNulls(args));
      if (read.success) return call(read.data, caller);
      const [issue] = read.error.issues;
      return problem(
        'bad_arguments',
        `these are no arguments of ${rest.name}: ${issue?.message ?? ''}`,
        pointer(issue?.path ?? []),
        'see inputSchema of this tool',
      );
    },
  };
}

/**
 * What no schema may find: nesting, which it follows by recursion, and a member that it passes over in
 * silence; null where there is neither.
 */
function beforeSchema(args: unknown): Result<ToolProblem, never> | null {
  const rest: (readonly [path: string, depth: number, value: unknown])[] = [['', 1, args]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, depth, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > LINE_LIMITS.depth)
      return problem(
        'bad_arguments',
        `this is nested more than ${LINE_LIMITS.depth} levels deep`,
        `/${path.split('/')[1] ?? ''}`,
        'no record holds what is nested so deep',
      );
    if (Object.hasOwn(value, '__proto__'))
      return problem(
        'bad_arguments',
        'a member named __proto__ would be lost on the way',
        `${path}/__proto__`,
        'give it another name',
      );
    for (const [key, item] of Object.entries(value)) rest.push([`${path}${pointer([key])}`, depth + 1, item]);
  }
  return null;
}

/** Clients send null for an optional argument that they leave out. */
function withoutNulls(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** JSON Schema of what a tool takes or gives. */
export function makeSchema(schema: z.ZodType): JsonObject {
  return plain(z.toJSONSchema(schema, { target: 'draft-2020-12' }));
}

/** A schema as plain JSON, its root an object, as the protocol wants it. */
export function plain(schema: object | null): JsonObject {
  const json = JSON.parse(JSON.stringify(schema)) as Json;
  if (!isObject(json)) throw new TypeError('plain: expected a schema');
  return { ...json, type: 'object' };
}

/** A problem or a document as the text of an answer: JSON in which everything shows. */
export function renderText(value: object): string {
  return safeJson(value);
}

/** A document, unless it is larger than a client is sent. */
export function fitting(document: object, place: string): Result<ToolProblem, object> {
  const bytes = Buffer.byteLength(JSON.stringify(document), 'utf8');
  return bytes <= ANSWER_BYTES_MAX
    ? ok(document)
    : problem(
        'too_large',
        `this answer has ${bytes} bytes; at most ${ANSWER_BYTES_MAX} are sent`,
        place,
        'read records one by one with show, or use the assay command on the store',
      );
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
