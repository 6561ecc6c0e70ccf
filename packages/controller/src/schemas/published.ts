/**
 * The published JSON Schemas of the controller: one file in `schemas/` for each, beside those of the kernel.
 * What the command prints as JSON of controllers and audits. Source: 002 §R7 `FinalResult`; 003 §R6;
 * planner-controller B.3.
 */
import type { Published } from '@assay/kernel/schemas';
import { AUDIT_REPORT } from '../audit/report.js';
import { INPUT } from '../loop/events.js';
import { POLICY } from '../policy/policy.js';
import { ASK_KINDS, REQUESTS } from '../protocol/requests.js';
import { evaluationSchema, finalResultSchema, action, anyText, count, head, ROUND_SHOWN } from './results.js';
import { closed, flag, list, matching, nullable, oneOf } from '@assay/kernel/shape';

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

/** What `assay audit --json` prints. */
export const auditDocumentSchema = closed({ reports: list(AUDIT_REPORT), alerts: count });

const UNITS = 'lengths count UTF-16 units';
const WHOLE = 'numbers in free values are integers, and no free value holds a token';
const FIGURES = 'exact is in lowest terms; ppm is it in parts per million, toward zero';

/** What an answer must hold beside its shape: the machine judges it, since it depends on what was asked. */
const JUDGED: Readonly<Record<string, string>> = {
  clock: 'a reading is not before the latest one',
  perceive: 'refers_to is below the number of turns',
  plan: 'a plan holds to the policy and to must_not; docs/formats/controller.md lists the codes',
  judge: 'one verdict for each criterion asked about; a failure has a class, a pass has none',
  merge: 'one verdict for each criterion asked about; a failure has a class, a pass has none',
};

/** The schemas by the name of their file. */
export const CONTROLLER_PUBLISHED: readonly Published[] = [
  [
    'controller-policy',
    'Policy of a controller run',
    POLICY,
    [
      'the names of tools differ, and so do ranked proposers',
      'w1 + w2 is 1000000',
      'one of alpha, beta, lambda is above 0',
      'omega_mode literal needs w1 above 0',
      'R4b is not ranked below R2',
    ],
  ],
  ['controller-input', 'Input of a controller run', INPUT, [UNITS]],
  ...ASK_KINDS.map(
    (kind): Published => [
      `controller-ask-${kind}`,
      `Body of a ${kind} request`,
      REQUESTS[kind].body,
      [UNITS, WHOLE],
    ],
  ),
  ...ASK_KINDS.map(
    (kind): Published => [
      `controller-answer-${kind}`,
      `Answer to a ${kind} request`,
      REQUESTS[kind].answer,
      [UNITS, WHOLE, ...(JUDGED[kind] === undefined ? [] : [JUDGED[kind]])],
    ],
  ),
  [
    'controller-evaluation',
    'Evaluation of the goal gradient',
    evaluationSchema,
    [FIGURES, 'weights are in lowest terms'],
  ],
  ['controller-final-result', 'FinalResult of a controller run', finalResultSchema, [FIGURES, WHOLE]],
  [
    'control',
    'What assay task --json prints, and assay resume --json of a task',
    controlDocumentSchema,
    [
      FIGURES,
      'head_line says head',
      'was_over is true exactly where records_found is the count of head and not 0',
    ],
  ],
  ['audit-report', 'Report of the auditor', AUDIT_REPORT, [UNITS]],
  [
    'audit',
    'What assay audit --json prints',
    auditDocumentSchema,
    ['alerts counts the findings of all reports, omitted ones included'],
  ],
];
