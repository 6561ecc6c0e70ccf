/**
 * `assay control`: a task done in a workspace, round by round, with evidence.
 *
 * @module
 */
import { realpathSync } from 'node:fs';
import { maskedAddress, memoryStore } from '@assay/host';
import type { Context } from '../context.js';
import { castPolicy } from '../control/casting.js';
import { driveControl, type Driven } from '../control/drive-control.js';
import { memoryOf } from '../control/memory.js';
import type { ControlOptions } from '../control/options.js';
import { readPlayers } from '../control/players.js';
import { readControlPolicy, requirePolicy } from '../control/policy.js';
import { beginTurn, readSession, turnsIn } from '../control/session.js';
import { tellControl } from '../control/tell-ended.js';
import { turnIdentity } from '../control/turn-identity.js';
import { openHands } from '../control/workspace.js';
import type { ExitCode } from '../exit.js';
import { identityOf } from '../inputs/identity.js';
import { fileOfProposer } from '../inputs/proposers.js';
import { openStore } from '../inputs/store.js';
import { misuse } from '../problem.js';
import { isTaken, requireOutputs, requireUnchanged } from '../running/outputs.js';
import { requireOutsideStores } from '../running/outside-stores.js';
import { modelOptions } from '../running/plan-run.js';

/**
 * Drives a task to its end: exit 0 where it is accepted or close enough, 1 where it is abandoned, which is an answer too, 5 where that is because a model
 * was not reached. With `--store`, the same call, or `resume`, goes on with a run that was cut off. A turn of a session is a run of its own. Its memory is told last, when everything is
 * written; where it could not be told, the exit is at least that of its store (5, or 3 where it does not hold). Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  if (options.output !== undefined) {
    requireOutputs(options.output, inputsOf(options));
    await requireOutsideStores(options.output, [options.store, options.memory]);
  }
  const hands = await openHands(options);
  const session = await readSession(options.session);
  const players = await readPlayers(options.proposer, modelOptions(context, options));
  const hasModels = players.units.size > 0;
  const policy = castPolicy(await readControlPolicy(options.policy, options.set, { tools: hands.listed, memory: options.memory !== undefined, clock: options.clock ? 'asked' : 'stamps' }), players.casting, hasModels);
  requirePolicy(policy, options.set);
  const heard = turnsIn(session).map(({ input: said, summary }) => ({ input: said, summary }));
  const input = { text, session: heard };
  // In a store a task is one of its folder: the same words elsewhere are another run.
  let identity = identityOf(options, options.store === undefined ? input : { ...input, workspace: realpathSync(hands.workspace) }, policy);
  const memory = await memoryOf(options.memory, context.output);
  const store = options.store === undefined ? memoryStore() : await openStore(options.store);
  const target = options.force === true ? undefined : options.output;
  let driven: Driven;
  try {
    // Answers of models are never the same twice: what is there already is not compared with them, and nothing is spent to find out.
    if (target !== undefined && (options.store === undefined || hasModels) && isTaken(target)) throw misuse('output_exists', 'this folder holds another run; nothing was done and nothing written', target, 'name another folder with -o, or replace it with --force');
    if (options.session !== undefined && options.runId === undefined) identity = await turnIdentity(identity, session, store, maskedAddress(options.store ?? ''));
    if (options.session !== undefined && options.store !== undefined) await beginTurn(options.session, session, identity.run_id);
    driven = await driveControl(context, { start: { ...identity, policy, input }, runId: identity.run_id, store, hands, memory, options, players });
  } finally {
    await store.close();
  }
  if (target !== undefined) requireUnchanged(target, driven.ended);
  return tellControl(context, { ...driven, memory, options, workspace: hands.workspace, text, identity, session: { kept: session, heard } });
}

/** Every file that a call names to read from. */
function inputsOf({ policy, prices, proposer }: ControlOptions): readonly string[] {
  return [policy, prices].filter((path) => path !== undefined).concat(proposer.flatMap((name) => fileOfProposer(name.replace(/^R\d[ab]?=/, '')) ?? []));
}
