/**
 * What is brought to a memory: Megrams of the goal gradient, feedback on a rule, the recalls of planners, and a
 * person's tombstones. Source: 002 §6f "Append-Only", §6g; dec-M4, dec-M7, dec-M11, dec-M18, law-M6.
 */
import { err, ok, type Context, type Rejection, type Result } from '@assay/kernel';
import { closed, digest, integer, list, nullable, oneOf, sized, type TypeOf } from '@assay/kernel/shape';
import type { Aftermath, MemoryStep } from './distilling.js';
import { withdrawDistilling } from './distilling.js';
import { megramAt, type Megram } from './megram.js';
import { DIRECTIVES, feedbackAgainst, quantify, type MegramState, type Quantity } from './quantization.js';
import { RECALL_TOOLS_MAX, recallMegrams } from './recall.js';
import { findMegram, TAG_MEGRAMS_MAX, tagOn } from './shelf.js';
import { CONTENT_UNITS_MAX, SPACE_UNITS_MAX, TAG_NAME, type TagName } from './tag.js';

/** Most Megrams of one write. */
const WRITE_MEGRAMS_MAX = 256;
const TASK_UNITS_MAX = 256;

const at_us = integer(0);
const from = sized(0, 16);
const content = sized(0, CONTENT_UNITS_MAX);
const DRAFT = closed({ ...TAG_NAME, content, state: oneOf(DIRECTIVES) });
/**
 * What the goal gradient writes: a tag, what happened, and a text. No number: the machine has them (002 §6c).
 */
export type MegramDraft = TypeOf<typeof DRAFT>;

/** Shape of what {@link write} takes. */
export const WRITE = closed({
  from,
  task: sized(0, TASK_UNITS_MAX),
  megrams: list(DRAFT, ({ length }) => length >= 1 && length <= WRITE_MEGRAMS_MAX),
  at_us,
});
/** Shape of what {@link giveFeedback} takes. */
export const FEEDBACK = closed({ from, rule: digest, ...TAG_NAME, content, at_us });
/** Shape of what {@link recall} takes. */
export const RECALL = closed({
  from,
  intent: TAG_NAME.space,
  tools: list(sized(0, SPACE_UNITS_MAX), ({ length }) => length <= RECALL_TOOLS_MAX),
  at_us,
});
/** Shape of what {@link forget} takes. */
export const FORGET = closed({ ...TAG_NAME, id: nullable(digest), why: content, at_us });

/** Nothing is withdrawn, and the graph stays. */
const NONE: Result<Rejection, Aftermath> = ok({});

/**
 * Remembers what the goal gradient writes. f, sigma and k are derived here from the state and the tag. Error
 * `tag_full` {path}.
 */
export function write(
  step: MemoryStep,
  { at_us, megrams, task }: TypeOf<typeof WRITE>,
  context: Context,
): Result<Rejection, Aftermath> {
  step.emit({ t: 'wrote', task, at_us, count: megrams.length });
  for (const [index, { content, state, ...tag }] of megrams.entries()) {
    if (isFull(step, tag)) return err({ code: 'tag_full', detail: { path: `/megrams/${index}` } });
    step.emit({
      t: 'remembered',
      megram: raw(context, index, { tag, content, state, quantity: quantify(state, tag), at_us }),
    });
  }
  return NONE;
}

/** Remembers that a rule was found wanting. Errors: `unknown_rule`, `tag_full`. */
export function giveFeedback(
  step: MemoryStep,
  { at_us, content, entity, rule, space }: TypeOf<typeof FEEDBACK>,
  context: Context,
): Result<Rejection, Aftermath> {
  const tag = tagOn(step.state.shelf, { space, entity });
  const found = tag === null ? null : findMegram(tag, rule);
  if (found === null || found.level !== 'C') return err({ code: 'unknown_rule', detail: { rule } });
  if (isFull(step, found)) return err({ code: 'tag_full', detail: { path: '/entity' } });
  step.emit({ t: 'wrote', task: '', at_us, count: 1 });
  step.emit({
    t: 'remembered',
    megram: raw(context, 0, {
      tag: { space, entity },
      content,
      state: 'feedback',
      quantity: feedbackAgainst(found.sigma_ppm, found),
      at_us,
    }),
  });
  return NONE;
}

/** Answers a planner in this memory's own ledger, and marks the rules it was given. */
export function recall(
  step: MemoryStep,
  { at_us, intent, tools }: TypeOf<typeof RECALL>,
): Result<Rejection, Aftermath> {
  const query = { intent, tools };
  step.emit({ t: 'recalled', at_us, query, reply: recallMegrams(step.state, query, at_us) });
  return NONE;
}

/**
 * Forgets a tag, or one Megram of it, as a person says. What was remembered leaves the state; the ledger keeps
 * that it was there, and who had it removed. Error `unknown_target`. A promotion at that tag is
 * withdrawn: its evidence changed. Source: dec-M11.
 */
export function forget(
  step: MemoryStep,
  { at_us, entity, id, space, why }: TypeOf<typeof FORGET>,
): Result<Rejection, Aftermath> {
  const tag = tagOn(step.state.shelf, { space, entity });
  if (tag === null || (id !== null && findMegram(tag, id) === null))
    return err({ code: 'unknown_target', detail: { space, entity, id } });
  const withdrawn = withdrawDistilling(step, tag, 'forgotten');
  step.emit({
    t: 'forgotten',
    space,
    entity,
    id,
    count: id === null ? tag.count + tag.rules.length : 1,
    why,
    at_us,
  });
  return ok({ withdraw: withdrawn });
}

type Raw = {
  readonly tag: TagName;
  readonly content: string;
  readonly state: MegramState;
  readonly quantity: Quantity;
  readonly at_us: number;
};

function raw(context: Context, index: number, { at_us, content, quantity, state, tag }: Raw): Megram {
  // Field by field: every field of it is hashed, and a tag may come with more than its name.
  return megramAt(context, index, {
    space: tag.space,
    entity: tag.entity,
    f_ppm: quantity.f_ppm,
    sigma_ppm: quantity.sigma_ppm,
    k_ppm_per_day: quantity.k_ppm_per_day,
    level: 'M',
    created_at_us: at_us,
    content,
    state,
    sources: [],
    source_count: 0,
    upto: 0,
  });
}

function isFull(step: MemoryStep, tag: TagName): boolean {
  return (tagOn(step.state.shelf, tag)?.count ?? 0) >= TAG_MEGRAMS_MAX;
}
