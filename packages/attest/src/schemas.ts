/**
 * Schemas of what the commands of a log print with `--json`, and of its entries and proofs.
 *
 * @packageDocumentation
 */
import type { Published } from '@assay/kernel/schemas';
import {
  anyOf,
  closed,
  digest,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { abandonedShape, closedShape, openedShape } from './log/entry.js';
import { LOG_CODES } from './log/run-index.js';
import { runProofShape } from './log/run-proof.js';

const words = text();
const count = integer(0);
const log = closed({ origin: words, size: integer(1), root: digest });

const appended = closed({
  folder: words,
  store: words,
  log: nullable(log),
  opened: count,
  closed: count,
  abandoned: count,
  broken: list(words),
});
/**
 * What `assay log append --json` prints. `log`: null while there is no run. `broken`: runs that were left
 * out.
 */
export type LogAppendDocument = TypeOf<typeof appended>;

const witnessed = closed({ result: oneOf(['cosigned', 'known']), log, first: flag });
/** What `assay log witness --json` prints. `first`: nothing was known of this log before. */
export type LogWitnessDocument = TypeOf<typeof witnessed>;

const finding = closed({
  code: oneOf(LOG_CODES),
  run_id: nullable(words),
  index: nullable(count),
  fault: flag,
});
const checked = closed({
  folder: words,
  store: words,
  log,
  time: nullable(count),
  runs: count,
  findings: list(finding),
});
/**
 * What `assay log check --json` prints. `time`: of the witness, in seconds since 1970. `runs`: of the log.
 * `index`: of the run's opening. A finding that is no fault is a run under way.
 */
export type LogCheckDocument = TypeOf<typeof checked>;
/** One line of it. */
export type LogFinding = TypeOf<typeof finding>;

const proved = closed({ proof: runProofShape, file: nullable(words) });

/** The schemas of a log. */
export const ATTEST_PUBLISHED: readonly Published[] = [
  ['log-entry', 'Entry of a log of runs', anyOf(openedShape, closedShape, abandonedShape) as Shape, []],
  ['log-append', 'What assay log append --json prints', appended, []],
  ['log-witness', 'What assay log witness --json prints', witnessed, []],
  ['log-check', 'What assay log check --json prints', checked, []],
  ['log-prove', 'What assay log prove --json prints', proved, []],
];
