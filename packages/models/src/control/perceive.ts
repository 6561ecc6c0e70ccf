/**
 * What a user wants, asked of a model as R1. Source: 003 §R1; calls/C13.
 *
 * @module
 */
import { ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { readBody } from '@assay/controller';
import * as z from 'zod';
import { PERCEIVE_PROMPT_1 } from './perceive-1.js';
import type { RoleContext } from './role-context.js';
import type { AnswerFault, Task, TaskAnswer } from '../task/task.js';
import { declined, fault, schemaOf, shaped } from '../task/strict.js';

const wire = z.strictObject({
  task: z.nullable(
    z.strictObject({
      label: z.string(),
      intent: z.string(),
      scope: z.nullable(z.string()),
      deadline: z.nullable(z.string()),
      refers_to: z.nullable(z.number()),
    }),
  ),
  why: z.nullable(z.string()),
});

/**
 * The task of kind `perceive`. A model may decline: the final failure `denied` {code: "declined"}. Fault
 * `deadline`: no time of day with its offset. What else a task may not be, the machine rejects.
 */
export function perceiveTask({ now = Date.now }: Pick<RoleContext, 'now'>): Task {
  return {
    kind: 'perceive',
    prompt: PERCEIVE_PROMPT_1,
    schema: schemaOf(wire),
    data: (body) => data(body, now()),
    read,
  };
}

function data(body: Json, now: number): JsonObject | null {
  const asked = readBody('perceive', body);
  return asked === null
    ? null
    : {
        text: asked.text,
        now: localTime(new Date(now)),
        session: asked.session.map(({ input, summary }, turn) => ({ turn, input, summary })),
      };
}

function read(answer: Json): Result<AnswerFault, TaskAnswer> {
  const said = shaped(wire, answer);
  if (said._tag === 'Left') return said;
  const { task, why } = said.right;
  if (task === null) return declined(why);
  const { label, intent, scope, deadline, refers_to } = task;
  const until = deadline === null ? null : timeIn(deadline);
  if (Number.isNaN(until)) return fault('deadline', '/task/deadline', deadline ?? '');
  const deadline_us = until === null ? null : until * 1_000;
  return ok({
    value: { label, intent, constraints: { scope, deadline_us }, refers_to },
    confidence: null,
  });
}

/** Milliseconds since 1970 of a time with its offset; NaN of any other text. */
function timeIn(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** A time as people here read it, such as `2026-01-31T17:00:00+01:00`. */
function localTime(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const shifted = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const two = (value: number): string => String(value).padStart(2, '0');
  const away = Math.abs(minutes);
  return `${shifted}${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}
