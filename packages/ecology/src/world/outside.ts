/**
 * Work outside the world: what it may cost at most is held before it is asked for, and what it cost is charged. The
 * most is charged where nobody knows what it cost. Source: specs/ecology.md B4, B12; 004 L1037, L8361.
 */
import type { Answer, Spent } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import type { Config, Price } from '../config/config.js';
import type { Draft } from './draft.js';
import { computeSpare, headroom, retryAfter, sumUsed } from './holding.js';
import { refused, refusedUntil, type Outcome } from './outcome.js';
import { getAccount, HOLDERS } from './state.js';

/** What is held back: tokens of the windows, and µUSD of the budget. */
export type Bound = { readonly tokens: number; readonly uusd: number };

/** Nothing was held. */
export const NO_BOUND: Bound = Object.freeze({ tokens: 0, uusd: 0 });

/** The price of a model or tool, `default` where the config names none. */
export function findPrice({ resources: { models } }: Config, name: string): Price {
  return (Object.hasOwn(models, name) ? models[name] : models['default']) as Price;
}

/** What tokens cost in µUSD, input and output each rounded up. */
export function computeCost(
  { in_uusd_per_1k, out_uusd_per_1k }: Price,
  input: number,
  output: number,
): number {
  const part = (tokens: number, price: number): bigint => (BigInt(tokens) * BigInt(price) + 999n) / 1000n;
  return Number(part(input, in_uusd_per_1k) + part(output, out_uusd_per_1k));
}

/** Why so much cannot be held for a payer: its own budget and window, then that of all; null where it can. */
export function refuseBound(draft: Draft, payer: string, { tokens, uusd }: Bound): Outcome | null {
  if (!Number.isSafeInteger(tokens) || !Number.isSafeInteger(uusd))
    return refused('INVALID_ARGS', 'the call is too large');
  if (computeSpare(draft, payer, 'llm_budget') < uusd)
    return refused('BUDGET_EXHAUSTED', 'the budget holds less than this may cost', { uusd });
  if (headroom(draft, payer, 'llm_rate') >= tokens) return null;
  return refusedUntil(
    'INSUFFICIENT_COMPUTE',
    'too few tokens are left in the window',
    retryAfter(draft, payer, 'llm_rate', tokens),
    'llm_rate',
  );
}

/** What was asked outside: at which price, how many units of it, and what is held for it. */
type Asked = { readonly price: Price; readonly units: number; readonly held: Bound };

/**
 * What an answer, or the last failure, cost: lost or late, all that was held; too many calls, the rate alone; else as
 * it is told.
 */
export function computeCharge<I>({ input, spent }: Pick<Answer<I>, 'input' | 'spent'>, asked: Asked): Bound {
  const { price, units, held } = asked;
  const [read, written] = [countUnits(spent, 'input_tokens'), countUnits(spent, 'output_tokens')];
  const failure = input._tag === 'Left' ? input.left : null;
  const isUnknown = failure?.code === 'lost' || failure?.code === 'timeout';
  const isLimited = readField(failure?.detail ?? null, 'class') === 'rate_limited';
  const fee = failure === null || failure.code === 'malformed' ? price.call_uusd * units : 0;
  const uusd = Math.max(
    computeCost(price, read, written) + fee,
    countUnits(spent, 'usd_micros'),
    isUnknown ? held.uusd : 0,
  );
  return {
    tokens: Math.max(read + written, isUnknown || isLimited ? held.tokens : 0),
    uusd: Math.min(uusd, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * Records a cost as it was, whoever estimated less: tokens in the window of the payer and of all, money out of its
 * budget as far as that goes, which is returned. More than there was is said by an event. The hold is released before.
 */
export function charge(draft: Draft, payer: string, { tokens, uusd }: Bound): number {
  const room = getAccount(draft.state, payer).amounts.llm_rate - sumUsed(draft.state, payer, 'llm_rate');
  const paid = Math.min(uusd, Math.max(0, computeSpare(draft, payer, 'llm_budget')));
  if (tokens > 0) draft.emit({ t: 'use', a: payer, r: 'llm_rate', x: tokens });
  if (tokens > Math.max(room, 0))
    draft.emit({ t: 'over', a: payer, r: 'llm_rate', x: tokens - Math.max(room, 0) });
  if (paid > 0) draft.emit({ t: 'mv', r: 'llm_budget', f: payer, o: HOLDERS.spent, x: paid });
  if (uusd > paid) draft.emit({ t: 'over', a: payer, r: 'llm_budget', x: uusd - paid });
  return paid;
}

/** Nobody uses more at once; sums of windows then stay exact. */
const UNITS_MAX = 1_000_000_000_000;

function countUnits(spent: Spent, unit: string): number {
  return Math.min(Object.hasOwn(spent, unit) ? (spent[unit] ?? 0) : 0, UNITS_MAX);
}
