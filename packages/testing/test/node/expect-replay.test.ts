import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { replayable } from '@assay/kernel';
import { openPoll, tally } from '@assay/testing';
import { expectReplay } from '@assay/testing/node';
import { fileOf, reforge } from '../../../kernel/tools/ledger-builder.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const goldens = join(root, 'golden-fixtures');
const names = readdirSync(goldens).filter((name) => name.startsWith('tally-'));
const scratch = mkdtempSync(join(tmpdir(), 'expect-replay-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A copy of a fixture, with some of its files changed. */
function changed(name: string, files: Readonly<Record<string, (text: string) => string>>): string {
  const folder = join(mkdtempSync(join(scratch, 'fixture-')), name);
  cpSync(join(goldens, name), folder, { recursive: true });
  for (const [file, change] of Object.entries(files))
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  return folder;
}

describe('golden fixtures of tally', () => {
  it('are seven', () => {
    expect(names).toHaveLength(7);
  });

  for (const name of names) {
    it(`${name} replays, byte for byte, to what is locked`, () => {
      expect(expectReplay(join(goldens, name)).follower.outcome).not.toBeNull();
    });
  }

  it('the ledgers that fixtures stand on replay too', () => {
    for (const name of ['tally-continuation', 'tally-fork'])
      expectReplay(join(goldens, name, 'base.ledger.jsonl'));
  });
});

describe('expectReplay names the first difference', () => {
  it('integrity: record, code, field', () => {
    const folder = changed('tally-success', { 'ledger.jsonl': (text) => text.replace('"soup"', '"stew"') });
    expect(() => expectReplay(folder)).toThrow(
      new RegExp(
        'ledger\\.jsonl: integrity payload_hash at record 0, field /payload_hash\n' +
          ' {2}expected "[0-9a-f]{64}"\n {2}got {6}"[0-9a-f]{64}"',
      ),
    );
  });

  it('re-derivation: record, field, expected, got', () => {
    const { records } = expectReplay(join(goldens, 'tally-success'));
    const path = join(scratch, 'forged.ledger.jsonl');
    writeFileSync(
      path,
      fileOf(
        reforge(records, (payload, index) => (index === 5 ? { ...payload, code: 'unclear' } : undefined)),
      ),
    );
    expect(() => expectReplay(path)).toThrow(
      'rederivation differs at record 5, field /payload/code\n  expected "unknown_option"\n  got      "unclear"',
    );
  });

  it('the lock: field, expected, got', () => {
    const folder = changed('tally-success', {
      'expected.json': (text) => text.replace('"node_count": 5', '"node_count": 6'),
    });
    expect(() => expectReplay(folder)).toThrow('differs, field /node_count\n  expected 6\n  got      5');
  });

  const faults: readonly (readonly [string, string, Readonly<Record<string, (text: string) => string>>])[] = [
    [
      'a lock that locks nothing',
      'locks nothing: missing, field /summary_hash',
      { 'expected.json': () => '{}' },
    ],
    ['a lock that is no JSON', 'is no JSON', { 'expected.json': (text) => text.slice(1) }],
    [
      'a fixture without a machine',
      'fixture.json: missing, field /machine',
      { 'fixture.json': () => '{"name":"a","about":"b"}' },
    ],
    [
      'a fixture of another machine',
      'another machine at /machine',
      { 'fixture.json': (text) => text.replace('"version": 1', '"version": 2') },
    ],
    [
      'a run that is open',
      'the ledger has no lock: open_run',
      { 'ledger.jsonl': (text) => `${text.split('\n').slice(0, 4).join('\n')}\n` },
    ],
    ['an empty file', 'integrity empty at record 0', { 'ledger.jsonl': () => '' }],
    [
      'a file cut inside a line',
      'integrity encoding at record 14',
      { 'ledger.jsonl': (text) => text.slice(0, -10) },
    ],
    [
      'a missing last newline',
      'integrity final_newline at record 14',
      { 'ledger.jsonl': (text) => text.slice(0, -1) },
    ],
  ];
  for (const [fault, message, files] of faults) {
    it(fault, () => {
      expect(() => expectReplay(changed('tally-success', files))).toThrow(message);
    });
  }

  it('the head that is kept elsewhere: another run, the same run cut, and no head line at all', () => {
    const [fixture, other] = [join(goldens, 'tally-success'), join(goldens, 'tally-refused')];
    const { records } = expectReplay(fixture);
    const head = `assay-head:1:15:${records.at(-1)?.record_hash ?? ''}`;
    expectReplay(fixture, { head: `${head}\n` });
    expect(() => expectReplay(other, { head })).toThrow(
      /ledger.jsonl: another head\n {2}expected "assay-head:1:15:[0-9a-f]{64}"\n {2}got {6}"assay-head:1:10:/,
    );
    const cut = join(scratch, 'cut.ledger.jsonl');
    writeFileSync(cut, fileOf(records.slice(0, 2)));
    expectReplay(cut);
    for (const given of [head, 'assay-head:1:2:0'])
      expect(() => expectReplay(cut, { head: given })).toThrow('another head');
  });

  it('a head that is not set, as a variable of the environment may be', () => {
    const { HEAD_NOT_SET: head } = process.env;
    // Whoever writes JavaScript, or does not turn on exactOptionalPropertyTypes, can give undefined.
    for (const options of [{ head }, { head: '' }, { head: ' \n' }] as readonly { readonly head?: string }[])
      expect(() => expectReplay(join(goldens, 'tally-success'), options)).toThrow('head is not set');
  });

  it('what is not there, and a folder that is no fixture', () => {
    expect(() => expectReplay(join(scratch, 'nothing'))).toThrow('no such file or folder');
    expect(() => expectReplay(scratch)).toThrow(`${join(scratch, 'ledger.jsonl')}: is missing`);
  });

  it('throws an AssertionError with expected and actual, as test frameworks show them', () => {
    const folder = changed('tally-success', {
      'expected.json': (text) => text.replace('"records": 15', '"records": 16'),
    });
    let thrown: unknown;
    try {
      expectReplay(folder);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'AssertionError', code: 'ERR_ASSERTION', expected: 16, actual: 15 });
  });
});

describe('expectReplay takes machines and open ledgers', () => {
  it('an open ledger passes; so does one that ends inside a group', () => {
    const path = join(scratch, 'open.ledger.jsonl');
    const { records } = openPoll();
    for (const count of [2, 1]) {
      writeFileSync(path, fileOf(records.slice(0, count)));
      expect(expectReplay(path).follower.due).toHaveLength(2 - count);
    }
  });

  it('a machine of your own', () => {
    const path = join(scratch, 'own.ledger.jsonl');
    writeFileSync(
      path,
      fileOf(
        reforge(openPoll().records.slice(0, 1), (payload) => ({
          ...payload,
          machine: { name: 'own', version: 1, engine: null },
        })),
      ),
    );
    expect(() => expectReplay(path)).toThrow(
      /unknown_machine at record 0, field \/payload\/machine\n {2}expected ".*\{ machines \}/,
    );
    expect(
      expectReplay(path, { machines: [replayable({ ...tally, name: 'own' })] }).follower.due,
    ).toHaveLength(1);
  });
});
