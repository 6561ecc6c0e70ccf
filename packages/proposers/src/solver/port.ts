/**
 * The solver as a port of a host: answers requests of the kind `choose`. A choice and weights for a plan, in
 * the order of repairs: fewest substitutions, surest, cheapest.
 */
import { field, isArray, isObject, type Json, err, ok, type Result } from '@assay/kernel';
import type { Port, PortAnswer } from '@assay/host';
import {
  parsePlan,
  makeQuestion,
  type Bounds,
  type Objective,
  type Plan,
  type Question,
} from '@assay/planner/schedule';
import { readChoice, renderModel, readWeights, type Solved } from './model.js';
import { newSolver, type Solver } from './worker.js';

/** The name under which answers of the solver are recorded. */
export const SOLVER_PROPOSER = 'highs';

const SECONDS = 20;

/** The port. `seconds`: for each model that is solved, 20 by default. */
export function solverPort({ seconds = SECONDS }: { readonly seconds?: number } = {}): Port {
  return {
    source: 'tool',
    proposer: SOLVER_PROPOSER,
    perform: ({ body }, { signal }) => answered(body, seconds, signal),
  };
}

async function answered(body: Json, seconds: number, signal: AbortSignal): Promise<PortAnswer> {
  const read = isObject(body) ? parsePlan(field(body, 'plan') ?? null) : null;
  const unfinished = isObject(body) ? field(body, 'unfinished') : undefined;
  if (!isObject(body) || read?._tag !== 'Right' || typeof unfinished !== 'string')
    return { failure: { code: 'malformed', final: true, detail: null } };
  const suggested = await suggest(read.right, {
    best: pairsIn(field(body, 'best')),
    unfinished,
    seconds,
    signal,
  });
  if (suggested._tag === 'Left')
    return { failure: { code: 'unavailable', final: true, detail: suggested.left.code } };
  const { choice, weights, unit } = suggested.right;
  return { value: { choice, weights, unit }, provenance: { solver: SOLVER_PROPOSER } };
}

function pairsIn(value: Json | undefined): readonly (readonly [string, string])[] {
  return (isArray(value) ? value : []).flatMap((pair) => {
    const [task, approach] = isArray(pair) ? pair : [];
    return typeof task === 'string' && typeof approach === 'string' ? [[task, approach] as const] : [];
  });
}

/** `best`: the choice to beat; `unfinished`: the first criterion that is not proven of it. */
export type SolverOptions = {
  readonly best: readonly (readonly [task: string, approach: string])[];
  readonly unfinished: string;
  /** For each model that is solved. */
  readonly seconds: number;
  readonly signal: AbortSignal;
};

/** `no_solver`: `highs` is not installed; `no_answer`: it found no choice, failed, or its time was up. */
export type SolverFault = { readonly code: 'no_solver' | 'no_answer' };

/** What is suggested. */
type Suggested = {
  readonly choice: readonly (readonly [string, string])[];
  readonly weights: readonly (readonly [string, number])[];
  readonly unit: number;
};

/** Asks the solver. Its thread ends with the answer. */
export async function suggest(plan: Plan, options: SolverOptions): Promise<Result<SolverFault, Suggested>> {
  const solver = newSolver(options.signal);
  if (solver === null) return err({ code: 'no_solver' });
  try {
    const found = await new Suggesting(plan, options, solver).run();
    return found === null ? err({ code: 'no_answer' }) : ok(found);
  } finally {
    await solver.close();
  }
}

class Suggesting {
  private readonly plan: Plan;
  private readonly options: SolverOptions;
  private readonly solver: Solver;

  constructor(plan: Plan, options: SolverOptions, solver: Solver) {
    this.plan = plan;
    this.options = options;
    this.solver = solver;
  }

  async run(): Promise<Suggested | null> {
    const { plan, options } = this;
    const taken = new Map(options.best);
    const changed = plan.tasks.flatMap(({ id, approaches }) =>
      approaches.slice(1).filter((approach) => approach.id === taken.get(id)),
    );
    const isOpen = options.unfinished === 'substitutions';
    const fewest = isOpen ? await this.solve('substitutions', {}) : null;
    if (isOpen && fewest === null) return null;
    const substitutions = fewest === null ? changed.length : Math.round(fewest.solved.objective);
    const sure = changed.reduce((least, { confidence }) => Math.min(least, confidence), MILLION);
    const confidence =
      isOpen || options.unfinished === 'confidence' ? await this.surest({ substitutions }) : sure;
    const objective: Objective = options.unfinished === 'effort' || plan.cost === null ? 'effort' : 'cost';
    const least = await this.solve(objective, { substitutions, confidence });
    const best = least ?? fewest;
    const choice = best === null ? null : readChoice(best.question, best.solved);
    if (choice === null) return null;
    // Weights serve one question: the one whose proof is missing first.
    const question = (fewest ?? least)?.question;
    const relaxed =
      question === undefined ? null : await this.solver.solve(renderModel(question, true), options.seconds);
    if (question === undefined || relaxed === null) return { choice, weights: [], unit: 1 };
    return { choice, ...readWeights(question, relaxed) };
  }

  /** The highest confidence that can be had with so few substitutions; 0 where no model ended. */
  private async surest(bounds: Bounds): Promise<number> {
    const all = this.plan.tasks.flatMap(({ approaches }) =>
      approaches.slice(1).map(({ confidence }) => confidence),
    );
    const levels = [...new Set(all)].toSorted((a, b) => a - b);
    let [low, high] = [-1, levels.length];
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await this.solve(null, { ...bounds, confidence: levels[middle] ?? 0 });
      if (found === null) high = middle;
      else low = middle;
    }
    return levels[low] ?? 0;
  }

  /** The best choice of a question, as far as the solver got; null where it found none. */
  private async solve(
    objective: Objective,
    bounds: Bounds,
  ): Promise<{ readonly question: Question; readonly solved: Solved } | null> {
    const question = makeQuestion(this.plan, objective, bounds);
    if (question.tasks.some(({ options }) => options.length === 0)) return null;
    const solved = await this.solver.solve(renderModel(question, false), this.options.seconds);
    if (solved === null || readChoice(question, solved) === null) return null;
    return solved.status === 'Infeasible' ? null : { question, solved };
  }
}

const MILLION = 1_000_000;
