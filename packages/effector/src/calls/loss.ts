/** What a call loses: nothing, until somebody agreed to lose just that. Source: 003 §9 Law 1; calls/C8. */
import { promises as fs } from 'node:fs';
import { err, ok, type Digest, type Result } from '@assay/kernel';
import { readErrno } from '@assay/host/files';
import { denied, failed, systemRefusal, type Refusal } from '../refusal.js';
import { besideName, computeDigest, type OpenFile, placeNew, withFile } from '../workspace/content.js';
import { renderSpot, type Spot } from '../workspace/descend.js';
import { fileKey, type InsidePath, isStartedByItself, placeKey } from '../workspace/path.js';
import { ended, type CallContext, type Ended } from './call.js';

/** A file in an open folder. */
export type FileSpot = Spot & { readonly name: string };

/**
 * How a file is lost. `asks`: what is said of a file of so many bytes where nobody agreed. `instead`:
 * what is done where the file was, once it is out of the way; what is `ok` then has lost it.
 */
type Losing = {
  readonly asks: (bytes: number) => string;
  readonly instead: () => Promise<Ended>;
};

/**
 * Loses the file at a spot if that was agreed to, else holds. It is looked at, taken out of the way under
 * another name, and looked at again there: what is lost is what was agreed to, whatever others do meanwhile.
 * What is not lost gets its name back; where something new has that name, it stays under the other one, and
 * the refusal `exists` says which.
 */
export async function lose(
  context: CallContext,
  spot: FileSpot,
  losing: Losing,
): Promise<Result<Refusal, Ended>> {
  const held = await heldAt(context, spot, losing);
  if ('ended' in held) return held.ended;
  const aside: FileSpot = { ...spot, name: besideName('old') };
  await fs.rename(renderSpot(spot), renderSpot(aside));
  const acted = await actBeside(context, aside, losing);
  if (acted._tag === 'Right' && acted.right.status === 'ok') await fs.unlink(renderSpot(aside));
  else if (!(await isPutBack(aside, spot)))
    return err(
      failed(
        'exists',
        `${spot.path.text}: something new is there; what was there is now ${aside.name} beside it`,
      ),
    );
  await spot.folder.handle.sync();
  return acted;
}

/** Holds a call that would lose the file at a spot: nothing is done. */
export async function hold(
  context: CallContext,
  spot: Spot,
  asks: Losing['asks'],
): Promise<Result<Refusal, Ended>> {
  return withFile(spot, 'read', (file) => holdOpen(context, file, spot.path, asks, true));
}

/**
 * Null where adding to an open file needs nobody's word: this run made it, and no program starts it. Else it is
 * held until that is confirmed with its digest.
 */
export async function holdAdding(
  context: CallContext,
  { handle, look }: OpenFile,
  asked: InsidePath,
  path: InsidePath,
): Promise<Result<Refusal, Ended> | null> {
  const isMade = context.made.files.has(fileKey(await handle.stat({ bigint: true })));
  if (isMade && !isStartedByItself(asked.text) && !isStartedByItself(path.text)) return null;
  const asks = (bytes: number): string => `a file of ${bytes} bytes is there and would be added to`;
  const held = await holdOpen(context, { handle, look }, path, asks, false);
  return held._tag === 'Right' && isAgreed(context, held.right.loses) ? null : held;
}

/**
 * Asks before a file is made: one that programs start by themselves, or one in the place of a file of others
 * that this run moved away. `asked`: the path as the call names it; it may lead there through links.
 */
export function askFresh(context: CallContext, asked: InsidePath): (path: InsidePath) => Refusal | null {
  return (path) => {
    const why = [asked, path].some(({ text }) => isStartedByItself(text))
      ? 'other programs use such a file by themselves'
      : context.made.left.has(placeKey(path))
        ? 'it would take the place of a file that was moved away'
        : null;
    return why === null || isAgreed(context, null)
      ? null
      : denied('needs_confirmation', `${path.text}: ${why}`);
  };
}

async function holdOpen(
  { watch }: CallContext,
  { handle }: OpenFile,
  path: InsidePath,
  asks: Losing['asks'],
  irreversible: boolean,
): Promise<Result<Refusal, Ended>> {
  const loss = await computeDigest(handle, watch);
  if (loss._tag === 'Left') return loss;
  const { bytes, digest } = loss.right;
  const why = denied('needs_confirmation', `${path.text}: ${asks(bytes)}`);
  return ok({ ...ended(why, { irreversible }), loses: digest });
}

/** True where somebody agreed that this call, with this target, loses just that. */
function isAgreed({ confirmed, aim }: CallContext, loses: Digest | null): boolean {
  return confirmed !== null && confirmed.loses === loses && confirmed.target === aim.target();
}

/** The digest of what stands at a spot where losing that was agreed to, else how the call ends. */
async function heldAt(
  context: CallContext,
  spot: Spot,
  { asks }: Losing,
): Promise<{ readonly loses: Digest } | { readonly ended: Result<Refusal, Ended> }> {
  const held = await hold(context, spot, asks);
  const loses = held._tag === 'Right' ? held.right.loses : null;
  return loses !== null && isAgreed(context, loses) ? { loses } : { ended: held };
}

async function actBeside(
  context: CallContext,
  aside: FileSpot,
  losing: Losing,
): Promise<Result<Refusal, Ended>> {
  try {
    const held = await heldAt(context, aside, losing);
    return 'ended' in held ? held.ended : ok({ ...(await losing.instead()), loses: held.loses });
  } catch (error) {
    return err(systemRefusal(error, aside.path.text));
  }
}

/** False where something has the name by now. Rejects with the system's error. */
async function isPutBack(aside: FileSpot, spot: FileSpot): Promise<boolean> {
  try {
    // A folder that came up in the moment before has no second name.
    if ((await fs.lstat(renderSpot(aside))).isDirectory())
      await fs.rename(renderSpot(aside), renderSpot(spot));
    else await placeNew(renderSpot(aside), spot, spot.name);
    return true;
  } catch (error) {
    if (readErrno(error) === 'EEXIST') return false;
    throw error;
  }
}
