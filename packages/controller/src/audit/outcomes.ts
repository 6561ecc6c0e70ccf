/**
 * How runs end, counted by outcome and reason, and what several ends show that none shows alone. Integers
 * only. What was told is told again only after it has been gone. Evidence of any ledger, read without
 * trusting its form: what is not there reads as empty. The auditor judges ledgers that other programs wrote,
 * so nothing here may throw. Source: calls/C12.
 */
import { cutText, type Json, isArray, hashCanonical, type Digest, type Sha256 } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { PPM, type AuditPolicy, NAME_MAX, RECENT_MAX, type RunSeen } from './state.js';
import { anomaly, drift, ended, type Seen } from './window.js';

/** Outcomes of runs that did what was asked. */
const DONE = ['accept', 'success'];
/** Reasons of one run that make its cause. */
const REASONS_MAX = 8;

/** Hears a close: counts the run, and compares it with the runs before it. */
export function runOver(seen: Seen, close: Json, policy: AuditPolicy): Seen {
  const { outcome, reason } = readEnd(seen.run, close);
  if (outcome === '') return seen;
  const counted = ended(seen, outcome, reason);
  const hasFailed = !DONE.includes(outcome) && !seen.run.isBudgetSpent;
  const cause = hasFailed ? (reason === '' ? outcome : reason) : '';
  const { past } = counted;
  const recent = [...past.recent, cause].slice(-RECENT_MAX);
  const told = { ...past.told, budget: seen.run.isBudgetSpent };
  return risen(sameCause({ ...counted, past: { ...past, recent, told } }, cause, policy), policy);
}

/** The controller says why a task ended, and why a role gave up; of any other machine, what the close says. */
function readEnd({ end, isController }: RunSeen, close: Json): NonNullable<RunSeen['end']> {
  if (isController && end !== null) return end;
  const reasons = readTexts(close, 'reasons', REASONS_MAX).map(shown).join(', ');
  return { outcome: cutText(readText(close, 'status'), NAME_MAX), reason: cutText(reasons, NAME_MAX) };
}

/** One cause in `same` of the last `runs` runs. It is gone once none of these ended with it. */
function sameCause(seen: Seen, cause: string, { same_cause: { same, runs } }: AuditPolicy): Seen {
  const { past } = seen;
  const last = past.recent.slice(-runs);
  const causes = past.told.causes.filter((told) => last.includes(told));
  const count = last.filter((other) => other === cause).length;
  const isNew = cause !== '' && same > 0 && count >= same && !causes.includes(cause);
  const told = { ...past.told, causes: isNew ? [...causes, cause] : causes };
  const next = { ...seen, past: { ...past, told } };
  return isNew
    ? anomaly(next, 'same_cause', `${count} of the last ${last.length} runs failed alike: ${shown(cause)}`)
    : next;
}

/**
 * More of the last runs failed than of as many before them. Failures of a cause that was told do not count.
 * It is gone once there are no more than before.
 */
function risen(seen: Seen, { rising_failures: { runs, ppm } }: AuditPolicy): Seen {
  const { recent, told } = seen.past;
  if (runs < 1 || recent.length < 2 * runs) return seen;
  const failed = (causes: readonly string[]): number =>
    causes.filter((cause) => cause !== '' && !told.causes.includes(cause)).length;
  const [before, now] = [failed(recent.slice(-2 * runs, -runs)), failed(recent.slice(-runs))];
  const isRising = now > before && (now - before) * PPM >= runs * ppm;
  const rising = isRising || (told.rising && now > before);
  const next = { ...seen, past: { ...seen.past, told: { ...told, rising } } };
  return isRising && !told.rising
    ? drift(
        next,
        'abandoned_rising',
        `${now} of the last ${runs} runs failed, ${before} of the ${runs} before`,
      )
    : next;
}

/** Hears a failure: the host's budget did not cover a request. Told once until a run has ended without that. */
export function budgetSpent(seen: Seen, failure: Json): Seen {
  const detail = readField(failure, 'detail');
  if (readText(detail, 'code') !== 'budget' || seen.run.isBudgetSpent) return seen;
  const next = { ...seen, run: { ...seen.run, isBudgetSpent: true } };
  if (seen.past.told.budget) return next;
  return anomaly(
    { ...next, past: { ...next.past, told: { ...next.past.told, budget: true } } },
    'budget_exhausted',
    `the budget of ${shown(readText(detail, 'unit'))} did not cover a request, which was not performed`,
  );
}

/** A list member; empty where there is none. */
export function readList(value: Json | undefined, key: string): readonly Json[] {
  const member = readField(value, key);
  return isArray(member) ? member : [];
}

/** A whole number from 0 on; null where there is none. */
export function readCount(value: Json | undefined, key: string): number | null {
  const member = readField(value, key);
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0 ? member : null;
}

/** The texts of a list member, at most `max`. */
export function readTexts(value: Json | undefined, key: string, max: number): readonly string[] {
  return readList(value, key)
    .slice(0, max)
    .filter((item) => typeof item === 'string');
}

/** Text from evidence as a finding shows it. */
export function shown(value: string): string {
  return cutText(value, SHOWN_MAX);
}

const SHOWN_MAX = 80;

/** The sequence that a record's `ts` names (`B#sequence`); null in a chain of another kind. */
export function readSequence(ts: string): number | null {
  const digits = /#([0-9]{12})$/.exec(ts)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The digest of a value; null for what has no canonical text, which only a chain of another kind can hold.
 */
export function computeDigest(value: Json, sha256: Sha256): Digest | null {
  const hashed = hashCanonical(value, sha256);
  return hashed._tag === 'Right' ? hashed.right : null;
}
