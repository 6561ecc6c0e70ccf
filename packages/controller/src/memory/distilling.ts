/**
 * From evidence to a rule: the machine decides that there is one and which way it points; the words are a
 * proposal. What a memory asks for and stands ready to be told, and a decision of it under construction.
 * Source: 002 §6e "Upward flow"; dec-M12; dec-M15.
 */
import {
  InvariantError,
  type Ask,
  type Context,
  type Deciding,
  type Decision,
  type Digest,
  type Head,
} from '@assay/kernel';
import { closed, text } from '@assay/kernel/shape';
import { PPM } from './decay.js';
import { promotionGraph, megramAt, SOURCES_MAX, type Megram } from './megram.js';
import { listRaw, tagOn, type Tag } from './shelf.js';
import type { TagName } from './tag.js';
import type { MegramState } from './quantization.js';
import type { MemoryState, Distilling, Undistilled, InvitationKind, MemoryEvent, Polarity } from './state.js';

/** Kind of the request for a rule's text. */
export const DISTIL_KIND = 'distil';
/** Most UTF-16 units of a distilled text. */
const RULE_UNITS_MAX = 2_000;
/** Shape of the text of a rule, as it is answered. */
export const DISTILLED = closed({
  text: text((words) => words.length <= RULE_UNITS_MAX && /[^ \t\r\n]/.test(words)),
});
/** How often a text may be tried before the promotion is put off. */
const DISTIL_ATTEMPTS = 2;
/** Most texts shown as evidence. */
export const EVIDENCE_MAX = 32;

/** The request for the text of a rule. */
export function distilAsk(
  tag: Tag,
  { attention_nano, decision_nano, polarity }: Distilling,
): Ask<DistilBody> {
  const { entity, space } = tag;
  return {
    kind: DISTIL_KIND,
    body: { attention_nano, decision_nano, entity, evidence: listEvidence(unused(tag)), polarity, space },
    accepts: ['live_model', 'recorded_model', 'rule', 'human', 'synthetic'],
    attempts: DISTIL_ATTEMPTS,
  };
}

/**
 * The raw Megrams of a tag that no rule was made of yet, in order of writing. Only layer M is evidence: layer
 * K is what is left of a rule.
 */
export function unused(tag: Tag): readonly Megram[] {
  return listRaw(tag).filter(({ level, sequence }) => level === 'M' && sequence > tag.used_to);
}

/**
 * Makes the rule a dream decided on, with its text. f is min(1, attention / 5), sigma the sign of the
 * decision, k is 0: a rule does not fade. A rule of the same polarity at the tag gives way to it. Source:
 * dec-M12.
 */
export function settleDistilled(
  step: MemoryStep,
  request: string,
  content: string,
  context: Context,
): MemoryDecision {
  const waiting = step.state.distilling.get(request);
  const tag = waiting === undefined ? null : tagOn(step.state.shelf, waiting);
  if (waiting === undefined || tag === null)
    throw new InvariantError('memory/distil', `nothing waits for ${request}`);
  const { at_us, attention_nano, polarity, upto } = waiting;
  const { entity, space } = tag;
  const sigma_ppm = polarity === 'best_practice' ? PPM : -PPM;
  const sources = unused(tag).filter(({ sequence }) => sequence <= upto);
  const f_ppm = Math.min(PPM, Math.floor(attention_nano / 5_000));
  const replaced = tag.rules.find((rule) => rule.sigma_ppm === sigma_ppm) ?? null;
  step.emit({ t: 'promoted', request, space, entity, upto, supersedes: replaced?.id ?? null });
  const listed = sources.slice(-SOURCES_MAX).map(({ id }) => id);
  const rule = megramAt(context, 0, {
    space,
    entity,
    f_ppm,
    sigma_ppm,
    k_ppm_per_day: 0,
    level: 'C',
    created_at_us: at_us,
    content,
    state: 'promoted',
    sources: listed,
    source_count: sources.length,
    upto,
  });
  step.emit({ t: 'remembered', megram: rule });
  return step.done({ graph: promotionGraph(context, step.state.policy, rule, replaced) });
}

/** Puts off the promotions that wait at a tag. Gives the requests to withdraw. */
export function withdrawDistilling(
  step: MemoryStep,
  { entity, space }: TagName,
  why: Undistilled,
): readonly string[] {
  const ids = step.state.distilling
    .sorted()
    .filter(([, waiting]) => waiting.space === space && waiting.entity === entity)
    .map(([id]) => id);
  for (const id of ids) step.emit({ t: 'undistilled', id, space, entity, why, code: null });
  return ids;
}

/** The newest texts, each once with its number. */
function listEvidence(megrams: readonly Megram[]): readonly Evidence[] {
  const found = new Map<string, Evidence>();
  for (const { content, state } of megrams.toReversed()) {
    const key = `${state} ${content}`;
    const known = found.get(key);
    if (known === undefined && found.size >= EVIDENCE_MAX) continue;
    found.set(key, { content, count: (known?.count ?? 0) + 1, state });
  }
  return [...found.values()];
}

/** What an invitation says: nothing but its kind. */
type InvitationBody = { readonly invites: InvitationKind };

/** One text of the evidence, and how often it stands there. */
export type Evidence = { readonly state: MegramState; readonly content: string; readonly count: number };

/**
 * What is asked for when a dream decided on a rule: the rule in words, from these texts. Holds no id, so
 * recorded answers match across runs.
 */
export type DistilBody = TagName & {
  readonly polarity: Polarity;
  readonly attention_nano: number;
  readonly decision_nano: number;
  readonly evidence: readonly Evidence[];
};

/** What a memory asks. */
export type MemoryBody = InvitationBody | DistilBody;
/** A decision of a memory. */
export type MemoryDecision = Decision<MemoryEvent, MemoryBody>;
/** A decision under construction. */
export type MemoryStep = Deciding<MemoryState, MemoryEvent, MemoryBody>;
/** What a decision holds beside its events and asks. */
export type Aftermath = Omit<MemoryDecision, 'events' | 'asks'>;

/** The kind under which feedback on a rule is known, in {@link citedKey}. */
export function feedbackKind(rule: Digest): string {
  return `feedback:${rule}`;
}

/**
 * The key under which an answer that cites a head is known: what was taken once is not taken again. See
 * `MemoryState.cited`.
 */
export function citedKey(kind: string, { count, hash, run_id }: Head): string {
  return `${kind} ${run_id} ${count} ${hash}`;
}
