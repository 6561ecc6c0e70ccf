/** The artifacts of a controller run. Source: 002 §R7 "Contract", `FinalResult`. */
import { isName } from '@assay/kernel';
import {
  closed,
  digest,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  table,
  text,
  type Shape,
} from '@assay/kernel/shape';
import type { GgsEvaluation } from '../ggs/evaluation.js';
import { GGS_HISTORY, RATIONAL } from '../ggs/input.js';
import type { UnmetCriterion } from '../ggs/measures.js';
import type { Figure } from '../ggs/rational.js';
import { BANDS, DIRECTIVES } from '../ggs/table.js';
import type { FinalResult } from '../loop/final-result.js';
import { FAILURE_CLASSES, LOCAL_ID, WHOLE } from '../protocol/criteria.js';
import { ROLES } from '../protocol/roles.js';

/** Any text. */
export const anyText = text();
/** An integer from 0. */
export const count = integer(0);
/** Any integer. */
export const whole = integer(Number.MIN_SAFE_INTEGER);
const texts = list(anyText);
const failureClass = nullable(oneOf(FAILURE_CLASSES));
const figure: Shape<Figure> = closed({ ppm: whole, exact: RATIONAL });
const given = oneOf(['init', ...DIRECTIVES]);
/** A tool and what it was called on. */
export const action = closed({ tool: anyText, target: anyText });
/** Where a ledger ends. */
export const head = closed({ run_id: anyText, count: integer(1), hash: digest });

const unmet: Shape<UnmetCriterion> = closed({
  id: nullable(anyText),
  text: nullable(anyText),
  scope: oneOf(['subtask', 'task']),
  subtask: nullable(anyText),
  hard: flag,
  failure_class: failureClass,
  weight: RATIONAL,
});

/** What a round is shown by. */
export const ROUND_SHOWN = {
  round: integer(1),
  D: figure,
  P: figure,
  Omega: figure,
  L: figure,
  grad_l: figure,
  grad_task: figure,
  epsilon_effective: figure,
  band: oneOf(BANDS),
  cell: integer(1, 24),
  prev_directive: given,
  directive: oneOf(DIRECTIVES),
  reason: anyText,
};

/** The artifact `evaluation`, and the `evaluation` of each `PlanDirective`. */
export const evaluationSchema: Shape<GgsEvaluation> = closed({
  ...ROUND_SHOWN,
  omega_rule: oneOf(['sum', 'clamp', 'replans', 'time']),
  first_round: flag,
  worsening_count: count,
  gap_trend: oneOf(['improving', 'stable', 'worsening']),
  distance_floor: nullable(oneOf(['hard_criterion', 'r4b_rejected'])),
  urgency: oneOf(['low', 'normal', 'high']),
  budget_pressure: figure,
  blocked_tools: texts,
  blocked_classes: texts,
  blocked_targets: list(action),
  blocked_targets_added: list(action),
  failed_criterion: nullable(unmet),
  failure_class: oneOf(['logical', 'environmental', 'mixed', 'none']),
  logical_failures: count,
  environmental_failures: count,
  criteria_total: count,
  unmet: list(unmet),
  rationale: anyText,
  history: GGS_HISTORY,
});

/** The artifact `final_result`. */
export const finalResultSchema: Shape<FinalResult> = closed({
  format: oneOf(['assay/final-result/1']),
  directive: oneOf(['accept', 'success', 'abandon']),
  prev_directive: given,
  reason: anyText,
  why: nullable(anyText),
  summary: anyText,
  output: WHOLE,
  partial: list(
    closed({ subtask: LOCAL_ID, intent: anyText, status: oneOf(['matched', 'failed']), output: anyText }),
  ),
  loss: closed({ D: figure, P: figure, Omega: figure, L: figure }),
  grad_l: figure,
  replans: count,
  unmet: list(
    closed({
      criterion: anyText,
      text: anyText,
      hard: flag,
      verdict: oneOf(['fail', 'none', 'not_run', 'ambiguous']),
      failure_class: failureClass,
      evidence: anyText,
    }),
  ),
  next_moves: list(closed({ code: anyText, text: anyText })),
  accountable: list(closed({ failure: anyText, role: oneOf(ROLES), criterion: nullable(anyText) })),
  costs: closed({
    calls: count,
    sequential_calls: count,
    tool_calls: count,
    spent: table(isName, count),
  }),
});
