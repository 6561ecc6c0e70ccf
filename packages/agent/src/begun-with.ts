/**
 * Which recordings a task was begun with, noted beside its store: the first record of a run names players at
 * most, and no files.
 *
 * @module
 */
import { openRun, type Digest, type GenesisInput, type JsonObject } from '@assay/kernel';
import { CAST, controller, type CastRole } from '@assay/controller';
import { nativeSha256, type DoneCalls } from '@assay/host';

/** The roles that recordings play, and in whatever words the caller names those, their paths whole. */
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
  { roles, options }: BegunWith,
): Promise<() => Promise<void>> {
  if (done === null || roles.length === 0) return () => Promise.resolve();
  const note = (number: number): Promise<void> =>
    done.note(keyOf(genesis), number, { roles, options }).catch(() => undefined);
  await note(BEFORE);
  return () => note(STANDS);
}

/** What {@link noteRecordings} noted of a task; nothing where there is no note, or none that can be read. */
export async function notedRecordings(done: DoneCalls | null, genesis: Digest): Promise<BegunWith> {
  const find = async (number: number): Promise<JsonObject | null> =>
    (await done?.find(keyOf(genesis), number).catch(() => null)) ?? null;
  const note = (await find(STANDS)) ?? (await find(BEFORE));
  const roles = textsIn(note?.['roles']);
  return { roles: CAST.filter((role) => roles.includes(role)), options: textsIn(note?.['options']) };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
