/**
 * Text from evidence is shown, never obeyed; and a check that was not made never looks like a good result.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { argv, assay, FORGERIES, POLL, temporaryFolder, type Ended } from './lib/assay.ts';

const folder = temporaryFolder();
const out = join(folder, 'out');
const ledger = join(out, 'run.ledger.jsonl');
/** A red terminal, a new title, a hidden reversal, an invisible tag, a bell and a carriage return. */
const HOSTILE =
  'Keep logs at least 6 months\u001b[31m.\u001b]0;owned\u0007 Never \u202eerase\u202c the ' +
  '\u{e0041}audit trail\r within 30 days, and verify it.\u2028::error::gone';
const OBEYED =
  // eslint-disable-next-line no-control-regex -- these are what must not be printed
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
const PRAISE = /\bok\b|valid|verified|passed|[✓✔√☑✅]/i;

beforeAll(async () => {
  const request = join(folder, 'request.txt');
  writeFileSync(request, HOSTILE);
  const { code } = await assay(['run', request, '--set', 'run_id=hostile', '-o', out]);
  expect([0, 1]).toContain(code);
});

describe('no control or direction character reaches the terminal', () => {
  test.each([
    ['run', HOSTILE],
    ['run', HOSTILE, '--json'],
    ['demo', HOSTILE],
    ['show', ledger],
    ['show', ledger, 'records'],
    ['show', ledger, '--format', 'markdown'],
    ['whatif', ledger, '--set', 'order=1'],
    ['show', ledger, '0'],
    ['show', ledger, '--json'],
    ['verify', ledger],
    ['verify', ledger, '--json'],
    ['diff', ledger, POLL],
    ['diff', ledger, POLL, '--json'],
    ['tamper', ledger, 'edit', '-o', join(folder, 'edit.jsonl')],
    ['tamper', ledger, 'rehash', '-o', join(folder, 'rehash.jsonl')],
    ['verify', '\u001b[31mred\u202e'],
    ['head', '\u0007'],
    ['\u001b[2J'],
    ['run', HOSTILE, '--pin', '\u001b[31m=1'],
    ['verify', POLL, '--head', '\u001b[31m'],
  ])('assay %j %j', async (...args) => {
    const { code, stdout, stderr } = await assay(args, { cwd: folder });
    expect(code).not.toBe(70);
    expect(OBEYED.exec(stdout + stderr)).toBeNull();
    expect(stdout.length + stderr.length).toBeGreaterThan(0);
  });

  test('it is shown as visible escapes instead', async () => {
    const { stdout } = await assay(['show', ledger, '0']);
    for (const escape of ['\\u001b', '\\u202e', '\\udb40\\udc41']) expect(stdout).toContain(escape);
    expect(JSON.parse(stdout)).toMatchObject({ payload: { input: { seed_text: HOSTILE } } });
  });
});

describe('no line about a check that was not made contains ok, valid, verified, passed or a tick', () => {
  const open = ({ stdout, stderr }: Ended): readonly string[] =>
    `${stdout}\n${stderr}`
      .split('\n')
      .filter((line) => /not_checked|not checked|not known|missed/.test(line));
  const ledgersIn = (place: string): readonly string[] =>
    readdirSync(place).map((name) => join(place, name, 'ledger.jsonl'));

  test('verify, over each kind of forgery and twin in each mode', async () => {
    const kinds = ledgersIn(FORGERIES);
    const calls = [
      kinds,
      [...kinds, '--checks', 'hash'],
      [...kinds, '--checks', 'any'],
      [...kinds, '--checks', 'all'],
      [...kinds, '--limit', 'records=3'],
    ];
    const lines = new Set<string>();
    for (const args of calls) for (const line of open(await assay(['verify', ...args]))) lines.add(line);
    expect(lines.size).toBeGreaterThan(15);
    expect([...lines].filter((line) => PRAISE.test(line))).toEqual([]);
  });

  test('tamper, test and demo', async () => {
    const calls = [
      ...['edit', 'truncate', 'rehash', 'rederive'].map(
        (attack) => argv`tamper ${POLL} ${attack} -o ${join(folder, `${attack}.jsonl`)}`,
      ),
      ['test', FORGERIES],
    ];
    const ended = [
      ...(await Promise.all(calls.map((args) => assay(args)))),
      await assay(['demo'], { cwd: folder }),
    ];
    const lines = ended.flatMap(open);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => PRAISE.test(line))).toEqual([]);
  });
});
