/**
 * What the auditor remembers. Bounded, however long a ledger is: every list has a limit, and what is beyond
 * it is counted.
 *
 * @module
 */
import { PersistentMap, type Digest } from '@assay/kernel';
import { NO_ROUNDS, type Rounds } from '../guard/trail.js';
import type {
  AnomalyCode,
  AnswerCounts,
  AuditPlace,
  AuditReport,
  BoundaryCode,
  DriftCode,
  Finding,
  OutcomeCount,
  TaskTrend,
  ToolCount,
  ToolHealth,
} from './report.js';

/** An open request: its kind, and which sources it accepts. */
export type OpenSeen = { readonly kind: string; readonly accepts: readonly string[] };

/** The answer before the record that decides on it. */
export type Pending = {
  readonly id: string;
  readonly source: string;
  readonly proposer: string;
  readonly failed: boolean;
  readonly record: number;
};

/** A criterion of the last plan. `key`: digest of its text. */
export type CriterionSeen = {
  readonly key: Digest;
  readonly shown: string;
  readonly hard: boolean;
  readonly plausible: boolean;
  readonly ofTask: boolean;
};

/** A text that must stay the same: its digest and its beginning. */
export type TextSeen = { readonly key: Digest; readonly shown: string };

/**
 * What the calls of a run did, looks left out: the last ones of each sub-task of this round, those of the
 * round, and how many rounds did the same.
 */
export type Trail = {
  readonly calls: PersistentMap<readonly Digest[]>;
  readonly round: readonly Digest[];
  readonly rounds: Rounds;
};

/** The run whose records come now. `records`: sequence of the next one. */
export type RunSeen = {
  readonly run_id: string;
  readonly records: number;
  /** False for a run of a machine that the auditor does not know: only its answers are judged. */
  readonly isController: boolean;
  /**
   * False where the ledger was taken up in its middle, or a request may have been missed: then an unknown
   * request is not called unasked.
   */
  readonly isWhole: boolean;
  /** Role and proposer, where the policy binds one. */
  readonly bound: readonly (readonly [role: string, proposer: string])[];
  readonly open: PersistentMap<OpenSeen>;
  readonly pending: Pending | null;
  readonly trail: Trail;
  /** Patterns already told, so that a loop of a hundred rounds is one finding. */
  readonly told: readonly string[];
  readonly intent: TextSeen | null;
  /** Of the last plan; null before it. */
  readonly criteria: readonly CriterionSeen[] | null;
  /** Digests of the criteria that the last evaluation found unmet. */
  readonly unmet: readonly Digest[];
  /** Distance at the last evaluation, exact; null before it. */
  readonly distance: string | null;
  readonly directive: string | null;
  readonly corrections: number;
  readonly results: number;
  readonly isEnded: boolean;
  /** What the task ended with, as its solver says it; null before. */
  readonly end: { readonly outcome: string; readonly reason: string } | null;
  readonly isBudgetSpent: boolean;
  /** Latest stamp. */
  readonly at_us: number | null;
};

/** Answers of one role in a window. */
export type RoleSeen = {
  readonly role: string;
  readonly answers: number;
  readonly rejected: number;
  readonly told: boolean;
};

/** What is counted from one report to the next. */
export type Window = {
  readonly start: AuditPlace | null;
  readonly end: AuditPlace | null;
  readonly records: number;
  readonly elapsed_us: number;
  readonly tasks: number;
  /** Whether the run under way is among the tasks. */
  readonly hasRun: boolean;
  readonly corrections: number;
  readonly trends: readonly TaskTrend[];
  readonly boundary: readonly Finding<BoundaryCode>[];
  readonly drift: readonly Finding<DriftCode>[];
  readonly anomalies: readonly Finding<AnomalyCode>[];
  readonly outcomes: readonly OutcomeCount[];
  readonly tools: readonly ToolCount[];
  readonly omitted: AuditReport['omitted'];
  readonly health: ToolHealth;
  readonly answers: AnswerCounts;
  readonly roles: readonly RoleSeen[];
  readonly unseen: { readonly erased: number; readonly requests: number };
};

/**
 * What runs leave behind, oldest first. `corrections`: of the last tasks. `recent`: why each of the last runs
 * failed; "" for one that did not, or whose budget was spent. `told`: alerts about several runs that are not
 * gone yet.
 */
export type Past = {
  readonly corrections: readonly number[];
  readonly recent: readonly string[];
  readonly told: { readonly causes: readonly string[]; readonly rising: boolean; readonly budget: boolean };
};

/** Everything. */
export type AuditState = {
  readonly run: RunSeen | null;
  readonly past: Past;
  readonly window: Window;
};

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

/** No call yet. */
export const NO_TRAIL: Trail = Object.freeze({
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
