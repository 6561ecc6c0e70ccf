/**
 * What comes back from a memory before planning, as the planner's side reads it: numbers and actions, never a
 * text for a prompt. Source: 002 "Memory Calibration Protocol"; dec-M4, dec-M6.
 */
import { closed, digest, integer, oneOf, sized, type Shape } from '@assay/kernel/shape';
import { upTo } from './criteria.js';
import type { Recall } from '../memory/recall.js';
import { ACTIONS } from '../memory/potentials.js';
import { CONTENT_UNITS_MAX, TAG_NAME } from '../memory/tag.js';

/** Most tags, rules or failures in one answer. */
const RECALL_MAX = 1_024;
/** Nothing is remembered, or no memory was asked. */
export const NO_RECALL: Recall = Object.freeze({
  at_us: 0,
  tags: Object.freeze([]),
  rules: Object.freeze([]),
  failures: Object.freeze([]),
  left_out: Object.freeze({ tags: 0, rules: 0 }),
});

const content = sized(0, CONTENT_UNITS_MAX);
const few = <T>(item: Shape<T>): Shape<readonly T[]> => upTo(RECALL_MAX, item);

/** Shape of a `Recall`. */
export const RECALL: Shape<Recall> = closed({
  at_us: integer(0),
  tags: few(
    closed({
      ...TAG_NAME,
      attention_nano: integer(0),
      decision_nano: integer(Number.MIN_SAFE_INTEGER),
      action: oneOf(ACTIONS),
    }),
  ),
  rules: few(closed({ ...TAG_NAME, id: digest, content, sigma_ppm: integer(-1_000_000, 1_000_000) })),
  failures: few(content),
  left_out: closed({ tags: integer(0), rules: integer(0) }),
});
