/**
 * Which recordings a task was begun with, noted beside its store: the first record of a run names players at
 * most, and no files.
 *
 * @module
 */
import { resolve } from 'node:path';
import { openRun, type Digest, type EvidenceRecord, type GenesisInput, type JsonObject } from '@assay/kernel';
import { CAST, controller, type CastRole } from '@assay/controller';
import { folderDoneCalls, nativeSha256, type DoneCalls } from '@assay/host';
import { fileOfProposer } from '../inputs/proposers.js';
import { notesFolder } from '../stores/notes-folder.js';
import { misuse } from '../problem.js';
import type { ControlOptions } from './options.js';
import type { Players } from './players.js';
import { resumeControl } from './resume-command.js';

/** The roles that recordings play, and the `--proposer` options that name those, their paths whole. */
export type BegunWith = { readonly roles: readonly CastRole[]; readonly options: readonly string[] };

/** Numbers of a task's notes: before its first record is stored, and once it is. */
const BEFORE = 0;
const STANDS = 1;
const keyOf = (genesis: Digest): string => `${genesis}/begun-with`;

/**
 * The hash of the first record that a task will have; null where the machine refuses it, which is told where
 * it begins.
 */
export function genesisHash(start: GenesisInput): Digest | null {
  const opened = openRun(controller, start, { sha256: nativeSha256 });
  return opened._tag === 'Left' ? null : opened.right.run.genesisRecord.record_hash;
}

/**
 * Notes the recordings of a task that begins, where it has any, so that a kill behind its first record finds
 * them. What this gives notes them again, and is called once that record is stored: of two processes that
 * begin one task the other may note its own meanwhile, or take this note for one of a run that was taken
 * away; whose record it is has the last word. A note that cannot be kept costs nothing: resume then asks by
 * what was played.
 */
export async function noteRecordings(
  done: DoneCalls | null,
  genesis: Digest,
  { recorded }: Pick<Players, 'recorded'>,
  given: readonly string[],
): Promise<() => Promise<void>> {
  if (done === null || recorded.size === 0) return () => Promise.resolve();
  const options = given.flatMap((option) => {
    const [, role = '', name = ''] = /^(R[0-9][ab]?=)?(.+)$/s.exec(option) ?? [];
    const file = fileOfProposer(name);
    return file === null ? [] : [`${role}recorded:${resolve(file)}`];
  });
  const note = (number: number): Promise<void> =>
    done
      .note(keyOf(genesis), number, { roles: CAST.filter((role) => recorded.has(role)), options })
      .catch(() => undefined);
  await note(BEFORE);
  return () => note(STANDS);
}

/**
 * That every role which a recording played when a task was begun is named again: else rules, or tools that do
 * the work anew, would go on in its place in silence. Raises `Stop`, `proposer_needed`, with the command to
 * type.
 */
export async function requireRecordings(
  { record_hash }: EvidenceRecord,
  { unnamed }: Pick<Players, 'unnamed'>,
  runId: string,
  options: ControlOptions & { readonly store: string; readonly workspace: string },
): Promise<void> {
  const folder = await notesFolder(options.store);
  const done = folder === null ? null : folderDoneCalls(folder);
  const find = async (number: number): Promise<JsonObject | null> =>
    (await done?.find(keyOf(record_hash), number).catch(() => null)) ?? null;
  const note = (await find(STANDS)) ?? (await find(BEFORE));
  const [roles, named] = [textsIn(note?.['roles']), textsIn(note?.['options'])];
  const lacking = CAST.filter((role) => roles.includes(role) && unnamed.has(role));
  if (lacking.length === 0) return;
  // What names every role would take none away from an option of its own: those that are given stand first.
  const again = resumeControl(runId, { ...options, proposer: [...options.proposer, ...named] });
  throw misuse(
    'proposer_needed',
    `${lacking.join(', ')} ${lacking.length === 1 ? 'was' : 'were'} given to a recording when this task was begun, and nobody is named for ${lacking.length === 1 ? 'it' : 'them'} now`,
    `--proposer ${lacking[0] ?? ''}=NAME`,
    {
      parts: [
        { text: 'type: ', style: null },
        ...again.parts,
        { text: '; or name rules in its place', style: null },
      ],
    },
  );
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
