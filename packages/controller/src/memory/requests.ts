/**
 * The requests of a memory, one row for each: what it accepts, from whom, and what follows. Only a person
 * forgets; only a run, or a fixture, writes. Source: 002 §R5, §6e, §6g; dec-M10; dec-M12 to dec-M15; dec-M18;
 * law-M6; machine interface, "Order of checks".
 */
import { err, ok, type Context, type Json, type Rejection, type Result, type Source } from '@assay/kernel';
import { closed, integer, type Shape, type TypeOf } from '@assay/kernel/shape';
import {
  DISTIL_KIND,
  DISTILLED,
  feedbackKind,
  type Aftermath,
  type MemoryStep,
  distilAsk,
  unused,
  withdrawDistilling,
} from './distilling.js';
import type { InvitationKind, Distilling } from './state.js';
import { mayWrite, DEMOTED_RATE } from './quantization.js';
import { listTags, megramsIn, listRaw, tagOn, type Tag } from './shelf.js';
import { LOCAL, tagKind, type TagName } from './tag.js';
import { FEEDBACK, FORGET, forget, giveFeedback, RECALL, recall, WRITE, write } from './writing.js';
import { NANO } from './decay.js';
import { demotionGraph, megramAt, type Megram } from './megram.js';
import { convertToNano, computePotentials, potentialsOfMegram, type Potentials } from './potentials.js';

/**
 * About how many UTF-16 units the events of one dream may take; what is left over waits for the next. A
 * record holds far more.
 */
export const DREAM_UNITS_MAX = 1_000_000;
const EVENT_UNITS = 300;
/** Steps of the meter that weighing a Megram takes, to clear and to promote. */
export const MEGRAM_STEPS = 200;

/**
 * Dreams at a moment: each tag in ascending order is first cleared and then looked at for a rule. Linear in
 * all that is remembered. Tags that the meter of the answer has no steps left for are put off; the next dream
 * begins with another tag.
 */
export function dream(step: MemoryStep, at_us: number, context: Context): Aftermath {
  const all = listTags(step.state.shelf);
  const tags = affordable(all, context);
  const withdrawn: string[] = [];
  const round: Round = { at_us, context, made: 0 };
  // The count of changes stands in the first event, so the changes are gathered before any is emitted.
  let units = 0;
  const plans = tags.map((tag) => planFor(step, tag, at_us));
  const due = plans.filter(({ demoted, faded }) => demoted.length > 0 || faded !== null);
  const now = due.filter(({ cost }) => (units += cost) <= DREAM_UNITS_MAX);
  const put_off = due.length - now.length + all.length - tags.length;
  step.emit({ t: 'dreamt', at_us, tags: all.length, changed: now.length, put_off });
  for (const plan of now) withdrawn.push(...clear(step, plan, round));
  if (step.state.policy.dreamer_upward) for (const tag of tags) lookForRule(step, tag, round);
  return {
    withdraw: withdrawn,
    graph: demotionGraph(
      context,
      now.flatMap(({ demoted }) => demoted),
    ),
  };
}

type Round = { readonly at_us: number; readonly context: Context; made: number };
type Plan = {
  readonly tag: Tag;
  readonly demoted: readonly { readonly rule: Megram; readonly others_nano: number }[];
  readonly faded: Potentials | null;
  readonly cost: number;
};

/** The tags that there are steps for, in turn from another one each time where there are not enough for all. */
function affordable(tags: readonly Tag[], { meter, sequence }: Context): readonly Tag[] {
  const steps = ({ count, rules }: Tag): number => (count + rules.length) * MEGRAM_STEPS;
  const isEnough = tags.reduce((sum, tag) => sum + steps(tag), 0) <= meter.rest;
  const first = isEnough ? 0 : sequence % tags.length;
  return [...tags.slice(first), ...tags.slice(0, first)].filter((tag) => meter.spend(steps(tag)));
}

/** What is to go from a tag. */
function planFor(step: MemoryStep, tag: Tag, at_us: number): Plan {
  const raw = computePotentials(listRaw(tag), at_us);
  const whole = raw.decision_nano + computePotentials(tag.rules, at_us).decision_nano;
  const newest = findNewest(tag);
  const demoted = tag.rules.flatMap((rule) => {
    // Of everything at the tag but this rule. Source: dec-M13.
    const others_nano = whole - potentialsOfMegram(rule, at_us).decision_nano;
    return isBankrupt(rule, others_nano, newest) ? [{ rule, others_nano }] : [];
  });
  const isFaded = tag.raw !== null && raw.attention_nano < convertToNano(step.state.policy.forget_below_ppm);
  const texts = demoted.reduce((sum, { rule }) => sum + rule.content.length, 0);
  const cost = (1 + 2 * demoted.length) * (EVENT_UNITS + tag.space.length + tag.entity.length) + texts;
  return { tag, demoted, faded: isFaded ? raw : null, cost };
}

/** Up to where in the ledger the raw Megrams of a tag, and the evidence of its rules, reach. */
function findNewest(tag: Tag): number {
  let newest = 0;
  for (const { level, sequence, upto } of megramsIn(tag))
    newest = Math.max(newest, level === 'M' ? sequence : level === 'C' ? upto : 0);
  return newest;
}

/**
 * Trust bankruptcy: all else at the tag points strictly the other way, and some of it was written after the
 * rule's own evidence. Without the second half, evidence that only fades unevenly could take down a rule with
 * nothing new said, which law-M9 rules out. Source: 002 §6e; dec-M13, law-M9.
 */
function isBankrupt({ sigma_ppm, upto }: Megram, others_nano: number, newest: number): boolean {
  const isAgainst = sigma_ppm > 0 ? others_nano < 0 : sigma_ppm < 0 && others_nano > 0;
  return isAgainst && newest > upto;
}

function clear(step: MemoryStep, { demoted, faded, tag }: Plan, round: Round): readonly string[] {
  const { entity, space } = tag;
  let withdrawn: readonly string[] = [];
  if (faded !== null) {
    withdrawn = withdrawDistilling(step, tag, 'faded');
    step.emit({ t: 'faded', space, entity, attention_nano: faded.attention_nano, count: tag.count });
  }
  for (const { rule, others_nano } of demoted) {
    step.emit({ t: 'demoted', space, entity, id: rule.id, others_nano });
    step.emit({ t: 'remembered', megram: remains(rule, round) });
  }
  return withdrawn;
}

/**
 * What is left of a demoted rule: a Megram of layer K, dated at the demotion and linked to the rule. Source:
 * dec-M14.
 */
function remains({ content, entity, f_ppm, id, sigma_ppm, space }: Megram, round: Round): Megram {
  const megram = megramAt(round.context, round.made, {
    space,
    entity,
    f_ppm,
    sigma_ppm,
    k_ppm_per_day: DEMOTED_RATE,
    level: 'K',
    created_at_us: round.at_us,
    content,
    state: 'demoted',
    sources: [id],
    source_count: 1,
    upto: 0,
  });
  round.made += 1;
  return megram;
}

/**
 * Asks for the text of a rule where unused evidence has the energy and the direction, and the rest of the tag
 * does not speak against it. Source: 002 §6e; dec-M12.
 */
function lookForRule(step: MemoryStep, { entity, space }: TagName, { at_us, context }: Round): void {
  const { distilling, policy, shelf } = step.state;
  const tag = tagOn(shelf, { space, entity });
  // A Megram weighs a whole at most: too few of them need not be weighed.
  if (
    tag === null ||
    distilling.size >= policy.distil_max ||
    tag.count * NANO < convertToNano(policy.promote_attention_ppm)
  )
    return;
  const potentials = computePotentials(unused(tag), at_us);
  const { attention_nano, decision_nano } = potentials;
  if (
    attention_nano < convertToNano(policy.promote_attention_ppm) ||
    Math.abs(decision_nano) < convertToNano(policy.promote_decision_ppm)
  )
    return;
  const whole = computePotentials(megramsIn(tag), at_us).decision_nano;
  // Such a rule would be bankrupt from the start.
  if (decision_nano > 0 ? whole < 0 : whole > 0) return;
  if (distilling.sorted().some(([, waiting]) => waiting.space === space && waiting.entity === entity)) return;
  const waiting: Distilling = {
    at_us,
    attention_nano,
    decision_nano,
    entity,
    polarity: decision_nano > 0 ? 'best_practice' : 'constraint',
    space,
    upto: context.sequence,
  };
  step.emit({ t: 'distilling', ...waiting, id: step.ask(distilAsk(tag, waiting)) });
}

/**
 * One invitation. `fault`: what a reader of its answer refuses beyond the shape. `key`: under which an answer
 * of a run is taken once, where it is not the kind. `accepted`: what follows; with an outcome it is not issued
 * again.
 */
export type Invitation<T> = {
  readonly accepts: readonly Source[];
  readonly answer: Shape;
  fault?(said: T): Rejection | null;
  key?(said: T): string;
  accepted(step: MemoryStep, said: T, context: Context): Result<Rejection, Aftermath>;
};

const TIME = closed({ at_us: integer(0) });
type Time = TypeOf<typeof TIME>;

const notFrom = (role: string, { from }: { readonly from: string }): Rejection | null =>
  from === role ? null : { code: 'not_the_writer', detail: { from } };

/** The invitations by kind. */
export const INVITATIONS = {
  dream: {
    accepts: ['clock', 'human', 'rule', 'synthetic'],
    answer: TIME,
    accepted: (step, { at_us }, context) => ok(dream(step, at_us, context)),
  } satisfies Invitation<Time>,
  end: {
    accepts: ['human', 'rule', 'synthetic'],
    answer: TIME,
    accepted: (step, { at_us }) => ok(end(step, at_us)),
  } satisfies Invitation<Time>,
  feedback: {
    accepts: ['run', 'synthetic'],
    answer: FEEDBACK,
    fault: (said) => notFrom('R7', said),
    // One decision of a run may find several rules wanting.
    key: ({ rule }) => feedbackKind(rule),
    accepted: giveFeedback,
  } satisfies Invitation<TypeOf<typeof FEEDBACK>>,
  forget: { accepts: ['human'], answer: FORGET, accepted: forget } satisfies Invitation<
    TypeOf<typeof FORGET>
  >,
  recall: {
    accepts: ['run', 'synthetic'],
    answer: RECALL,
    fault: (said) =>
      notFrom('R2', said) ??
      (tagKind({ space: said.intent, entity: LOCAL }) === 'intent'
        ? null
        : { code: 'bad_tag', detail: { path: '/intent' } }),
    accepted: recall,
  } satisfies Invitation<TypeOf<typeof RECALL>>,
  write: {
    accepts: ['run', 'synthetic'],
    answer: WRITE,
    fault: (said) => {
      const stray = said.megrams.findIndex((draft) => !mayWrite(draft.state, draft));
      return (
        notFrom('R7', said) ??
        (stray === -1 ? null : { code: 'bad_tag', detail: { path: `/megrams/${stray}` } })
      );
    },
    accepted: write,
  } satisfies Invitation<TypeOf<typeof WRITE>>,
} as const satisfies { readonly [kind in InvitationKind]: unknown };

type Rows = typeof INVITATIONS;
type Said<K extends InvitationKind | typeof DISTIL_KIND> = TypeOf<
  K extends InvitationKind ? Rows[K]['answer'] : typeof DISTILLED
>;
/** What an answer means, by kind of request. */
export type MemoryAnswer = {
  readonly [K in InvitationKind | typeof DISTIL_KIND]: { readonly t: K; readonly said: Said<K> };
}[InvitationKind | typeof DISTIL_KIND];

/**
 * Reads an answer to a request of a kind. Total. Errors: `bad_answer` {path} for a shape; `not_the_writer`
 * {from} where another than R7 writes or gives feedback, or another than R2 recalls; `bad_tag` {path} where a
 * directive may not write to a tag.
 */
export function parseAnswer(value: Json, kind: string): Result<Rejection, MemoryAnswer> {
  const row: Invitation<never> | null = Object.hasOwn(INVITATIONS, kind)
    ? INVITATIONS[kind as InvitationKind]
    : null;
  const shape: Shape | null = row?.answer ?? (kind === DISTIL_KIND ? DISTILLED : null);
  const path = shape === null ? '' : shape(value);
  const fault =
    path === null ? (row?.fault?.(value as never) ?? null) : { code: 'bad_answer', detail: { path } };
  return fault === null ? ok({ t: kind, said: value } as MemoryAnswer) : err(fault);
}

/** The end of a memory: what is on the shelf is counted, and nothing is open any more. */
function end(step: MemoryStep, at_us: number): Aftermath {
  const { distilling, invitations, shelf } = step.state;
  const withdraw = [
    ...invitations.sorted().flatMap(([kind, id]) => (kind === 'end' ? [] : [id])),
    ...distilling.sorted().map(([id]) => id),
  ];
  const tags = listTags(shelf);
  const raw = tags.reduce((sum, { count }) => sum + count, 0);
  const rules = tags.reduce((sum, tag) => sum + tag.rules.length, 0);
  step.emit({ t: 'ended', at_us });
  return {
    withdraw,
    artifacts: { memory: { at_us, tags: tags.length, raw, rules } },
    outcome: { status: 'success', reasons: [] },
  };
}
