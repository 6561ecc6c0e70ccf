/**
 * Where a negation forbids nothing: in what is given as a reason (`so the disk does not fill up`), and where
 * it is undone at once (`not fail to`, `no longer forbidden`, `not required`), and where a limit must not be
 * passed (`a maximum of 5 must not be exceeded`). Source: intent I10 (coverage, grounding).
 */
import { isNegator } from './salient.js';
import type { Quote, SeedText } from './seed.js';
import type { Token } from './tokens.js';

const REASONS: ReadonlySet<string> = new Set('because lest'.split(' '));
/**
 * Behind `so` an order or a demand may stand as well: `so do not open it`, `so it must not run`; behind a
 * comma what follows from a demand.
 */
const ORDERING: ReadonlySet<string> = new Set(
  "do don't please never not no avoid must shall may should".split(' '),
);
const FAILING: ReadonlySet<string> = new Set(
  'fail forget omit neglect hesitate forbidden prohibited banned'.split(' '),
);
/** What must not be done to a limit: it is demanded that the limit holds. */
const PASSING: ReadonlySet<string> = new Set('exceed exceeded surpass surpassed overrun undercut'.split(' '));
const SINKING: ReadonlySet<string> = new Set('fall fallen drop dropped go sink'.split(' '));
const NEEDED: ReadonlySet<string> = new Set(
  'required necessary needed obliged need needs have has'.split(' '),
);
const REASON_TOKENS_MAX = 64;
const MARKS = ',;:()–—';

/** The idle stretches of some sentences, by place. Linear. */
export function findIdle(seed: SeedText, sentences: readonly (readonly Token[])[]): readonly Quote[] {
  return sentences.flatMap((tokens) => {
    const found: Quote[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const last = endOfReason(tokens, at) ?? endOfUndone(tokens, at);
      if (last === null) continue;
      found.push(seed.quote(tokens[at]?.start ?? 0, tokens[last]?.end ?? 0));
      at = last;
    }
    return found;
  });
}

/** The last token of a reason that opens here, or null. It ends with its piece, or after 64 tokens. */
function endOfReason(tokens: readonly Token[], at: number): number | null {
  const [word = '', after = ''] = [tokens[at]?.lower, tokens[at + 1]?.lower];
  const isResult = word === 'so' && after !== 'that';
  if (
    (isResult && (tokens[at - 1]?.kind !== 'word' || ORDERING.has(after))) ||
    (!REASONS.has(word) && word !== 'so' && `${word} ${after}` !== 'in order')
  )
    return null;
  let last = at;
  for (
    let next = at + 1;
    next < Math.min(tokens.length, at + REASON_TOKENS_MAX) && !MARKS.includes(tokens[next]?.lower ?? ' ');
    next += 1
  ) {
    if (isResult && MODALS.has(tokens[next]?.lower ?? '')) return null;
    last = next;
  }
  return last;
}

const MODALS: ReadonlySet<string> = new Set('must shall may should'.split(' '));

/** The last token that undoes the negator here, or null: `must not be required` undoes nothing. */
function endOfUndone(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  if (token?.lower === 'need' && tokens[at + 1]?.lower === 'not') return at + 1;
  if (token === undefined || !isNegator(token)) return null;
  if (token.lower.startsWith('need')) return at;
  const next = ['longer', 'one', 'be'].includes(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1;
  const word = tokens[next]?.lower ?? '';
  if (FAILING.has(word) || PASSING.has(word)) return next;
  // `Nobody may fail to report`, `no more often than`.
  for (let ahead = at + 2; ahead < at + 5; ahead += 1)
    if (FAILING.has(tokens[ahead]?.lower ?? '') && tokens[ahead + 1]?.lower === 'to') return ahead;
  if (/^(more|less)$|er$/.test(tokens[at + 1]?.lower ?? ''))
    for (const ahead of [at + 2, at + 3]) if (tokens[ahead]?.lower === 'than') return ahead;
  if (SINKING.has(word) && ['below', 'under'].includes(tokens[next + 1]?.lower ?? '')) return next;
  if (!NEEDED.has(word) || tokens[at + 1]?.lower === 'be' || MODALS.has(tokens[at - 1]?.lower ?? ''))
    return null;
  return word.endsWith('d') || word === 'necessary'
    ? next
    : tokens[next + 1]?.lower === 'to'
      ? next + 1
      : null;
}
