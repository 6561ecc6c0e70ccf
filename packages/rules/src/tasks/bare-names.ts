/**
 * Bare words that are names: of a folder behind `in`, of a column behind or before `column`. Rules see no
 * workspace, so that only a word that can say nothing else is one; any other name wants a slash, quotes, or
 * `the folder` before it. Source: 003 §R1.
 *
 * @module
 */
import type { Token } from './tokens.js';

/**
 * Names that folders have. None says how, when or in what language or form files are, as `in order`,
 * `in english`, `in json` or `in use` do, and none is a folder of the person's own, as `downloads`.
 */
const FOLDERS: ReadonlySet<string> = new Set(
  (
    'src lib libs doc docs test tests spec specs bin dist out data config configs scripts ' +
    'tools assets images img photos notes logs archive archives backup backups tmp temp ' +
    'static vendor examples samples fixtures packages modules components pages templates ' +
    'styles reports invoices drafts papers projects uploads exports migrations'
  ).split(' '),
);
/** A word with an underscore is a name and no English word, unless it says how names are written. */
const UNDERSCORED = /^(?=.*[A-Za-z0-9\u0080-\u{10FFFF}])[\w\u0080-\u{10FFFF}-]*_[\w\u0080-\u{10FFFF}-]*$/u;
const SPELLING = /case$/i;

/** True for a bare word that names a folder where one may stand. */
export function isFolderWord({ text, lower, isQuoted }: Token): boolean {
  return !isQuoted && (FOLDERS.has(lower) || (UNDERSCORED.test(text) && !SPELLING.test(text)));
}

/** What `the folder` may be followed by that is no name of it. */
const POINTING: ReadonlySet<string> = new Set(
  'above below here there itself mentioned named called following'.split(' '),
);

/**
 * Words of sentences, which name nothing where a name is missing:
 * `count all files in the folder and write …`.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but nor then than if as so to into onto in on at by for of from with ' +
    'without within under over after before until while because about up down out off via ' +
    'per that this these those which who whom whose what when where why how it its they them ' +
    'their he she his her we us our you your i me my mine is are was were be been being am ' +
    'do does did done has have had can could will would shall should may might must not no ' +
    'none only just also too again once twice please now later today tomorrow yesterday ' +
    'first last next both each every all any some many much more most few fewer other others ' +
    'another same itself instead together altogether separately alone sorted unsorted ' +
    'ordered grouped combined joined alphabetically recursively numerically directly exactly ' +
    'everywhere anywhere inclusive exclusively including excluding except containing ' +
    'matching ending starting beginning'
  ).split(' '),
);
const ADVERB = /[A-Za-z\u0080-\u{10FFFF}]{3}(?:al|ve|ct|te|ck|re|ul|er|nt|ed)ly$/u;

/** True for a bare word that says how, when or which, and is no name without quotes. */
export function isFunctionWord(lower: string): boolean {
  return FUNCTION_WORDS.has(lower) || ADVERB.test(lower);
}

/** True for what names a folder behind `the folder`. */
export function isFolderName({ lower, isQuoted }: Token): boolean {
  return isQuoted || FOLDERS.has(lower) || !(POINTING.has(lower) || isFunctionWord(lower));
}

/** Headings that say nothing else of a column; `the longest column` and `the total column` may. */
const HEADINGS: ReadonlySet<string> = new Set(
  'amount price cost quantity qty salary revenue income profit tax vat weight balance'.split(' '),
);

/** True for a bare word before `column` that is its heading. */
export function isKnownHeading({ lower, isQuoted }: Token): boolean {
  return isQuoted || HEADINGS.has(lower);
}

/**
 * Words behind `column` that say what stands in it, which one it is, or where: `the column totals`,
 * `the column last`, `the column shown in F`.
 */
const OF_A_COLUMN: ReadonlySet<string> = new Set(
  (
    'value values number numbers amounts figure figures total totals sum sums entry entries ' +
    'cell cells data item items content contents row rows line lines name names heading ' +
    'headings header headers title titles width widths size sizes count counts one two three ' +
    'four five six seven eight nine ten first second third fourth fifth sixth seventh eighth ' +
    'ninth tenth last next previous other only same whole both each all that this which ' +
    'there here them again too twice once above below inside left right given found shown ' +
    'written kept held seen known set put for from with and not but'
  ).split(' '),
);
/**
 * Letters first, at least three: fewer, with or without digits, may be a column or a cell of a table program.
 */
const HEADING = /^[A-Za-z\u0080-\u{10FFFF}]{3}[\w\u0080-\u{10FFFF}]*$/u;
/** Adverbs and participles: `sum the column exactly in F`, `the column contained in F`. */
const SAYS_HOW = /(?:ly|ed|ing)$/;

/** True for a bare word behind `column` that can only be its heading. */
export function isHeadingWord({ text, lower, isQuoted }: Token): boolean {
  return (
    !isQuoted &&
    HEADING.test(text) &&
    !/^[A-Z]{1,3}[0-9]*$/.test(text) &&
    !OF_A_COLUMN.has(lower) &&
    !isFunctionWord(lower) &&
    !SAYS_HOW.test(lower)
  );
}

const ORDINALS: readonly (readonly string[])[] = [
  ['first', '1st'],
  ['second', '2nd'],
  ['third', '3rd'],
  ['fourth', '4th'],
  ['fifth', '5th'],
  ['sixth', '6th'],
  ['seventh', '7th'],
  ['eighth', '8th'],
  ['ninth', '9th'],
  ['tenth', '10th'],
];

/** The number that a word such as `second` says; null for any other. */
export function ordinalIn({ lower }: Token): number | null {
  const index = ORDINALS.findIndex((words) => words.includes(lower));
  return index < 0 ? null : index + 1;
}
