/**
 * `expectReplay`: a committed ledger must be derived again, byte for byte, in anyone's tests.
 * Source: 001 §4.6; design §3.
 *
 * @module
 */
import { AssertionError } from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatHeadLine,
  LineSplitter,
  replayWith,
  RunIntegrity,
  type Digest,
  type EvidenceRecord,
  type Follower,
  type Json,
  type Replayable,
  type Sha256,
} from '@assay/kernel';
import { compareFixture, parseFixture, type FixtureFault } from '@assay/verifier';
import { knownMachines } from '../machines/known.js';

/**
 * With what a ledger is replayed. `machines`: yours; those of this package are known anyway. `head`: the head
 * line of the run, kept outside of the ledger (`assay head` prints it); space around it is ignored. A `head`
 * that is given as undefined or empty, such as a variable that is not set, is an error.
 */
export type ExpectReplayOptions = { readonly machines?: readonly Replayable[]; readonly head?: string };

/** What a replayed ledger is: its follower and its records. */
export type Replayed = { readonly follower: Follower; readonly records: readonly EvidenceRecord[] };

/**
 * Replays a fixture folder (`fixture.json`, `ledger.jsonl`, `expected.json`) or a ledger file, and throws an
 * `AssertionError` with the first difference: the record, the field, what was expected and what is there.
 * In order: the integrity of the file, every decision derived again, the head where one is given, the values
 * locked in `expected.json`.
 *
 * An open ledger file passes where it is a prefix of what its machine derives; a fixture must be closed.
 *
 * @example
 * ```ts
 * import { it } from 'vitest'; // or node:test
 * it('replays', () => void expectReplay('golden-fixtures/tally-success'));
 * ```
 */
export function expectReplay(path: string, options: ExpectReplayOptions = {}): Replayed {
  if (!existsSync(path))
    throw differs(path, 'no such file or folder', 'a fixture folder or a ledger file', null);
  if (Object.hasOwn(options, 'head') && (options.head ?? '').trim() === '')
    throw differs(path, 'head is not set', 'the head line of the run', options.head);
  const isFolder = statSync(path).isDirectory();
  const replayed = replayFile(isFolder ? member(path, 'ledger.jsonl') : path, options);
  if (isFolder) expectLock(path, replayed);
  return replayed;
}

const native: Sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex') as Digest;

function replayFile(path: string, { machines = [], head }: ExpectReplayOptions): Replayed {
  const integrity = new RunIntegrity({ sha256: native });
  const splitter = new LineSplitter();
  const records: EvidenceRecord[] = [];
  for (const { bytes, isEnded } of [...splitter.push(readFileSync(path)), ...splitter.end()]) {
    const fed = integrity.feed(bytes, isEnded);
    if (fed._tag === 'Left') break;
    records.push(fed.right);
  }
  const judged = integrity.finish();
  if (judged._tag === 'Left') {
    const { code, detail, record } = judged.left;
    throw differs(
      path,
      `integrity ${code} at record ${record}${at(detail.path)}`,
      detail.expected,
      detail.got,
    );
  }
  const follower = replayWith([...machines, ...knownMachines({ sha256: native })], records, {
    sha256: native,
    checked: true,
  });
  if (follower._tag === 'Left') {
    const { check, code, expected, field, got, record } = follower.left;
    throw differs(
      path,
      `${check} ${code} at record ${record}${at(field)}`,
      code === 'unknown_machine'
        ? 'one of the machines known or given: expectReplay(path, { machines })'
        : expected,
      got,
    );
  }
  const got = formatHeadLine(judged.right);
  if (head !== undefined && head.trim() !== got) throw differs(path, 'another head', head.trim(), got);
  return { follower: follower.right, records };
}

function expectLock(folder: string, { follower, records }: Replayed): void {
  const fixture = parseFixture(readJson(member(folder, 'fixture.json')));
  if (fixture._tag === 'Left')
    throw differs(
      join(folder, 'fixture.json'),
      `${fixture.left[0]?.code ?? 'faulty'}${at(fixture.left[0]?.path)}`,
      'name, about and machine',
      null,
    );
  const { name, version } = fixture.right.machine;
  const by = follower.genesis.machine;
  if (by.name !== name || by.version !== version)
    throw differs(
      join(folder, 'fixture.json'),
      'another machine at /machine',
      { name: by.name, version: by.version },
      { name, version },
    );
  const compared = compareFixture(records, readJson(member(folder, 'expected.json')), native);
  if (compared._tag === 'Left') throw lockFault(join(folder, 'expected.json'), compared.left);
}

function lockFault(path: string, fault: FixtureFault): AssertionError {
  switch (fault.code) {
    case 'expected':
      return differs(
        path,
        `locks nothing: ${fault.faults[0]?.code ?? 'faulty'}${at(fault.faults[0]?.path)}`,
        'a value',
        null,
      );
    case 'ledger':
      return differs(path, `the ledger has no lock: ${fault.error.code}`, 'a closed run', null);
    case 'differs': {
      const [first] = fault.differences;
      return differs(path, `differs${at(first?.field)}`, first?.expected, first?.got);
    }
  }
}

function differs(
  path: string,
  what: string,
  expected: Json | undefined,
  got: Json | undefined,
): AssertionError {
  const message =
    `${path}: ${what}\n  expected ${JSON.stringify(expected ?? null)}\n  got      ` +
    `${JSON.stringify(got ?? null)}`;
  return new AssertionError({ message, expected, actual: got, operator: 'expectReplay' });
}

function at(path: string | null | undefined): string {
  return path === null || path === undefined ? '' : `, field ${path === '' ? '(root)' : path}`;
}

function member(folder: string, name: string): string {
  const path = join(folder, name);
  if (!existsSync(path)) throw differs(path, 'is missing', name, null);
  return path;
}

function readJson(path: string): Json {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Json;
  } catch {
    throw differs(path, 'is no JSON', 'a JSON text', null);
  }
}
