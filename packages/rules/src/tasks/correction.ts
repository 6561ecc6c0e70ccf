/**
 * Words behind `wrong`: a request of its own, or exactly one part of the goal that was understood, of a kind
 * that is plain. Source: 003 §R1 "Detect follow-up corrections".
 *
 * @module
 */
import { err, type Result } from '@assay/kernel';
import { EXTREMES, type Family, type Filter, type Goal } from './goal.js';
import { canonicalText, insidePath, UNITS } from '@assay/controller/steps';
import { doubtIn } from './doubts.js';
import { isFileLike, isFolderPath, mayBeFile } from './names.js';
import { checked, goalOf, type Misunderstood } from './parse.js';
import { matches, pattern, type Kept, type Pattern } from './patterns.js';
import { KINDS, TABLE } from './phrases.js';
import type { Token } from './tokens.js';

/** A part of a goal that a word can take the place of. */
type Part = 'which' | 'unit' | 'column' | 'text' | 'to';
type Change = { readonly part: Part; readonly goal: Goal };
type Code = Misunderstood['code'];

const EXTREME_SET: ReadonlySet<string> = new Set(EXTREMES);
const UNIT_SET: ReadonlySet<string> = new Set(UNITS);
const CORRECTION_KINDS: ReadonlyMap<string, (token: Token) => boolean> = new Map([
  ...KINDS,
  ['which', ({ lower }: Token) => EXTREME_SET.has(lower)],
  ['unit', ({ lower }: Token) => UNIT_SET.has(lower)],
  ['value', ({ text, isQuoted }: Token) => isQuoted || text.includes('/') || isFileLike(text)],
]);
const CORRECTION_TABLE: ReadonlyMap<string, readonly Pattern[]> = new Map([
  ...TABLE,
  ['meant', [pattern('[i meant|i mean|i want|i wanted|it should be|make it|use|take]')]],
  ['taken', [pattern('[take|i want|i wanted|it should be]')]],
  ['named', [pattern('[i meant|i mean|make it|use]')]],
]);

/**
 * What words can say is written, and the families that write it. A copy leaves two files, so `it` is neither.
 */
const WRITTEN: readonly (readonly [said: string, by: readonly Family[]])[] = [
  ['it', ['extreme', 'count', 'list', 'measure', 'collect', 'create', 'sum', 'duplicates', 'sizes']],
  ['them', ['list', 'collect', 'duplicates', 'sizes']],
  ['the number', ['count', 'measure', 'sum']],
  ['the sum', ['sum']],
  ['its name', ['extreme']],
  ['the list', ['list', 'duplicates']],
];

/** What words make of a goal. `isContrast`: they stand behind `not X but`, or are that X. */
type Make = (kept: Kept, goal: Goal, isContrast: boolean) => Change | Code;

const CHANGES: readonly (readonly [text: string, make: Make])[] = [
  [
    '{meant}? the? <which> [file|one]?',
    (kept, goal) =>
      goal.family === 'extreme'
        ? {
            part: 'which',
            goal: {
              ...goal,
              which: EXTREMES.find((word) => word === kept.get('which')?.lower) ?? goal.which,
            },
          }
        : 'not_understood',
  ],
  [
    '{meant}? the? <unit>',
    (kept, goal) =>
      goal.family === 'measure'
        ? {
            part: 'unit',
            goal: { ...goal, unit: UNITS.find((word) => word === kept.get('unit')?.lower) ?? goal.unit },
          }
        : 'not_understood',
  ],
  ['{meant}? the? column <column>', (kept, goal) => columnChanged(goal, kept.get('column'))],
  ['{meant}? [the text|the words] <said>', (kept, goal) => textChanged(goal, kept.get('said')?.text ?? '')],
  [
    '{meant}? to [the file|a file|file]? [called|named]? <to>',
    (kept, goal) => targetChanged(goal, kept.get('to')),
  ],
  ['{meant}? into [the file|a file|file]? [called|named]? <to>', intoChanged],
  [
    '{write} to [the file|a file|file]? [called|named]? <to>',
    (kept, goal) => targetChanged(goal, kept.get('to')),
  ],
  ['{write} into [the file|a file|file]? [called|named]? <to>', intoChanged],
  ...WRITTEN.flatMap(([said, by]): typeof CHANGES => [
    [
      `{write} ${said} [to|into] [the file|a file|file]? [called|named]? <to>`,
      (kept, goal) => (by.includes(goal.family) ? targetChanged(goal, kept.get('to')) : 'not_understood'),
    ],
    [
      `{write} ${said} in [the file|a file|file]? [called|named]? <at>`,
      (kept, goal) =>
        !by.includes(goal.family)
          ? 'not_understood'
          : isFileLike(kept.get('at')?.text ?? '')
            ? targetChanged(goal, kept.get('at'))
            : 'ambiguous',
    ],
  ]),
  ['{meant}? in [the file|file]? <inside>', () => 'ambiguous'],
  ['{meant}? [the file|file] <value>', (kept, goal) => fileChanged(goal, kept.get('value'))],
  // The answer to which file is the largest is a file too: a file alone may be meant to be that one.
  [
    '{named}? <value>',
    (kept, goal, isContrast) =>
      goal.family === 'extreme' && !isContrast && isFileLike(kept.get('value')?.text ?? '')
        ? 'ambiguous'
        : valueChanged(goal, kept.get('value')),
  ],
  // `take F` may say which file is read.
  [
    '{taken} <value>',
    (kept, goal) =>
      'filter' in goal && isFileLike(kept.get('value')?.text ?? '')
        ? 'ambiguous'
        : valueChanged(goal, kept.get('value')),
  ],
];
const RULES: readonly (readonly [Pattern, Make])[] = CHANGES.map(([text, make]) => [pattern(text), make]);

/**
 * The goal that words behind `wrong` make of a goal. `not X but Y` is read where X is the very part that Y
 * replaces; `not X` alone says nothing that could be done. Codes are those of {@link parseGoal}: `ambiguous`
 * where the words could change either of two parts, `not_understood` where they change none.
 */
export function correctionOf(rest: readonly Token[], goal: Goal): Result<Misunderstood, Goal> {
  const said = rest.slice(isMeant(rest));
  const [asked, meant] = [goalOf(rest), goalOf(said)];
  if (asked._tag === 'Right') return asked;
  if (meant._tag === 'Right') return meant;
  const change = rest[0]?.lower === 'not' ? contrast(rest.slice(1), goal) : changeOf(rest, goal);
  if (typeof change === 'string')
    return err({ code: change === 'not_understood' ? meant.left.code : change });
  return isSame(change.goal, goal) ? err({ code: 'not_understood' }) : checked(change.goal);
}

function isMeant(rest: readonly Token[]): number {
  return (
    [3, 2, 1].find(
      (length) => matches(MEANT, rest.slice(0, length), CORRECTION_TABLE, CORRECTION_KINDS).length > 0,
    ) ?? 0
  );
}
const MEANT = pattern('{meant}');

function contrast(words: readonly Token[], goal: Goal): Change | Code {
  const but = words.findIndex(({ lower }) => lower === 'but');
  if (but < 0) return 'not_understood';
  // What was named as not meant says of which kind the other is: `not report.md but other.md`.
  const [was, is] = [changeOf(words.slice(0, but), goal, true), changeOf(words.slice(but + 1), goal, true)];
  if (typeof was === 'string' || typeof is === 'string') return 'not_understood';
  return was.part === is.part && isSame(was.goal, goal) ? is : 'not_understood';
}

function changeOf(words: readonly Token[], goal: Goal, isContrast: boolean = false): Change | Code {
  const found = new Map<string, Change | Code>();
  for (const [fits, make] of RULES) {
    for (const kept of matches(fits, words, CORRECTION_TABLE, CORRECTION_KINDS)) {
      const change = doubtIn(kept) ?? make(kept, goal, isContrast);
      found.set(typeof change === 'string' ? change : canonicalText({ ...change.goal }), change);
    }
  }
  const [first, second] = found.values();
  return second === undefined ? (first ?? 'not_understood') : 'ambiguous';
}

function isSame(one: Goal, other: Goal): boolean {
  return canonicalText({ ...one }) === canonicalText({ ...other });
}

function columnChanged(goal: Goal, token: Token | undefined): Change | Code {
  if (goal.family !== 'sum' || token === undefined) return 'not_understood';
  return { part: 'column', goal: { ...goal, column: token.isQuoted ? token.text : Number(token.text) } };
}

/** The text that is written or searched for, in the place of the one of before. */
function textChanged(goal: Goal, text: string): Change | Code {
  if (goal.family === 'create') return { part: 'text', goal: { ...goal, text } };
  if (text === '' || !('filter' in goal) || goal.filter.contains === null) return 'not_understood';
  return { part: 'text', goal: { ...goal, filter: { ...goal.filter, contains: text } } };
}

/** True where `into F` is a folder. */
function isPlaced({ family }: Goal): boolean {
  return family === 'copy' || family === 'move';
}

/**
 * What is written, by the name that words give it. A bare name does not say whether it stands in the folder
 * of before.
 */
function targetChanged(goal: Goal, token: Token | undefined): Change | Code {
  if (token === undefined || !('to' in goal)) return 'not_understood';
  const { text, isQuoted } = token;
  const to = insidePath(text);
  if (to === null || (isFolderPath(text) && !isPlaced(goal))) return 'outside_workspace';
  if (isFolderPath(text)) return 'of' in goal ? folderChanged(goal, to) : 'not_understood';
  if (!isQuoted && !text.includes('/') && !isFileLike(text)) return 'not_understood';
  if (goal.to.includes('/') && !text.includes('/')) return 'ambiguous';
  return { part: 'to', goal: { ...goal, to } };
}

/**
 * A folder in the place of a folder. Where the file got another name too, the folder does not say whether it
 * keeps that.
 */
function folderChanged(goal: Extract<Goal, { of: string; to: string }>, folder: string): Change | Code {
  const name = lastName(goal.of);
  return lastName(goal.to) === name
    ? { part: 'to', goal: { ...goal, to: `${folder}/${name}` } }
    : 'ambiguous';
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function intoChanged(kept: Kept, goal: Goal): Change | Code {
  return isPlaced(goal) && !isFolderPath(kept.get('to')?.text ?? '')
    ? 'ambiguous'
    : targetChanged(goal, kept.get('to'));
}

/**
 * What is said to be a file: plain only where the file that is written is the only one that words of before
 * could mean.
 */
function fileChanged(goal: Goal, token: Token | undefined): Change | Code {
  if (token === undefined || !('to' in goal)) return 'not_understood';
  const isOther = 'of' in goal || goal.family === 'extreme' || ('filter' in goal && isNarrowed(goal.filter));
  return isOther || !isFileLike(token.text) ? 'ambiguous' : targetChanged(goal, token);
}

/** True where words of before say which files beyond their extension. */
function isNarrowed({ under, name, contains }: Filter): boolean {
  return (under ?? name ?? contains) !== null;
}

/** A quoted text that may be an extension or a pattern of names. */
const PATTERN_LIKE = /^\.|[*?]/;

/**
 * A path or a quoted text alone: what it takes the place of is plain only where one part of the goal has that
 * form.
 */
function valueChanged(goal: Goal, token: Token | undefined): Change | Code {
  if (token === undefined || !('to' in goal)) return 'not_understood';
  const { text, isQuoted } = token;
  const filter = 'filter' in goal ? goal.filter : null;
  if (isQuoted && !mayBeFile(text) && !text.includes('/')) {
    const column =
      goal.family === 'sum' && typeof goal.column === 'string'
        ? columnChanged(goal, token)
        : textChanged(goal, text);
    const paths = [goal.to, 'of' in goal ? goal.of : null, filter?.under ?? null].filter(
      (path) => path !== null,
    );
    const isTyped = filter !== null && ((filter.ext ?? filter.name) !== null || PATTERN_LIKE.test(text));
    return typeof column !== 'string' && (isTyped || !paths.every(isFileLike)) ? 'ambiguous' : column;
  }
  if ('of' in goal || (filter !== null && isNarrowed(filter)) || (isQuoted && goal.family === 'create'))
    return 'ambiguous';
  return isFileLike(text) ? targetChanged(goal, token) : 'ambiguous';
}
