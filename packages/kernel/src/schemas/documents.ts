/**
 * Schemas of the documents that commands print with `--json`. Source: design §6, §8; ledger format, "Verdicts".
 */
import {
  closed,
  digest,
  flag,
  free,
  integer,
  list,
  nullable,
  oneOf,
  open,
  text,
  type TypeOf,
} from '../ledger/shape.js';

const words = text();
const whole = integer(Number.MIN_SAFE_INTEGER);
const count = integer(0);
const outcome = oneOf(['success', 'refused', 'open']);
const held = oneOf(['held', 'failed', 'not_checked']);
const record = nullable(count);
const ended = nullable(oneOf(['success', 'refused']));
/** One value before the change and under it. */
const both = { was: free, would_be: free };
const changed = closed({ path: words, ...both });
const flipping = {
  kind: oneOf(['outcome', 'effect', 'artifact', 'figures']),
  name: words,
  field: words,
  ...both,
};
const figures = list(closed({ field: words, ...both }));
const parts = nullable(
  closed({ decision: count, record: closed({ was: record, would_be: record }), field: words, ...both }),
);
const asked = closed({ id: words, kind: words });

const verdict = closed({ verdict: held, code: nullable(words), record, count, detail: free });
/**
 * What `assay verify --json` prints: the five verdicts on each file. `head` is null if integrity failed;
 * `due`: records derived and not in the file; `page`, only of a report: what the page around the ledger is.
 */
export const verifyDocumentSchema = closed({
  results: list(
    open(
      {
        file: words,
        head: nullable(closed({ run_id: nullable(words), count, hash: digest })),
        outcome,
        due: record,
        checks: closed({
          integrity: verdict,
          rederivation: verdict,
          completeness: verdict,
          authorship: verdict,
          time: verdict,
        }),
      },
      { page: oneOf(['same', 'unknown']) },
    ),
  ),
});

const head = closed({ run_id: words, count, hash: digest });
const listed = closed({
  run_id: words,
  machine: nullable(words),
  records: count,
  outcome: nullable(outcome),
  head: nullable(head),
  head_line: nullable(words),
  fault: nullable(closed({ code: words, record })),
});
/**
 * A stored run. `records`: those found sound. Of a broken one `fault` says why, with the record, and outcome
 * and head are null.
 */
export type ListedRun = TypeOf<typeof listed>;

/** What `assay store list --json` prints. `store`: its address, a password as `***`. */
export const runsDocumentSchema = closed({ store: words, runs: list(listed) });
/** What `assay store list --json` prints. */
export type RunsDocument = TypeOf<typeof runsDocumentSchema>;

const state = oneOf(['queued', 'driving', 'waiting', 'closed', 'failed']);
const fleetRun = closed({
  run_id: words,
  machine: words,
  state,
  held: flag,
  tenant: words,
  priority: whole,
  holder: nullable(words),
  since: words,
  segments: count,
  waiting: list(closed({ request: words, kind: words, until: nullable(words) })),
  outcome: nullable(words),
  head: nullable(closed({ count, hash: digest })),
  fault: nullable(words),
});
/** What `assay store list --fleet --json` prints. `totals`: of all runs; `after`: what asks for the next page. */
export const fleetDocumentSchema = closed({
  store: words,
  runs: list(fleetRun),
  totals: closed({ queued: count, driving: count, waiting: count, closed: count, failed: count }),
  after: nullable(words),
});
/** What `assay store list --fleet --json` prints. */
export type FleetDocument = TypeOf<typeof fleetDocumentSchema>;

/** What `assay submit --json`, and a verb with `--submit`, print. `known`: runs that were there already. */
export const submitDocumentSchema = closed({
  store: words,
  machine: words,
  submitted: count,
  known: count,
  run_ids: list(words),
});
/** What `assay submit --json` prints. */
export type SubmitDocument = TypeOf<typeof submitDocumentSchema>;

/** What `assay work --json` prints. `unserved`: machines with queued runs that no worker serves. */
export const workDocumentSchema = closed({
  store: words,
  segments: count,
  closed: count,
  waiting: count,
  failed: count,
  unserved: list(words),
});
/** What `assay work --json` prints. */
export type WorkDocument = TypeOf<typeof workDocumentSchema>;

const copied = closed({
  run_id: words,
  result: oneOf(['copied', 'completed', 'already_there', 'refused']),
  added: count,
  head: nullable(head),
  head_line: nullable(words),
  identical: nullable(flag),
  rederivation: nullable(closed({ verdict: held, code: nullable(words), record })),
  problem: nullable(closed({ code: words, message: words, place: nullable(words), remedy: words })),
});
/**
 * What became of one run of `assay store copy`. `added`: records stored now. `identical`: the two ledgers have the
 * same bytes; they differ under one head only where payloads were erased. `rederivation`: of what was read.
 * `problem`: why it was refused, or why the notes of its calls were not taken along, where it was not.
 */
export type CopiedRun = TypeOf<typeof copied>;

/** What `assay store copy --json` prints. */
export const copyDocumentSchema = closed({ from: words, to: words, runs: list(copied) });
/** What `assay store copy --json` prints. */
export type CopyDocument = TypeOf<typeof copyDocumentSchema>;

const whatIfEnd = closed({
  outcome: ended,
  reasons: list(words),
  verdict: nullable(words),
  subject: nullable(words),
  because: list(words),
});
/**
 * How a run ends. `verdict`, `subject`: in the words of its machine's view, null without one; `because`: where it
 * ends badly, why.
 */
export type WhatIfEnd = TypeOf<typeof whatIfEnd>;

/** What `assay whatif --json` prints. */
export const whatIfDocumentSchema = closed({
  file: words,
  run_id: words,
  base: closed({ run_id: words, count: integer(1) }),
  changed: list(changed),
  without: list(words),
  class: oneOf(['flipped', 'cannot_be_known', 'same_end', 'same']),
  flip: nullable(closed(flipping)),
  before: whatIfEnd,
  after: whatIfEnd,
  rows: list(
    closed({ panel: words, row: words, was: nullable(list(words)), would_be: nullable(list(words)) }),
  ),
  parts,
  figures,
  unknown: list(asked),
  assumed: list(count),
  left_out: list(count),
  left_over: list(count),
  files: list(words),
});
/**
 * What `assay whatif --json` prints. `base`: how much of the recorded run the fork shares. `parts`: the first
 * decision that differs by more than figures, and where; null if none does. `class`, `flip`: as of an impact.
 * `unknown`: what the fork asks and nobody answered. `assumed`, `left_out`, `left_over`: positions of recorded
 * answers that went to a request with another input, were taken out, and were not asked for. `rows`: of the two
 * pictures, of some machines, the rows that differ, by what they are about.
 */
export type WhatIfDocument = TypeOf<typeof whatIfDocumentSchema>;

const impactEnd = closed({ outcome: ended, reasons: list(words) });
/** How a run ends; `outcome` null while it is open. */
export type ImpactEnd = TypeOf<typeof impactEnd>;

const impactFlip = closed({
  ...flipping,
  parts,
  figures,
  because: closed({ was: nullable(words), would_be: nullable(words) }),
  rests_on: list(closed({ source: words, proposer: words, answers: count })),
});
/**
 * A run that flips. `kind`: its outcome, a request to a tool or a person, what an artifact says, or figures of
 * artifacts alone; `name`: of the artifact, or the request's kind and tool; `field`: a JSON pointer into it. `parts`:
 * the first decision that differs by more than figures, and where; `figures`: those that differ there. `because`: the
 * machine's own explanation on both sides. `rests_on`: who answered up to there.
 */
export type ImpactFlip = TypeOf<typeof impactFlip>;

const impactRow = closed({
  file: words,
  run_id: nullable(words),
  machine: nullable(words),
  class: oneOf(['flipped', 'cannot_be_known', 'not_usable', 'same_end', 'same']),
  expected: flag,
  code: nullable(words),
  record,
  detail: free,
  decisions: count,
  decision: record,
  was: nullable(impactEnd),
  would_be: nullable(impactEnd),
  flip: nullable(impactFlip),
  unknown: nullable(asked),
  assumed: count,
});
/**
 * One run. `code`, `record`, `detail`: why it is not usable. `decision`: the first that differs. `unknown`: the
 * first request that nobody answered. `assumed`: answers given before the input was changed. `expected`: false
 * where what was asked for does not name this class.
 */
export type ImpactRow = TypeOf<typeof impactRow>;

const impactGroup = closed({
  class: oneOf(['flipped', 'cannot_be_known', 'not_usable']),
  kind: words,
  machine: nullable(words),
  from: words,
  to: words,
  runs: count,
  example: words,
});
/** Runs that flip, or cannot be used or known, in the same way. `from`, `to`: ends, or "" for artifacts. */
export type ImpactGroup = TypeOf<typeof impactGroup>;

const impactCompared = closed({
  machine: words,
  unit: words,
  run: words,
  runs: count,
  total: count,
  counts: list(closed({ kind: words, count })),
  groups: list(
    closed({
      kind: words,
      what: words,
      why: words,
      count,
      example: closed({ file: words, at: count, text: words }),
    }),
  ),
  note: words,
});
/**
 * What becomes of the single things that runs of a machine decide, such as the calls of gates: `total` of `unit` in
 * `runs`, each a `run`. `counts`: of each kind of change, 0 too. `groups`: changes that are alike, by what they are of
 * and why, with an example: its ledger, its number there from 1, and what it is. `note`: what this does not say.
 */
export type ImpactCompared = TypeOf<typeof impactCompared>;

/** What `assay impact --json` prints. */
export const impactDocumentSchema = closed({
  change: closed({
    set: list(closed({ path: words, value: free })),
    unset: list(words),
    without: list(words),
    policy: nullable(words),
    input: nullable(words),
    machine: list(words),
  }),
  expect: nullable(words),
  interrupted: flag,
  decisions: count,
  counts: closed({ flipped: count, cannot_be_known: count, not_usable: count, same_end: count, same: count }),
  compared: list(impactCompared),
  groups: list(impactGroup),
  runs: list(impactRow),
});
/** What `assay impact --json` prints. `interrupted`: not every run was looked at. */
export type ImpactDocument = TypeOf<typeof impactDocumentSchema>;

/** What `assay blame --json` prints. */
export const blameDocumentSchema = closed({
  file: words,
  run_id: words,
  policies: list(words),
  fields: list(changed),
  flip: closed(flipping),
  set: list(changed),
  every_part_tried: flag,
  thresholds: list(
    closed({
      path: words,
      threshold: nullable(closed({ stays: whole, flips: whole })),
      intervals: list(
        closed({ from: whole, to: whole, result: oneOf(['same', 'flips', 'refused', 'unknown']) }),
      ),
    }),
  ),
  decided: count,
});
/**
 * What `assay blame --json` prints. `fields`: all in which the policies differ; `set`: those that flip the run,
 * minimal, neither smallest nor unique; `every_part_tried`: no part of it flips. `thresholds`: for each number
 * of the set the neighbours at which it flips, null if there are several stretches. `decided`: how often the
 * run was decided again.
 */
export type BlameDocument = TypeOf<typeof blameDocumentSchema>;
