/** Locking golden runs: recorded answers, derived again by the machines of today, and what they come to. */
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nativeSha256 } from '@assay/host';
import {
  isObject,
  replayWith,
  utf8Bytes,
  type ArtifactPayload,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type Replayable,
} from '@assay/kernel';
import { compareFixture, makeLock, type ChosenAt, type Fixture } from '@assay/verifier';
import { encodeFile, rerun } from '@assay/verifier/attacks';
import { readJson } from '../../files/read.js';
import { soundLedger } from '../../files/ledger.js';
import { replaceAll, writeNew } from '../../files/write.js';
import { EXIT, Stop, misuse } from '../../problems/problem.js';
import type { Found } from './judge.js';

const RUN_ENDING = '.ledger.jsonl';

/** What became of a lock: new, replaced by another result, or the same as before. */
export type Locked = 'locked' | 'locked anew' | 'unchanged';

/** What is told of a lock. */
export type LockedRow = { readonly result: Locked; readonly name: string; readonly detail: string };

/** What is locked: runs, and fixtures but for those whose place a run takes. Forgeries are left alone. */
export function lockFound(found: readonly Found[]): readonly Found[] {
  const moved = new Set(found.filter(({ kind }) => kind === 'run').map(chooseTarget));
  return found.filter(
    (each) => each.kind === 'run' || (each.kind === 'fixture' && !moved.has(chooseTarget(each))),
  );
}

/**
 * Makes a run NAME.ledger.jsonl a golden fixture in a folder NAME, into which its ledger moves, or locks a
 * fixture again. `isForced`: what is locked already may be replaced. Raises `Stop` before anything is written.
 */
export async function lockFixture(
  found: Found,
  machines: readonly Replayable[],
  isForced: boolean,
): Promise<LockedRow> {
  const { kind, name, ledger, missing } = found;
  const into = chooseTarget(found);
  // A link would take what is written out of the folder that is tested.
  if (lstatSync(into, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw misuse('exists', 'this is a link; nothing was written', into, 'put a folder in its place');
  if (missing !== null)
    throw misuse(
      'missing_file',
      'this fixture has lost a file',
      join(into, missing),
      'put it back; or remove the folder, and lock the run again',
    );
  const written = await deriveFound(found, machines);
  const lock = await lockFor(found, written);
  const result = await resultIn(into, kind, written);
  // What is replaced must be a fixture: a folder of another use may hold files with these names.
  const isFixture = existsSync(join(into, 'fixture.json'));
  if (result === 'locked anew' && !(isForced && isFixture))
    throw misuse(
      'exists',
      'another result is locked here; nothing was written',
      into,
      `${isFixture ? '--lock again replaces it; a' : 'A'} run with a file name of its own is locked beside it`,
    );
  const drafts = [
    { path: join(into, 'ledger.jsonl'), bytes: encodeFile(written) },
    { path: join(into, 'expected.json'), bytes: lock },
  ];
  if (kind === 'run') {
    const fixture = makeFixture(written[0]?.payload as unknown as Genesis);
    drafts.push({ path: join(into, 'fixture.json'), bytes: encodeValue(fixture) });
  }
  if (result !== 'unchanged') await (result === 'locked' && kind === 'run' ? writeNew : replaceAll)(drafts);
  if (kind === 'run') rmSync(ledger);
  const detail =
    kind === 'run' ? `moved to ${name.slice(0, -RUN_ENDING.length)}/ledger.jsonl` : 'expected.json';
  return { result, name, detail };
}

function chooseTarget({ kind, folder, ledger }: Found): string {
  return kind === 'run' ? ledger.slice(0, -RUN_ENDING.length) : folder;
}

/** What is locked: a run as it is, a fixture as its machine derives it today. Raises `Stop`. */
async function deriveFound(
  { kind, ledger }: Found,
  machines: readonly Replayable[],
): Promise<readonly EvidenceRecord[]> {
  const { records } = await soundLedger(ledger);
  const replayed = replayWith(machines, records, { sha256: nativeSha256, checked: true });
  if (replayed._tag === 'Right') return records;
  const { code, record } = replayed.left;
  if (code === 'unknown_machine')
    throw new Stop({
      code,
      message: 'the machine of this ledger, or this version of it, is not available',
      place: ledger,
      remedy: 'give its machine with --machine FILE.mjs, or update assay',
      exit: EXIT.unchecked,
    });
  const derived = kind === 'fixture' ? rerun(records, { machines, sha256: nativeSha256 }, null) : null;
  if (derived !== null) return derived;
  throw misuse(
    'not_derivable',
    code === 'differs'
      ? `the machine computes another record ${record} from the recorded answers`
      : `this ledger cannot be recomputed: ${code} at record ${record}`,
    ledger,
    'assay verify shows the difference; make the run anew, or give another machine with --machine',
  );
}

/** What locking comes to in a folder. A fixture whose `expected.json` lacks a field locks nothing so far. */
async function resultIn(
  into: string,
  kind: Found['kind'],
  written: readonly EvidenceRecord[],
): Promise<Locked> {
  const [ledger, expected] = [join(into, 'ledger.jsonl'), join(into, 'expected.json')];
  if (!existsSync(ledger) && !existsSync(expected)) return 'locked';
  if (!existsSync(ledger) || !existsSync(expected)) return 'locked anew';
  const compared = compareFixture(written, await readJson(expected), nativeSha256);
  if (compared._tag === 'Left')
    return kind === 'fixture' && compared.left.code === 'expected' ? 'locked' : 'locked anew';
  return readFileSync(ledger).equals(encodeFile(written)) ? 'unchanged' : 'locked anew';
}

/** `expected.json` of what is locked. Raises `Stop`: `no_lock`. */
async function lockFor(
  { kind, folder, ledger }: Found,
  written: readonly EvidenceRecord[],
): Promise<Uint8Array> {
  const chosen = kind === 'run' ? readLast(written) : chosenIn(await readJson(join(folder, 'expected.json')));
  const lock = makeLock(written, chosen, nativeSha256);
  if (lock._tag === 'Right') return encodeValue(lock.right);
  throw lock.left.code === 'open_run'
    ? misuse('no_lock', 'this run is open: it has no result yet', ledger, 'lock it once it has ended')
    : misuse(
        'no_lock',
        `this run has nothing to lock at ${JSON.stringify(chosen.artifact + chosen.path)}`,
        ledger,
        'name in expected.json, under chosen, an artifact of the run and a place in it',
      );
}

function encodeValue(value: unknown): Uint8Array {
  return utf8Bytes(`${JSON.stringify(value, null, 2)}\n`);
}

/** What `fixture.json` says of a run that had none. */
function makeFixture({ run_id, machine: { name, version } }: Genesis): Fixture {
  return { name: run_id, about: 'Locked by assay test --lock.', machine: { name, version } };
}

/** The run's last artifact, whole. */
function readLast(records: readonly EvidenceRecord[]): ChosenAt {
  const { payload } = records.findLast(({ kind }) => kind === 'artifact') ?? {};
  return { artifact: (payload as ArtifactPayload | undefined)?.name ?? '', path: '' };
}

function chosenIn(expected: Json): ChosenAt {
  const chosen = isObject(expected) ? expected['chosen'] : undefined;
  const { artifact, path } = chosen !== undefined && isObject(chosen) ? chosen : {};
  return {
    artifact: typeof artifact === 'string' ? artifact : '',
    path: typeof path === 'string' ? path : '',
  };
}
