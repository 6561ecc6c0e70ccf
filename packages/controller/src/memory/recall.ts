/**
 * What a planner reads: the tags of an intent and of the tools it may use, with what each advises, and the
 * rules there. A pure reading; that it happened is an event of its own. The two channels of a tag:
 * attention, the energy there is, and decision, what it prefers. Source: 002 §R2 "Memory Calibration
 * Protocol"; §6g QueryC and QueryMK; dec-M4; dec-M7; 002 §6d; dec-M8; dec-M9; law-M1; law-M2; law-M4;
 * law-M5.
 *
 * @module
 */
import { compareText, type Digest } from '@assay/kernel';
import type { MemoryPolicy } from './policy.js';
import { listRaw, tagOn, type Shelf, type Tag } from './shelf.js';
import { LOCAL, toolSpace, type TagName } from './tag.js';
import { decayNano, elapsedUs, NANO, PPM } from './decay.js';
import type { Megram } from './megram.js';

/**
 * What is asked about: the space of an intent, `intent:<slug>`, and the names of the tools a plan may use.
 */
export type RecallQuery = { readonly intent: string; readonly tools: readonly string[] };

/** A tag and what it advises. */
type RecalledTag = TagName & Potentials & { readonly action: Action };

/** A rule. `sigma_ppm` 1,000,000: a best practice; −1,000,000: a constraint. */
type RecalledRule = TagName & {
  readonly id: Digest;
  readonly content: string;
  readonly sigma_ppm: number;
};

/**
 * The answer. Both lists in ascending order of space, entity and id; `left_out`: what the policy's bounds
 * left out.
 */
export type Recall = {
  readonly at_us: number;
  readonly tags: readonly RecalledTag[];
  readonly rules: readonly RecalledRule[];
  /**
   * Where the intent is to be avoided, what is on record against it, the newest first: at most
   * 8 texts (dec-M6).
   */
  readonly failures: readonly string[];
  readonly left_out: { readonly tags: number; readonly rules: number };
};

/** Most tools of a query. */
export const RECALL_TOOLS_MAX = 64;
/** Most recorded failures of an intent that a reader is given. */
const FAILURES_MAX = 8;

/**
 * Reads a memory at a moment. There is a row for the intent's tag and for each tool's, also where nothing is
 * remembered, and one for each target of these tools that advises anything but to ignore it; where there are
 * too many, those with the least attention are left out. Linear in the Megrams under these tags. Source:
 * dec-M4.
 */
export function recallMegrams(
  { policy, shelf }: { readonly policy: MemoryPolicy; readonly shelf: Shelf },
  query: RecallQuery,
  now_us: number,
): Recall {
  const row = ({ space, entity }: TagName, tag: Tag | null): RecalledTag => {
    const potentials = potentialsOfTag(tag, now_us);
    return { space, entity, ...potentials, action: chooseAction(potentials, policy) };
  };
  const spaces = [...new Set(query.tools.slice(0, RECALL_TOOLS_MAX).map(toolSpace))];
  const asked = [query.intent, ...spaces].map((space) =>
    row({ space, entity: LOCAL }, tagOn(shelf, { space, entity: LOCAL })),
  );
  const below = spaces
    .flatMap((space) =>
      (shelf.get(space)?.sorted() ?? []).flatMap(([entity, tag]) =>
        entity === LOCAL ? [] : [row({ space, entity }, tag)],
      ),
    )
    .filter(({ action }) => action !== 'ignore')
    .toSorted((a, b) => b.attention_nano - a.attention_nano || byTag(a, b));
  const all = [...asked, ...below];
  const tags = all.slice(0, policy.recall_tags_max).toSorted(byTag);
  const rules = tags.flatMap((name) =>
    (tagOn(shelf, name)?.rules ?? []).map(({ content, entity, id, sigma_ppm, space }) => ({
      content,
      entity,
      id,
      sigma_ppm,
      space,
    })),
  );
  const listed = rules
    .toSorted((a, b) => byTag(a, b) || compareText(a.id, b.id))
    .slice(0, policy.recall_rules_max);
  const failures =
    asked[0]?.action === 'avoid' ? listFailures(tagOn(shelf, { space: query.intent, entity: LOCAL })) : [];
  return {
    at_us: now_us,
    tags,
    rules: listed,
    failures,
    left_out: { tags: all.length - tags.length, rules: rules.length - listed.length },
  };
}

function listFailures(tag: Tag | null): readonly string[] {
  const against = tag === null ? [] : listRaw(tag).filter(({ sigma_ppm }) => sigma_ppm < 0);
  return [...new Set(against.toReversed().map(({ content }) => content))].slice(0, FAILURES_MAX);
}

/** Ascending order of tags. */
export function byTag(a: TagName, b: TagName): number {
  return compareText(a.space, b.space) || compareText(a.entity, b.entity);
}

/** Sums in units of 10^-9 of a whole Megram. Not bounded above: 5 · 10^9 is five whole Megrams (dec-M8). */
export type Potentials = { readonly attention_nano: number; readonly decision_nano: number };

/** What a tag advises. Source: 002 §6d. */
export const ACTIONS = ['ignore', 'exploit', 'avoid', 'caution'] as const;
/** One of `ACTIONS`. */
export type Action = (typeof ACTIONS)[number];

/** No potential. */
export const NONE: Potentials = Object.freeze({ attention_nano: 0, decision_nano: 0 });

/**
 * What one Megram adds at a moment: f · exp(−k · Δt), and that times sigma. Both are rounded toward zero,
 * each Megram by itself; so sums of Megrams are sums of integers, in any order (law-M1, law-M5), and no
 * decision is beyond its attention (law-M2).
 */
export function potentialsOfMegram(
  megram: Pick<Megram, 'f_ppm' | 'sigma_ppm' | 'k_ppm_per_day' | 'created_at_us'>,
  now_us: number,
): Potentials {
  const decay = decayNano(megram.k_ppm_per_day, elapsedUs(megram.created_at_us, now_us));
  const attention_nano = Math.floor((megram.f_ppm * decay) / PPM);
  // Adding 0 turns −0 into 0: what is recorded has one zero.
  return { attention_nano, decision_nano: Math.trunc((megram.sigma_ppm * attention_nano) / PPM) + 0 };
}

/** The potentials of some Megrams at a moment. Linear in their number. */
export function computePotentials(megrams: Iterable<Megram>, now_us: number): Potentials {
  let attention_nano = 0;
  let decision_nano = 0;
  for (const megram of megrams) {
    const part = potentialsOfMegram(megram, now_us);
    attention_nano += part.attention_nano;
    decision_nano += part.decision_nano;
  }
  return { attention_nano, decision_nano };
}

/** The potentials of everything under a tag at a moment. */
export function potentialsOfTag(tag: Tag | null, now_us: number): Potentials {
  if (tag === null) return NONE;
  let { attention_nano, decision_nano } = computePotentials(tag.rules, now_us);
  // The chain is walked here and not by a generator: this is what a planner waits for.
  for (let at = tag.raw; at !== null; at = at.older) {
    const part = potentialsOfMegram(at.megram, now_us);
    attention_nano += part.attention_nano;
    decision_nano += part.decision_nano;
  }
  return { attention_nano, decision_nano };
}

/**
 * What potentials advise: below the attention threshold nothing, beyond the decision threshold to exploit or
 * avoid, else caution. Total. Source: dec-M9.
 */
export function chooseAction(
  { attention_nano, decision_nano }: Potentials,
  policy: Pick<MemoryPolicy, 'ignore_below_ppm' | 'act_beyond_ppm'>,
): Action {
  if (attention_nano < convertToNano(policy.ignore_below_ppm)) return 'ignore';
  const beyond = convertToNano(policy.act_beyond_ppm);
  return decision_nano > beyond ? 'exploit' : decision_nano < -beyond ? 'avoid' : 'caution';
}

/** A threshold of the policy in the units of potentials. */
export function convertToNano(ppm: number): number {
  return ppm * (NANO / PPM);
}
