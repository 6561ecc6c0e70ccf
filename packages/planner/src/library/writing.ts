/**
 * Rows become entries and edges of the knowledge graph. Source: 000 §2.C "How new edges get created"; dec-K28,
 * dec-K30, dec-K33.
 *
 * @module
 */
import { absurd, type Context, type Deciding, type Json } from '@assay/kernel';
import type { GoalKind, LibraryRow } from '../protocol/library-rows.js';
import { alikeTo, normalized, listWords } from './reading.js';
import type { LibraryAsk, LibraryEvent, LibraryState } from './state.js';

/** A decision of a library under construction. */
export type LibraryStep = Deciding<LibraryState, LibraryEvent, LibraryAsk> & { readonly context: Context };

/** Takes one row. `by`: what tells attempts of different runs apart. */
export function write(step: LibraryStep, row: LibraryRow, by: Json): void {
  switch (row.t) {
    case 'resolver':
      step.emit({ t: 'registered', resolver: row.resolver });
      for (const tag of row.resolver.capabilities)
        edge(step, `resolver:${row.resolver.id}`, 'provides', `capability:${tag}`);
      return;
    case 'attempt':
      writeAttempt(step, row, by);
      return;
    case 'produced':
      edge(step, `resolver:${row.resolver}`, 'produced', `artifact:${row.output}`);
      return;
    case 'edge': {
      const to = row.to.startsWith('actor:') ? row.to : `resolver:${row.to}`;
      edge(step, `resolver:${row.from}`, row.relation, to);
      return;
    }
    case 'capability': {
      const before = step.state.capabilities.get(row.fingerprint);
      // What was decided once stays decided.
      if (before?.status === 'delivered' || before?.status === 'declined') return;
      if (before?.status === row.status) return;
      const { fingerprint, capability, status, resolver } = row;
      step.emit({ t: 'capability', fingerprint, capability, status, resolver });
      return;
    }
    case 'estimate': {
      if (row.estimated === 0) return;
      const { resolver, estimated, actual } = row;
      const ratio = (BigInt(actual) * 1_000_000n) / BigInt(estimated);
      const ratio_ppm = Number(ratio > RATIO_MAX ? RATIO_MAX : ratio);
      const pattern = findPattern(step, row.goal);
      step.emit({ t: 'cost', pattern, resolver, estimated, actual, ratio_ppm });
      return;
    }
    case 'alias':
      step.emit({ t: 'alias', tag: row.tag, is: row.is });
      return;
    default:
      absurd(row);
  }
}

/** A ratio above a million is shown as that. */
const RATIO_MAX = 1_000_000_000_000n;

/** The id of a goal's pattern, which is made where there is none. */
function findPattern(step: LibraryStep, goal: GoalKind): string {
  const { summary, signature } = goal;
  const id = step.context.hash([normalized(summary), signature]);
  if (step.state.patterns.has(id)) return id;
  const alike = alikeTo(step.state, goal);
  step.emit({ t: 'pattern', id, summary, signature, words: listWords(summary) });
  for (const other of alike)
    edge(step, `goal_pattern:${id}`, 'similar_to', `goal_pattern:${other.id}`, other.ppm);
  return id;
}

function writeAttempt(
  step: LibraryStep,
  row: Extract<LibraryRow, { readonly t: 'attempt' }>,
  by: Json,
): void {
  const { goal, node, index, capability, constraints, resolver, verdict, sigma_ppm, failure_mode } = row;
  const pattern = findPattern(step, goal);
  const attempt = step.context.hash([by, node, index]);
  const at = `goal_pattern:${pattern}`;
  step.emit({ t: 'tried', pattern, resolver, verdict, sigma_ppm, failure_mode });
  edge(step, at, 'requires', `capability:${capability}`);
  edge(step, `attempt:${attempt}`, 'tried_for', at);
  for (const each of constraints) edge(step, `attempt:${attempt}`, 'used_constraint', `constraint:${each}`);
  const relation = verdict === 'SAT' ? 'succeeded_on' : 'failed_on';
  edge(step, `resolver:${resolver}`, relation, at, sigma_ppm, attempt);
  if (failure_mode !== null) edge(step, `attempt:${attempt}`, 'failed_because', `failure:${failure_mode}`);
}

/** An edge; the same one twice is one. Source: dec-K33. */
function edge(
  step: LibraryStep,
  from: string,
  relation: string,
  to: string,
  ppm: number | null = null,
  attempt: string | null = null,
): void {
  const id = step.context.hash([from, relation, to, attempt]);
  if (!step.state.edges.has(id)) step.emit({ t: 'edge', id, from, relation, to, ppm });
}
