/**
 * `assay control`: a task done in a workspace, round by round, with evidence.
 *
 * @module
 */
import { realpathSync } from 'node:fs';
import { memoryStore } from '@assay/host';
import type { Context } from './context.js';
import { castPolicy } from '@assay/agent';
import { castProblem } from '../problems/cast-problem.js';
import { driveControl, type Driven } from './control/drive-control.js';
import { memoryOf } from './control/memory.js';
import type { ControlOptions } from './control/options.js';
import { readPlayers } from './control/players.js';
import { readControlPolicy, requirePolicy } from './control/policy.js';
import { tellControl } from './control/tell-ended.js';
import { openTools } from './control/workspace.js';
import { llmFiles } from '../options/llm.js';
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
 * goes on with a run that was cut off. The memory is told last, when
 * everything is written; where it could not be told, the exit is at least that of its store (5, or 3 where it
 * does not hold). Raises `Stop`.
 */
export async function control(context: Context, text: string, options: ControlOptions): Promise<ExitCode> {
  if (options.output !== undefined) {
    requireOutputs(options.output, inputsOf(options));
    await requireOutsideStores(options.output, [options.store, options.memory]);
  }
  const tools = await openTools(options);
  const session =
    options.after.length === 0 ? [] : await (await import('./control/after.js')).readAfter(options.after);
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
  const input = { text, session };
  const identity = identityOf(options, { ...input, ...workspace }, policy);
  const memory = await memoryOf(options.memory, context.output);
  const store = options.store === undefined ? memoryStore() : await openStore(options.store);
  const target = options.force === true ? undefined : options.output;
  let driven: Driven;
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
    driven = await driveControl(context, {
      start: { ...identity, policy, input },
      runId: identity.run_id,
      store,
      tools,
      memory,
      options,
      players,
    });
  } finally {
    await store.close();
  }
  if (target !== undefined) requireUnchanged(target, driven.ended);
  return tellControl(context, { ...driven, memory, options, workspace: tools.workspace, identity });
}

/** Every file that a call names to read from. */
function inputsOf({ policy, llm, proposer, after }: ControlOptions): readonly string[] {
  return [policy, ...llmFiles({ llm }), ...after]
    .filter((path) => path !== undefined)
    .concat(proposer.flatMap((name) => fileOfProposer(name.replace(/^R\d[ab]?=/, '')) ?? []));
}
