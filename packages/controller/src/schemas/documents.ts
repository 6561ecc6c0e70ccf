/**
 * What the command prints as JSON of controllers, memories and audits. Times are microseconds, potentials units
 * of 10^-9 of a whole Megram. Source: 002 §R7 `FinalResult`; 003 §R6; planner-controller B.3.
 *
 * @module
 */
import {
  anyOf,
  closed,
  digest,
  flag,
  free,
  integer,
  list,
  matching,
  nullable,
  oneOf,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { AUDIT_REPORT } from '../audit/report.js';
import { DISTILLING_FIELDS, INVITATION_KINDS, type MemoryEvent } from '../memory/events.js';
import { MEGRAM_FIELDS, type Megram } from '../memory/megram.js';
import { ACTIONS } from '../memory/potentials.js';
import { TAG_NAME } from '../memory/tag.js';
import { action, anyText, count, finalResultSchema, head, ROUND_SHOWN, whole } from './results.js';

/**
 * What `assay task --json`, and `assay resume --json` of a task, prints.
 *
 * - `cause`: of an abandoned task, the last thing that went wrong by itself; `tool` null where nothing was called.
 *   Null else, or where who gave up said no more than a code.
 * - `stopped_at`: calls at which work failed, in the tool's own words.
 * - `confirmations`: `lacking`, actions asked about and not allowed; `idle`, actions allowed and never asked about.
 * - `memory_untold`: why the memory could not be told of the run, and what tells it later.
 * - `records_found`: those that were stored before; `was_over`: all of them were.
 */
export const controlDocumentSchema = closed({
  run_id: anyText,
  ts_base: anyText,
  status: oneOf(['success', 'refused']),
  reasons: list(anyText),
  head,
  head_line: matching(/^assay-head:1:[1-9]\d*:[0-9a-f]{64}$/),
  files: list(anyText),
  rounds: list(closed({ ...ROUND_SHOWN, record: count }), ({ length }) => length > 0, { min: 1 }),
  final_result: finalResultSchema,
  cause: nullable(closed({ tool: nullable(anyText), said: anyText })),
  stopped_at: list(closed({ tool: anyText, said: anyText })),
  confirmations: closed({ lacking: list(action), idle: list(action) }),
  recording_misses: count,
  memory_untold: nullable(closed({ code: anyText, message: anyText, place: anyText, remedy: anyText })),
  was_over: flag,
  records_found: count,
});
/** One of these documents. */
export type ControlDocument = TypeOf<typeof controlDocumentSchema>;

/** What `assay audit --json` prints. */
export const auditDocumentSchema = closed({ reports: list(AUDIT_REPORT), alerts: count });

const potentials = { attention_nano: count, decision_nano: whole };
const megramFields = { ...TAG_NAME, ...MEGRAM_FIELDS };
/** A Megram as a `remembered` event holds it. */
export const megramSchema: Shape<Megram> = closed(megramFields);

/** One tag at a moment: Megrams by layer, both potentials, what it advises. */
const memoryTag = closed({
  ...TAG_NAME,
  m: count,
  k: count,
  c: count,
  ...potentials,
  action: oneOf(ACTIONS),
});

/** One Megram at a moment. `decay_nano` 10^9: all of it is left. */
const megrams = list(
  closed({ ...megramFields, age_us: count, decay_nano: integer(0, 1_000_000_000), ...potentials }),
);

const looked = { memory: anyText, run_id: anyText, records: count, at_us: count };

/** `assay memory inspect --json`. */
export const memoryInspectSchema = closed({ ...looked, tags: list(memoryTag) });

/**
 * `assay memory inspect WHERE SPACE ENTITY --json`; `tag` is null, and there are no thresholds, if nothing is
 * remembered.
 */
export const memoryExplainSchema = anyOf(
  closed({
    ...TAG_NAME,
    at_us: count,
    tag: memoryTag,
    thresholds: closed({ ignore_below_ppm: count, act_beyond_ppm: count }),
    megrams,
  }),
  closed({
    ...TAG_NAME,
    at_us: count,
    tag: oneOf([null]),
    megrams: list(free, ({ length }) => length === 0, { max: 0 }),
  }),
);

/** `assay memory inspect --to json`. */
export const memoryExportSchema = closed({ ...looked, megrams });

/** Events that `assay memory forget` and `dream` show; invitations are left out. */
const event: Shape<MemoryEvent> = anyOf(
  closed({ t: oneOf(['unanswered']), kind: oneOf(INVITATION_KINDS), code: anyText }),
  closed({ t: oneOf(['remembered']), megram: megramSchema }),
  closed({ t: oneOf(['dreamt']), at_us: count, tags: count, changed: count, put_off: count }),
  closed({ t: oneOf(['faded']), ...TAG_NAME, attention_nano: count, count }),
  closed({ t: oneOf(['demoted']), ...TAG_NAME, id: digest, others_nano: whole }),
  closed({ t: oneOf(['distilling']), ...DISTILLING_FIELDS, id: anyText }),
  closed({
    t: oneOf(['undistilled']),
    ...TAG_NAME,
    id: anyText,
    why: oneOf(['no_text', 'faded', 'forgotten']),
    code: nullable(anyText),
  }),
  closed({
    t: oneOf(['promoted']),
    ...TAG_NAME,
    request: anyText,
    upto: count,
    supersedes: nullable(digest),
  }),
  closed({ t: oneOf(['forgotten']), ...TAG_NAME, id: nullable(digest), count, why: anyText, at_us: count }),
);

/**
 * `assay memory forget --json` and `assay memory dream --json`; without events exactly where there is a
 * rejection.
 */
export const memoryChangedSchema = closed({
  head,
  rejection: nullable(closed({ code: anyText, detail: free })),
  events: list(event),
});

/**
 * `assay memory learn --json`. `taken`, `known`: writes of the run remembered now, and before. `rejected`:
 * codes.
 */
export const memoryLearnSchema = closed({
  memory: anyText,
  run_id: anyText,
  is_new: flag,
  taken: count,
  known: count,
  rejected: list(anyText),
});
