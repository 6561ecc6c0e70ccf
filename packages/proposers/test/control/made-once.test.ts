/** A call that changed something is made once under one idempotency key, also when the process that made it died before its record. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalize, decodeUtf8, orThrow, type Json, type Request } from '@assay/kernel';
import type { Execution } from '@assay/controller';
import { folderDoneCalls, type DoneCalls } from '@assay/host';
import { executorPort, type StepCall, type StepTools } from '../../src/control/index.ts';

const KEY = `${'ab'.repeat(32)}/7.0/0`;
const CLASSES: { readonly [tool: string]: string } = { append_file: 'write', shell: 'shell', read_file: 'read', find_files: 'search' };
const STEPS = [
  { id: 'a', tool: 'append_file', input: { path: 'x', content: '1\n' } },
  { id: 'b', tool: 'append_file', input: { path: 'x', content: '1\n' } },
  { id: 'c', tool: 'read_file', input: { path: 'x' } },
  { id: 'd', tool: 'shell', input: { pipeline: [['sort', 'x']] } },
].map((step) => ({ ...step, may_fail: false, if_any: null }));

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assay-once-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Tools that count; the `dies`th call is made, and the process dies before anybody hears of it. */
function counting(made: string[], dies = Infinity): StepTools {
  return {
    run: ({ tool, input }) => {
      made.push(tool);
      if (made.length > dies) throw new Error('killed');
      const output = `${tool} ${made.filter((one) => one === tool).length}`;
      return Promise.resolve({ tool, input: JSON.stringify(input), output, status: 'ok', code: null, output_bytes: output.length, digest: null, irreversible: false, class: CLASSES[tool] ?? null } satisfies StepCall);
    },
  };
}

async function execution(tools: StepTools, done: DoneCalls | null, key = KEY): Promise<Execution> {
  const context = orThrow(decodeUtf8(orThrow(canonicalize({ format: 'assay/steps/1', output: { from: 'd', do: [] }, tries: [STEPS] }))));
  const body: Json = { subtask: '0.0', intent: 'x', context, criteria: [], uses: ['append_file', 'read_file', 'shell'].map((tool) => ({ tool, target: '*' })), attempt: 0, correction: null, prior: [], must_not: { tools: [], targets: [] }, confirmed: [] };
  const answer = await executorPort(tools, done).perform({ kind: 'execute', body } as unknown as Request, { key, signal: new AbortController().signal });
  return answer.value as unknown as Execution;
}

it('what changed something is found again with the same answer, what only looks is done again', async () => {
  const made: string[] = [];
  const first = await execution(counting(made), folderDoneCalls(folder));
  expect(made).toEqual(['append_file', 'append_file', 'read_file', 'shell']);
  const again = await execution(counting(made), folderDoneCalls(folder));
  expect(made.slice(4)).toEqual(['read_file']);
  expect(again.tool_calls.map(({ output }) => output)).toEqual(['append_file 1', 'append_file 2', 'read_file 2', 'shell 1']);
  expect({ ...again, tool_calls: [] }).toEqual({ ...first, tool_calls: [] });
});

it('killed after any call, the calls before it are not made again, and two equal calls of one request stay two', async () => {
  for (let dies = 0; dies < STEPS.length; dies += 1) {
    const made: string[] = [];
    const key = `${'cd'.repeat(32)}/${dies}.0/0`;
    await expect(execution(counting(made, dies), folderDoneCalls(folder), key)).rejects.toThrow('killed');
    const before = made.length;
    await execution(counting(made), folderDoneCalls(folder), key);
    const noted = STEPS.slice(0, dies).filter(({ tool }) => CLASSES[tool] !== 'read').length;
    expect(made.length - before).toBe(STEPS.length - noted);
  }
});

it('another attempt, and a run without notes, make every call', async () => {
  const made: string[] = [];
  await execution(counting(made), folderDoneCalls(folder));
  await execution(counting(made), folderDoneCalls(folder), `${'ab'.repeat(32)}/7.0/1`);
  await execution(counting(made), null);
  expect(made.length).toBe(3 * STEPS.length);
});

it('a note that says something else than a call that went well is none; one that cannot be kept costs no answer', async () => {
  for (const found of [{}, { status: 'ok' }, { tool: 'append_file', input: 'x', output: 'y', status: 'denied', output_bytes: 1, digest: null, irreversible: false }, { tool: 'append_file', input: 'x', output: 'y', status: 'ok', output_bytes: 0.5, digest: null, irreversible: false }]) {
    const made: string[] = [];
    await execution(counting(made), { find: () => Promise.resolve(found), note: () => Promise.reject(new Error('full')) });
    expect(made.length).toBe(STEPS.length);
  }
});
