/**
 * Amounts that say of which things, or under which load, something is demanded: conditions, and nothing to be measured.
 *
 * @module
 */
import { measureOf, type Quantity, type Scan } from '@assay/kernel/intent';
import { quantitiesIn, type Demand } from './binding.js';
import type { Clause } from './clauses.js';
import type { Span } from './spans.js';
import { HANDLING, MAKING, REMOVING, RESULTING } from './acts.js';
import { isPlural } from './predicates.js';
import { isBase, lemmaOf } from './verbs.js';
import { isIn, wordAt } from './words.js';

/** The amount behind which the rest stands: a load, or the bounds by which the subject is picked out. */
export function premiseOf(scan: Scan, clause: Clause, demand: Demand): Span | null {
  const inside = quantitiesIn(scan, clause);
  const load = inside.find((quantity) => isLoad(scan, clause, quantity));
  if (load !== undefined) return { first: load.first - 1, next: load.next };
  const picking = inside.filter((quantity) => isPicking(scan, clause, demand, quantity) || isChoosing(scan, clause, demand, quantity));
  const [front, back] = [picking[0], picking.at(-1)];
  if (front === undefined || back === undefined) return null;
  const relative = relativeBefore(scan, demand.verb, front.first);
  if (relative !== null && relative > demand.verb) return { first: relative, next: back.next };
  return { first: ['with', 'of', 'having'].includes(wordAt(scan.tokens, front.first - 1)) ? front.first - 1 : front.first, next: back.next };
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
  // `Only files smaller than 5 MB may be uploaded` bounds them.
  if (finite === null || next > finite.at || first <= core.first || first < subject.first || isNoSubject || isNegatedWish || modality === 'must_not' || wordAt(tokens, core.first) === 'only') return false;
  // `less than 5 kg` compares; `at least 5 kg` sets a bound, and `500 EUR or more` compares behind the amount.
  if (op !== '<' && op !== '>' && !(first === at && (op === '<=' || op === '>='))) return false;
  const head = wordAt(tokens, ['of', 'with'].includes(wordAt(tokens, first - 1)) ? first - 2 : first - 1);
  for (let place = finite.at; place < Math.min(core.next, finite.at + PREDICATE_TOKENS_MAX); place += 1) {
    if (HELD.has(wordAt(tokens, place)) && !isPlural(head)) return false;
  }
  return true;
}

/**
 * `Delete logs older than 30 days`, `Flag transactions above 10,000 EUR`: the bound says which of them the act is done
 * to. An age is never what an act brings about; of another measure the verb tells (`Heat milk above 60 °C` does).
 */
export function isChoosing(scan: Scan, clause: Clause, demand: Demand, quantity: Quantity): boolean {
  return filterOf(scan, clause, demand, quantity) === 'chosen';
}

/** `Paint walls higher than 2 m`: which walls, or how high to paint. The words that leave it open, or null. */
export function unsureFilter(scan: Scan, clause: Clause, demand: Demand): Span | null {
  const open = quantitiesIn(scan, clause).find((quantity) => filterOf(scan, clause, demand, quantity) === 'open');
  return open === undefined ? null : { first: open.first - 1, next: open.next };
}

function filterOf(scan: Scan, { core }: Clause, { modality, isNegatedWish, isNoSubject, verb }: Demand, { first, at, next, op, unit, isNegated }: Quantity): 'chosen' | 'open' | null {
  const { tokens } = scan;
  const act = lemmaOf(wordAt(tokens, verb));
  if (modality === 'must_not' || isNegatedWish || isNoSubject || verb < core.first || first <= verb + 1 || !isBase(act)) return null;
  // `Warn users whose password is older than 90 days`.
  if (HANDLING.has(act) && relativeBefore(scan, verb, first) !== null) return 'chosen';
  const isWith = ['of', 'with', 'having'].includes(wordAt(tokens, first - 1));
  const head = (isWith ? first - 1 : first) - 1;
  // `Reject files of at least 5 MB`; `within 30 days` is when it is to be done.
  const isComparing = op === '<' || op === '>' ? !isNegated : op !== '=' && REMOVING.has(act) && (isWith || (wordAt(tokens, first) === 'up' && measureOf(unit).dimension !== 'time'));
  if (!isComparing || first >= at || head <= verb || tokens[head]?.kind !== 'word') return null;
  // `Send reminders for invoices older than 30 days`, `Sort out apples smaller than 6 cm`; else what a preposition opens is no object.
  if (tokens.slice(verb + 2, head + 1).some(({ lower }) => isIn('preposition', lower) && !['for', 'of', 'about'].includes(lower) && !(lower === 'to' && REMOVING.has(act)))) return null;
  // `orders over 5 days late`: how late they are is no bound between thing and thing.
  if (LATENESS.has(wordAt(tokens, next))) return null;
  // `Serve guests older than 60 years first`: which guests, though the verb may set what is served.
  if (AGES.has(wordAt(tokens, first))) return MAKING.has(act) && !HANDLING.has(act) ? 'open' : 'chosen';
  if (HANDLING.has(act)) return 'chosen';
  // `Ship invoices under 5 MB`: the most a file may have.
  const isSize = op === '<' && measureOf(unit).dimension === 'bytes';
  return isSize || MAKING.has(act) || RESULTING.has(act) || !isPlural(wordAt(tokens, head)) ? null : 'open';
}

/** The relative pronoun of what an order acts on, or null. */
function relativeBefore({ tokens }: Scan, verb: number, first: number): number | null {
  for (let place = verb + 2; place < first; place += 1) {
    if (wordAt(tokens, place) === ',') return null;
    if (['who', 'which', 'that', 'whose'].includes(wordAt(tokens, place))) return place;
  }
  return null;
}

const LATENESS: ReadonlySet<string> = new Set(['late', 'early', 'overdue', 'behind', 'ahead']);
const AGES: ReadonlySet<string> = new Set(['older', 'younger']);

const PREDICATE_TOKENS_MAX = 5;
/** Of one measure: `a pressure above 5 bar must be kept`. */
const HELD: ReadonlySet<string> = new Set(['kept', 'maintained', 'held', 'ensured', 'guaranteed', 'achieved', 'reached', 'provided', 'left', 'observed', 'present', 'available', 'needed', 'required']);
