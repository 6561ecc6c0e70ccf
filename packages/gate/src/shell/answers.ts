/**
 * Approvals that another process leaves in a folder: a file for each call, written whole. Whoever can write there can
 * approve. Source: gate/G15.
 *
 * @module
 */
import { join } from 'node:path';
import { canonicalize, field, isObject, orThrow, type Digest, type Json } from '@assay/kernel';
import { readIfThere, writeAll } from '@assay/host/files';

/** What a person said of a call: `digest` is of the input that was shown. */
export type LeftAnswer = {
  readonly n: number;
  readonly digest: Digest;
  readonly approved: boolean;
  readonly by: string;
  readonly note?: string;
};

function makePath(folder: string, n: number): string {
  return join(folder, `${n}.json`);
}

/** Leaves an approval for the process that holds the run: whole, or not at all. Rejects with `WriteError`. */
export async function leaveAnswer(
  folder: string,
  { n, digest, approved, by, note = '' }: LeftAnswer,
): Promise<void> {
  await writeAll([
    { path: makePath(folder, n), bytes: orThrow(canonicalize({ digest, approved, by, note })) },
  ]);
}

/** What was left for a call, null where there is nothing for this digest. Rejects with the system's errors. */
export async function readAnswer(
  folder: string,
  n: number,
  digest: Digest,
): Promise<Pick<LeftAnswer, 'approved' | 'by' | 'note'> | null> {
  const bytes = await readIfThere(makePath(folder, n));
  const said = bytes === null ? null : parse(bytes);
  if (said === null || !isObject(said) || field(said, 'digest') !== digest) return null;
  const [approved, by, note] = [field(said, 'approved'), field(said, 'by'), field(said, 'note')];
  if (typeof approved !== 'boolean') return null;
  return { approved, by: typeof by === 'string' ? by : '', note: typeof note === 'string' ? note : '' };
}

function parse(bytes: Buffer): Json {
  try {
    return JSON.parse(bytes.toString('utf8')) as Json;
  } catch {
    return null;
  }
}
