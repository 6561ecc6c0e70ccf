/**
 * A turn of a session, from its beginning to where it is added: what several calls at once do to one session.
 * Each reads what is there at that moment, changes its own part of it and writes it, and nobody comes
 * between.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX, type SessionTurn, type TaskSpec } from '@assay/controller';
import { nodeProcesses, parseToken, tokenOf } from '@assay/store-file';
import { COUNT_MAX, readSession, turnsIn, writeSession, type BegunTurn, type Session } from './session.js';
import { withSession } from './session-lock.js';

/**
 * A turn that a call has in hand. `owner`: how its note names the call. `wasBegun`: an earlier call began
 * this run and did not come to adding its turn.
 */
export type OpenTurn = { readonly folder: string; readonly owner: string; readonly wasBegun: boolean };

/** Notes of runs that nobody drives any more: so many are kept, the oldest go first. */
const LEFT_MAX = 16;
/**
 * A note is left for whoever comes next, who finds the call dead if it could not be: nobody waits long for
 * that.
 */
const LEAVING_MS = 1_000;

/**
 * True where another call drives the run, as far as this machine can see. Of a process elsewhere nothing is
 * known: its run is gone on with, and the store says who writes it, should it live.
 */
export function isDriven({ owner }: BegunTurn): boolean {
  const found = owner === null ? null : parseToken(owner);
  const self = nodeProcesses.self();
  return (
    found !== null &&
    found.host === self.host &&
    found.namespace === self.namespace &&
    nodeProcesses.isAlive(found)
  );
}

/**
 * Begins a turn, or goes on with one: chooses its run by the session as it is now, and notes it as driven by
 * this call. Should the call not come to adding the turn, the same call knows the run by that. `isStored`:
 * the run is in a store; `isOver`: it is over there, and noted is then what was. Raises `Stop`: those of
 * {@link withSession}.
 */
export async function beginTurn<T extends { readonly runId: string; readonly isOver: boolean }>(
  folder: string,
  isStored: boolean,
  choose: (session: Session) => Promise<T>,
): Promise<{ readonly chosen: T; readonly turn: OpenTurn }> {
  return withSession(folder, async () => {
    const session = await readSession(folder);
    const chosen = await choose(session);
    const owner = tokenOf(nodeProcesses.self());
    const noted = session.begun.find(({ run_id }) => run_id === chosen.runId);
    // It is for the call that drives it to add it, and the store says that somebody does; what is over and
    // was not noted is a turn already.
    if (noted === undefined ? chosen.isOver : isDriven(noted))
      return { chosen, turn: { folder, owner, wasBegun: false } };
    const others = session.begun.filter((one) => one !== noted);
    await writeSession(folder, {
      ...session,
      begun: [
        ...worthKeeping(others),
        { run_id: chosen.runId, owner, stored: isStored || noted?.stored === true },
      ],
    });
    return { chosen, turn: { folder, owner, wasBegun: noted !== undefined } };
  });
}

/** Those that are driven, and the last of those that can be gone on with. */
function worthKeeping(begun: readonly BegunTurn[]): readonly BegunTurn[] {
  const left = new Set(begun.filter((one) => one.stored && !isDriven(one)).slice(-LEFT_MAX));
  return begun.filter((one) => left.has(one) || isDriven(one));
}

/**
 * What becomes a turn. `task`: what was understood, null for nothing. `heard`: the turns that the run was
 * given. `wasOver`: nothing was done for it now.
 */
export type EndedTurn = SessionTurn & {
  readonly task: Pick<TaskSpec, 'intent' | 'refers_to'> | null;
  readonly heard: Json;
  readonly wasOver: boolean;
};

/**
 * Adds a turn to what is in its session now: the oldest goes where there are too many. A run that was over is
 * a turn still to be added where its own call did not come so far, else it is one already. A session may have
 * gone on while the run was driven; the turn that it refers to then counts as gone. Raises `Stop`: those of
 * {@link withSession}.
 */
export async function addTurn(
  { folder, owner, wasBegun }: OpenTurn,
  { input, summary, task, heard, wasOver }: EndedTurn,
): Promise<void> {
  await withSession(folder, async () => {
    const session = await readSession(folder);
    const begun = session.begun.filter((one) => one.owner !== owner);
    if (wasOver && !wasBegun)
      return begun.length === session.begun.length ? undefined : writeSession(folder, { ...session, begun });
    const isNext = JSON.stringify(heard) === JSON.stringify(turnsIn(session));
    const back = (refers_to: number): number => (isNext ? session.turns.length - refers_to : SESSION_MAX);
    const refers =
      task === null || task.refers_to === null ? null : { back: back(task.refers_to), intent: task.intent };
    const added = { input: input.slice(0, USER_TEXT_MAX), summary: summary.slice(0, SUMMARY_MAX), refers };
    return writeSession(folder, {
      count: Math.min(session.count + 1, COUNT_MAX),
      begun,
      turns: [...session.turns, added].slice(-SESSION_MAX),
    });
  });
}

/**
 * Leaves a turn that was not added to whoever calls again; one that is in no store is over with its call, and
 * so is one of which this call wrote nothing (`hasWritten`) and none before it is noted: such a run is
 * another's, or nobody's. Told nowhere if it fails: why the call ends is.
 */
export async function leaveTurn({ folder, owner, wasBegun }: OpenTurn, hasWritten: boolean): Promise<void> {
  await withSession(
    folder,
    async () => {
      const session = await readSession(folder);
      const begun = session.begun.flatMap((one) =>
        one.owner !== owner ? [one] : one.stored && (hasWritten || wasBegun) ? [{ ...one, owner: null }] : [],
      );
      if (session.begun.some((one) => one.owner === owner)) await writeSession(folder, { ...session, begun });
    },
    LEAVING_MS,
  ).catch(() => undefined);
}
