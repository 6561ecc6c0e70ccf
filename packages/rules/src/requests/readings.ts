/**
 * Readings of a text: one for each way to take what it leaves open. Source: intent I5, I6, I20.
 *
 * @module
 */
import { admit, orThrow } from '@assay/kernel';
import {
  listCommitments,
  findContradictions,
  INTERPRETATION_LIMITS,
  findQuestionClass,
  READING_LIMITS,
  renderAtom,
  type Atom,
  type Claim,
  type Interpretation,
  type SeedText,
} from '@assay/kernel/intent';

/** A claim that another way to read its words would state otherwise. */
export type Choice = {
  readonly kind: 'bound' | 'scope' | 'attachment';
  readonly place: number;
  readonly claim: Claim;
};

type Draft = readonly [name: string, claims: readonly Claim[], assumptions: readonly string[]];

const NAMED_MAX = 24;

/**
 * `literal` always; `keep-first` and `keep-second` where two demands contradict each other; `essential`
 * without wishes and permissions; `strict` without numbers the text calls approximate; `alt-<kind>` for each
 * sort of choice. Equal sets of commitments are given once.
 */
export function readingsOf(
  claims: readonly Claim[],
  choices: readonly Choice[],
  seed: SeedText,
): readonly Interpretation[] {
  const known = new Set<string>();
  return draftsOf(claims, choices, seed).flatMap(([name, kept, assumptions]) => {
    const key = orThrow(admit(listCommitments(kept, seed))).text;
    if (kept.length === 0 || known.has(key)) return [];
    known.add(key);
    return [
      {
        name: name.slice(0, INTERPRETATION_LIMITS.nameUnits),
        assumptions: assumptions.slice(0, READING_LIMITS.assumptions),
        intent_summary: summaryOf(kept),
        commits: kept,
        contradictions: [],
        aliases: [],
      },
    ];
  });
}

function draftsOf(claims: readonly Claim[], choices: readonly Choice[], seed: SeedText): readonly Draft[] {
  const assumed = assumptionsOf(claims, seed);
  const drafts: Draft[] = [['literal', claims, assumed]];
  const contrary = findContradictions(claims, seed);
  if (contrary.length > 0) {
    for (const [side, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const dropped = new Set(contrary.map((found) => found[other]));
      const kept = claims.filter(
        (claim, place) => !dropped.has(place) && findQuestionClass(claim) !== 'conflict',
      );
      const choice = claims[contrary[0]?.[side] ?? 0]?.atom ?? null;
      drafts.push([
        `${side === 'a' ? 'keep-first' : 'keep-second'}${stated(choice)}`,
        kept,
        [
          ...assumed,
          side === 'a'
            ? 'Earlier statement prevails; its later opposite is dropped.'
            : 'Later statement prevails; its earlier opposite is dropped.',
        ],
      ]);
    }
  }
  const binding = claims.filter(
    ({ modality, kind }) => kind === 'question' || modality === 'must' || modality === 'must_not',
  );
  drafts.push([
    'essential',
    binding,
    [...assumptionsOf(binding, seed), 'Wishes and permissions do not bind.'],
  ]);
  const approximate = new Set(choices.filter(({ kind }) => kind === 'bound').map(({ place }) => place));
  drafts.push([
    'strict',
    claims.map((claim, place) => (approximate.has(place) ? { ...claim, atom: null } : claim)),
    [...assumed, 'Approximate figures bind nobody.'],
  ]);
  for (const kind of ['bound', 'attachment', 'scope'] as const) {
    const own = new Map(
      choices.filter((choice) => choice.kind === kind).map(({ place, claim }) => [place, claim] as const),
    );
    const [first] = own.values();
    drafts.push([
      `alt-${kind}${kind === 'scope' ? '' : stated(first?.atom ?? null)}`,
      claims.map((claim, place) => own.get(place) ?? claim),
      [...assumed, ASSUMED[kind]],
    ]);
  }
  return drafts;
}

const ASSUMED: Readonly<Record<Choice['kind'], string>> = {
  bound: 'Approximate figures count as upper limits.',
  attachment: 'Limits hold for everything together, not for each piece.',
  scope: 'The limitation behind the last act reaches every act before it.',
};

/** What a reading leaves open, named by the words that do. */
function assumptionsOf(claims: readonly Claim[], seed: SeedText): readonly string[] {
  const words = claims.flatMap((claim) =>
    findQuestionClass(claim) === 'vague' && claim.quote !== null ? [seed.slice(claim.quote)] : [],
  );
  return [
    ...new Set(words.map((word) => `“${word}” stays unmeasured: threshold pending clarification.`)),
  ].slice(0, NAMED_MAX);
}

/** The value a choice turns on, for the name: ` retention=30d`. */
function stated(atom: Atom | null): string {
  if (atom === null) return '';
  const measure = atom.key.slice(atom.key.lastIndexOf('.') + 1);
  return ` ${renderAtom({ ...atom, key: measure })
    .replaceAll(' ', '')
    .replace('==', '=')}`;
}

/** Counts in fixed words: the rules write no prose of their own. */
function summaryOf(claims: readonly Claim[]): string {
  const count = (modality: Claim['modality']): number =>
    claims.filter((claim) => claim.kind !== 'question' && claim.modality === modality).length;
  const asked = claims.filter(({ kind }) => kind === 'question').length;
  return (
    `must ${count('must')}, must_not ${count('must_not')}, should ${count('should')}, may ` +
    `${count('may')}, open questions ${asked}`
  );
}
