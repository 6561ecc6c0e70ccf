/**
 * What each role is asked, by kind of request. Source: machine interface, `Ask`; 003, contracts of R1 to R4b.
 *
 * @module
 */
import * as z from 'zod';
import { ENTITY_UNITS_MAX, SPACE_UNITS_MAX } from '../memory/tag.js';
import type { AskKind, Bodies } from '../protocol/asks.js';
import { OUTPUT_MAX } from '../protocol/evidence.js';
import { SESSION_MAX, SUMMARY_MAX, USER_TEXT_MAX } from '../protocol/task.js';
import { sessionTurnSchema } from './policy.js';
import {
  count,
  criterionSchema,
  localId,
  phrase,
  targetSchema,
  textTo,
  toolName,
  toolSchema,
} from './parts.js';

const text = z.string();
const targets = z.array(targetSchema);
const toolNames = z.array(text);

const perceive: z.ZodType<Bodies['perceive']> = z.strictObject({
  text: textTo(USER_TEXT_MAX),
  session: z.array(sessionTurnSchema).max(SESSION_MAX),
});
const recall: z.ZodType<Bodies['recall']> = z.strictObject({
  intent: textTo(SPACE_UNITS_MAX),
  tools: z.array(toolName),
});

const constraints = z.strictObject({ scope: z.nullable(text), deadline_us: z.nullable(count) });
const plan: z.ZodType<Bodies['plan']> = z.strictObject({
  round: count,
  task: z.strictObject({ label: text, intent: text, constraints }),
  text: textTo(USER_TEXT_MAX),
  directive: z.nullable(
    z.strictObject({
      directive: z.enum(['break_symmetry', 'change_approach', 'change_path', 'refine']),
      failed_criterion: text,
      failure_class: z.enum(['logical', 'environmental', 'mixed', 'none']),
      unmet: z.array(text).max(32),
    }),
  ),
  keep: z.array(z.strictObject({ id: localId, text: phrase })),
  must_not: z.strictObject({
    tools: toolNames,
    targets: z.array(z.strictObject({ tool: text, target: textTo(ENTITY_UNITS_MAX) })),
    rules: z.array(text),
  }),
  prefer: z.strictObject({ tools: toolNames, practices: z.array(text) }),
  caution: z.array(z.strictObject({ tool: text, target: textTo(ENTITY_UNITS_MAX) })),
  tools: z.array(toolSchema),
  limits: z.strictObject({ subtasks: z.int().min(1), criteria: z.int().min(1) }),
});

const confirm: z.ZodType<Bodies['confirm']> = z.strictObject({
  subtask: localId,
  intent: phrase,
  attempt: z.nullable(count),
  actions: targets.min(1),
  why: z.array(z.enum(['irreversible', 'caution'])).min(1),
});

const execute: z.ZodType<Bodies['execute']> = z.strictObject({
  subtask: localId,
  intent: phrase,
  context: text,
  criteria: z.array(criterionSchema),
  uses: targets,
  attempt: count,
  correction: z.nullable(z.strictObject({ what_was_wrong: text, what_to_do: text, avoid: z.array(text) })),
  prior: z.array(z.strictObject({ subtask: localId, output: textTo(OUTPUT_MAX) })),
  must_not: z.strictObject({
    tools: toolNames,
    targets: z.array(z.strictObject({ tool: text, target: textTo(ENTITY_UNITS_MAX) })),
  }),
  confirmed: targets,
});

const judge: z.ZodType<Bodies['judge']> = z.strictObject({
  subtask: localId,
  intent: phrase,
  criteria: z.array(criterionSchema),
  attempt: count,
  claim: textTo(OUTPUT_MAX),
  tool_calls: z.array(text),
});
const merge: z.ZodType<Bodies['merge']> = z.strictObject({
  intent: phrase,
  criteria: z.array(criterionSchema),
  outcomes: z.array(
    z.strictObject({ subtask: localId, intent: phrase, output: textTo(Math.max(OUTPUT_MAX, SUMMARY_MAX)) }),
  ),
});
const clock: z.ZodType<Bodies['clock']> = z.strictObject({ round: z.int().min(-1) });

/** The schema of a request's body by its kind. */
export const controllerAskSchemas: { readonly [K in AskKind]: z.ZodType<Bodies[K]> } = Object.freeze({
  clock,
  perceive,
  recall,
  plan,
  confirm,
  execute,
  judge,
  merge,
});
