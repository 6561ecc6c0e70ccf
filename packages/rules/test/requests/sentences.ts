/** Annotated sentences (`test/sentences`): reading them, and what the rules make of each. */
import { readdirSync, readFileSync } from 'node:fs';
import {
  isSameAmount,
  questionClassOf,
  readQuantity,
  SeedText,
  type Claim,
  type Decimal,
  type Modality,
  type Op,
} from '@assay/kernel/intent';
import { commitsIn } from './tools.ts';

/** What a demand asks of a number or a moment. `!`-lines have no words. */
type Bound = { readonly op: Op; readonly value: Decimal | string; readonly unit: string | null };
type Expected = {
  readonly modality: Modality;
  readonly bound: Bound | null;
  readonly words: string;
  readonly condition: string;
  readonly exception: string;
};
/** `demands`: each a choice of ways to say it; null: nothing is demanded. */
export type Sentence = {
  readonly text: string;
  readonly demands: readonly (readonly (Expected | 'none' | 'asked')[])[];
  readonly opposites: readonly Expected[];
};
export type Outcome = 'right' | 'asked' | 'lost' | 'wrong' | 'opposite';

const FOLDER = new URL('../sentences/', import.meta.url);
const COMPLEMENT: Readonly<Partial<Record<Op, Op>>> = {
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '=': '!=',
  '!=': '=',
};
const LINE = new RegExp(
  '^(must_not|must|should|may)(?: (<=|>=|!=|<|>|=) (\\S+)(?: (?!if «|except «|«)(\\S+))?)?' +
    '(?: «([^»]+)»)?(?: if «([^»]+)»)?(?: except «([^»]+)»)?$',
);

/** The sentences of a folder by file. */
export function sentencesIn(folder: string): ReadonlyMap<string, readonly Sentence[]> {
  const at = new URL(`${folder}/`, FOLDER);
  return new Map(
    readdirSync(at)
      .sort()
      .map(
        (name) => [name.replace('.txt', ''), parse(readFileSync(new URL(name, at), 'utf8'), name)] as const,
      ),
  );
}

/**
 * What the literal reading of a sentence comes to; the README of the sentences says what each outcome means.
 */
export function outcomeOf({ text, demands, opposites }: Sentence): Outcome {
  const seed = new SeedText(text);
  const claims = commitsIn(text);
  const stated = claims.filter((claim) => questionClassOf(claim) === null);
  const checks = stated.filter(
    ({ atom, modality }) =>
      atom !== null &&
      typeof atom.value !== 'boolean' &&
      (typeof atom.value === 'object' || atom.unit !== null) &&
      modality !== 'may',
  );
  const wanted = demands.flat().filter((one) => typeof one === 'object');
  const isWanted = (claim: Claim): boolean => wanted.some((one) => fits(one, claim, seed));
  if (
    stated.some(
      (claim) =>
        opposites.some((one) => fits(one, claim, seed)) ||
        (!isWanted(claim) && wanted.some((one) => isOpposite(one, claim, seed))),
    )
  )
    return 'opposite';
  if (checks.some((claim) => !isWanted(claim))) return 'wrong';
  const isMet = demands.every((ways) =>
    ways.some((one) =>
      one === 'none'
        ? stated.every(({ modality }) => modality === 'may')
        : one === 'asked'
          ? claims.length > stated.length && checks.length === 0
          : stated.some((claim) => fits(one, claim, seed)),
    ),
  );
  if (isMet) return 'right';
  return claims.length > stated.length ? 'asked' : 'lost';
}

/** A demand stated the same way: `must_not > 2 s` and `must <= 2 s` are one. */
function fits(
  { modality, bound, words, condition, exception }: Expected,
  claim: Claim,
  seed: SeedText,
): boolean {
  const { quote, scope } = claim;
  const holds = (place: Claim['quote'], part: string): boolean =>
    part === '' || (place !== null && seed.slice(place).includes(part));
  if (!holds(quote, words) || !holds(scope.condition, condition) || !holds(scope.exception, exception))
    return false;
  const own = boundOf(claim);
  if (bound === null || own === null) return bound === own && modality === claim.modality;
  const [a, b] = [positive(modality, bound), positive(claim.modality, own)];
  return a.modality === b.modality && a.bound.op === b.bound.op && isSameValue(bound, own);
}

/**
 * The same number on the other side, or the act demanded that is forbidden, or forbidden that is demanded.
 */
function isOpposite({ modality, bound, words }: Expected, claim: Claim, seed: SeedText): boolean {
  const own = boundOf(claim);
  if (bound !== null && own !== null) {
    const [a, b] = [positive(modality, bound).bound.op, positive(claim.modality, own).bound.op];
    return (
      claim.modality !== 'may' &&
      isSameValue(bound, own) &&
      ((a.startsWith('<') && b.startsWith('>')) ||
        (a.startsWith('>') && b.startsWith('<')) ||
        ((a === '=') !== (b === '=') && (a === '!=' || b === '!=')))
    );
  }
  if (
    bound !== null ||
    own !== null ||
    words === '' ||
    claim.quote === null ||
    !seed.slice(claim.quote).includes(words)
  )
    return false;
  return (modality === 'must_not') !== (claim.modality === 'must_not') && claim.modality !== 'may';
}

function boundOf({ atom }: Claim): Bound | null {
  if (
    atom === null ||
    typeof atom.value === 'boolean' ||
    (typeof atom.value === 'string' && atom.unit === null)
  )
    return null;
  return { op: atom.op, value: atom.value, unit: atom.unit };
}

function positive(modality: Modality, bound: Bound): { readonly modality: Modality; readonly bound: Bound } {
  const op = COMPLEMENT[bound.op];
  return modality === 'must_not' && op !== undefined
    ? { modality: 'must', bound: { ...bound, op } }
    : { modality, bound };
}

function isSameValue(a: Bound, b: Bound): boolean {
  if (typeof a.value === 'string' || typeof b.value === 'string') return a.value === b.value;
  return isSameAmount({ value: a.value, unit: a.unit }, { value: b.value, unit: b.unit });
}

function parse(file: string, name: string): readonly Sentence[] {
  const sentences: { text: string; demands: Sentence['demands'][number][]; opposites: Expected[] }[] = [];
  for (const [index, line] of file.split('\n').entries()) {
    const [last, where] = [sentences.at(-1), `${name}:${index + 1}`];
    if (line === '') continue;
    if (!line.startsWith('  '))
      sentences.push({ text: line.replaceAll('\\n', '\n'), demands: [], opposites: [] });
    else if (last === undefined) throw new Error(`${where}: an annotation of nothing`);
    else if (line.startsWith('  ! '))
      last.opposites.push(expected(line.slice(4).replace(/^(?=[<>=])/, 'must '), where));
    else
      last.demands.push(
        line
          .trim()
          .split(' || ')
          .map((one) => (one === '-' ? 'none' : one === '?' ? 'asked' : expected(one, where))),
      );
  }
  const bare = sentences.find(({ demands }) => demands.length === 0);
  if (bare !== undefined) throw new Error(`${name}: not annotated: ${bare.text}`);
  return sentences;
}

function expected(line: string, where: string): Expected {
  const [, modality, op, number, unit, words = '', condition = '', exception = ''] = LINE.exec(line) ?? [];
  if (modality === undefined) throw new Error(`${where}: ${line}`);
  const bound = op === undefined ? null : boundFrom(op as Op, number ?? '', unit ?? null, where);
  return { modality: modality as Modality, bound, words, condition, exception };
}

function boundFrom(op: Op, number: string, unit: string | null, where: string): Bound {
  if (unit === 'clock' || unit === 'date') return { op, value: number, unit };
  const value = readQuantity(`${number} m`)?.value;
  if (value === undefined) throw new Error(`${where}: ${number}`);
  return { op, value, unit };
}
