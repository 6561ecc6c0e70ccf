/**
 * `assay plan`: what a goal can cost, whether it fits, and the least that makes it fit, with evidence; and
 * `assay resume` of one.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { parsePolicy, planner } from '@assay/planner';
import { realPath, requireWritable } from '../files/write.js';
import { readBudget } from '../options/budget.js';
import { answeringWith, identityOf, type Named } from '../options/identity.js';
import { fileOfProposer } from '../options/llm.js';
import { misuse } from '../problems/problem.js';
import type { ExitCode } from '../problems/exit.js';
import type { Context } from './context.js';
import {
  checkDraft,
  forAgent,
  readChecks,
  requireSameChecks,
  type Checks,
  type ExecuteOptions,
} from '../kits/planner/checks.js';
import { drivePlan, type PlanFlags } from '../kits/planner/drive.js';
import type { Carried, Carrying } from '../kits/planner/execute.js';
import { readGoal, type GoalOptions } from '../kits/planner/goal.js';
import { readPlanPlayers } from '../kits/planner/players.js';
import { callBound, planPolicy } from '../kits/planner/policy.js';
import { keepRun, type Kept } from '../start/kept-run.js';
import { modelOptions } from '../start/live-drive.js';
import { requireOutsideStores } from '../start/outside-stores.js';
import { recordsIn } from '../start/records-in.js';
import { requireVersion, type Begun } from '../start/stored-run.js';

/** What a call is given. */
export type PlanOptions = PlanFlags &
  GoalOptions &
  ExecuteOptions &
  Named & {
    readonly interactive?: boolean;
    readonly policy?: string;
  };

/**
 * Plans a goal. With `--store` or `-o` the same call, or `resume`, goes on with a run that was cut off or
 * waits. Exit codes: {@link drivePlan}. Raises `Stop`.
 */
export async function plan(
  context: Context,
  given: string | undefined,
  options: PlanOptions,
): Promise<ExitCode> {
  const { output: target, proposer, budget } = options;
  if (target !== undefined) {
    requireWritable(target);
    await requireOutsideStores(target, [options.store, options.library]);
  }
  const checks = readChecks(options);
  const named = checks.map(({ name }) => name);
  const { goal, from, ...read } = await readGoal(given, options);
  const split = options.execute === true && read.split !== null ? forAgent(read.split, named) : read.split;
  const constraints = [...read.constraints, ...named.map(checkDraft)];
  const isTalking = context.readLine !== null;
  const person = isTalking ? (await import('./person.js')).personOf(context) : null;
  const players = await readPlanPlayers({
    names: proposer,
    models: modelOptions(context, options),
    split,
    person,
    interactive: options.interactive === true,
  });
  if (split === null && !proposer.some((name) => name.startsWith('llm:') || fileOfProposer(name) !== null))
    throw misuse(
      'option_needed',
      'no rule turns a goal in words into tasks',
      '--proposer',
      'give --template cli, name a plan file instead of the goal, or a model with --proposer llm:PROVIDER/MODEL',
    );
  const policy = await planPolicy(options.policy, {
    mode: options.execute === true ? 'solve' : 'plan',
    checks,
    extract: players.hasJudge,
    survey: players.hasJudge,
    solver: players.hasSolver,
    library: options.library !== undefined,
    budget: readBudget(budget, players.units),
    hasPlan: split !== null,
    canBuild: proposer.some((name) => fileOfProposer(name) !== null),
    hasModel: proposer.some((name) => name.startsWith('llm:')),
  });
  const input = {
    goal,
    modality: 'text',
    constraints: constraints as unknown as Json,
    suggestions: [],
    strikes: [],
  };
  const workspace = options.workspace === undefined ? null : realPath(options.workspace);
  const identity = identityOf(options, {
    machine: { name: planner.name, version: planner.version },
    policy,
    input,
    with: {
      split,
      workspace,
      interactive: options.interactive === true,
      library: options.library ?? null,
      ...(await answeringWith(options)),
    },
  });
  const claim = { run_id: identity.run_id, workspace };
  return keepRun(options, claim, async (kept) => {
    const carried = await carriedBy(context, options, { policy, checks, runId: identity.run_id, kept });
    const ports = players.portsOf(callBound(policy));
    return drivePlan(context, {
      start: { ...identity, policy, input },
      identity,
      kept,
      flags: options,
      ports: carried?.portsOf(ports) ?? ports,
      ...(carried === null ? {} : { carried }),
      misses: players.misses,
      units: players.units,
      isTalking,
      from,
      text: goal,
    });
  });
}

/** How a plan is carried out; null where it is only planned. What acts is loaded only then. */
async function carriedBy(
  context: Context,
  options: PlanFlags,
  {
    checks,
    ...given
  }: Pick<Carrying, 'runId' | 'kept'> & { readonly policy: JsonObject; readonly checks: Checks },
): Promise<Carried | null> {
  const { workspace, proposer } = options;
  if (field(given.policy, 'mode') !== 'solve') return null;
  const policy = parsePolicy(given.policy);
  // What is wrong with it, the machine says.
  if (policy._tag === 'Left') return null;
  requireSameChecks(checks, policy.right.checks);
  if (workspace === undefined)
    throw misuse('option_needed', 'carrying out needs a folder', '--workspace', 'name one: --workspace work');
  const { carrying } = await import('../kits/planner/execute.js');
  if (existsSync(workspace))
    (await import('./control.js')).requireOutside(workspace, options.output, [
      options.store,
      options.library,
    ]);
  return carrying({
    ...given,
    policy: policy.right,
    workspace,
    names: proposer,
    models: modelOptions(context, options),
    output: options.output,
  });
}

/**
 * Goes on with a stored plan. What its tasks were is recorded, so that the rules need no file again; everybody
 * else is named again. Leaves the store open. Raises `Stop`.
 */
export async function resumePlan(
  context: Context,
  kept: Kept,
  begun: Begun,
  options: PlanFlags,
): Promise<ExitCode> {
  const { run_id } = begun.identity;
  requireVersion(begun, planner.version);
  const records = await recordsIn(kept.store, run_id, kept.place);
  const split = records
    .map(({ payload }) => (isObject(payload ?? null) ? field(payload as JsonObject, 'value') : undefined))
    .find((value) => isObject(value ?? null) && isArray((value as JsonObject)['tasks']));
  const isTalking = context.readLine !== null;
  const players = await readPlanPlayers({
    names: options.proposer,
    models: modelOptions(context, options),
    split: split === undefined ? null : (split as JsonObject),
    person: isTalking ? (await import('./person.js')).personOf(context) : null,
    interactive: false,
  });
  const goal = field(begun.input, 'goal');
  const checks = readChecks({
    ...options,
    check: options.check ?? [],
    execute: field(begun.policy, 'mode') === 'solve',
  });
  const carried = await carriedBy(context, options, {
    policy: begun.policy,
    checks,
    runId: run_id,
    kept,
  });
  const ports = players.portsOf(callBound(begun.policy));
  return drivePlan(context, {
    start: run_id,
    identity: begun.identity,
    kept,
    flags: options,
    ports: carried?.portsOf(ports) ?? ports,
    ...(carried === null ? {} : { carried }),
    misses: players.misses,
    units: players.units,
    isTalking,
    from: 'the store',
    text: typeof goal === 'string' ? goal : '',
  });
}
