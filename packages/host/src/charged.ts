/**
 * Proposals with what their attempt is charged beside what it told: for calls that were lost, and for what
 * nobody told of.
 *
 * @module
 */
import type { Json, JsonObject, Run, Spent } from '@assay/kernel';
import { sumOf, type Charges } from './budget.js';
import { objectIn, ownValue } from './foreign.js';

/** A proposal as it may be recorded. `isShort`: without a charge it ought to have. */
export type Charged = { readonly proposal: unknown; readonly isShort: boolean };

/**
 * A proposal in the ways it may be recorded, in the order to be tried: with its charges, then as it is told
 * but for a provenance that says what is not charged, then as it is. The kernel can refuse a proposal for its
 * charges alone: its size, or an amount. A sum for the whole request that no exact integer holds is held at
 * the greatest one.
 */
export function chargedProposals<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  requestId: string,
  proposal: unknown,
  charges: Charges,
): readonly Charged[] {
  const { lost, calls, untold } = charges;
  const [whole, spent, provenance] = [
    objectIn(proposal),
    objectIn(ownValue(proposal, 'spent')),
    objectIn(ownValue(proposal, 'provenance')),
  ];
  const asItIs = { proposal, isShort: !isUncharged(charges) };
  if (isUncharged(charges) || whole === null || spent === null || provenance === null) return [asItIs];
  const saying = (word: string): JsonObject => ({
    ...provenance,
    ...(isEmpty(lost) ? {} : { lost_calls: calls, [`lost_${word}`]: lost }),
    ...(isEmpty(untold) ? {} : { [`untold_${word}`]: untold }),
  });
  const before = run.open.get(requestId)?.spent ?? {};
  return [
    {
      proposal: {
        ...whole,
        spent: added(spent, sumOf([lost, untold]), before),
        provenance: saying('charged'),
      },
      isShort: false,
    },
    { proposal: { ...whole, provenance: saying('uncharged') }, isShort: true },
    asItIs,
  ];
}

/** Whether there is nothing to charge. */
export function isUncharged({ lost, untold }: Charges): boolean {
  return isEmpty(lost) && isEmpty(untold);
}

function isEmpty(spent: Spent): boolean {
  return Object.keys(spent).length === 0;
}

/** More of each unit, as far as the sum with what the request cost `before` is an exact integer. */
function added(all: JsonObject, more: Spent, before: Spent): JsonObject {
  const sum: Record<string, Json> = { ...all };
  for (const [unit, amount] of Object.entries(more)) {
    const told = Object.hasOwn(sum, unit) ? (sum[unit] ?? 0) : 0;
    // What is no amount stays, for the kernel to refuse.
    if (typeof told !== 'number') continue;
    const left = Number.MAX_SAFE_INTEGER - told - (Object.hasOwn(before, unit) ? (before[unit] ?? 0) : 0);
    sum[unit] = told + Math.min(amount, Math.max(0, left));
  }
  return sum;
}
