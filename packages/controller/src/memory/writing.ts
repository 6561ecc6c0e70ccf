/**
 * What runs bring: Megrams of the goal gradient, feedback on a rule, and the recalls of planners.
 * Source: 002 §6f "Append-Only", §6g; dec-M4, dec-M7, dec-M18, law-M6.
 *
 * @module
 */
import { err, ok, type Context, type Rejection, type Result } from '@assay/kernel';
import type { MemoryAnswer } from './answers.js';
import type { Aftermath, MemoryStep } from './asks.js';
import { megramAt, type Megram } from './megram.js';
import { feedbackAgainst, quantityOf, type MegramState, type Quantity } from './quantization.js';
import { recallOf } from './recall.js';
import { megramOf, TAG_MEGRAMS_MAX, tagOn } from './shelf.js';
import type { TagName } from './tag.js';

type Said<T extends MemoryAnswer['t']> = Extract<MemoryAnswer, { readonly t: T }>;

/** Nothing is withdrawn, and the graph stays. */
const NONE: Result<Rejection, Aftermath> = ok({});

/**
 * Remembers what the goal gradient writes. f, sigma and k are derived here from the state and the tag. Error
 * `tag_full` {path}.
 */
export function write(
  step: MemoryStep,
  { at_us, megrams, task }: Said<'write'>,
  context: Context,
): Result<Rejection, Aftermath> {
  step.emit({ t: 'wrote', task, at_us, count: megrams.length });
  for (const [index, { content, state, ...tag }] of megrams.entries()) {
    if (isFull(step, tag)) return err({ code: 'tag_full', detail: { path: `/megrams/${index}` } });
    step.emit({
      t: 'remembered',
      megram: raw(context, index, { tag, content, state, quantity: quantityOf(state, tag), at_us }),
    });
  }
  return NONE;
}

/** Remembers that a rule was found wanting. Errors: `unknown_rule`, `tag_full`. */
export function giveFeedback(
  step: MemoryStep,
  { at_us, content, entity, rule, space }: Said<'feedback'>,
  context: Context,
): Result<Rejection, Aftermath> {
  const tag = tagOn(step.state.shelf, { space, entity });
  const found = tag === null ? null : megramOf(tag, rule);
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
export function recall(step: MemoryStep, { at_us, query }: Said<'recall'>): Result<Rejection, Aftermath> {
  step.emit({ t: 'recalled', at_us, query, reply: recallOf(step.state, query, at_us) });
  return NONE;
}

type Raw = {
  readonly tag: TagName;
  readonly content: string;
  readonly state: MegramState;
  readonly quantity: Quantity;
  readonly at_us: number;
};

function raw(context: Context, index: number, { at_us, content, quantity, state, tag }: Raw): Megram {
  return megramAt(context, index, {
    ...tag,
    ...quantity,
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
