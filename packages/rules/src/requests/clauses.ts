/**
 * Clauses of a sentence: one for each thing that is said, with the condition and the exception that limit it.
 *
 * @module
 */
import type { Scan, Token } from '@assay/kernel/intent';
import { REMOVING } from './acts.js';
import { cutAt, isTelling, JOINTS, leftOf, OWN_CONDITIONS, type Opens } from './cuts.js';
import { leadingOf, trailingOf } from './leading.js';
import { findFinite, isOrderAt, type Finite } from './predicates.js';
import { isPickedOut, type Sentence } from './sentences.js';
import { isCovered, spanFrom, spansWithin, type Span } from './spans.js';
import { lemmaOf } from './verbs.js';
import { findPhrase, phraseAt, wordAt } from './words.js';

/**
 * A clause: all of its tokens, its core without condition and exception, and these. `leads`: the condition
 * stands before the core. `finite`: its verb. `opens`: how it follows the clause before: `main` on its own,
 * `verb` with the subject of that one, `amount` as a further amount of it. `isListed`: one of comma parts
 * without a verb.
 */
export type Clause = Span & {
  readonly core: Span;
  readonly condition: Span | null;
  readonly exception: Span | null;
  readonly actor: Span | null;
  readonly leads: boolean;
  readonly finite: Finite | null;
  readonly opens: Opens;
  readonly isListed: boolean;
  /**
   * Where the words begin that pick out what the clause speaks of, where these stand in front of it
   * (`Bags over 23 kg: refuse`).
   */
  readonly front?: number;
};

type Part = Span & { readonly opens: Opens };

/** The bound by which something is picked out: the noun stays in the words of the clause. */
function boundOf({ quantities }: Scan, { first, next }: Span): Span {
  return { first: spansWithin(quantities, { first, next }).at(-1)?.first ?? first, next };
}

/** What a dash or an arrow sets against a noun with its bound: a refusal, or what is to be done. */
function isRefusalOf(scan: Scan, part: Part, behind: Part): boolean {
  const { tokens } = scan;
  if (!SIGNS.has(wordAt(tokens, part.next)) || !isPickedOut(scan, part)) return false;
  if (['→', '⇒'].includes(wordAt(tokens, part.next))) return true;
  if (findFinite(scan, part.first, part.next) !== null || isOrderAt(scan, part.first, part.next))
    return false;
  return (
    ['no', 'not', 'never', 'nobody', 'nothing'].includes(wordAt(tokens, behind.first)) ||
    REMOVING.has(lemmaOf(wordAt(tokens, behind.first))) ||
    phraseAt('forbidden', tokens, behind.first, behind.next) > 0 ||
    isOrderAt(scan, behind.first, behind.next)
  );
}

const SIGNS: ReadonlySet<string> = new Set(['-', '–', '—', '→', '⇒', ':']);

/** The clauses of a sentence, in order. */
export function clausesOf(scan: Scan, sentence: Sentence): readonly Clause[] {
  const { tokens } = scan;
  const before = leadingOf(scan, sentence);
  const { premise } = sentence;
  const leading =
    premise === undefined ? before : { ...before, condition: before.condition ?? boundOf(scan, premise) };
  const body = withoutAside(scan, { first: leading.next, next: sentence.next });
  const isListed = isFragmentList(scan, body);
  const parts = isListed ? fragments(scan, body) : split(scan, body);
  let [current, start] = [leading, 0];
  let front = premise?.first;
  return parts
    .flatMap((part, index): readonly Clause[] => {
      // `Dogs heavier than 15 kg - no entry`: of which things the next part says something.
      const behind = parts[index + 1];
      if (behind !== undefined && isRefusalOf(scan, part, behind)) {
        [current, start, front] = [{ ...current, condition: boundOf(scan, part) }, index + 1, part.first];
        return [];
      }
      const own =
        index > 0 &&
        part.opens === 'main' &&
        (OWN_CONDITIONS.has(wordAt(tokens, part.first)) ||
          phraseAt('leading', tokens, part.first, part.next) > 1)
          ? leadingOf(scan, part)
          : null;
      if (own !== null && own.next > part.first && own.next < part.next) [current, start] = [own, index];
      const clause = limited(
        scan,
        start === index && index > 0 && own !== null ? { ...part, first: current.next } : part,
        current,
        index === start || part.opens !== 'main' || !isOwn(tokens, part),
        isListed,
      );
      const picked = front;
      front = undefined;
      return [picked === undefined ? clause : { ...clause, front: picked }];
    })
    .filter(({ core }) => core.next > core.first);
}

/**
 * A later clause of its own does not share the condition in front where it brings a subject after `but` or a
 * full joint; commas and `and` share it.
 */
function isOwn(tokens: readonly Token[], { first }: Span): boolean {
  return (
    wordAt(tokens, first - 1) === 'but' ||
    wordAt(tokens, first - 1) === '–' ||
    wordAt(tokens, first - 1) === '—'
  );
}

/** Cut before an aside in parentheses that says something of its own at the end of a sentence. */
function withoutAside(scan: Scan, { first, next }: Span): Span {
  const { tokens } = scan;
  if (wordAt(tokens, next - 1) !== ')') return { first, next };
  for (let at = next - 2; at > first && at > next - 40; at -= 1) {
    if (wordAt(tokens, at) !== '(') continue;
    const isAside =
      findFinite(scan, at + 1, next - 1) !== null ||
      spansWithin(scan.quantities, { first: at + 1, next: next - 1 }).length === 0;
    return isAside ? { first, next: at } : { first, next };
  }
  return { first, next };
}

/**
 * `CSV under 50 MB per file, invoices of 2024, no customer names`: comma parts without a verb, most of which
 * tell something.
 */
function isFragmentList(scan: Scan, body: Span): boolean {
  if (
    findFinite(scan, body.first, body.next) !== null ||
    isOrderAt(scan, body.first, body.next) ||
    wordAt(scan.tokens, body.first) === 'please'
  )
    return false;
  const parts = fragments(scan, body);
  const telling = parts.filter((part) => isTelling(scan, part)).length;
  return parts.length > 1 && telling * 2 >= parts.length;
}

function fragments(scan: Scan, { first, next }: Span): readonly Part[] {
  const { tokens } = scan;
  const parts: Part[] = [];
  let from = first;
  for (let at = first; at <= next; at += 1) {
    const word = wordAt(tokens, at);
    const isComma =
      (word === ',' || word === '·' || word === '|') &&
      (!CONTINUING.has(wordAt(tokens, at + 1)) || spanFrom(scan.quantities, at)?.first === at + 1) &&
      !isReservation(tokens, at + 1, next);
    const isWindow = isCovered(scan.moments, at - 1) && isCovered(scan.moments, at + 1);
    const isJoint =
      (word === 'and' || word === 'but') &&
      !isWindow &&
      !isCovered(scan.quantities, at) &&
      isTelling(scan, { first: at + 1, next: Math.min(next, at + 4) }) &&
      at > from &&
      isTelling(scan, { first: from, next: at });
    if (at < next && !isComma && !isJoint) continue;
    const part = trimmed(tokens, { first: from, next: at });
    if (part.next > part.first) parts.push({ ...part, opens: 'main' });
    from = at + 1;
  }
  return parts;
}

const CONTINUING: ReadonlySet<string> = new Set([
  'at',
  'on',
  'of',
  'to',
  'which',
  'who',
  'where',
  'or',
  'including',
  'excluding',
  'ideally',
  'preferably',
]);

function isReservation(tokens: readonly Token[], at: number, next: number): boolean {
  return phraseAt('exception', tokens, at, next) > 0 || phraseAt('condition', tokens, at, next) > 0;
}

/**
 * Cuts a sentence where something new is said: a verb of its own, a prohibition, a further amount. Linear:
 * each cut looks a few tokens ahead.
 */
function split(scan: Scan, { first, next }: Span): readonly Part[] {
  const { tokens } = scan;
  const parts: Part[] = [];
  let left = leftOf(scan, { first, next }, 'main');
  let at = first;
  while (at < next) {
    const cut = cutAt(scan, left, at, next);
    if (cut === null) {
      at += 1;
      continue;
    }
    const part = trimmed(tokens, { first: left.first, next: at });
    if (part.next > part.first) parts.push({ ...part, opens: left.opens });
    // The comma behind a condition of its own ends no clause.
    const body =
      cut.opens === 'main' && OWN_CONDITIONS.has(wordAt(tokens, cut.first))
        ? leadingOf(scan, { first: cut.first, next }).next
        : cut.first;
    left = { ...leftOf(scan, { first: body, next }, cut.opens), first: cut.first };
    at = Math.max(body, at + 1);
  }
  const rest = trimmed(tokens, { first: left.first, next });
  if (rest.next > rest.first) parts.push({ ...rest, opens: left.opens });
  return parts;
}

/** Without the words and marks that only join. */
function trimmed(tokens: readonly Token[], { first, next }: Span): Span {
  let [from, to] = [first, next];
  while (
    from < to &&
    phraseAt('reason', tokens, from, to) === 0 &&
    (JOINTS.has(wordAt(tokens, from)) ||
      LEADING_MARKS.has(wordAt(tokens, from)) ||
      wordAt(tokens, from) === 'please')
  )
    from += 1;
  while (to > from && TRAILING_MARKS.has(wordAt(tokens, to - 1))) to -= 1;
  return { first: from, next: to };
}

const LEADING_MARKS: ReadonlySet<string> = new Set([',', ':', ')', '–', '—']);
const TRAILING_MARKS: ReadonlySet<string> = new Set([
  ',',
  'please',
  ':',
  '(',
  'and',
  'but',
  'or',
  'so',
  'though',
  '–',
  '—',
  '-',
  'etc',
  'ever',
  'too',
  'either',
  'thanks',
  '.',
  '*',
  'with',
]);

/** Finds the reason, the trailing condition and the exception of a part; the first of them ends the core. */
function limited(
  scan: Scan,
  part: Part,
  leading: ReturnType<typeof leadingOf>,
  isShared: boolean,
  isListed: boolean,
): Clause {
  const { tokens } = scan;
  const reason = findPhrase('reason', tokens, part.first + 1, part.next);
  // `unless the law demands otherwise`: no reason follows.
  const isReason = reason !== null && reason.at + reason.size < part.next;
  const whole = trimmed(tokens, { first: part.first, next: isReason ? reason.at : part.next });
  const { core, condition, exception } = trailingOf(scan, whole, part.opens === 'verb');
  const own = trimmed(tokens, { first: whole.first, next: core });
  const before = isShared ? leading.condition : null;
  return {
    ...whole,
    core: own,
    condition: condition === null ? before : trimmed(tokens, condition),
    exception: exception === null ? (isShared ? leading.exception : null) : trimmed(tokens, exception),
    actor: leading.actor,
    leads: condition === null && before !== null,
    finite: findFinite(scan, own.first, own.next),
    opens: part.opens,
    isListed,
  };
}
