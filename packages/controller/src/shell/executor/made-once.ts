/**
 * Calls that act are made once, also where the process dies before the run has recorded what came of one.
 * Source: calls/C15.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import type { CallAnswer } from '../../index.js';
import { PortError, type DoneCalls } from '@assay/host';

const BEGUN = 0;
const DONE = 1;

/**
 * What came of a call: as it is noted under the key of its request, or as `make` gives it, noted then. A call
 * that was begun and is not noted done is made again only where `again`; else it is lost, and raises a
 * `PortError` of that class. Of such a tool, one whose beginning cannot be noted is not made: `refused`.
 * Any other note that cannot be kept or read costs no answer; whoever keeps them says so.
 */
export async function madeOnce(
  done: DoneCalls,
  { key, again }: { readonly key: string; readonly again: boolean },
  make: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const noted = await found(done, key, DONE);
  if (isObject(noted?.['answer'])) return noted['answer'] as unknown as CallAnswer;
  if (!again) {
    if ((await sure(done.find(key, BEGUN))) !== null)
      throw new PortError('lost', { message: 'the call was begun, and what came of it is not known' });
    await sure(done.note(key, BEGUN, {}));
  }
  const answer = await make();
  await note(done, key, DONE, { answer: { ...answer } });
  return answer;
}

/** A journal that fails before the call: nothing was done yet. */
function sure<T>(kept: Promise<T>): Promise<T> {
  return kept.catch((error: unknown) => {
    throw new PortError('refused', { message: 'the journal of calls cannot be used', cause: error });
  });
}

function found(done: DoneCalls, key: string, at: number): Promise<JsonObject | null> {
  return done.find(key, at).catch(() => null);
}

function note(
  done: DoneCalls,
  key: string,
  at: number,
  made: { readonly [key: string]: Json },
): Promise<void> {
  return done.note(key, at, made).catch(() => undefined);
}
