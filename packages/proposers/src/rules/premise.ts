/**
 * Amounts that say of which things, or under which load, something is demanded: conditions, and nothing to be measured.
 *
 * @module
 */
import { measureOf, type Quantity, type Scan } from '@assay/kernel/intent';
import { quantitiesIn, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import type { Span } from './spans.js';
import { isPlural } from './predicates.js';
import { wordAt } from './words.js';

/** The amount behind which the rest stands: a load, or the bounds by which the subject is picked out. */
export function premiseOf(scan: Scan, clause: Clause, demand: Demand): Span | null {
  const inside = quantitiesIn(scan, clause);
  const load = inside.find((quantity) => isLoad(scan, clause, quantity));
  if (load !== undefined) return { first: load.first - 1, next: load.next };
  const picking = inside.filter((quantity) => isPicking(scan, clause, demand, quantity));
  const [front, back] = [picking[0], picking.at(-1)];
  if (front === undefined || back === undefined) return null;
  return { first: ['with', 'of'].includes(wordAt(scan.tokens, front.first - 1)) ? front.first - 1 : front.first, next: back.next };
}

/** `below 200 ms at 1,000 req/s`, `for up to 200k rows`, `with 900 parents signed in`: the load at which another amount holds. */
export function isLoad(scan: Scan, clause: Clause, { first, op, unit }: Quantity): boolean {
  const before = wordAt(scan.tokens, first - 1);
  const isAt = before === 'at' && op === '=';
  const isFor = (before === 'for' || before === 'with' || before === 'under') && measureOf(unit).dimension.startsWith('unit:');
  if (!isAt && !isFor) return false;
  return quantitiesIn(scan, clause).some((other) => other.first < first && other.op !== '=');
}

/**
 * `Readings older than 24 hours must be marked grey`: the bound picks the things out, and what is demanded of them
 * is something else: as a test it would hold although nothing was marked. A prohibition keeps its bound, since no
 * thing to which the act was done may lie within it (`flights under 600 km are not refunded`). So does a measure
 * that is itself wanted: `a gap of more than 3 cm must be left`.
 */
export function isPicking(scan: Scan, { core, finite }: Clause, { isNoSubject, isNegatedWish, modality, subject }: Demand, { first, next, at, op }: Quantity): boolean {
  const { tokens } = scan;
  if (finite === null || next > finite.at || first <= core.first || first < subject.first || isNoSubject || isNegatedWish || modality === 'must_not') return false;
  // `less than 5 kg` compares; `at least 5 kg` sets a bound, and `500 EUR or more` compares behind the amount.
  if (op !== '<' && op !== '>' && !(first === at && (op === '<=' || op === '>='))) return false;
  const head = wordAt(tokens, ['of', 'with'].includes(wordAt(tokens, first - 1)) ? first - 2 : first - 1);
  for (let place = finite.at; place < Math.min(core.next, finite.at + PREDICATE_TOKENS_MAX); place += 1) {
    if (HELD.has(wordAt(tokens, place)) && !isPlural(head)) return false;
  }
  return true;
}

const PREDICATE_TOKENS_MAX = 5;
/** Of one measure: `a pressure above 5 bar must be kept`. */
const HELD: ReadonlySet<string> = new Set(['kept', 'maintained', 'held', 'ensured', 'guaranteed', 'achieved', 'reached', 'provided', 'left', 'observed', 'present', 'available', 'needed', 'required']);
