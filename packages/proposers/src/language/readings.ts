/**
 * Readings of a text: all that it says, and what is left where it contradicts itself or only wishes. Source: intent I5,
 * I6.
 *
 * @module
 */
import { admit, orThrow } from '@assay/kernel';
import {
  listCommitments,
  findContradictions,
  MODALITIES,
  NO_SCOPE,
  QUESTION_KEY,
  READING_LIMITS,
  findQuestionClass,
  type Claim,
  type Interpretation,
  type SeedText,
} from '@assay/kernel/intent';

const NAMED_MAX = 24;

/**
 * `literal` always; `keep-first` and `keep-second` where demands contradict each other; `essential` without wishes and
 * leaves. Equal sets of commitments are given once.
 */
export function makeReadings(claims: readonly Claim[], seed: SeedText): readonly Interpretation[] {
  const vague = claims.flatMap((claim) =>
    findQuestionClass(claim) === 'vague' && claim.quote !== null ? [seed.slice(claim.quote)] : [],
  );
  const words = [...new Set(vague)].slice(0, NAMED_MAX);
  const assumed = words.map((word) => `“${word}” stays unmeasured: threshold pending clarification.`);
  const contrary = findContradictions(claims, seed);
  const later = [...new Set(contrary.map(({ b }) => b))].slice(0, READING_LIMITS.commits - claims.length);
  const conflicts = later.flatMap((b) => makeQuestion(claims[b]?.quote ?? null, 'conflict', 'must'));
  const all = [...claims, ...conflicts];
  const keeping = (side: 'a' | 'b'): Draft => {
    const dropped = new Set(contrary.map((found) => found[side === 'a' ? 'b' : 'a']));
    const kept = claims.filter((_, at) => !dropped.has(at));
    const [name, first, second] =
      side === 'a' ? ['keep-first', 'Earlier', 'later'] : ['keep-second', 'Later', 'earlier'];
    return [name, kept, [...assumed, `${first} statement prevails; its ${second} opposite is dropped.`]];
  };
  const binding = all.filter(({ kind, modality }) => kind === 'question' || modality.startsWith('must'));
  const drafts: readonly Draft[] = [
    ['literal', all, assumed],
    ...(contrary.length === 0 ? [] : [keeping('a'), keeping('b')]),
    ['essential', binding, [...assumed, 'Wishes and permissions do not bind.']],
  ];
  const known = new Set<string>();
  return drafts.flatMap(([name, commits, assumptions]): readonly Interpretation[] => {
    const key = orThrow(admit(listCommitments(commits, seed))).text;
    if (commits.length === 0 || known.has(key)) return [];
    known.add(key);
    const intent_summary = summarize(commits);
    return [{ name, assumptions, intent_summary, commits, contradictions: [], aliases: [] }];
  });
}

type Draft = readonly [name: string, commits: readonly Claim[], assumptions: readonly string[]];

/** Counts in fixed words: the rules write no prose of their own. */
function summarize(claims: readonly Claim[]): string {
  const asked = claims.filter(({ kind }) => kind === 'question').length;
  const counts = MODALITIES.map((modality) => {
    const found = claims.filter((claim) => claim.kind !== 'question' && claim.modality === modality);
    return `${modality} ${found.length}, `;
  });
  return `${counts.join('')}open questions ${asked}`;
}

/** A question about words of the text. */
export function makeQuestion(quote: Claim['quote'], about: string, modality: Claim['modality']): Claim {
  const atom = { key: QUESTION_KEY, op: '=', value: about, unit: null } as const;
  return { kind: 'question', modality, quote, atom, scope: NO_SCOPE };
}
