/** How far a run is, on stderr: a line rewritten on a terminal, plain lines elsewhere, nothing with --quiet. */
import { expect, test } from 'vitest';
import { main } from '@assay/cli';
import { Live, PLAIN_MS, REDRAW_MS } from '../src/output/live.ts';
import { seconds } from '../src/running/progress.ts';
import { temporaryFolder } from './lib/assay.ts';
import { join } from 'node:path';

const folder = temporaryFolder();
const CLEAR = '\r\u001b[2K';
const REQUEST = 'Keep audit logs for 90 days.';

/** What a display writes while states come every 7 ms of a clock, for some seconds. */
function written(mode: 'line' | 'lines' | 'each' | 'none', forMs: number): readonly { readonly at: number; readonly text: string }[] {
  let now = 1_000;
  const told: { readonly at: number; readonly text: string }[] = [];
  const live = new Live<number>({ mode, now: () => now, write: (text) => told.push({ at: now - 1_000, text }), line: (state, elapsedMs) => `state ${state} after ${elapsedMs}` });
  for (; now < 1_000 + forMs; now += 7) live.show(now - 1_000);
  live.end();
  return told;
}

test('a terminal\'s line is rewritten at most ten times a second, first at once, and cleared at the end', () => {
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
  expect(written('lines', 2 * PLAIN_MS + 100).map(({ text }) => text)).toEqual([expect.stringMatching(/^state 50\d\d after 50\d\d\n$/), expect.stringMatching(/^state 100\d\d after 100\d\d\n$/)]);
  expect(written('each', 21)).toHaveLength(3);
  expect(written('none', 20_000)).toEqual([]);
});

test('the time goes on where nothing else does', () => {
  let now = 0;
  const told: string[] = [];
  const live = new Live<string>({ mode: 'line', now: () => now, write: (text) => told.push(text), line: (state, elapsedMs) => `${state} ${elapsedMs}` });
  live.show('waiting');
  now = 2_000;
  live.tick();
  live.end();
  live.tick();
  expect(told).toEqual([`${CLEAR}waiting 0`, `${CLEAR}waiting 2000`, CLEAR]);
  expect([seconds(0), seconds(59_949), seconds(60_000), seconds(3_723_000)]).toEqual(['0.0 s', '59.9 s', '1 min 0 s', '62 min 3 s']);
});

test.each([
  ['a terminal', true, [], /^<assay: live: waiting for an answer, 0\.\d s(?:<assay: live: .*)*<$/],
  ['a terminal, quiet', true, ['--quiet'], /^$/],
  ['no terminal', false, [], /^$/],
  ['no terminal, verbose', false, ['--verbose'], /^assay: live: waiting for an answer, 0\.\d s\nassay: live: 7 records, 0 open, \d+\.\d s\n$/],
])('of a run, seen from %s', async (_, isTTY, more, expected) => {
  let err = '';
  const store = `file:${join(folder, `${String(isTTY)}${more.join('')}`)}`;
  expect(await main(['run', REQUEST, '--run-id', 'live', '--store', store, ...more], { out: { write: () => true }, err: { isTTY, write: (text) => (err += text) }, env: { NO_COLOR: '1' } })).toBe(0);
  expect(err.replaceAll(CLEAR, '<')).toMatch(expected);
});
