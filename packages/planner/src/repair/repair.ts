/**
 * The repair of a plan: the fewest substitutions that make every hard constraint hold, then the rest of the
 * order, one criterion after the other; each value with its proof. Among choices with the same values, the
 * one whose changes come first by ids. Whether any choice of approaches fits, without asking which is best.
 * Source: dec-K64; dec-K77; dec-K78.
 */
import { Meter } from '@assay/kernel';
import { type Choice, type Plan, currentChoice, namedChoice } from '../plan/plan.js';
import {
  type Certificate,
  type Claim,
  optionChoice,
  planChoice,
  makeQuestion,
  type Bounds,
  type Objective,
} from '../question/question.js';
import { computeCap, isFit, rollup } from '../rollup/rollup.js';
import type { Goal } from '../search/ascent.js';
import type { Found, Start } from '../search/incumbent.js';
import { search, SEARCH_NODES } from '../search/search.js';
import { nextRepairs, repairKey, type RepairKey } from './next.js';

/** One criterion of the order. */
export type Criterion = 'fits' | 'substitutions' | 'confidence' | 'cost' | 'effort' | 'ids' | 'levelling';

/** Why a value cannot be better: `certificate` proves `claim` about `questionOf(plan, objective, bounds)`. */
type RepairProof = {
  readonly criterion: Criterion;
  readonly objective: Objective;
  readonly bounds: Bounds;
  readonly claim: Claim;
  readonly certificate: Certificate;
};

/** A choice and weights from elsewhere, such as a solver's: checked, used where they help, never believed. */
export type Suggestion = Omit<Start, 'choices'> & { readonly choice: Choice };

/**
 * `exact`: the first repair of all; `optimal`: nobody has lower values, ties are open; `bounded`: a repair,
 * `unfinished` the first criterion that is not proven and `bound` what holds for it; `none`: there is no
 * repair, proven; `open`: none was found and none is ruled out.
 */
export type Repair =
  | {
      readonly label: 'exact' | 'optimal' | 'bounded';
      readonly choice: Choice;
      readonly named: readonly (readonly [string, string])[];
      readonly key: RepairKey;
      readonly unfinished: Criterion | null;
      readonly bound: number | null;
      readonly proofs: readonly RepairProof[];
      /** Weights of the unfinished search, for whoever wants to suggest better ones. */
      readonly weights: Start['weights'];
      readonly unit: number;
    }
  | { readonly label: 'none'; readonly proofs: readonly RepairProof[] }
  | { readonly label: 'open'; readonly proofs: readonly RepairProof[] };

/**
 * Repairs a plan, with at most so many search nodes a question and the steps of a meter. A plan that fits needs no
 * substitution. Where the first repair is late as levelled, the next ones are tried: one that is in time is `bounded`
 * at `levelling`, else the repair is `open`.
 */
export function repair(
  plan: Plan,
  nodes: number = SEARCH_NODES,
  suggestion: Suggestion | null = null,
  meter: Meter = new Meter(),
): Repair {
  const found = new Repairing(plan, nodes, suggestion, meter).run();
  if (!('choice' in found) || isInTime(plan, found.choice)) return found;
  const { proofs } = found;
  const next = nextRepairs(plan, found.choice, nodes, meter).repairs.find(({ choice }) =>
    isInTime(plan, choice),
  );
  if (next === undefined) return { label: 'open', proofs };
  const named = namedChoice(plan, next.choice);
  return { ...found, ...next, named, label: 'bounded', unfinished: 'levelling', bound: null };
}

/** True where a choice ends by a hard deadline, levelled where the plan is. */
export function isInTime(plan: Plan, choice: Choice): boolean {
  const { deadline } = plan;
  return deadline?.isHard !== true || rollup(plan, choice).length[1] <= computeCap(deadline);
}

class Repairing {
  private readonly plan: Plan;
  private readonly nodes: number;
  private readonly suggestion: Suggestion | null;
  private readonly proofs: RepairProof[] = [];
  private readonly meter: Meter;
  private choice: Choice;

  constructor(plan: Plan, nodes: number, suggestion: Suggestion | null, meter: Meter) {
    this.meter = meter;
    this.plan = plan;
    this.nodes = nodes;
    this.suggestion = suggestion;
    this.choice = currentChoice(plan);
  }

  run(): Repair {
    const { plan } = this;
    if (isFit(rollup(plan, this.choice))) return this.done('exact', null, null);
    const first = this.ask('feasible', null, {}, false);
    if (first.status === 'none') {
      this.prove('fits', null, {}, { kind: 'unsat' }, first.proof);
      return { label: 'none', proofs: this.proofs };
    }
    if (first.status === 'bounded') return { label: 'open', proofs: this.proofs };
    const substitutions = this.least('substitutions', {});
    if (substitutions.status !== 'choice') return this.done('bounded', 'substitutions', substitutions);
    let bounds: Bounds = { substitutions: substitutions.value };
    const unsure = this.raiseConfidence(bounds);
    if (unsure !== null) return this.done('bounded', 'confidence', unsure);
    bounds = { ...bounds, confidence: repairKey(plan, this.choice).confidence };
    if (plan.cost !== null) {
      const cost = this.least('cost', bounds);
      if (cost.status !== 'choice') return this.done('bounded', 'cost', cost);
      bounds = { ...bounds, cost: cost.value };
    }
    const effort = this.least('effort', bounds);
    if (effort.status !== 'choice') return this.done('optimal', 'effort', effort);
    const ties = smallestIds(plan, { ...bounds, effort: effort.value }, this.choice, this.nodes, this.meter);
    this.choice = ties.choice;
    return this.done(ties.isFinished ? 'exact' : 'optimal', ties.isFinished ? null : 'ids', null);
  }

  /** Asks from the best choice so far and what was suggested; a better choice becomes the best so far. */
  private ask(goal: Goal, objective: Objective, bounds: Bounds, hasChoice: boolean): Found {
    const { plan, suggestion } = this;
    const question = makeQuestion(plan, objective, bounds);
    const known = [...(hasChoice ? [this.choice] : []), ...(suggestion === null ? [] : [suggestion.choice])];
    const start = {
      choices: known.flatMap((choice) => {
        const options = optionChoice(plan, question, choice);
        return options === null ? [] : [options];
      }),
      weights: suggestion?.weights ?? [],
      unit: suggestion?.unit ?? 0,
    };
    const found = search(question, goal, this.nodes, start, this.meter);
    if (found.choice !== null) this.choice = planChoice(plan, question, found.choice);
    return found;
  }

  private least(objective: Exclude<Objective, null>, bounds: Bounds): Found {
    const found = this.ask('least', objective, bounds, true);
    this.prove(objective, objective, bounds, { kind: 'at_least', value: found.bound }, found.proof);
    return found;
  }

  /** Halves the confidences that may be had; gives the search that did not end, or null. */
  private raiseConfidence(bounds: Bounds): Found | null {
    const { plan } = this;
    const all = plan.tasks.flatMap(({ approaches }) =>
      approaches.slice(1).map(({ confidence }) => confidence),
    );
    const levels = [...new Set(all)].toSorted((a, b) => a - b);
    // Without a change nothing is less sure than the surest alternative.
    const findLevel = (): number => {
      const level = levels.indexOf(repairKey(plan, this.choice).confidence);
      return level < 0 ? levels.length - 1 : level;
    };
    let [low, high] = [findLevel(), levels.length];
    let refuted: { readonly bounds: Bounds; readonly proof: Certificate | null } | null = null;
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2);
      const wanted = { ...bounds, confidence: levels[middle] ?? 0 };
      const found = this.ask('feasible', null, wanted, false);
      if (found.status === 'bounded') return { ...found, bound: levels[high - 1] ?? 0 };
      if (found.status === 'none') [high, refuted] = [middle, { bounds: wanted, proof: found.proof }];
      else low = findLevel();
    }
    if (refuted !== null) this.prove('confidence', null, refuted.bounds, { kind: 'unsat' }, refuted.proof);
    return null;
  }

  private prove(
    criterion: Criterion,
    objective: Objective,
    bounds: Bounds,
    claim: Claim,
    certificate: Certificate | null,
  ): void {
    if (certificate !== null) this.proofs.push({ criterion, objective, bounds, claim, certificate });
  }

  private done(
    label: 'exact' | 'optimal' | 'bounded',
    unfinished: Criterion | null,
    found: Found | null,
  ): Repair {
    const { plan, choice, proofs } = this;
    return {
      label,
      choice,
      named: namedChoice(plan, choice),
      key: repairKey(plan, choice),
      unfinished,
      bound: found?.bound ?? null,
      proofs,
      weights: found?.weights ?? [],
      unit: found?.unit ?? 0,
    };
  }
}

/**
 * Walks the tasks by id and moves the first change as far forward as the bounds allow, then the next. `isFinished` is
 * false where more than `nodes` nodes would be needed, or more than the meter has; the choice is then the best known.
 */
function smallestIds(
  plan: Plan,
  bounds: Bounds,
  known: Choice,
  nodes: number,
  meter: Meter,
): { readonly choice: Choice; readonly isFinished: boolean } {
  const question = makeQuestion(plan, null, bounds);
  let choice = known;
  let left = nodes;
  let weights: Start['weights'] = [];
  let tasks = question.tasks;
  for (let task = 0; task < plan.tasks.length; task += 1) {
    const approaches = plan.tasks[task]?.approaches ?? [];
    // Alternatives stand in order of ids; staying as it is comes last.
    const wanted = [...approaches.keys()].slice(1);
    for (const place of wanted) {
      if (place === choice[task]) break;
      const option = tasks[task]?.options.find(({ id }) => id === approaches[place]?.id);
      if (option === undefined) continue;
      const narrowed = tasks.map((each, at) => (at === task ? { ...each, options: [option] } : each));
      const start = { choices: [], weights, unit: 0 };
      const found = search({ ...question, tasks: narrowed }, 'feasible', left, start, meter);
      left -= found.nodes;
      weights = found.weights;
      if (found.status === 'bounded' || left <= 0 || meter.isSpent) return { choice, isFinished: false };
      if (found.choice === null) continue;
      choice = planChoice(plan, { ...question, tasks: narrowed }, found.choice);
      break;
    }
    const taken = approaches[choice[task] ?? 0]?.id;
    tasks = tasks.map((each, at) =>
      at === task ? { ...each, options: each.options.filter(({ id }) => id === taken) } : each,
    );
  }
  return { choice, isFinished: true };
}

/** A choice that fits; or the proof of `unsat` about `questionOf(plan, null)`; or neither within the limit. */
type Fit =
  | { readonly verdict: 'SAT'; readonly choice: Choice }
  | { readonly verdict: 'UNSAT'; readonly certificate: Certificate }
  | { readonly verdict: 'UNKNOWN' };

/** Looks for a choice under which every hard constraint holds, with at most so many search nodes. */
export function findFit(plan: Plan, nodes: number = SEARCH_NODES): Fit {
  const question = makeQuestion(plan, null);
  const { choice, status, proof } = search(question, 'feasible', nodes);
  if (choice !== null) return { verdict: 'SAT', choice: planChoice(plan, question, choice) };
  return status === 'none' && proof !== null
    ? { verdict: 'UNSAT', certificate: proof }
    : { verdict: 'UNKNOWN' };
}
