/**
 * A choice and weights for a plan, in the order of repairs: fewest substitutions, surest, cheapest.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { makeQuestion, type Bounds, type Objective, type Plan, type Question } from '@assay/planner/schedule';
import { readChoice, renderModel, readWeights, type Solved } from './model.js';
import { newSolver, type Solver } from './worker.js';

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
