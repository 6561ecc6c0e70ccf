/**
 * Four plans of software goals, by a size and a rate. No English is read; the figures are rules of thumb for
 * one person, to be changed. Source: dec-K87.
 *
 * @module
 */
import { err, ok, type Json, type Result } from '@assay/kernel';
import { DRAFTS, type Draft, type Minutes, type TemplateName } from './drafts.js';

/** The names of the templates. */
export const TEMPLATES: readonly TemplateName[] = Object.freeze([
  'cli',
  'web-service',
  'library',
  'data-pipeline',
]);

/**
 * What a template is filled with. `size`: how many commands, endpoints, functions or sources; `rate`: what an
 * hour costs, in the unit of the row `cost`; `cap` and `deadline`: what the plan is held against, if anything.
 */
export type TemplateParameters = {
  readonly size: number;
  readonly rate: number;
  readonly unit: string;
  readonly cap: { readonly op: '<' | '<='; readonly amount: number } | null;
  readonly deadline: { readonly op: '<' | '<='; readonly minutes: number } | null;
};

/** Why there is no plan: the parameter, and its limits or the names there are. */
export type TemplateFault = {
  readonly code: 'unknown_template' | 'out_of_range';
  readonly name: string;
  readonly detail: string;
};

const SIZE_MAX = 1_000;
const RATE_MAX = 1_000_000_000;
const HOUR = 60;
const PERCENT = 100;

/** The plan of a template, as a plan file has it. */
export function templatePlan(name: string, parameters: TemplateParameters): Result<TemplateFault, Json> {
  const known = TEMPLATES.find((each) => each === name);
  if (known === undefined) return err({ code: 'unknown_template', name, detail: TEMPLATES.join(' ') });
  const { size, rate, unit, cap, deadline } = parameters;
  if (!isWithin(size, 1, SIZE_MAX))
    return err({ code: 'out_of_range', name: 'size', detail: `1 to ${SIZE_MAX}` });
  if (!isWithin(rate, 0, RATE_MAX))
    return err({ code: 'out_of_range', name: 'rate', detail: `0 to ${RATE_MAX}` });
  const { goal, tasks } = DRAFTS[known];
  const cost = (minutes: Minutes): object =>
    cap === null ? {} : { amounts: { cost: minutes.map((each) => Math.ceil((each * rate) / HOUR)) } };
  return ok({
    plan: 1,
    goal: goal(size),
    ...(cap === null ? {} : { rows: [{ id: 'cost', unit, op: cap.op, cap: cap.amount }] }),
    ...(deadline === null ? {} : { deadline: { op: deadline.op, minutes: deadline.minutes } }),
    tasks: tasks.map((draft) => makeTask(draft, size, cost)),
  } as Json);
}

function makeTask(
  { id, title, kind, after, once, each, confidence, others }: Draft,
  size: number,
  cost: (minutes: Minutes) => object,
): object {
  const minutes: Minutes = [0, 1, 2].map(
    (end) => (once[end] ?? 0) + size * (each[end] ?? 0),
  ) as unknown as Minutes;
  return {
    id,
    title,
    kind,
    after,
    minutes,
    confidence,
    ...cost(minutes),
    alternatives: others.map(({ id: name, method, percent, confidence: sure }) => {
      const less: Minutes = minutes.map((time) =>
        Math.ceil((time * percent) / PERCENT),
      ) as unknown as Minutes;
      return { id: name, method, minutes: less, confidence: sure, ...cost(less) };
    }),
  };
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
