/**
 * The two channels of a tag: attention, the energy there is, and decision, what it prefers.
 * Source: 002 §6d; dec-M7, dec-M8, dec-M9, law-M1, law-M2, law-M4, law-M5.
 */
import { decayNano, elapsedUs, NANO, PPM } from './decay.js';
import type { Megram } from './megram.js';
import type { MemoryPolicy } from './policy.js';
import type { Tag } from './shelf.js';

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
