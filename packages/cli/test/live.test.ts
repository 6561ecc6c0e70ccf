/**
 * How far a run is, on stderr: a line rewritten on a terminal, plain lines elsewhere, nothing with --quiet.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '@assay/cli';
import { makeContinuation, orThrow, snapshot } from '@assay/kernel';
import { drive, memoryStore, portsByKind } from '@assay/host';
import { tally } from '@assay/testing';
import { fitted, plain } from '../src/terminal/shown.ts';
import { Live, PLAIN_MS, REDRAW_MS } from '../src/terminal/live.ts';
import { renderLine, seconds } from '../src/start/start.ts';
import { storedSoFar } from '../src/start/stored-run.ts';
import { argv, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { bytesIn, firstRecords, storeLedger } from './lib/places.ts';

const folder = temporaryFolder();
const CLEAR = '\r\u001b[2K';
const REQUEST = 'Keep audit logs for 90 days.';

/** What a display writes while states come every 7 ms of a clock, for some seconds. */
function written(
  mode: 'line' | 'lines' | 'each' | 'none',
  forMs: number,
): readonly { readonly at: number; readonly text: string }[] {
  let now = 1_000;
  const told: { readonly at: number; readonly text: string }[] = [];
  const live = new Live<number>({
    mode,
    now: () => now,
    write: (text) => told.push({ at: now - 1_000, text }),
    line: (state, elapsedMs) => `state ${state} after ${elapsedMs}`,
  });
  for (; now < 1_000 + forMs; now += 7) live.show(now - 1_000);
  live.end();
  return told;
}

test("a terminal's line is rewritten at most ten times a second, first at once, and cleared at the end", () => {
  const told = written('line', 3_000);
  const drawn = told.slice(0, -1);
  expect(drawn.length).toBeGreaterThan(20);
  expect(drawn.length).toBeLessThanOrEqual(30);
  expect(drawn[0]).toEqual({ at: 0, text: `${CLEAR}state 0 after 0` });
  for (const [index, { at, text }] of drawn.entries()) {
    expect(text).toBe(`${CLEAR}state ${at} after ${at}`);
    expect(at - (drawn[index - 1]?.at ?? -Infinity)).toBeGreaterThanOrEqual(REDRAW_MS);
  }
  expect(told.at(-1)?.text).toBe(CLEAR);
});

test('plain lines come every five seconds, and none for what is over sooner', () => {
  expect(written('lines', PLAIN_MS - 100)).toEqual([]);
  expect(written('lines', 2 * PLAIN_MS + 100).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^state 50\d\d after 50\d\d\n$/),
    expect.stringMatching(/^state 100\d\d after 100\d\d\n$/),
  ]);
  expect(written('each', 21)).toHaveLength(3);
  expect(written('none', 20_000)).toEqual([]);
});

test('the time goes on where nothing else does', () => {
  let now = 0;
  const told: string[] = [];
  const live = new Live<string>({
    mode: 'line',
    now: () => now,
    write: (text) => told.push(text),
    line: (state, elapsedMs) => `${state} ${elapsedMs}`,
  });
  live.show('waiting');
  now = 2_000;
  live.tick();
  live.end();
  live.tick();
  expect(told).toEqual([`${CLEAR}waiting 0`, `${CLEAR}waiting 2000`, CLEAR]);
  expect([seconds(0), seconds(59_949), seconds(60_000), seconds(3_723_000)]).toEqual([
    '0.0 s',
    '59.9 s',
    '1 min 0 s',
    '62 min 3 s',
  ]);
});

test.each([
  ['a terminal', true, [], /^<assay: live: waiting for an answer, 0\.\d s(?:<assay: live: .*)*<$/],
  ['a terminal, quiet', true, ['--quiet'], /^$/],
  ['no terminal', false, [], /^$/],
  [
    'no terminal, verbose',
    false,
    ['--verbose'],
    /^assay: live: waiting for an answer, 0\.\d s\nassay: live: 7 records, 0 open, \d+\.\d s\n$/,
  ],
])('of a run, seen from %s', async (_, isTTY, more, expected) => {
  let err = '';
  const store = `file:${join(folder, `${String(isTTY)}${more.join('')}`)}`;
  expect(
    await main(['run', REQUEST, '--set', 'run_id=live', '--store', store, ...more], {
      out: { write: () => true },
      err: { isTTY, write: (text) => (err += text) },
      env: { NO_COLOR: '1' },
    }),
  ).toBe(0);
  expect(err.replaceAll(CLEAR, '<')).toMatch(expected);
});

test.each([
  ['a terminal', true, [], /^<assay: cut: 4 records, 2 open, 0\.\d s(?:<assay: cut: .*)*<$/],
  [
    'no terminal, verbose',
    false,
    ['--verbose'],
    /^assay: cut: 4 records, 2 open, 0\.\d s\n(?:assay: cut: \d+ records, \d open, \d+\.\d s\n)+$/,
  ],
])(
  'of a run that is resumed, seen from %s: what is stored of it stands there from the start',
  async (_, isTTY, more, expected) => {
    const whole = `file:${join(folder, 'whole')}`;
    const url = `file:${join(folder, `cut-${String(isTTY)}`)}`;
    await called(
      ...argv`run ${REQUEST} --set run_id=cut --proposer rules --proposer rules --proposer rules`,
      ...argv`--store ${whole} --quiet`,
    );
    await storeLedger(url, 'cut', firstRecords((await bytesIn(whole, 'cut')) ?? '', 4));
    let err = '';
    expect(
      await main(['resume', `${url}#cut`, ...more], {
        out: { write: () => true },
        err: { isTTY, write: (text) => (err += text) },
        env: { NO_COLOR: '1' },
      }),
    ).toBe(0);
    expect(err.replaceAll(CLEAR, '<')).toMatch(expected);
  },
);

test('what is stored of a run is counted as it is driven: open requests, and what all its attempts cost', async () => {
  const store = memoryStore();
  let calls = 0;
  const ports = {
    source: 'rule',
    proposer: 'test',
    perform: async () => ({
      value: { option: (calls += 1) % 3 === 0 ? 'tea' : 'soup' },
      spent: { tokens: 10 },
    }),
  } as const;
  const genesis = {
    run_id: 'poll',
    ts_base: 't',
    policy: { voters: 4, quorum: 2, attempts: 3 },
    input: { question: 'Lunch?', options: ['soup', 'salad'] },
  };
  expect(await storedSoFar(store, 'poll')).toBeNull();
  let spent = 0;
  for (let drives = 0, end = 'paused'; end === 'paused'; drives += 1) {
    const { run, ...driven } = orThrow(
      await drive(tally, genesis, {
        store,
        ports: portsByKind({ ballot: ports }),
        steps: Math.min(drives, 1),
      }),
    );
    spent = 10 * calls;
    expect(await storedSoFar(store, 'poll')).toEqual({
      records: run.count,
      open: run.open.size,
      spent: calls === 0 ? {} : { tokens: spent },
    });
    ({ end } = driven);
  }
  expect(spent).toBeGreaterThan(40);
  // One that takes over its requests.
  const { run } = orThrow(
    await drive(tally, { ...genesis, run_id: 'base' }, { store, ports: () => null, steps: 0 }),
  );
  const base = makeContinuation(snapshot(run) ?? (undefined as never));
  orThrow(await drive(tally, { ...genesis, run_id: 'next', base }, { store, ports: () => null, steps: 0 }));
  expect(await storedSoFar(store, 'next')).toEqual({ records: 4, open: 5, spent: {} });
});

test("in a line that is too long names of units and the run's give way, no figure does", () => {
  const text = (runId: string, spent: Readonly<Record<string, number>>, columns: number): string =>
    plain(fitted(renderLine(runId, { records: 12, open: 3, spent }, 12_300, columns), columns));
  const costs = { output_tokens: 16_384, input_tokens: 123, usd_micros: 5_210 };
  expect(text('run-a9798c91bc69', { output_tokens: 16_384 }, 79)).toBe(
    'assay: run-a9798c91bc69: 12 records, 3 open, 12.3 s, spent 16384 output_tokens',
  );
  expect(text('logs', costs, Infinity)).toBe(
    'assay: logs: 12 records, 3 open, 12.3 s, spent 123 input_tokens, 16384 output_tokens, 5210 usd_micros',
  );
  expect(text('run-a9798c91bc69', costs, 79)).toBe(
    'assay: run-a9798c91bc69: 12 records, 3 open, 12.3 s, spent 123/16384/5210 inpu…',
  );
  expect(text('x'.repeat(128), costs, 79)).toMatch(
    /^assay: x{15}…: 12 records, 3 open, 12\.3 s, spent 123\/16384\/5210 inpu…$/,
  );
});
