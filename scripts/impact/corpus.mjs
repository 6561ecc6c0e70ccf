/**
 * A corpus of recorded runs: each is a golden one under another name, with one number of its policy moved and some
 * answers left out, so that many stay open.
 *
 * @module
 */
import { hashCanonical, isObject, orThrow } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { controller } from '@assay/controller';
import { tally } from '@assay/testing';
import { listGoldens, readRecords } from '../lib/goldens.mjs';
import { madeAnew, sha256 } from './anew.mjs';

/** They take seconds, or a tenth of one, to decide: a corpus of them would measure nothing else. */
const SLOW = ['intent-limit-bytes', 'intent-large', 'tally-growing'];
const MACHINES = [intent, controller, tally];

/** Runs of the corpus, one after the other: name and records. */
export function* corpusOf(count) {
  const goldens = listGoldens()
    .filter((name) => /^(?:intent|controller|tally)-/.test(name) && !SLOW.includes(name))
    .map((name) => ({ name, records: readRecords(name) }))
    .filter(({ records }) => records[0].payload.base === null);
  for (let index = 0; index < count; index += 1) {
    const { name, records } = goldens[index % goldens.length];
    const run_id = `${name}-${index}`;
    yield { name: run_id, records: variedRun(records, run_id, index) };
  }
}

/** A whole number below a bound, of a seed: the corpus is the same every time. */
function drawn(seed, bound) {
  return Number.parseInt(orThrow(hashCanonical(seed, sha256)).slice(0, 8), 16) % bound;
}

function variedRun([genesis, ...rest], run_id, index) {
  const recorded = [{ ...genesis, payload: { ...genesis.payload, run_id } }, ...rest];
  const machine = MACHINES.find(({ name }) => name === genesis.payload.machine.name);
  const { policy } = genesis.payload;
  const numbers = numbersIn(policy, []);
  const [path, value] = numbers[drawn([index, 'which'], numbers.length)];
  const moved = changed(policy, path, value + drawn([index, 'far'], 3) * Math.max(1, Math.floor(value / 4)));
  let at = 0;
  const isOut = () => {
    at += 1;
    return drawn([index, 'out', at], 12) === 0;
  };
  try {
    return madeAnew(machine, recorded, moved, isOut).records;
  } catch {
    // The machine does not take this policy.
    return madeAnew(machine, recorded, policy, isOut).records;
  }
}

function numbersIn(value, path) {
  if (typeof value === 'number') return [[path, value]];
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
    : [];
}

function changed(value, [key, ...rest], to) {
  return key === undefined ? to : { ...value, [key]: changed(value[key], rest, to) };
}
