/**
 * What a planner reads: the tags of an intent and of the tools it may use, with what each advises, and the
 * rules there. A pure reading; that it happened is an event of its own. Source: 002 §R2 "Memory Calibration
 * Protocol", §6g QueryC and QueryMK; dec-M4, dec-M7.
 */
import { compareText, type Digest } from '@assay/kernel';
import type { Action, Potentials } from './potentials.js';
import { chooseAction, potentialsOfTag } from './potentials.js';
import type { MemoryPolicy } from './policy.js';
import { listRaw, tagOn, type Shelf, type Tag } from './shelf.js';
import { byTag, LOCAL, toolSpace, type TagName } from './tag.js';

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
