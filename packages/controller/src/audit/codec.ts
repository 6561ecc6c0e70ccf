/**
 * The auditor's state as JSON, and back, so that an audit can go on after a restart (003 §R6 "persist stats
 * across restarts").
 *
 * @module
 */
import {
  err,
  isArray,
  ok,
  parseShape,
  PersistentMap,
  type Digest,
  type Json,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { closed, digest, flag, integer, list, nullable, oneOf, text, type Shape } from '@assay/kernel/shape';
import { parseRational } from '../ggs/rational.js';
import { ROUNDS, TRAIL_MAX } from '../guard/trail.js';
import { RISING_MAX } from './policy.js';
import {
  ANOMALY_CODES,
  BOUNDARY_CODES,
  DRIFT_CODES,
  FINDINGS_MAX,
  OUTCOMES_MAX,
  TOOLS_SHOWN_MAX,
  TRENDS_MAX,
} from './report.js';
import {
  CRITERIA_SEEN_MAX,
  OPEN_MAX,
  RECENT_MAX,
  ROUND_CALLS_MAX,
  SUBTASKS_SEEN_MAX,
  TOLD_MAX,
  type AuditState,
  type OpenSeen,
  type RunSeen,
  type Trail,
} from './state.js';

type Pairs<V> = readonly (readonly [string, V])[];
type EncodedRun = Omit<RunSeen, 'open' | 'trail'> & {
  readonly open: Pairs<OpenSeen>;
  readonly trail: Omit<Trail, 'calls'> & { readonly calls: Pairs<readonly Digest[]> };
};
type Encoded = Omit<AuditState, 'run'> & { readonly run: EncodedRun | null };

/** The state as JSON: tables as pairs, in the order of their keys. */
export function encodeAudit({ run, past, window }: AuditState): Json {
  if (run === null) return { past, window, run };
  const trail = { ...run.trail, calls: run.trail.calls.sorted() };
  return { past, window, run: { ...run, open: run.open.sorted(), trail } };
}

const anyText = text(() => true);
const count = integer(0);
const PLACE = closed({ run_id: anyText, record: count, at_us: nullable(count) });
const OMITTED = closed({
  gap_trends: count,
  boundary_violations: count,
  drift_alerts: count,
  anomalies: count,
  outcomes: count,
  tools: count,
});
const TOOL = closed({ tool: anyText, status: anyText, calls: count });
const WINDOW = closed({
  start: nullable(PLACE),
  end: nullable(PLACE),
  records: count,
  elapsed_us: count,
  tasks: count,
  hasRun: flag,
  corrections: count,
  trends: upTo(
    TRENDS_MAX,
    closed({ task: anyText, trend: oneOf(['improving', 'stable', 'worsening']), record: count }),
  ),
  boundary: findings(BOUNDARY_CODES),
  drift: findings(DRIFT_CODES),
  anomalies: findings(ANOMALY_CODES),
  outcomes: upTo(OUTCOMES_MAX, closed({ outcome: anyText, reason: anyText, runs: count })),
  tools: upTo(TOOLS_SHOWN_MAX, TOOL),
  omitted: OMITTED,
  health: closed({
    execution_failures: count,
    environmental_retries: count,
    logical_retries: count,
    trouble: count,
  }),
  answers: closed({ accepted: count, rejected: count, failed: count }),
  roles: list(closed({ role: anyText, answers: count, rejected: count, told: flag })),
  unseen: closed({ erased: count, requests: count }),
});
const SEEN = closed({ key: digest, shown: anyText });
const OPEN = upTo(OPEN_MAX, pair(anyText, closed({ kind: anyText, accepts: list(anyText) })));
const RUN = closed({
  run_id: anyText,
  records: count,
  isController: flag,
  isWhole: flag,
  bound: list(pair(anyText, anyText)),
  open: OPEN,
  pending: nullable(
    closed({
      id: anyText,
      source: anyText,
      proposer: anyText,
      failed: flag,
      record: count,
    }),
  ),
  trail: closed({
    calls: upTo(SUBTASKS_SEEN_MAX, pair(anyText, upTo(TRAIL_MAX, digest))),
    round: upTo(ROUND_CALLS_MAX + 1, digest),
    rounds: ROUNDS,
  }),
  told: upTo(TOLD_MAX, anyText),
  intent: nullable(SEEN),
  criteria: nullable(
    upTo(
      CRITERIA_SEEN_MAX,
      closed({ key: digest, shown: anyText, hard: flag, plausible: flag, ofTask: flag }),
    ),
  ),
  unmet: upTo(CRITERIA_SEEN_MAX, digest),
  distance: nullable(text((value) => parseRational(value) !== null)),
  directive: nullable(anyText),
  corrections: count,
  results: count,
  isEnded: flag,
  end: nullable(closed({ outcome: anyText, reason: anyText })),
  isBudgetSpent: flag,
  at_us: nullable(count),
});
const PAST = closed({
  corrections: upTo(RISING_MAX, count),
  recent: upTo(RECENT_MAX, anyText),
  told: closed({ causes: upTo(RECENT_MAX, anyText), rising: flag, budget: flag }),
});
const STATE = closed({ run: nullable(RUN), past: PAST, window: WINDOW });

/** Reads an encoded state. Total. Error `bad_state` with {path}. */
export function decodeAudit(json: Json): Result<Rejection, AuditState> {
  const shaped = parseShape<Encoded>(STATE, json);
  if (shaped._tag === 'Left') return err({ code: 'bad_state', detail: { path: shaped.left.path } });
  const { run, past, window } = shaped.right;
  if (run === null) return ok({ past, window, run });
  const trail = { ...run.trail, calls: PersistentMap.from(run.trail.calls) };
  return ok({ past, window, run: { ...run, open: PersistentMap.from(run.open), trail } });
}

function upTo(max: number, item: Shape): Shape {
  return list(item, (items) => items.length <= max);
}

function findings(codes: readonly string[]): Shape {
  return upTo(FINDINGS_MAX, closed({ code: oneOf(codes), run_id: anyText, record: count, text: anyText }));
}

function pair(first: Shape, second: Shape): Shape {
  return (value) => {
    if (!isArray(value) || value.length !== 2) return '';
    const fault = first(value[0] ?? null);
    if (fault !== null) return `/0${fault}`;
    const other = second(value[1] ?? null);
    return other === null ? null : `/1${other}`;
  };
}
