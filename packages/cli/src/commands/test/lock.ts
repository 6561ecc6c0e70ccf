/**
 * Locking golden runs: recorded answers, derived again by the machines of today, and what they come to.
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  isObject,
  utf8Bytes,
  type ArtifactPayload,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type Replayable,
} from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { lockOf, type ChosenAt, type Fixture } from '@assay/verifier';
import { fileOf, rerun } from '@assay/verifier/attacks';
import { createAll, writeAll } from '../../files/write.js';
import { readJson } from '../../files/json-file.js';
import { readLedger } from '../../files/ledger.js';
import { misuse } from '../../problems/problem.js';
import type { Output } from '../output.js';
import { show } from '../../terminal/shown.js';
import type { Found } from './find.js';

const RUN_ENDING = '.ledger.jsonl';

/**
 * Makes each run NAME.ledger.jsonl a golden fixture in a folder NAME, and writes ledger and lock of every
 * fixture anew; forgeries are left alone. Raises `Stop` before anything of a fixture is written.
 */
export async function lockFixtures(
  found: readonly Found[],
  machines: readonly Replayable[],
  output: Output,
): Promise<void> {
  for (const { kind, name, folder, ledger } of found) {
    if (kind === 'forgery') continue;
    const { records, fault } = await readLedger(ledger);
    const written = fault === null ? rerun(records, { machines, sha256: nativeSha256 }, null) : null;
    // A fixture follows its machine; a run that is not yet one is kept as it is, or not at all.
    if (written === null || (kind === 'run' && written.at(-1)?.record_hash !== records.at(-1)?.record_hash))
      throw misuse(
        'not_derivable',
        'the recorded answers do not replay with the machines at hand',
        ledger,
        'make the run anew, or give its machine with --machine',
      );
    const chosen = kind === 'run' ? lastOf(written) : chosenIn(await readJson(join(folder, 'expected.json')));
    const lock = lockOf(written, chosen, nativeSha256);
    if (lock._tag === 'Left')
      throw misuse(
        'no_lock',
        `this run has no lock: ${lock.left.code}`,
        ledger,
        'lock a closed run; expected.json of a fixture names the place of what was chosen',
      );
    const into = kind === 'run' ? ledger.slice(0, -RUN_ENDING.length) : folder;
    const drafts = [
      { path: join(into, 'ledger.jsonl'), bytes: fileOf(written) },
      { path: join(into, 'expected.json'), bytes: bytesOf(lock.right) },
    ];
    if (kind === 'run') {
      await createAll([
        ...drafts,
        {
          path: join(into, 'fixture.json'),
          bytes: bytesOf(fixtureOf(written[0]?.payload as unknown as Genesis)),
        },
      ]);
      rmSync(ledger);
    } else await writeAll(drafts);
    output.note(show`assay: ${name}: locked`);
  }
}

function bytesOf(value: unknown): Uint8Array {
  return utf8Bytes(`${JSON.stringify(value, null, 2)}\n`);
}

/** What `fixture.json` says of a run that had none. */
function fixtureOf({ run_id, machine: { name, version } }: Genesis): Fixture {
  return { name: run_id, about: 'Locked by assay test --lock.', machine: { name, version } };
}

/** The run's last artifact, whole. */
function lastOf(records: readonly EvidenceRecord[]): ChosenAt {
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
