/** Evaluating a verification pack: what was observed against what was agreed, exactly. Source: intent I18. */
import { groupBy } from '../collections/look-up.js';
import { compareText, field, isArray, isObject, type Json } from '../json.js';
import { closed, list, nullable, parseShape, sized, type Shape } from '../ledger/shape.js';
import type { Rejection } from '../machine/types.js';
import { err, type Result } from '../result.js';
import { isMoment, UNIT, type Atom, type AtomValue } from './atom.js';
import type { Modality } from './claim.js';
import { DECIMAL, decimalOfNumber, scaleDecimal, type Decimal } from './decimal.js';
import type { Check, Method, VerificationPack } from './pack.js';
import { readQuantity } from './scan.js';
import { admittedBy, isDisjoint, isWithin, findSolutions } from './solutions.js';
import { isKnownUnit, UNIT_UNITS_MAX } from './units.js';

/**
 * One observation. `observed`: a number (or {n, scale}) for a threshold of numbers, ISO text for a date or
 * clock time, a flag for everything else. `unit` null: a bare number. `source`: where it comes from.
 */
export type CheckEvidence = {
  readonly check_id: string;
  readonly observed: string | boolean | Decimal;
  readonly unit: string | null;
  readonly source: string;
};

/** What a check comes to. */
export type CheckStatus = 'pass' | 'fail' | 'missing';

/**
 * Why: `within` or `outside` the threshold; `confirmed` or `denied` by a flag; `no_evidence`;
 * `question_open`; `not_comparable`, the observation is of another kind or dimension than the threshold.
 */
export type CheckReason =
  | 'within'
  | 'outside'
  | 'confirmed'
  | 'denied'
  | 'no_evidence'
  | 'question_open'
  | 'not_comparable';

/** One check with its verdict. `observed`: the observation that decided, as given. */
export type CheckVerdict = {
  readonly id: string;
  readonly modality: Modality;
  readonly method: Method;
  readonly text: string;
  readonly threshold: Atom | null;
  readonly status: CheckStatus;
  readonly reason: CheckReason;
  readonly observed: CheckEvidence | null;
};

/** A pack evaluated. `outcome` is `pass` where every check that binds (`must`, `must_not`) passes. */
export type PackVerdict = {
  readonly outcome: 'pass' | 'fail';
  readonly counts: { readonly pass: number; readonly fail: number; readonly missing: number };
  readonly checks: readonly CheckVerdict[];
  /** Ids in the evidence that the pack does not have, each once, sorted. */
  readonly unknown: readonly string[];
};

/** Longest text of an observation and of its source, in UTF-16 units. */
export const EVIDENCE_UNITS_MAX = 2_000;

const short = sized(0, EVIDENCE_UNITS_MAX);
/** The fields of an observation. */
export const OBSERVATION: { readonly [field in keyof CheckEvidence]: Shape<CheckEvidence[field]> } = {
  check_id: short,
  observed: (value) =>
    typeof value === 'boolean' ? null : typeof value === 'string' ? short(value) : DECIMAL(value),
  unit: nullable(UNIT),
  source: short,
};
const EVIDENCE = list(closed(OBSERVATION));

/**
 * Reads evidence: a list of {check_id, observed, unit, source}; `unit` may be left out. A plain number is
 * taken by its shortest decimal. Total. Error `bad_evidence` with {path}.
 */
export function parseEvidence(value: Json): Result<Rejection, readonly CheckEvidence[]> {
  const rows = isArray(value) ? value.map(plain) : value;
  const shaped = parseShape<readonly CheckEvidence[]>(EVIDENCE, rows);
  return shaped._tag === 'Right' ? shaped : err({ code: 'bad_evidence', detail: { path: shaped.left.path } });
}

/**
 * Evaluates every check of a pack. Exact: numbers are compared as rationals after unit conversion, months
 * and years at their loosest. Of several observations of one check all must hold. A check that waits for an
 * open question is `missing`, whatever was observed. Linear. Source: intent I18.
 */
export function evaluatePack(pack: VerificationPack, evidence: readonly CheckEvidence[]): PackVerdict {
  const byCheck = groupBy(evidence, ({ check_id }) => check_id);
  const checks = pack.checks.map((check) => judge(check, byCheck.get(check.id) ?? []));
  const count = (status: CheckStatus): number => checks.filter((check) => check.status === status).length;
  const isBinding = ({ modality }: CheckVerdict): boolean => modality === 'must' || modality === 'must_not';
  const ids = new Set(pack.checks.map(({ id }) => id));
  return {
    outcome: checks.every((check) => !isBinding(check) || check.status === 'pass') ? 'pass' : 'fail',
    counts: { pass: count('pass'), fail: count('fail'), missing: count('missing') },
    checks,
    unknown: [...byCheck.keys()].filter((id) => !ids.has(id)).sort(compareText),
  };
}

function judge(check: Check, observations: readonly CheckEvidence[]): CheckVerdict {
  const { id, modality, method, text: words, threshold } = check;
  const verdict = (
    status: CheckStatus,
    reason: CheckReason,
    observed: CheckEvidence | null,
  ): CheckVerdict => ({ id, modality, method, text: words, threshold, status, reason, observed });
  if (check.waits_for.length > 0) return verdict('missing', 'question_open', observations[0] ?? null);
  const judged = observations.map((one) => [one, chooseReason(check, one)] as const);
  // A failure decides before what cannot be compared, and that before what holds.
  const worst =
    judged.find(([, reason]) => reason === 'outside' || reason === 'denied') ??
    judged.find(([, reason]) => reason === 'not_comparable') ??
    judged[0];
  if (worst === undefined) return verdict('missing', 'no_evidence', null);
  const [observed, reason] = worst;
  return verdict(
    reason === 'not_comparable' ? 'missing' : reason === 'within' || reason === 'confirmed' ? 'pass' : 'fail',
    reason,
    observed,
  );
}

function chooseReason(
  { method, modality, threshold }: Check,
  { observed, unit }: CheckEvidence,
): CheckReason {
  // Membership of a named set can only be confirmed, as anything without a threshold.
  if (
    threshold === null ||
    typeof threshold.value === 'boolean' ||
    threshold.op === 'in' ||
    threshold.op === 'not_in'
  ) {
    if (typeof observed !== 'boolean' || unit !== null) return 'not_comparable';
    // A negative test looks for what must not be: seeing it denies the claim.
    const isAsDemanded =
      typeof threshold?.value === 'boolean'
        ? isMet(modality, threshold, observed, null)
        : observed !== (method === 'negative_test');
    return isAsDemanded ? 'confirmed' : 'denied';
  }
  if (typeof observed === 'boolean' || typeof observed !== typeof threshold.value) return 'not_comparable';
  if (typeof observed === 'string' && unit !== null && !isMoment(observed, unit)) return 'not_comparable';
  if (!isSameDomain(threshold, observed, unit)) return 'not_comparable';
  return isMet(modality, threshold, observed, unit) ? 'within' : 'outside';
}

function isMet(modality: Modality, given: Atom, observed: AtomValue, observedUnit: string | null): boolean {
  const [threshold, { value, unit }] = inMonths(given, { value: observed, unit: observedUnit });
  const seen = findSolutions({ ...threshold, op: '=', value, unit });
  // What must not be a month may not be what a month could be either: all but an inexact amount is no set of
  // ours.
  if (threshold.op === (modality === 'must_not' ? '=' : '!='))
    return isDisjoint(seen, findSolutions({ ...threshold, op: '=' }));
  return isWithin(seen, admittedBy(modality, threshold));
}

/**
 * Years, quarters and months among themselves are exact, though none of them has a fixed number of days: 120
 * months are 10 years.
 */
function inMonths<A extends Pick<Atom, 'value' | 'unit'>>(
  threshold: A,
  seen: Pick<Atom, 'value' | 'unit'>,
): readonly [A, Pick<Atom, 'value' | 'unit'>] {
  const [a, b] = [countMonths(threshold), countMonths(seen)];
  return a === null || b === null
    ? [threshold, seen]
    : [
        { ...threshold, value: a, unit: null },
        { value: b, unit: null },
      ];
}

function countMonths({ value, unit }: Pick<Atom, 'value' | 'unit'>): Decimal | null {
  const factor = MONTHS.get(unit ?? '');
  return typeof value !== 'object' || factor === undefined ? null : scaleDecimal(value, factor);
}

const MONTHS: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['quarter', 3],
  ['year', 12],
]);

function isSameDomain(threshold: Atom, value: AtomValue, unit: string | null): boolean {
  return (
    findSolutions({ ...threshold, op: '=', value, unit }).domain === admittedBy('must', threshold).domain
  );
}

/**
 * A unit by the name the machine gives it: `years` is `year`, `seats` is `seat`. What it does not read stays
 * as it is.
 */
function nameUnit(unit: string): string {
  return isKnownUnit(unit) || unit.length > UNIT_UNITS_MAX ? unit : (readQuantity(`2 ${unit}`)?.unit ?? unit);
}

/** A row with its number as a decimal, and its unit written out by its name. */
function plain(row: Json): Json {
  if (!isObject(row)) return row;
  const observed = field(row, 'observed');
  const number = typeof observed === 'number' ? decimalOfNumber(observed) : null;
  const unit = field(row, 'unit');
  return {
    ...row,
    unit: typeof unit === 'string' ? nameUnit(unit) : (unit ?? null),
    ...(number === null ? {} : { observed: number }),
  };
}
