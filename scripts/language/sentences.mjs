/**
 * Annotated sentences, one a line: `SENTENCE => DEMAND ; DEMAND`, and what a reading of one comes to. What the signs
 * mean is in packages/proposers/test/language/sets/README.md.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs';
import {
  isSameAmount,
  findQuestionClass,
  readQuantity,
  scanSaid,
  scanText,
  SeedText,
} from '@assay/kernel/intent';

const COMPLEMENT = { '<': '>=', '>=': '<', '>': '<=', '<=': '>', '=': '!=', '!=': '=' };
const LINE = new RegExp(
  '^(must_not|must|should|may)(?: (<=|>=|!=|<|>|=) (\\S+)(?: (?!if «|except «|«)(\\S+))?)?' +
    '(?: «([^»]+)»)?(?: if «([^»]+)»)?(?: except «([^»]+)»)?$',
);

/** The sentences of a folder by file: [name, sentences]. */
export function sentencesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => [name.replace('.txt', ''), parseSentences(readFileSync(new URL(name, folder), 'utf8'))]);
}

/** Sentences with their demands, each a choice of ways to say it, and with what would be the opposite. */
export function parseSentences(file) {
  return file
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [text = '', demands] = line.split(' => ');
      if (demands === undefined) throw new Error(`not annotated: ${line}`);
      const parts = demands.split(' ; ');
      return {
        text: text.replaceAll('\\n', '\n'),
        demands: parts
          .filter((part) => !part.startsWith('! '))
          .map((part) =>
            part.split(' || ').map((one) => (one === '-' ? 'none' : one === '?' ? 'asked' : demandOf(one))),
          ),
        opposites: parts
          .filter((part) => part.startsWith('! '))
          .map((part) => demandOf(part.slice(2).replace(/^(?=[<>=])/, 'must '))),
      };
    });
}

/**
 * What the claims of a sentence come to: right, asked, lost, wrong or opposite. `isStrict`: each claim counts, not
 * only one with a number or a moment.
 */
export function outcomeOf({ text, demands, opposites }, claims, isStrict = false) {
  const seed = new SeedText(text);
  const stated = claims.filter((claim) => findQuestionClass(claim) === null && !isUnread(claim));
  const checks = stated.filter((claim) =>
    isStrict
      ? claim.modality !== 'may' || boundOf(claim) !== null
      : boundOf(claim) !== null && claim.modality !== 'may',
  );
  const wanted = demands.flat().filter((one) => typeof one === 'object');
  const isWanted = (claim) => wanted.some((one) => fits(one, claim, seed));
  const isContrary = (claim) =>
    opposites.some((one) => fits(one, claim, seed)) ||
    (!isWanted(claim) && wanted.some((one) => isOpposite(one, claim, seed)));
  if (stated.some(isContrary)) return 'opposite';
  if (checks.some((claim) => !isWanted(claim))) return 'wrong';
  const asks = claims.length > stated.length;
  const isMet = (one) =>
    one === 'none'
      ? stated.every(({ modality }) => modality === 'may')
      : one === 'asked'
        ? asks && checks.length === 0
        : stated.some((claim) => fits(one, claim, seed));
  if (demands.every((ways) => ways.some(isMet))) return 'right';
  return asks ? 'asked' : 'lost';
}

/** Demands met and claims wanted, for recall and precision: what may stay open is no demand. */
export function matchesOf({ text, demands }, claims) {
  const seed = new SeedText(text);
  const stated = claims.filter((claim) => findQuestionClass(claim) === null && !isUnread(claim));
  const real = demands.filter((ways) => ways.every((one) => typeof one === 'object'));
  const wanted = demands.flat().filter((one) => typeof one === 'object');
  return {
    demands: real.length,
    met: real.filter((ways) => stated.some((claim) => ways.some((one) => fits(one, claim, seed)))).length,
    claims: stated.length,
    good: stated.filter((claim) => wanted.some((one) => fits(one, claim, seed))).length,
  };
}

/** True where each word that a text says stands in one of the sentences found in it, or is the mark of an item. */
export function isWhole(text, sentences) {
  const seed = new SeedText(text);
  const { tokens } = scanSaid(scanText(text));
  return tokens.every(({ kind, start, end }, at) => {
    const place = seed.pointAt(start);
    const holding = sentences.filter(({ quote }) => quote.start <= place && place < quote.end).length;
    const isMark = end - start === 1 && tokens[at + 1]?.glued === true;
    return kind !== 'word' || holding === 1 || (holding === 0 && isMark);
  });
}

/** True for a question about a sentence that is not read. */
export function isUnread({ kind, atom }) {
  return kind === 'question' && atom?.value === 'unread';
}

/** A demand stated the same way: `must_not > 2 s` and `must <= 2 s` are one. */
function fits({ modality, bound, words, condition, exception }, claim, seed) {
  const { quote, scope } = claim;
  const holds = (place, part) => part === '' || (place !== null && seed.slice(place).includes(part));
  if (!holds(quote, words) || !holds(scope.condition, condition) || !holds(scope.exception, exception))
    return false;
  const own = boundOf(claim);
  if (bound === null || own === null) return bound === own && modality === claim.modality;
  const [a, b] = [positive(modality, bound), positive(claim.modality, own)];
  return a.modality === b.modality && a.op === b.op && isSameValue(bound, own);
}

/** The same number on the other side, or the act demanded that is forbidden, or forbidden that is demanded. */
function isOpposite({ modality, bound, words }, claim, seed) {
  const own = boundOf(claim);
  if (bound !== null && own !== null) {
    const [a, b] = [positive(modality, bound).op, positive(claim.modality, own).op];
    return (
      claim.modality !== 'may' &&
      isSameValue(bound, own) &&
      ((a.startsWith('<') && b.startsWith('>')) ||
        (a.startsWith('>') && b.startsWith('<')) ||
        ((a === '=') !== (b === '=') && (a === '!=' || b === '!=')))
    );
  }
  if (bound !== null || own !== null || words === '' || claim.modality === 'may') return false;
  return (
    claim.quote !== null &&
    seed.slice(claim.quote).includes(words) &&
    (modality === 'must_not') !== (claim.modality === 'must_not' || claim.atom?.value === false)
  );
}

function boundOf({ atom }) {
  const isNone =
    atom === null ||
    typeof atom.value === 'boolean' ||
    (typeof atom.value === 'string' && atom.unit === null);
  return isNone ? null : { op: atom.op, value: atom.value, unit: atom.unit };
}

function positive(modality, { op }) {
  return modality === 'must_not' && COMPLEMENT[op]
    ? { modality: 'must', op: COMPLEMENT[op] }
    : { modality, op };
}

function isSameValue(a, b) {
  return typeof a.value === 'string' || typeof b.value === 'string'
    ? a.value === b.value
    : isSameAmount(a, b);
}

function demandOf(line) {
  const [, modality, op, number, unit, words = '', condition = '', exception = ''] = LINE.exec(line) ?? [];
  if (modality === undefined) throw new Error(line);
  return {
    modality,
    bound: op === undefined ? null : boundFrom(op, number, unit),
    words,
    condition,
    exception,
  };
}

function boundFrom(op, number, unit) {
  if (unit === 'clock' || unit === 'date') return { op, value: number, unit };
  const value = readQuantity(`${number} m`)?.value;
  if (value === undefined) throw new Error(number);
  return { op, value, unit: unit === undefined || unit === '-' ? null : unit };
}
