/**
 * One small task, done by a scripted model in every role, for tests of what models say.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, type JsonObject } from '@assay/kernel';
import { controlled, dataIn, roleIn, type Controlled, type Course, type Role, type Script } from './roles.ts';
import type { Step } from './scripted-server.ts';

/** Kinds of requests that a model is asked. */
export const ROLES: readonly Role[] = ['perceive', 'plan', 'step', 'judge', 'merge'];
/** What the scripted model does where it is not told otherwise. */
export const TASK = 'copy a.txt to b.txt in capital letters';
const COURSE: Course = {
  text: TASK,
  doing: (see) => {
    see.write('b.txt', see.file('a.txt').toUpperCase());
    return 'b.txt is written';
  },
};

/** Runs the task over a workspace of its own. `b`: what stands in b.txt then. */
export async function ran(
  script: Script = {},
  course: Partial<Course> = {},
  a: string = 'alpha\n',
): Promise<Controlled & { readonly b: string | null }> {
  const root = mkdtempSync(join(tmpdir(), 'assay-roles-'));
  try {
    writeFileSync(join(root, 'a.txt'), a);
    const run = await controlled(root, { ...COURSE, ...course }, script);
    const b = join(root, 'b.txt');
    return { ...run, b: existsSync(b) ? readFileSync(b, 'utf8') : null };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Codes of the failures that were recorded. */
export const codesOf = ({ proposals }: Controlled): readonly unknown[] =>
  proposals.flatMap(({ failure }) =>
    isObject(failure ?? null) ? [((failure as JsonObject)['detail'] as JsonObject)['code']] : [],
  );
/** What a role was told, call by call. */
export const asked = ({ received }: Controlled, role: Role): readonly (JsonObject | string)[] =>
  received.filter((each) => roleIn(each) === role).map(dataIn);
export const json = (value: unknown): string => JSON.stringify(value);
/** A reply that calls one tool. */
export const calls = (tool: string, input: JsonObject): Step => ({ calls: [{ tool, input: json(input) }] });
/** The answer in a reply. */
export const answerOf = ({ text = '' }: Step): JsonObject => JSON.parse(text) as JsonObject;
