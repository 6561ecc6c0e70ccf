/**
 * Whether any choice of approaches fits, without asking which is best. Source: dec-K77.
 *
 * @module
 */
import type { Choice, Plan } from '../plan/plan.js';
import { planChoice, makeQuestion } from '../question/of-plan.js';
import type { Certificate } from '../question/question.js';
import { search, SEARCH_NODES } from '../search/search.js';

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
