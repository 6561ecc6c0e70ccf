/**
 * The recordings of a task as options: those it begins with, and those that whoever resumes it must name.
 *
 * @module
 */
import { resolve } from 'node:path';
import { notedRecordings, type BegunWith } from '@assay/agent';
import type { EvidenceRecord } from '@assay/kernel';
import { CAST } from '@assay/controller';
import { folderDoneCalls } from '@assay/host';
import { fileOfProposer } from '../../options/proposers.js';
import { notesFolder } from '../../files/notes-folder.js';
import { misuse } from '../../problems/problem.js';
import type { ControlOptions } from './options.js';
import type { Players } from './players.js';
import { resumeControl } from './resume-command.js';

/** The recordings that play roles, and the `--proposer` options that name them, their paths whole. */
export function recordingsOf({ recorded }: Pick<Players, 'recorded'>, given: readonly string[]): BegunWith {
  const options = given.flatMap((option) => {
    const [, role = '', name = ''] = /^(R[0-9][ab]?=)?(.+)$/s.exec(option) ?? [];
    const file = fileOfProposer(name);
    return file === null ? [] : [`${role}recorded:${resolve(file)}`];
  });
  return { roles: CAST.filter((role) => recorded.has(role)), options };
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
  const { roles, options: named } = await notedRecordings(
    folder === null ? null : folderDoneCalls(folder),
    record_hash,
  );
  const lacking = roles.filter((role) => unnamed.has(role));
  if (lacking.length === 0) return;
  // What names every role would take none away from an option of its own: those that are given stand first.
  const again = resumeControl(runId, { ...options, proposer: [...options.proposer, ...named] });
  throw misuse(
    'proposer_needed',
    `${lacking.join(', ')} ${lacking.length === 1 ? 'was' : 'were'} given to a recording ` +
      'when this task was begun, and nobody is named for ' +
      `${lacking.length === 1 ? 'it' : 'them'} now`,
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
