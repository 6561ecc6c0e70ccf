/**
 * What the auditor remembers. Bounded, however long a ledger is: every list has a limit, and what is beyond
 * it is counted.
 *
 * @module
 */
import { PersistentMap, type Digest } from '@assay/kernel';
import { NO_TRAIL, type Trail } from '../guard/trail.js';
import type { ToolClass } from '../protocol/tools.js';
import type {
  AnomalyCode,
  AnswerCounts,
  AuditPlace,
  BoundaryCode,
  DriftCode,
  Finding,
  TaskTrend,
  ToolHealth,
} from './report.js';

/** An open request: its kind, and which sources it accepts. */
export type OpenSeen = { readonly kind: string; readonly accepts: readonly string[] };

/**
 * The answer before the record that decides on it. `calls`: digests of what its tools did, looks left out.
 */
export type Pending = {
  readonly id: string;
  readonly source: string;
  readonly proposer: string;
  readonly failed: boolean;
  readonly record: number;
  readonly calls: readonly Digest[];
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

/** A tool of a run, as far as its calls are told apart by it. */
export type ToolSeen = { readonly name: string; readonly class: ToolClass };

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
  readonly tools: readonly ToolSeen[];
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
  readonly omitted: {
    readonly gap_trends: number;
    readonly boundary_violations: number;
    readonly drift_alerts: number;
    readonly anomalies: number;
  };
  readonly health: ToolHealth;
  readonly answers: AnswerCounts;
  readonly roles: readonly RoleSeen[];
  readonly unseen: { readonly erased: number; readonly requests: number };
};

/** Everything. `finished`: corrections of the last tasks, oldest first. */
export type AuditState = {
  readonly run: RunSeen | null;
  readonly finished: readonly number[];
  readonly window: Window;
};

/** Open requests that are watched. */
export const OPEN_MAX = 4_096;
/** Criteria of a plan, and unmet ones, that are compared. */
export const CRITERIA_SEEN_MAX = 1_024;
/** Calls of one round that are compared with the round before; a longer round is compared with none. */
export const ROUND_CALLS_MAX = 1_024;
/** Calls of one answer that are looked at. */
export const ANSWER_CALLS_MAX = 256;
/** Patterns that are remembered as told. */
export const TOLD_MAX = 64;
/** Longest name kept, in UTF-16 units. */
export const NAME_MAX = 128;

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
  omitted: Object.freeze({ gap_trends: 0, boundary_violations: 0, drift_alerts: 0, anomalies: 0 }),
  health: Object.freeze({ execution_failures: 0, environmental_retries: 0, logical_retries: 0 }),
  answers: Object.freeze({ accepted: 0, rejected: 0, failed: 0 }),
  roles: [],
  unseen: Object.freeze({ erased: 0, requests: 0 }),
});

/** Before the first record. */
export const NOTHING_SEEN: AuditState = Object.freeze({ run: null, finished: [], window: EMPTY_WINDOW });

/** A run of which nothing is known: the ledger was taken up in its middle, or its first record was erased. */
export const UNKNOWN_RUN: RunSeen = Object.freeze({
  run_id: '',
  records: 0,
  isController: false,
  isWhole: false,
  tools: [],
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
  at_us: null,
});
