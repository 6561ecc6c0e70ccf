/**
 * The Megram, one atom of experience; and rules in the context graph: what each rests on, which one replaced another,
 * and what brought one down. Raw Megrams are no nodes: there may be a million. Every node is written from what the
 * state holds, so that a continuation, whose graph starts empty, names them anew. Source: ledger format, "Graph"; 002
 * §6a, §6b, §6e; dec-M11, dec-M12, dec-M14, dec-M17.
 */
import {
  type Context,
  nodeIdIn,
  type Decision,
  type EdgeDraftByMachine,
  type Json,
  type NodeDraft,
} from '@assay/kernel';
import {
  digest,
  integer,
  list,
  nullable,
  oneOf,
  record,
  refined,
  sized,
  type ValueOf,
} from '@assay/kernel/shape';
import { isRate, PPM } from './decay.js';
import { MEGRAM_STATES } from './quantization.js';
import { CONTENT_UNITS_MAX, type TagName } from './tag.js';
import type { MemoryPolicy } from './policy.js';

/**
 * The layers that are kept. M: raw; K: what was a rule; C: rules. T, the persona, is no data of a memory here
 * (Phase 2).
 */
export const LEVELS = ['M', 'K', 'C'] as const;
/** Most sources listed by id. */
export const SOURCES_MAX = 1_000;

/** Far above any sequence of a ledger (10^12 records). */
const SEQUENCE_MAX = 1_000_000_000_000;
/** Shape of a sequence. */
export const SEQUENCE = integer(0, SEQUENCE_MAX);

const RATE = refined(integer(0), (rate) => (isRate(rate) ? null : ''));
/** The fields of a Megram beside its tag, each by its shape. */
export const MEGRAM_FIELDS = {
  id: digest,
  level: oneOf(LEVELS),
  sequence: SEQUENCE,
  created_at_us: integer(0),
  /** When a reader last got this rule; null before. Bookkeeping: it changes no potential (dec-M7). */
  last_recalled_at_us: nullable(integer(0)),
  content: sized(0, CONTENT_UNITS_MAX),
  f_ppm: integer(0, PPM),
  k_ppm_per_day: RATE,
  sigma_ppm: integer(-PPM, PPM),
  state: oneOf(MEGRAM_STATES),
  sources: list(digest, ({ length }) => length <= SOURCES_MAX, { max: SOURCES_MAX }),
  source_count: integer(0, SEQUENCE_MAX),
  upto: SEQUENCE,
};
/** A Megram as it stands under its tag, which says its space and entity. */
export const MEGRAM = record(MEGRAM_FIELDS);

/**
 * A Megram. Times are microseconds of the recorded clock. `sequence`: of the decision that wrote it, which
 * answers the proposal that asked for it. `sources`: the Megrams it was made of, the newest
 * 1,000 of `source_count`. `upto`: for a rule, the sequence up to which evidence was used up by
 * it.
 */
export type Megram = TagName & ValueOf<typeof MEGRAM>;

/**
 * A Megram with its id: the hash of what it says, where it says it and where in the ledger it stands. Source:
 * dec-M17.
 */
export function megramAt(
  context: Context,
  index: number,
  said: Omit<Megram, 'id' | 'sequence' | 'last_recalled_at_us'>,
): Megram {
  const { run_id, sequence } = context;
  const id = context.hash({ t: 'megram', run_id, sequence, index, body: said });
  return { ...said, id, sequence, last_recalled_at_us: null };
}

/** What a decision adds to the graph. */
type MemoryGraph = NonNullable<Decision['graph']>;

/** The memory itself: what every rule rests on. */
export function seedNode(policy: MemoryPolicy): NodeDraft {
  return { kind: 'seed', payload: { memory: policy } };
}

/** A promoted rule, a claim that rests on the memory, and refines the one it replaces. */
export function promotionGraph(
  context: Context,
  policy: MemoryPolicy,
  rule: Megram,
  replaced: Megram | null,
): MemoryGraph {
  const seed = seedNode(policy);
  const claim = ruleNode(rule);
  const nodes = [seed, ...(replaced === null ? [] : [ruleNode(replaced)]), claim];
  const refines: readonly EdgeDraftByMachine[] =
    replaced === null
      ? []
      : [
          {
            kind: 'refines',
            from_id: deriveId(context, claim),
            to_id: deriveId(context, ruleNode(replaced)),
          },
        ];
  return {
    nodes,
    edges: [
      { kind: 'depends_on', from_id: deriveId(context, claim), to_id: deriveId(context, seed) },
      ...refines,
    ],
  };
}

/** Rules that were demoted: for each a decision that contradicts it. */
export function demotionGraph(
  context: Context,
  demoted: readonly { readonly rule: Megram; readonly others_nano: number }[],
): MemoryGraph {
  const pairs = demoted.map(({ others_nano, rule }) => {
    const payload: Json = { demoted: rule.id, others_nano };
    return { claim: ruleNode(rule), decision: { kind: 'decision', payload } as const };
  });
  return {
    nodes: pairs.flatMap(({ claim, decision }) => [claim, decision]),
    edges: pairs.map(({ claim, decision }) => ({
      kind: 'contradicts',
      from_id: deriveId(context, decision),
      to_id: deriveId(context, claim),
    })),
  };
}

function ruleNode({ content, entity, id, sigma_ppm, space }: Megram): NodeDraft {
  return { kind: 'claim', payload: { content, entity, rule: id, sigma_ppm, space } };
}

function deriveId(context: Context, { kind, payload }: NodeDraft): EdgeDraftByMachine['from_id'] {
  return nodeIdIn(context, kind, payload);
}
