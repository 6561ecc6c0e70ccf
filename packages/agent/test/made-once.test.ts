/**
 * A call is made once under one idempotency key, also when the process that made it died before its record.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalize, decodeUtf8, hashText, orThrow, type Json, type Request } from '@assay/kernel';
import type { Execution } from '@assay/controller';
import { folderDoneCalls, nativeSha256, type DoneCalls } from '@assay/host';
import { executorPort } from '../src/index.ts';
import type { StepCall, StepTools } from '../src/executor/step-tools.js';

const KEY = `${'ab'.repeat(32)}/7.0/0`;
const STEPS = [
  { id: 'a', tool: 'append_file', input: { path: 'x', content: '1\n' } },
  { id: 'b', tool: 'append_file', input: { path: 'x', content: '1\n' } },
  { id: 'c', tool: 'read_file', input: { path: 'x' } },
  { id: 'd', tool: 'shell', input: { pipeline: [['sort', 'x']] } },
].map((step) => ({ ...step, may_fail: false, if_any: null }));

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assay-once-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Tools that work on one text and say the whole of it; after `dies` calls the process dies before anybody
 * hears of the next. `long`: what each output begins with.
 */
function working(made: string[], text: string[], { dies = Infinity, long = '' } = {}): StepTools {
  return {
    run: ({ tool, input }, { onOutput }) => {
      made.push(tool);
      if (tool === 'append_file') text.push((input as { content: string }).content);
      if (made.length > dies) throw new Error('killed');
      const output = `${long}${tool}: ${text.join('')}`;
      onOutput?.(output);
      return Promise.resolve({
        tool,
        input: JSON.stringify(input),
        output: output.slice(0, 60),
        status: 'ok',
        code: null,
        output_bytes: output.length,
        digest: hashText(output, nativeSha256),
        irreversible: false,
      } satisfies StepCall);
    },
  };
}

async function execution(
  tools: StepTools,
  done: DoneCalls | null,
  { key = KEY, steps = STEPS, output = 'd' } = {},
): Promise<Execution> {
  const context = orThrow(
    decodeUtf8(
      orThrow(canonicalize({ format: 'assay/steps/1', output: { from: output, do: [] }, tries: [steps] })),
    ),
  );
  const body: Json = {
    subtask: '0.0',
    intent: 'x',
    context,
    criteria: [],
    uses: ['append_file', 'read_file', 'shell'].map((tool) => ({ tool, target: '*' })),
    attempt: 0,
    correction: null,
    prior: [],
    must_not: { tools: [], targets: [] },
    confirmed: [],
  };
  const answer = await executorPort(tools, done).perform({ kind: 'execute', body } as unknown as Request, {
    key,
    signal: new AbortController().signal,
  });
  return answer.value as unknown as Execution;
}

it.each(['', 'x'.repeat(9_000)])(
  'carried out twice under one key, by one object or two processes, every call is made once and says the same',
  async (long) => {
    for (const again of [folderDoneCalls(folder), null]) {
      const [made, text]: [string[], string[]] = [[], []];
      const key = `${(again === null ? 'ab' : 'ef').repeat(32)}/7.0/0`;
      const first = await execution(working(made, text, { long }), again ?? folderDoneCalls(folder), { key });
      expect(made).toEqual(['append_file', 'append_file', 'read_file', 'shell']);
      expect(
        await execution(working(made, text, { long }), again ?? folderDoneCalls(folder), { key }),
      ).toEqual(first);
      expect([made.length, text]).toEqual([4, ['1\n', '1\n']]);
    }
  },
);

it(
  'killed after any call, the calls before it are not made again, and the answer is that ' +
    'of a run that was not killed',
  async () => {
    const whole = await execution(working([], []), null);
    for (let dies = 0; dies < STEPS.length; dies += 1) {
      const [made, text]: [string[], string[]] = [[], []];
      const key = `${'cd'.repeat(32)}/${dies}.0/0`;
      await expect(
        execution(working(made, text, { dies }), folderDoneCalls(folder), { key }),
      ).rejects.toThrow('killed');
      // The very call that it died in was made, and nobody knows: its text stands there twice.
      if (STEPS[dies]?.tool === 'append_file') text.pop();
      const before = made.length;
      expect(await execution(working(made, text), folderDoneCalls(folder), { key })).toEqual(whole);
      expect(made.length - before).toBe(STEPS.length - dies);
    }
  },
);

it('an act whose input comes from a look that it changed is not followed by another one', async () => {
  const steps = [
    { id: 'a', tool: 'read_file', input: { path: 'x' } },
    { id: 'd', tool: 'append_file', input: { path: 'x', content: { from: 'a', do: [] } } },
  ].map((step) => ({ ...step, may_fail: false, if_any: null })) as unknown as typeof STEPS;
  const [made, text]: [string[], string[]] = [[], ['1']];
  const first = await execution(working(made, text), folderDoneCalls(folder), { steps });
  expect(text).toEqual(['1', 'read_file: 1']);
  expect(await execution(working(made, text), folderDoneCalls(folder), { steps })).toEqual(first);
  expect(text).toEqual(['1', 'read_file: 1']);
});

it('a step that was carried out with another input is not carried out again', async () => {
  const [made, text]: [string[], string[]] = [[], []];
  await execution(working(made, text), folderDoneCalls(folder));
  const steps = STEPS.map((step) =>
    step.id === 'b' ? { ...step, input: { path: 'x', content: '2\n' } } : step,
  );
  const { status, output } = await execution(working(made, text), folderDoneCalls(folder), { steps });
  expect([status, output.split(':')[0], text]).toEqual(['failed', 'done_otherwise', ['1\n', '1\n']]);
});

it('another attempt, and a run without notes, make every call', async () => {
  const [made, text]: [string[], string[]] = [[], []];
  await execution(working(made, text), folderDoneCalls(folder));
  await execution(working(made, text), folderDoneCalls(folder), { key: `${'ab'.repeat(32)}/7.0/1` });
  await execution(working(made, text), null);
  expect(made.length).toBe(3 * STEPS.length);
});

it('a note that does not fit its call is none; notes that cannot be read or kept cost no answer', async () => {
  const call = {
    tool: 'append_file',
    input: 'x',
    output: 'y',
    output_bytes: 1,
    digest: null,
    irreversible: false,
  };
  const unfit = [
    {},
    { call, whole: 'yy' },
    { call: { ...call, tool: 'write_file' }, whole: 'y' },
    { call: { ...call, output_bytes: -1 }, whole: 'y' },
    { call: { ...call, digest: 'ab'.repeat(32) }, whole: 'y' },
    { call: null, whole: 'y' },
  ];
  for (const find of [
    ...unfit.map((noted) => () => Promise.resolve(noted)),
    () => Promise.reject(new Error('EISDIR')),
  ]) {
    const made: string[] = [];
    await execution(working(made, []), { find, note: () => Promise.reject(new Error('full')) });
    expect(made.length).toBe(STEPS.length);
  }
});
