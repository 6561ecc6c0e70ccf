/**
 * `assay control`: a task done in a workspace, round by round, with evidence.
 *
 * @module
 */
import { realpathSync } from 'node:fs';
import { maskedAddress, memoryStore, type Identity, type Store } from '@assay/host';
import type { JsonObject } from '@assay/kernel';
import type { Context } from './context.js';
import { castPolicy } from '@assay/agent';
import { castProblem } from '../problems/cast-problem.js';
import { driveControl, type Driven } from './control/drive-control.js';
import { memoryOf } from './control/memory.js';
import type { ControlOptions } from './control/options.js';
import { readPlayers } from './control/players.js';
import { readControlPolicy, requirePolicy } from './control/policy.js';
import { readSession, turnsIn, type Session } from './control/session.js';
import { beginTurn, leaveTurn, type OpenTurn } from './control/session-turn.js';
import { tellControl } from './control/tell-ended.js';
import { isOver, turnIdentity } from './control/turn-identity.js';
import { openTools } from './control/workspace.js';
import type { ExitCode } from '../problems/exit.js';
import { identityOf } from '../options/identity.js';
import { fileOfProposer } from '../options/proposers.js';
import { openStore } from '../files/store.js';
import { misuse } from '../problems/problem.js';
import { isTaken, requireOutputs, requireUnchanged } from './run/outputs.js';
import { requireOutsideStores } from './run/outside-stores.js';
import { modelOptions } from './run/plan-run.js';

/**
 * Drives a task to its end: exit 0 where it is accepted or close enough, 1 where it is abandoned, which is an
 * answer too, 5 where that is because a model was not reached. With `--store`, the same call, or `resume`,
 * goes on with a run that was cut off. A turn of a session is a run of its own. Its memory is told last, when
 * everything is written; where it could not be told, the exit is at least that of its store (5, or 3 where it
 * does not hold). Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  if (options.output !== undefined) {
    requireOutputs(options.output, inputsOf(options));
    await requireOutsideStores(options.output, [options.store, options.memory]);
  }
  const tools = await openTools(options);
  const found = await readSession(options.session);
  const players = await readPlayers(options.proposer, modelOptions(context, options));
  const hasModels = players.units.size > 0;
  const cast = castPolicy(
    await readControlPolicy(options.policy, options.set, {
      tools: tools.listed,
      memory: options.memory !== undefined,
      clock: options.clock ? 'asked' : 'stamps',
    }),
    players.casting,
    hasModels,
  );
  if (cast._tag === 'Left')
    throw castProblem(cast.left, 'name the same in both, or leave roles out of the policy');
  const policy = cast.right;
  requirePolicy(policy, options.set);
  // In a store a task is one of its folder: the same words elsewhere are another run.
  const workspace = options.store === undefined ? {} : { workspace: realpathSync(tools.workspace) };
  const asked = (session: Session): Asked => {
    const heard = turnsIn(session).map(({ input: said, summary }) => ({ input: said, summary }));
    const input = { text, session: heard };
    return { input, heard, identity: identityOf(options, { ...input, ...workspace }, policy) };
  };
  // Whatever the session holds when its turn is begun: what is wrong with a name is told before a store is
  // opened.
  const given = asked(found);
  const memory = await memoryOf(options.memory, context.output);
  const store = options.store === undefined ? memoryStore() : await openStore(options.store);
  const target = options.force === true ? undefined : options.output;
  const place = maskedAddress(options.store ?? '');
  let turn: OpenTurn | null = null;
  let hasWritten = false;
  const onWritten = (): void => {
    hasWritten = true;
  };
  let begun: Asked = given;
  let driven: Driven;
  try {
    try {
      // Answers of models are never the same twice: what is there already is not compared with them, and
      // nothing is spent to find out.
      if (target !== undefined && (options.store === undefined || hasModels) && isTaken(target))
        throw misuse(
          'output_exists',
          'this folder holds another run; nothing was done and nothing written',
          target,
          'name another folder with -o, or replace it with --force',
        );
      if (options.session !== undefined)
        ({ turn, chosen: begun } = await beginTurn(options.session, options.store !== undefined, (session) =>
          turnOf(asked(session), session, { options, store, place }),
        ));
      const { identity, input } = begun;
      driven = await driveControl(context, {
        start: { ...identity, policy, input },
        runId: identity.run_id,
        store,
        tools,
        memory,
        options,
        players,
        onWritten,
      });
    } finally {
      await store.close();
    }
    if (target !== undefined) requireUnchanged(target, driven.ended);
    return await tellControl(context, {
      ...driven,
      memory,
      options,
      workspace: tools.workspace,
      text,
      identity: begun.identity,
      turn,
      heard: begun.heard,
    });
  } catch (error) {
    if (turn !== null) await leaveTurn(turn, hasWritten);
    throw error;
  }
}

/** What is asked of a run, and its name. `heard`: the turns that it is given. */
type Asked = {
  readonly input: { readonly text: string; readonly session: readonly JsonObject[] };
  readonly heard: readonly JsonObject[];
  readonly identity: Identity;
};

/** The same as a turn of a session, where nobody gave it a name. */
async function turnOf(
  asked: Asked,
  session: Session,
  {
    options,
    store,
    place,
  }: { readonly options: ControlOptions; readonly store: Store; readonly place: string },
): Promise<Asked & { readonly runId: string; readonly isOver: boolean }> {
  if (options.runId !== undefined)
    return { ...asked, runId: options.runId, isOver: await isOver(store, options.runId, place) };
  const identity = await turnIdentity(asked.identity, session, {
    folder: options.store === undefined ? null : (options.session ?? null),
    store,
    place,
  });
  return { ...asked, identity, runId: identity.run_id, isOver: false };
}

/** Every file that a call names to read from. */
function inputsOf({ policy, prices, proposer }: ControlOptions): readonly string[] {
  return [policy, prices]
    .filter((path) => path !== undefined)
    .concat(proposer.flatMap((name) => fileOfProposer(name.replace(/^R\d[ab]?=/, '')) ?? []));
}
