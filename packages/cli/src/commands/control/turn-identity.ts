/**
 * Which run a turn of a session is.
 *
 * @module
 */
import { hashCanonical, match } from '@assay/kernel';
import { listRun, nativeSha256, type Identity, type Store } from '@assay/host';
import { nodeProcesses } from '@assay/store-file';
import { realPath } from '../../files/write.js';
import { storeProblem } from '../../files/store.js';
import type { Session } from './session.js';
import { isDriven } from './session-turn.js';

/**
 * Where a session is kept, and where its runs. `folder`: null where its runs are in no store, and meet none
 * of another session.
 */
export type TurnPlace = { readonly folder: string | null; readonly store: Store; readonly place: string };

/**
 * The name of the next turn: the derived one with the session, where its runs are in a store, and the number
 * of the turn. The last turns may come back word for word, and what they did would then pass for what is
 * asked now; and so would what another session did over the same store. A run that another call drives now is
 * passed over, and so is one that is over and is no turn still to be added, as of an earlier session in the
 * same folder; an open one is gone on with. Raises `Stop`: those of stores.
 */
export async function turnIdentity(
  { run_id, ts_base }: Identity,
  { count, begun }: Session,
  { folder, store, place }: TurnPlace,
): Promise<Identity> {
  const own = folder === null ? '' : `-${digitsOf(folder)}`;
  for (let turn = count + 1; ; turn += 1) {
    const identity = { run_id: `${run_id}${own}-${turn}`, ts_base };
    // A session that was moved names its runs anew; what it has begun keeps the name under which that was
    // noted.
    const noted = begun.filter(
      (one) =>
        one.run_id.startsWith(`${run_id}-`) &&
        NUMBERED.exec(one.run_id.slice(run_id.length))?.[1] === String(turn),
    );
    const left = noted.find((one) => !isDriven(one));
    if (left !== undefined) return { ...identity, run_id: left.run_id };
    if (noted.length === 0 && !(await isOver(store, identity.run_id, place))) return identity;
  }
}

/** What follows the derived name in the name of a turn. */
const NUMBERED = /^(?:-[0-9a-f]{12})?-([0-9]+)$/;
const DIGITS = 12;

/**
 * Which session this is, among those of every machine that may share a store: by where it is kept, since a
 * copy of it is another one.
 */
function digitsOf(folder: string): string {
  return match(
    hashCanonical({ t: 'session', host: nodeProcesses.self().host, folder: realPath(folder) }, nativeSha256),
    () => ''.padEnd(DIGITS, '0'),
    (hash) => hash.slice(0, DIGITS),
  );
}

/** Whether a run is over in a store. Raises `Stop`: those of stores. */
export async function isOver(store: Store, runId: string, place: string): Promise<boolean> {
  const head = await store.head(runId);
  if (head._tag === 'Left') throw storeProblem(head.left, place);
  if (head.right === null) return false;
  // One that does not hold is no run that is over: driving it says what is wrong with it.
  const { listed } = await listRun(store, runId);
  return listed.outcome !== null && listed.outcome !== 'open';
}
