/**
 * Outputs and decompositions as they come in. Source: 000 §1 Steps 1, 2 and 5; dec-K22, dec-K71, dec-K82.
 *
 * @module
 */
import { InvariantError, isObject, type Failure, type Json } from '@assay/kernel';
import type { Check, Made, Split } from '../protocol/answers.js';
import type { ConstraintDraft } from '../protocol/constraint.js';
import { passes } from '../rollup/rollup.js';
import { hire } from './failing.js';
import { judgePlan } from './feasibility.js';
import { failedTry } from './growing.js';
import { readSplit } from './planning.js';
import { getNode } from './state.js';
import { listConstraints, draw, move, requireSetup, type Step } from './step.js';
import { makeCheck, verifyNode } from './verifying.js';

/** Constraints join the run. */
export function addConstraints(
  step: Step,
  key: string,
  drafts: readonly ConstraintDraft[],
  source: string,
): void {
  for (const draft of drafts)
    if (!step.state.constraints.has(draft.id)) {
      step.emit({ t: 'constraint', constraint: { ...draft, origin: key, source: chooseSource(source) } });
      draw(step, 'claim', { constraint: draft.id, title: draft.title }, getNode(step.state, key).id);
    }
}

function chooseSource(source: string): 'input' | 'human' | 'synthetic' {
  return source === 'human' || source === 'synthetic' ? source : 'input';
}

export function takeSplit(step: Step, key: string, split: Split): void {
  const node = getNode(step.state, key);
  const read = readSplit(step.state, node, split, true);
  if (read._tag === 'Left') throw new InvariantError('planner/split', read.left.code);
  for (const text of split.questions) step.emit({ t: 'question', node: key, text });
  step.emit({ t: 'planned', node: key, version: node.version + 1, ...read.right });
  judgePlan(step, key);
}

/** An output. Exit codes and measures count where a tool reports them. Source: dec-K82. */
export function takeOutput(step: Step, key: string, made: Made, source: string): void {
  const node = getNode(step.state, key);
  const steps = node.steps ?? [];
  const isLast = node.step >= steps.length - 1;
  const isTool = source === 'tool' || source === 'synthetic';
  const own = listConstraints(step.state, node.selected ?? []);
  const exits = new Map(isTool ? made.checks : []);
  const figures = new Map(isTool ? made.figures : []);
  const checks = own.flatMap(({ id, payload }): readonly Check[] => {
    const exit = exits.get(id);
    const figure = figures.get(id);
    if (payload.t === 'check' && exit !== undefined) return [makeCheck(id, exit === 0, `exit ${exit}`)];
    if (payload.t === 'figure' && figure !== undefined)
      return [makeCheck(id, passes(payload.op, figure, payload.bound), String(figure))];
    return [];
  });
  const isExhausted = (node.eligible ?? []).length === 0;
  const output = {
    hash: step.context.hash(made.artifact.content),
    format: made.artifact.format,
    summary: made.artifact.summary.slice(0, 400),
    leaf_kind: isExhausted ? 'constraint_exhausted' : made.leaf_kind,
    resolver: steps[node.step] ?? '',
  };
  step.emit({ t: 'made', node: key, output, last: isLast, checks, manifest: made.manifest });
  if (!isLast) {
    step.emit({ t: 'ready', node: key });
    return;
  }
  move(step, key, 'verifying', 'made');
  verifyNode(step, key);
}

const RETRYABLE: readonly string[] = ['timeout', 'unavailable', 'lost', 'cancelled'];

/** No output: again where that may help, a person where it was denied, else a failed try. Source: dec-K22. */
export function retryOrFail(step: Step, key: string, { code, detail }: Failure): void {
  const { limits } = requireSetup(step.state).policy;
  if (code === 'denied') {
    hire(step, key, 'over_budget', null);
    return;
  }
  if (RETRYABLE.includes(code) && getNode(step.state, key).retries < limits.retries) {
    step.emit({ t: 'retried', node: key, code });
    step.emit({ t: 'ready', node: key });
    return;
  }
  failedTry(step, key, code, 0, [], sayWhat(detail));
}

/** Why an answer was not accepted, for whoever tries next: the code, and what it names. */
function sayWhat(detail: Json): string | null {
  if (!isObject(detail) || typeof detail['code'] !== 'string') return null;
  const { code, detail: about } = detail;
  const named = isObject(about) ? Object.values(about).filter((each) => typeof each === 'string') : [];
  return ['not accepted:', code, ...named].join(' ').slice(0, 400);
}
