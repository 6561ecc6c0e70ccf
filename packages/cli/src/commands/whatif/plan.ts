/**
 * A run planned from a recorded one: its answers under another policy, pin, or without some of them.
 *
 * @module
 */
import type { Failure, Json, JsonObject, Source } from '@assay/kernel';
import { applyChange, type Grounds, type SlotAnswer } from '@assay/kernel/intent';
import type { Port, PortAnswer } from '@assay/host';
import { portsBySlot } from '@assay/proposers';
import type { DerivedRun } from '../explain/derived.js';
import { objectIn, textIn, valueIn } from '../../terminal/fields.js';
import { identityOf } from '../../options/identity.js';
import { requireConsistent, type PlacedPin } from '../../options/pins.js';
import { misuse } from '../../problems/problem.js';
import { answersBySlot } from '../run/answered-by.js';
import type { RunRequest } from '../run/run-request.js';
import type { Changes, Dropped } from './changes.js';

/** Who answers where an answer was changed here: written by hand, by this command. */
export const WHAT_IF = 'fixture:what-if';

/** The names of the run, where they are given. */
export type Names = { readonly runId?: string; readonly tsBase?: string };

/**
 * The run that the recorded answers lead to under the changes. Each slot answers what it answered there, a
 * live model as a recorded one. Names that are not given are derived from the recorded run and the changes.
 * Raises `Stop`: `no_such_slot`, `no_such_commit`, `not_pinned`, `pin_twice`, and those of names.
 */
export function planFrom(
  run: DerivedRun,
  changes: Changes,
  names: Names,
): Omit<RunRequest, 'store' | 'place'> {
  const policy: JsonObject = {
    ...run.policy,
    weights: { ...objectIn(run.policy, 'weights'), ...Object.fromEntries(changes.weights) },
  };
  const input: JsonObject = { ...run.input, pin: pinUnder(run, changes) };
  const answers = answersUnder(run, changes);
  const { count, hash } = run.head;
  const basis = {
    policy,
    from: { count, hash },
    without: [...changes.without],
    drop: changes.drop.map(({ slot, index, commit }) => [slot, index, commit]),
  };
  const ports = new Map([...answers].map(([slot, port]) => [slot, () => port] as const));
  return { identity: identityOf(names, input, basis), policy, input, ports: portsBySlot(ports) };
}

function pinUnder({ input, file }: DerivedRun, { pins, unpin }: Changes): Json {
  const recorded = Object.entries(objectIn(input, 'pin'));
  for (const key of unpin)
    if (!recorded.some(([known]) => known === key))
      throw misuse(
        'not_pinned',
        'the recorded run has no such pin',
        `--unpin ${key}`,
        recorded.length === 0 ? 'it has none' : `it has ${recorded.map(([known]) => known).join(', ')}`,
      );
  const kept = recorded.filter(([key]) => !unpin.includes(key));
  const again = Object.keys(pins).find((key) => kept.some(([known]) => known === key));
  if (again !== undefined)
    throw misuse(
      'pin_twice',
      `the pin ${again} is set in ${file} already`,
      `--pin ${again}=…`,
      `replace it with --unpin ${again}`,
    );
  const all = [...kept, ...Object.entries(pins)];
  requireConsistent(
    new Map(
      all.map(([key, value], index): [string, PlacedPin] => [
        key,
        { value, place: index < kept.length ? `${file} (${key})` : `--pin ${key}=…` },
      ]),
    ),
  );
  return all.length === 0 ? null : Object.fromEntries(all);
}

function answersUnder(run: DerivedRun, { without, drop }: Changes): ReadonlyMap<string, Port> {
  const { proposers } = run.grounds.policy;
  for (const [option, slot] of [
    ...without.map((slot) => ['--without', slot] as const),
    ...drop.map((one) => ['--drop', one.slot] as const),
  ]) {
    if (!proposers.includes(slot))
      throw misuse(
        'no_such_slot',
        'the recorded run has no such slot',
        `${option} ${slot}`,
        `its slots are ${proposers.join(', ')}`,
      );
    if (option === '--drop' && without.includes(slot))
      throw misuse(
        'conflict',
        'a slot that is left out has no commits',
        `--drop ${slot}/…`,
        'give one of --without and --drop',
      );
  }
  const recorded = answersBySlot(run.records);
  return new Map(
    proposers.map(
      (slot) =>
        [
          slot,
          without.includes(slot)
            ? leftOut()
            : answering(
                run,
                slot,
                recorded.get(slot),
                drop.filter((one) => one.slot === slot),
              ),
        ] as const,
    ),
  );
}

function answering(
  { grounds }: DerivedRun,
  slot: string,
  proposal: JsonObject | undefined,
  drop: readonly Dropped[],
): Port {
  const answer = grounds.answers.find((one) => one.slot === slot);
  if (answer === undefined || proposal === undefined) return leftOut();
  if (drop.length > 0) return shortened(grounds, answer, proposal, drop);
  const source = textIn(proposal, 'source') as Source;
  const provenance = objectIn(proposal, 'provenance');
  const failure = valueIn(proposal, 'failure') as Failure | null;
  // What was rejected to the last attempt, or too large, is given again and judged again.
  const given: PortAnswer =
    failure === null
      ? { value: valueIn(proposal, 'value'), confidence: confidenceOf(proposal), provenance }
      : { failure: { ...failure, final: true }, provenance };
  return {
    source: source === 'live_model' ? 'recorded_model' : source,
    proposer: textIn(proposal, 'proposer'),
    perform: () => Promise.resolve(given),
  };
}

function confidenceOf(proposal: JsonObject): number | null {
  const confidence = valueIn(proposal, 'confidence');
  return typeof confidence === 'number' ? confidence : null;
}

/** An answer with commits left out is nobody's but ours. */
function shortened(
  grounds: Grounds,
  answer: SlotAnswer,
  proposal: JsonObject,
  drop: readonly Dropped[],
): Port {
  for (const { slot, index, commit } of drop) {
    const commits = answer.t === 'answered' ? answer.readings[index]?.commits.length : undefined;
    if (commits === undefined || commit >= commits)
      throw misuse(
        'no_such_commit',
        commits === undefined ? 'this slot has no such reading' : `this reading has ${commits} commits`,
        `--drop ${slot}/${index}/${commit}`,
        'assay explain names slots and places',
      );
  }
  // From the last place to the first, since places behind a removed commit move up.
  const inOrder = [...drop].sort((a, b) => b.commit - a.commit);
  const left = inOrder.reduce(
    (one, { slot, index, commit }) =>
      applyChange({ ...grounds, answers: [one] }, { t: 'commit_removed', slot, index, commit }).answers[0] ??
      one,
    answer,
  );
  const value = left.t === 'answered' ? (left.readings as unknown as Json) : null;
  const provenance = {
    what_if: {
      proposal_hash: textIn(proposal, 'proposal_hash'),
      dropped: drop.map(({ index, commit }) => `${index}/${commit}`),
    },
  };
  return {
    source: 'synthetic',
    proposer: WHAT_IF,
    perform: () => Promise.resolve({ value, confidence: confidenceOf(proposal), provenance }),
  };
}

function leftOut(): Port {
  return {
    source: 'synthetic',
    proposer: WHAT_IF,
    perform: () =>
      Promise.resolve({ failure: { code: 'unavailable', final: true, detail: { code: 'left_out' } } }),
  };
}
