/**
 * What is changed of a recorded run: options of `run --from`, and the options that a flip comes to.
 *
 * @module
 */
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import { CRITERIA, WEIGHT_MAX, type Change, type Criterion } from '@assay/kernel/intent';
import { entryOption, writtenPin } from '../../options/pins.js';
import { misuse } from '../../problems/problem.js';

/**
 * The changes asked for. `drop`: commits by slot, place of the reading and place of the commit, as they were
 * proposed.
 */
export type Changes = {
  readonly weights: ReadonlyMap<Criterion, number>;
  readonly pins: JsonObject;
  readonly unpin: readonly string[];
  readonly without: readonly string[];
  readonly drop: readonly Dropped[];
};

/** One commit left out. */
export type Dropped = { readonly slot: string; readonly index: number; readonly commit: number };

/** The options of `run --from` as they are given, `--pin` read already. */
export type ChangeOptions = {
  readonly weight: readonly string[];
  readonly unpin: readonly string[];
  readonly without: readonly string[];
  readonly drop: readonly string[];
};

const DROP = /^(.+)\/(0|[1-9][0-9]{0,5})\/(0|[1-9][0-9]{0,5})$/s;
const WEIGHT = /^([a-z]+)=(0|[1-9][0-9]{0,6})$/;

/** Reads the options. Raises `Stop`: `weight`, `drop`, `twice`. */
export function readChanges(given: ChangeOptions, pins: Json): Changes {
  for (const [name, values] of [
    ['--unpin', given.unpin],
    ['--without', given.without],
    ['--drop', given.drop],
  ] as const) {
    const again = values.find((value, index) => values.indexOf(value) !== index);
    if (again !== undefined) throw misuse('twice', 'this is given twice', `${name} ${again}`, 'give it once');
  }
  return {
    weights: weightsOf(given.weight),
    pins: isObject(pins) ? pins : {},
    unpin: given.unpin,
    without: given.without,
    drop: given.drop.map(readDrop),
  };
}

function weightsOf(given: readonly string[]): ReadonlyMap<Criterion, number> {
  const weights = new Map<Criterion, number>();
  for (const option of given) {
    const [, name = '', digits = ''] = WEIGHT.exec(option) ?? [];
    const criterion = CRITERIA.find((known) => known === name);
    const weight = Number(digits);
    if (criterion === undefined || digits === '' || weight > WEIGHT_MAX)
      throw misuse(
        'weight',
        `a weight is CRITERION=N, N a whole number from 0 to ${WEIGHT_MAX}`,
        `--weight ${option}`,
        `criteria: ${CRITERIA.join(', ')}`,
      );
    if (weights.has(criterion))
      throw misuse(
        'twice',
        `the weight of ${criterion} is given twice`,
        `--weight ${option}`,
        'give it once',
      );
    weights.set(criterion, weight);
  }
  return weights;
}

function readDrop(option: string): Dropped {
  const [, slot, index, commit] = DROP.exec(option) ?? [];
  if (slot === undefined)
    throw misuse(
      'drop',
      'a commit is named SLOT/READING/COMMIT, both places counted from 0',
      `--drop ${option}`,
      'assay explain names slots and places',
    );
  return { slot, index: Number(index), commit: Number(commit) };
}

/** The options that make a change, as words of a command line. */
export function optionsOf(change: Change): readonly string[] {
  switch (change.t) {
    case 'weight':
      return ['--weight', `${change.criterion}=${change.to}`];
    case 'pin_removed':
      return ['--unpin', change.key];
    case 'pin_added':
      return Object.entries(change.pin).flatMap(([key, value]) => [
        '--pin',
        entryOption(key, writtenPin(key, value)),
      ]);
    case 'proposal_removed':
      return ['--without', change.slot];
    case 'commit_removed':
      return ['--drop', `${change.slot}/${change.index}/${change.commit}`];
  }
}

/** A change as the options would give it. */
export function changesOf(change: Change): Changes {
  const none: Changes = { weights: new Map(), pins: {}, unpin: [], without: [], drop: [] };
  switch (change.t) {
    case 'weight':
      return { ...none, weights: new Map([[change.criterion, change.to]]) };
    case 'pin_removed':
      return { ...none, unpin: [change.key] };
    case 'pin_added':
      return {
        ...none,
        pins: Object.fromEntries(
          Object.entries(change.pin).map(([key, value]) => [key, writtenPin(key, value)]),
        ),
      };
    case 'proposal_removed':
      return { ...none, without: [change.slot] };
    case 'commit_removed':
      return { ...none, drop: [{ slot: change.slot, index: change.index, commit: change.commit }] };
  }
}
