/**
 * What a memory stands ready to be told: one row for each invitation. Only a person forgets; only a run, or a
 * fixture, writes. Source: 002 §R5, §6g; dec-M15, dec-M18, law-M6; machine interface, "Order of checks".
 *
 * @module
 */
import { err, ok, type Context, type Json, type Rejection, type Result, type Source } from '@assay/kernel';
import { closed, integer, type Shape, type TypeOf } from '@assay/kernel/shape';
import { feedbackKind, type Aftermath, type MemoryStep } from './asks.js';
import { DISTIL_KIND, DISTILLED } from './distilling.js';
import { dream } from './dreaming.js';
import type { InvitationKind } from './events.js';
import { mayWrite } from './quantization.js';
import { listTags } from './shelf.js';
import { LOCAL, tagKind } from './tag.js';
import { FEEDBACK, FORGET, forget, giveFeedback, RECALL, recall, WRITE, write } from './writing.js';

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
