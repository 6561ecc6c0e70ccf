/**
 * `expectReplay` and `expectSameDecisions`: in anyone's tests a committed ledger must be derived again, byte
 * for byte, or by the same decisions. Source: 001 §4.6; design §3.
 */
import { AssertionError } from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Digest,
  type EvidenceRecord,
  type Follower,
  formatHeadLine,
  type Json,
  type KernelOptions,
  LineSplitter,
  type Machine,
  type Replayable,
  replayable,
  replayWith,
  RunIntegrity,
  type Sha256,
} from '@assay/kernel';
import { compareFixture, type FixtureFault, parseFixture } from '@assay/verifier';
import { endText, impact, impactRow, NO_CHANGE, redecider } from '@assay/verifier/impact';
import { tally } from '../machines/tally.js';

/**
 * With what a ledger is replayed. `machines`: yours; those of this package are known anyway. `head`: the head
 * line of the run, kept outside of the ledger (`assay head` prints it); space around it is ignored. A `head`
 * that is given as undefined or empty, such as a variable that is not set, is an error.
 */
type ExpectReplayOptions = { readonly machines?: readonly Replayable[]; readonly head?: string };

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

/** Every released machine and version of this package, ready to replay. Give your own beside them. */
export function knownMachines(options?: KernelOptions): readonly Replayable[] {
  return [replayable(tally, options)];
}

/** How many runs were decided again, and how many decisions that were. */
export type SameDecisions = { readonly runs: number; readonly decisions: number };

const SHOWN = 5;

/**
 * Decides every run below a folder again (files `ledger.jsonl` and `*.ledger.jsonl`) from its recorded answers,
 * with your machine in the place of the recorded one of its name, whatever its version. Throws an
 * `AssertionError` that names each run whose decisions differ, cannot be known or cannot be used; and one where
 * there is no decision at all. A folder `forgeries` is left out.
 *
 * @example
 * ```ts
 * import { it } from 'vitest'; // or node:test
 * it('decides as recorded', () => void expectSameDecisions('golden', refundMachine));
 * ```
 */
export function expectSameDecisions<S, I, E extends Json, A extends Json>(
  folder: string,
  machine: Machine<S, I, E, A>,
): SameDecisions {
  const options = {
    machines: [],
    instead: [redecider(machine, { sha256: native })],
    change: NO_CHANGE,
    sha256: native,
  };
  const rows = ledgersIn(folder).map((path) => impactRow(path, impact([readFileSync(path)], options)));
  const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
  const odd = rows.filter((row) => row.class !== 'same');
  if (odd.length === 0 && decisions > 0) return { runs: rows.length, decisions };
  const lines = odd
    .slice(0, SHOWN)
    .map(
      ({ file, class: name, code, decision, was, would_be }) =>
        `\n  ${file}: ${name} ${code ?? `from decision ${decision ?? 0}`}: ${endText(was)} → ${endText(would_be)}`,
    );
  throw new AssertionError({
    message:
      odd.length === 0
        ? `${folder}: no decision to check in ${rows.length} ledgers`
        : `${odd.length} of ${rows.length} runs are not decided as recorded${lines.join('')}`,
    expected: 'every decision the same',
    actual: odd.map(({ file, class: name }) => `${file}: ${name}`),
    operator: 'expectSameDecisions',
  });
}

function ledgersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name === 'node_modules' || entry.name === 'forgeries' ? [] : ledgersIn(path);
      return entry.name === 'ledger.jsonl' || entry.name.endsWith('.ledger.jsonl') ? [path] : [];
    });
}
