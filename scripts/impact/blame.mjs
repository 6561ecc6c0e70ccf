/**
 * Random pairs of policies over golden runs: each blamed set flips the run and none of its parts does, by trying
 * every part with a driver of its own.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { hashCanonical, isObject, orThrow } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { tally } from '@assay/testing';
import { blame, derivedAgain, NO_CHANGE, readSound, redecider } from '@assay/verifier/impact';
import { GOLDENS, readRecords } from '../lib/goldens.mjs';
import { madeAnew, sha256 } from './anew.mjs';

const RUNS = [
  ...['below-min-score', 'ambiguous', 'contradiction-settled', 'nothing-actionable', 'tie-by-name'].map(
    (name) => [intent, `intent-${name}`],
  ),
  ...['success', 'refused', 'unicode'].map((name) => [tally, `tally-${name}`]),
];

/** Blames so many pairs; each that is wrong, in words, and how many flipped. */
export function blamedPairs(pairs) {
  const wrong = [];
  let flipped = 0;
  for (let pair = 0; flipped < pairs && pair < pairs * 40; pair += 1) {
    const [machine, name] = RUNS[pair % RUNS.length];
    const records = readRecords(name);
    const bytes = readFileSync(`${GOLDENS}${name}/ledger.jsonl`);
    const by = redecider(machine, { sha256 });
    const parent = orThrow(derivedAgain(by.replays, orThrow(readSound([bytes], sha256))));
    const recorded = records[0].payload.policy;
    const [a, b] = [moved(recorded, [pair, 'a'], 2), moved(recorded, [pair, 'b'], 6)];
    const found = blame(parent, by, [a, b], { change: NO_CHANGE, sha256 });
    if (found._tag === 'Left' || found.right.turn.kind !== 'outcome') continue;
    flipped += 1;
    const end = (policy) => endOf(machine, records, policy);
    const { set } = found.right;
    const flips = (part) => end(part.reduce(given, a)) !== end(a) && end(part.reduce(given, a)) !== null;
    if (!flips(set)) wrong.push(`pair ${pair}, ${name}: the set does not flip the run`);
    for (let bits = 1; bits < 2 ** set.length - 1; bits += 1) {
      const part = set.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1);
      if (flips(part))
        wrong.push(`pair ${pair}, ${name}: ${part.map((one) => one.path).join(' ')} flips it too`);
    }
    for (const { path: at, threshold } of found.right.thresholds) {
      if (threshold === null) continue;
      const others = set.filter((one) => one.path !== at);
      const under = (value) => flips([...others, { path: at, would_be: value }]);
      if (
        under(threshold.stays) ||
        !under(threshold.flips) ||
        Math.abs(threshold.stays - threshold.flips) !== 1
      )
        wrong.push(`pair ${pair}, ${name}: ${at} does not flip at ${threshold.flips}`);
    }
  }
  return { flipped, wrong };
}

/** How a run ends under a policy; null where that is not known, or the machine refuses it. */
function endOf(machine, records, policy) {
  try {
    const last = madeAnew(machine, records, policy).records.at(-1);
    return last.kind === 'close' ? `${last.payload.status} ${last.payload.reasons}` : null;
  } catch {
    return null;
  }
}

function given(policy, { path, would_be }) {
  const [key, ...rest] = path.split('.');
  return {
    ...policy,
    [key]: rest.length === 0 ? would_be : given(policy[key], { path: rest.join('.'), would_be }),
  };
}

/** A policy with some of its numbers moved, the same for the same seed. */
function moved(policy, seed, count) {
  const numbers = numbersIn(policy, []);
  return Array.from({ length: count }, (_, index) => index).reduce((made, index) => {
    const { path, value } = numbers[drawn([...seed, index], numbers.length)];
    const most = value === 0 ? 3 : value * 2;
    return given(made, { path, would_be: drawn([...seed, index, 'value'], most + 1) });
  }, policy);
}

function numbersIn(value, path) {
  if (typeof value === 'number') return [{ path: path.join('.'), value }];
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
    : [];
}

function drawn(seed, bound) {
  return Number.parseInt(orThrow(hashCanonical(seed, sha256)).slice(0, 8), 16) % bound;
}
