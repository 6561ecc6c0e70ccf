/**
 * The Megram: one atom of experience. Source: 002 §6a, §6b; dec-M11, dec-M12, dec-M14, dec-M17.
 *
 * @module
 */
import type { Context, Digest } from '@assay/kernel';
import type { MegramState, Quantity } from './quantization.js';
import type { TagName } from './tag.js';

/**
 * The layers that are kept. M: raw; K: what was a rule; C: rules. T, the persona, is no data of a memory here
 * (Phase 2).
 */
export const LEVELS = ['M', 'K', 'C'] as const;
/** One of {@link LEVELS}. */
export type Level = (typeof LEVELS)[number];

/**
 * A Megram. Times are microseconds of the recorded clock. `sequence`: of the decision that wrote it, which
 * answers the proposal that asked for it. `sources`: the Megrams it was made of, the newest
 * 1,000 of `source_count`. `upto`: for a rule, the sequence up to which evidence was used up by
 * it.
 */
export type Megram = TagName &
  Quantity & {
    readonly id: Digest;
    readonly level: Level;
    readonly sequence: number;
    readonly created_at_us: number;
    /** When a reader last got this rule; null before. Bookkeeping: it changes no potential (dec-M7). */
    readonly last_recalled_at_us: number | null;
    readonly content: string;
    readonly state: MegramState;
    readonly sources: readonly Digest[];
    readonly source_count: number;
    readonly upto: number;
  };

/** Most UTF-16 units of a content. */
export const CONTENT_UNITS_MAX = 4_000;
/** Most sources listed by id. */
export const SOURCES_MAX = 1_000;

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
  const {
    content,
    created_at_us,
    entity,
    f_ppm,
    k_ppm_per_day,
    level,
    sigma_ppm,
    source_count,
    sources,
    space,
    state,
    upto,
  } = said;
  const body = {
    content,
    created_at_us,
    entity,
    f_ppm,
    k_ppm_per_day,
    level,
    sigma_ppm,
    source_count,
    sources,
    space,
    state,
    upto,
  };
  return {
    ...body,
    id: context.hash({ t: 'megram', run_id, sequence, index, body }),
    sequence,
    last_recalled_at_us: null,
  };
}
