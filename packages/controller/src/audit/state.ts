/**
 * When the auditor reports by itself, and what it remembers. Bounded, however long a ledger is: every list has a
 * limit, and what is beyond it is counted. Source: 003 §R6 "Skills"; dec-B3.
 */
import { PersistentMap, type Digest, type Json, type Rejection, type Result } from '@assay/kernel';
import {
  closed,
  decodeBy,
  digest,
  flag,
  integer,
  list,
  mapOf,
  nullable,
  record,
  refined,
  text,
  tuple,
  type Coded,
  type Shape,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { RATIONAL } from '../ggs/input.js';
import { NO_ROUNDS, ROUNDS, TRAIL_MAX, type GuardPolicy } from '../guard/trail.js';
import { ANSWER_COUNTS, HEALTH, LISTS, OMITTED, PLACE, UNSEEN } from './report.js';
import { upTo } from '../protocol/criteria.js';

/** Numbers of the fold; 0 switches a rule off. */
export type AuditPolicy = {
  /** A report after so many records. */
  readonly every_records: number;
  /** A report after so many microseconds of recorded time, counted forward within runs. */
  readonly every_us: number;
  /** When a pattern of calls is a loop. */
  readonly guard: GuardPolicy;
  /** Tasks in a row, each with more corrections than the one before; at most 16. */
  readonly rising_tasks: number;
  /** Answers of a role from which on its share of rejections is looked at. */
  readonly rejections_min: number;
  /** Share of rejected answers, in parts per million, that is too high. */
  readonly rejections_ppm: number;
  /** One cause in so many (`same`) of the last `runs` runs; `runs` at most 64. */
  readonly same_cause: { readonly same: number; readonly runs: number };
  /**
   * More of the last `runs` runs failed than of as many before: by this share, in parts per million. `runs`
   * at most 32.
   */
  readonly rising_failures: { readonly runs: number; readonly ppm: number };
};

/** Tasks whose corrections are remembered. */
export const RISING_MAX = 16;
/** The whole, in parts per million. */
export const PPM = 1_000_000;

/**
 * Five minutes of recorded time (003 §R6). The patterns as dec-B3 words them: a triple three times, A-B-A-B,
 * two rounds alike. That is one step before the machine's own guard stops a run: an alert costs nothing.
 */
export const defaultAuditPolicy: AuditPolicy = Object.freeze({
  every_records: 0,
  every_us: 300_000_000,
  guard: Object.freeze({ triples: 3, oscillation: 2, same_rounds: 1 }),
  rising_tasks: 4,
  rejections_min: 6,
  rejections_ppm: 500_000,
  same_cause: Object.freeze({ same: 4, runs: 8 }),
  rising_failures: Object.freeze({ runs: 8, ppm: 500_000 }),
});

/** Open requests that are watched. */
export const OPEN_MAX = 4_096;
/** Criteria of a plan, and unmet ones, that are compared. */
export const CRITERIA_SEEN_MAX = 1_024;
/** Calls of one round that are compared with the round before; a longer round is compared with none. */
export const ROUND_CALLS_MAX = 1_024;
/** Sub-tasks of a round whose calls are watched. */
export const SUBTASKS_SEEN_MAX = 64;
/** Patterns that are remembered as told. */
export const TOLD_MAX = 64;
/** Runs whose ends are compared. */
export const RECENT_MAX = 64;
/** Longest name kept, in UTF-16 units. */
export const NAME_MAX = 128;

const anyText = text();
const count = integer(0);
const OPEN_SEEN = closed({ kind: anyText, accepts: list(anyText) });
/** An open request: its kind, and which sources it accepts. */
export type OpenSeen = TypeOf<typeof OPEN_SEEN>;

const PENDING = closed({ id: anyText, source: anyText, proposer: anyText, failed: flag, record: count });
/** The answer before the record that decides on it. */
export type Pending = TypeOf<typeof PENDING>;

const CRITERION_SEEN = closed({ key: digest, shown: anyText, hard: flag, plausible: flag, ofTask: flag });
/** A criterion of the last plan. `key`: digest of its text. */
export type CriterionSeen = TypeOf<typeof CRITERION_SEEN>;

const TEXT_SEEN = closed({ key: digest, shown: anyText });
/** A text that must stay the same: its digest and its beginning. */
export type TextSeen = TypeOf<typeof TEXT_SEEN>;

const TRAIL = record({
  calls: mapUpTo(SUBTASKS_SEEN_MAX, upTo(TRAIL_MAX, digest)),
  round: upTo(ROUND_CALLS_MAX + 1, digest),
  rounds: ROUNDS,
});
/**
 * What the calls of a run did, looks left out: the last ones of each sub-task of this round, those of the
 * round, and how many rounds did the same.
 */
export type Trail = ValueOf<typeof TRAIL>;

const RUN = record({
  run_id: anyText,
  records: count,
  /** False for a run of a machine that the auditor does not know: only its answers are judged. */
  isController: flag,
  /**
   * False where the ledger was taken up in its middle, or a request may have been missed: then an unknown
   * request is not called unasked.
   */
  isWhole: flag,
  /** Role and proposer, where the policy binds one. */
  bound: list(tuple(anyText, anyText)),
  open: mapUpTo(OPEN_MAX, OPEN_SEEN),
  pending: nullable(PENDING),
  trail: TRAIL,
  /** Patterns already told, so that a loop of a hundred rounds is one finding. */
  told: upTo(TOLD_MAX, anyText),
  intent: nullable(TEXT_SEEN),
  /** Of the last plan; null before it. */
  criteria: nullable(upTo(CRITERIA_SEEN_MAX, CRITERION_SEEN)),
  /** Digests of the criteria that the last evaluation found unmet. */
  unmet: upTo(CRITERIA_SEEN_MAX, digest),
  /** Distance at the last evaluation, exact; null before it. */
  distance: nullable(RATIONAL),
  directive: nullable(anyText),
  corrections: count,
  results: count,
  isEnded: flag,
  /** What the task ended with, as its solver says it; null before. */
  end: nullable(closed({ outcome: anyText, reason: anyText })),
  isBudgetSpent: flag,
  /** Latest stamp. */
  at_us: nullable(count),
});
/** The run whose records come now. `records`: sequence of the next one. */
export type RunSeen = ValueOf<typeof RUN>;

const ROLE_SEEN = closed({ role: anyText, answers: count, rejected: count, told: flag });
/** Answers of one role in a window. */
export type RoleSeen = TypeOf<typeof ROLE_SEEN>;

const WINDOW = closed({
  start: nullable(PLACE),
  end: nullable(PLACE),
  records: count,
  elapsed_us: count,
  tasks: count,
  /** Whether the run under way is among the tasks. */
  hasRun: flag,
  corrections: count,
  trends: LISTS.gap_trends,
  boundary: LISTS.boundary_violations,
  drift: LISTS.drift_alerts,
  anomalies: LISTS.anomalies,
  outcomes: LISTS.outcomes,
  tools: LISTS.tools,
  omitted: OMITTED,
  health: HEALTH,
  answers: ANSWER_COUNTS,
  roles: list(ROLE_SEEN),
  unseen: UNSEEN,
});
/** What is counted from one report to the next. */
export type Window = TypeOf<typeof WINDOW>;

const PAST = closed({
  corrections: upTo(RISING_MAX, count),
  recent: upTo(RECENT_MAX, anyText),
  told: closed({ causes: upTo(RECENT_MAX, anyText), rising: flag, budget: flag }),
});
/**
 * What runs leave behind, oldest first. `corrections`: of the last tasks. `recent`: why each of the last runs
 * failed; "" for one that did not, or whose budget was spent. `told`: alerts about several runs that are not
 * gone yet.
 */
export type Past = TypeOf<typeof PAST>;

const RUN_OR_NONE: Coded<RunSeen | null> = {
  shape: nullable(RUN.shape),
  to: (run) => (run === null ? null : RUN.to(run)),
  from: (json) => (json === null ? null : RUN.from(json)),
};
const STATE = record({ run: RUN_OR_NONE, past: PAST, window: WINDOW });
/** Everything. */
export type AuditState = ValueOf<typeof STATE>;

function mapUpTo<T>(max: number, item: Shape<T>): Coded<PersistentMap<T>> {
  const map = mapOf(item);
  return {
    ...map,
    shape: refined(map.shape, (pairs) => ((pairs as readonly Json[]).length <= max ? null : '')),
  };
}

/** The state as JSON, so that an audit can go on after a restart (003 §R6 "persist stats across restarts"). */
export function encode(state: AuditState): Json {
  return STATE.to(state);
}

/** Reads an encoded state. Total. Error `bad_state` with {path}. */
export function decode(json: Json): Result<Rejection, AuditState> {
  return decodeBy(STATE, json);
}

/** No call yet. */
const NO_TRAIL: Trail = Object.freeze({
  calls: PersistentMap.empty<readonly Digest[]>(),
  round: [],
  rounds: NO_ROUNDS,
});
/** A window without records. */
export const EMPTY_WINDOW: Window = Object.freeze({
  start: null,
  end: null,
  records: 0,
  elapsed_us: 0,
  tasks: 0,
  hasRun: false,
  corrections: 0,
  trends: [],
  boundary: [],
  drift: [],
  anomalies: [],
  outcomes: [],
  tools: [],
  omitted: Object.freeze({
    gap_trends: 0,
    boundary_violations: 0,
    drift_alerts: 0,
    anomalies: 0,
    outcomes: 0,
    tools: 0,
  }),
  health: Object.freeze({ execution_failures: 0, environmental_retries: 0, logical_retries: 0, trouble: 0 }),
  answers: Object.freeze({ accepted: 0, rejected: 0, failed: 0 }),
  roles: [],
  unseen: Object.freeze({ erased: 0, requests: 0 }),
});

/** Before the first record. */
export const NOTHING_SEEN: AuditState = Object.freeze({
  run: null,
  past: Object.freeze({
    corrections: [],
    recent: [],
    told: Object.freeze({ causes: [], rising: false, budget: false }),
  }),
  window: EMPTY_WINDOW,
});

/** A run of which nothing is known: the ledger was taken up in its middle, or its first record was erased. */
export const UNKNOWN_RUN: RunSeen = Object.freeze({
  run_id: '',
  records: 0,
  isController: false,
  isWhole: false,
  bound: [],
  open: PersistentMap.empty<OpenSeen>(),
  pending: null,
  trail: NO_TRAIL,
  told: [],
  intent: null,
  criteria: null,
  unmet: [],
  distance: null,
  directive: null,
  corrections: 0,
  results: 0,
  isEnded: false,
  end: null,
  isBudgetSpent: false,
  at_us: null,
});
