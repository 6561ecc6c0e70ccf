/**
 * How often something happens: `at least every 30 minutes` bounds the time between, from the other side.
 *
 * @module
 */
import type { Op, Quantity, Scan } from '@assay/kernel/intent';
import { joined, wordAt } from './words.js';

/** Words before `every`, and what they make of the time between. */
const BEFORE: readonly (readonly [string, Op])[] = [
  ['no more often than', '>='],
  ['not more often than', '>='],
  ['no more frequently than', '>='],
  ['never more often than', '>='],
  ['no less often than', '<='],
  ['not less often than', '<='],
  ['no less frequently than', '<='],
  ['more often than', '<'],
  ['more frequently than', '<'],
  ['less often than', '>'],
  ['less frequently than', '>'],
  ['at the very least', '<='],
  ['at least', '<='],
  ['at most', '>='],
  ['at the most', '>='],
  ['no more than', '>='],
  ['not more than', '>='],
  ['no less than', '<='],
  ['not less than', '<='],
  ['a minimum of', '<='],
  ['a maximum of', '>='],
];

/**
 * The bound on the time between two acts (`at least every 30 minutes` is at most 30 minutes), `open` where
 * the words count more than one act, or null where nothing bounds how often.
 */
export function paceOf(
  { tokens }: Pick<Scan, 'tokens'>,
  { first, at, next, op }: Quantity,
): Op | 'open' | null {
  if (wordAt(tokens, first - 1) !== 'every' && !(wordAt(tokens, at - 1) === 'every')) return null;
  const every = wordAt(tokens, first - 1) === 'every' ? first - 1 : at - 1;
  const isOnce = wordAt(tokens, every - 1) === 'once';
  if (['twice', 'times'].includes(wordAt(tokens, every - 1))) return 'open';
  const found = BEFORE.find(
    ([words]) =>
      joined(tokens, every - words.split(' ').length - (isOnce ? 1 : 0), every - (isOnce ? 1 : 0)) === words,
  );
  if (found !== undefined) return found[1];
  if (op === '=' || first !== at) return null;
  // `every 15 minutes at least`, `every 3 days or more often`; `every 3 days or more` may mean either.
  const isCounted = wordAt(tokens, next - 2) === 'at';
  if (isCounted || ['often', 'frequently'].includes(wordAt(tokens, next))) return op === '>=' ? '<=' : '>=';
  return 'open';
}
