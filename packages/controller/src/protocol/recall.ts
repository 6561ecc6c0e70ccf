/**
 * What is asked of a memory before planning, and what comes back: numbers, never a text for a prompt. What they mean is
 * decided here (dec-M9). Source: 002 "Memory Calibration Protocol"; dec-M4, dec-M6, dec-M9.
 *
 * @module
 */
import { closed, integer, list, text, type Shape } from '@assay/kernel/shape';

/** Potentials of one tag, in parts per million: attention from 0, decision signed. */
export type TagPotential = { readonly space: string; readonly entity: string; readonly attention_ppm: number; readonly decision_ppm: number };
/** A rule that a memory promoted: `sign` 1 a best practice, -1 a constraint. */
export type RecalledRule = { readonly id: string; readonly space: string; readonly entity: string; readonly content: string; readonly sign: number };
/** What a memory answers: potentials and rules at one time of its own, in microseconds. */
export type Recall = { readonly at_us: number; readonly tags: readonly TagPotential[]; readonly rules: readonly RecalledRule[] };

/** Most tags and most rules in one answer. */
export const RECALL_MAX = 512;
const TAG_MAX = 4_200;
const isTag = (value: string): boolean => value.length <= TAG_MAX;

/** Shape of a {@link Recall}. */
export const RECALL: Shape = closed({
  at_us: integer(0),
  tags: list(closed({ space: text(isTag), entity: text(isTag), attention_ppm: integer(0), decision_ppm: integer(Number.MIN_SAFE_INTEGER) }), (tags) => tags.length <= RECALL_MAX),
  rules: list(closed({ id: text((value) => value.length <= 128), space: text(isTag), entity: text(isTag), content: text((value) => value.length <= 4_000), sign: integer(-1, 1) }), (rules) => rules.length <= RECALL_MAX),
});

/** What the potentials of a tag mean. Source: 002 §6d; dec-M9. */
export type MemoryAction = 'ignore' | 'exploit' | 'avoid' | 'caution';

const ATTENTION_MIN_PPM = 500_000;
const DECISION_EDGE_PPM = 200_000;

/** The action of a tag: attention below 0.5 is ignored; beyond ±0.2 the decision speaks; on and between the edges it does not. Source: dec-M9. */
export function memoryAction({ attention_ppm, decision_ppm }: Pick<TagPotential, 'attention_ppm' | 'decision_ppm'>): MemoryAction {
  if (attention_ppm < ATTENTION_MIN_PPM) return 'ignore';
  if (decision_ppm > DECISION_EDGE_PPM) return 'exploit';
  return decision_ppm < -DECISION_EDGE_PPM ? 'avoid' : 'caution';
}
