/**
 * What each role is asked, by kind of request. Source: machine interface, `Ask`; 003, contracts of R1 to R4b;
 * calls/C1.
 *
 * @module
 */
import { toZod } from '@assay/kernel/schemas';
import * as z from 'zod';
import { ENTITY_UNITS_MAX, SPACE_UNITS_MAX } from '../memory/tag.js';
import { CLAIM_MAX } from '../protocol/answers.js';
import type { AskKind, Bodies, DecidingCall, Seen } from '../protocol/asks.js';
import { CRITERION } from '../protocol/criteria.js';
import { SUMMARY_MAX, USER_TEXT_MAX } from '../protocol/task.js';
import { CALL_STATUSES, TARGET_MAX, TOOL_CLASSES, TOOLS_MAX } from '../protocol/tools.js';
import { session } from './policy.js';
import { count, digestSchema, KNOWN, localId, phrase, textTo, whole } from './parts.js';

const text = z.string();
const texts = z.array(text);
const target = z.strictObject({ tool: text, target: textTo(ENTITY_UNITS_MAX) });
const criteria = z.array(toZod(CRITERION, KNOWN));
const lost = z.nullable(digestSchema);

const perceive: z.ZodType<Bodies['perceive']> = z.strictObject({ text: textTo(USER_TEXT_MAX), session });
const recall: z.ZodType<Bodies['recall']> = z.strictObject({ intent: textTo(SPACE_UNITS_MAX), tools: texts });

const deciding: z.ZodType<DecidingCall> = z.strictObject({
  tool: text,
  target: textTo(TARGET_MAX),
  n: count,
  status: z.enum(CALL_STATUSES),
  code: z.nullable(text),
});
const plan: z.ZodType<Bodies['plan']> = z.strictObject({
  round: count,
  task: z.strictObject({
    label: text,
    intent: text,
    constraints: z.strictObject({ scope: z.nullable(text), deadline_us: z.nullable(count) }),
  }),
  text: textTo(USER_TEXT_MAX),
  directive: z.nullable(
    z.strictObject({
      directive: z.enum(['break_symmetry', 'change_approach', 'change_path', 'refine']),
      failed_criterion: text,
      failure_class: z.enum(['logical', 'environmental', 'mixed', 'none']),
      unmet: texts.max(32),
    }),
  ),
  last: z.nullable(
    z.strictObject({
      subtasks: z.array(
        z.strictObject({
          intent: phrase,
          status: z.enum(['matched', 'failed']),
          reason: z.nullable(text),
          calls: z.array(deciding),
        }),
      ),
      gap_summary: text,
    }),
  ),
  keep: z.array(z.strictObject({ id: localId, text: phrase })),
  must_not: z.strictObject({ tools: texts, targets: z.array(target), rules: texts }),
  prefer: z.strictObject({ tools: texts, practices: texts }),
  caution: z.array(target),
  tools: z
    .array(z.strictObject({ name: text, class: z.enum(TOOL_CLASSES), reversible: z.boolean(), about: text }))
    .max(TOOLS_MAX),
  limits: z.strictObject({ subtasks: z.int().min(1), criteria: z.int().min(1) }),
});

const seen: z.ZodType<Seen> = z.strictObject({ calls: count, digest: lost, bytes: count });
const step: z.ZodType<Bodies['step']> = z.strictObject({
  subtask: localId,
  task: digestSchema,
  attempt: count,
  seen,
});
const ofCall = { subtask: localId, n: count, tool: text, input: whole };
const call: z.ZodType<Bodies['call']> = z.strictObject({
  ...ofCall,
  confirmed: z.nullable(z.strictObject({ loses: lost, target: z.nullable(textTo(TARGET_MAX)) })),
  not: z.array(textTo(TARGET_MAX)).max(64),
});
const confirm: z.ZodType<Bodies['confirm']> = z.strictObject({
  ...ofCall,
  target: z.nullable(textTo(TARGET_MAX)),
  loses: lost,
  why: z.enum(['irreversible', 'caution', 'needs_confirmation']),
});

const judge: z.ZodType<Bodies['judge']> = z.strictObject({
  subtask: localId,
  intent: phrase,
  criteria,
  attempt: count,
  claim: textTo(CLAIM_MAX),
  rests_on: z.array(count),
  seen,
});
const merge: z.ZodType<Bodies['merge']> = z.strictObject({
  intent: phrase,
  criteria,
  outcomes: z.array(
    z.strictObject({ subtask: localId, intent: phrase, output: textTo(Math.max(CLAIM_MAX, SUMMARY_MAX)) }),
  ),
});
const clock: z.ZodType<Bodies['clock']> = z.strictObject({ round: z.int().min(-1) });

/** The schema of a request's body by its kind. */
export const controllerAskSchemas: { readonly [K in AskKind]: z.ZodType<Bodies[K]> } = Object.freeze({
  clock,
  perceive,
  recall,
  plan,
  step,
  call,
  confirm,
  judge,
  merge,
});
