/**
 * The forms of the plan notation: small words are written as they stand, large ones are slots, each with its reader.
 * Calls, filters and operations are rows of tables, from which faults say what fits.
 */
import { err, ok, type Json, type Result } from '@assay/kernel';
import { insidePath, renderText, type Operation } from '@assay/controller/steps';
import type { Word } from './words.js';

/** What a name stands for. */
export type Kind = 'files' | 'text' | 'number';
/** The names that stand above a line: what they stand for, and which line gives them. */
export type Names = ReadonlyMap<string, { readonly kind: Kind; readonly line: number }>;
/** A reader of what stands in a slot. Its fault says what fits. */
type Slot = (word: Word, names: Names) => Result<string, Json>;

/** Every call with what stands behind it; `[…]` may be left out. */
export const CALLS: ReadonlyMap<string, string> = new Map([
  ['find', 'PATTERN'],
  ['read', 'SOURCE'],
  ['let', 'WHAT'],
  ['write', 'VALUE to FILE'],
  ['append', 'VALUE to FILE'],
  ['copy', 'PATH to TARGET'],
  ['move', 'SOURCE to TARGET'],
  ['delete', 'SOURCE'],
  ['expect', 'NAME'],
  ['answer', 'NAME'],
]);

/** What a search looks for; `input`: of the search tool, but for the pattern. */
export type Search = {
  readonly patterns: readonly string[];
  readonly input: { readonly [key: string]: Json };
  readonly under: string;
  readonly isDirect: boolean;
  readonly except: readonly (string | { readonly path: string })[];
  readonly rank: readonly Operation[];
};

const rankBy =
  (key: string, way: 'up' | 'down') =>
  (count: Json): Partial<Search> => ({
    rank: [
      ['order', key, way],
      ['head', count ?? 1],
    ],
  });

/** A filter: its form, what it is one of, of which a line has one, and what it adds to a search. */
type FilterRow = readonly [form: string, one: string, add: (value: Json) => Partial<Search>];
/** The filters. */
export const FILTERS: readonly FilterRow[] = [
  ['directly in FOLDER', 'place', (under) => ({ under: renderText(under), isDirect: true })],
  ['in FOLDER', 'place', (under) => ({ under: renderText(under) })],
  ['except MATCH', 'except', (match) => ({ except: [match as Search['except'][number]] })],
  ['containing PART', 'containing', (contains) => ({ input: { contains } })],
  ['larger than SIZE', 'larger', (size) => ({ input: { min_size: Number(size) + 1 } })],
  ['smaller than SIZE', 'smaller', (size) => ({ input: { max_size: Number(size) - 1 } })],
  ['empty', 'smaller', () => ({ input: { max_size: 0 } })],
  ['changed after DATE', 'after', (day) => ({ input: { modified_from: Number(day) + DAY_MS } })],
  ['changed before DATE', 'before', (day) => ({ input: { modified_to: Number(day) - 1 } })],
  ...(
    [
      ['largest', rankBy('size', 'down')],
      ['smallest', rankBy('size', 'up')],
      ['newest', rankBy('mtime_ms', 'down')],
      ['oldest', rankBy('mtime_ms', 'up')],
    ] as const
  ).flatMap(([rank, add]): readonly FilterRow[] => [
    [`${rank} N`, 'rank', add],
    [rank, 'rank', add],
  ]),
];

const DAY_MS = 86_400_000;

/** An operation: its form, what kind it makes, and the operation of the step language. */
type OperationRow = readonly [form: string, gives: Kind, make: (...values: Json[]) => Operation];
const op =
  (...operation: Operation) =>
  (...values: readonly Json[]): Operation => [...operation, ...values];

/** Operations by the kind they are of. */
export const OPERATIONS: Readonly<Record<Kind, readonly OperationRow[]>> = {
  files: [
    ['names', 'text', op('names')],
    ['count', 'number', op('count')],
    ['sizes', 'text', op('sizes')],
    ['sizes by extension', 'text', op('by_extension')],
    ['same content', 'text', op('same_content')],
    ['first N', 'files', op('head')],
  ],
  text: [
    ['lines with PART', 'text', op('keep')],
    ['lines without PART', 'text', op('drop')],
    ['lines not empty', 'text', op('not_empty')],
    ['first N', 'text', op('first')],
    ['last N', 'text', op('last')],
    ['sort', 'text', op('sort', null, 'up')],
    ['sort down', 'text', op('sort', null, 'down')],
    ['sort by COLUMN', 'text', (column) => ['sort', column ?? null, 'up']],
    ['sort by COLUMN down', 'text', (column) => ['sort', column ?? null, 'down']],
    ['column COLUMN', 'text', op('column')],
    ['unique', 'text', op('unique')],
    ['reverse', 'text', op('reverse')],
    ['replace PART with TEXT', 'text', op('replace')],
    ['add VALUE', 'text', op('add')],
    ['count', 'number', op('measure', 'lines')],
    ['count lines', 'number', op('measure', 'lines')],
    ['count words', 'number', op('measure', 'words')],
    ['count characters', 'number', op('measure', 'characters')],
    ['count bytes', 'number', op('measure', 'bytes')],
    ['sum', 'number', op('sum')],
    ['average', 'number', op('average')],
  ],
  number: [],
};

/** True for a bare word that can be a name. */
export function isName({ text, isQuoted }: Word): boolean {
  return !isQuoted && /^[A-Z][A-Za-z0-9_]{0,31}$/.test(text);
}

/** What stands in the slots of a form; null where the words are none of this form. */
export function readForm(
  words: readonly Word[],
  form: string,
  names: Names,
): Result<string, readonly Json[]> | null {
  const parts = form.split(' ');
  const isOfForm = ({ length }: readonly Word[]): boolean =>
    length === parts.length && parts.every((part, at) => isSlot(part) || isWord(words[at], part));
  if (!isOfForm(words)) return null;
  const values: Json[] = [];
  for (const [at, word] of words.entries()) {
    const value = SLOTS.get(parts[at] ?? '')?.(word, names);
    if (value?._tag === 'Left') return value;
    if (value !== undefined) values.push(value.right);
  }
  return ok(values);
}

/** A form as the page of the notation has it. */
export function showForm(form: string): string {
  const shown = (part: string): string => PAGE_WORDS.get(part) ?? part;
  return form.split(' ').map(shown).join(' ');
}

const PAGE_WORDS: ReadonlyMap<string, string> = new Map([
  ['PART', 'TEXT'],
  ['MATCH', 'PATTERN or PATH'],
  ['VALUE', 'TEXT or NAME'],
  ['WHAT', 'TEXT or NAME'],
  ['SOURCE', 'PATH or NAME'],
  ['FILE', 'PATH'],
  ['TARGET', 'PATH or FOLDER/'],
]);

/** True for the name of a slot. */
export function isSlot(part: string): boolean {
  return SLOTS.has(part);
}

/** True for a bare word that is this one. */
export function isWord(word: Word | undefined, text: string): boolean {
  return word?.isQuoted === false && word.text === text;
}

/** A name that stands above, of one of these kinds. */
export function readName({ text }: Word, names: Names, fitting: readonly Kind[]): Result<string, Kind> {
  const known = names.get(text);
  if (known === undefined) return err(`no name ${text} above`);
  if (fitting.includes(known.kind)) return ok(known.kind);
  const hint = known.kind === 'files' && fitting.includes('text') ? `: let ${text} | names -> NAME` : '';
  return err(
    `${text} is ${KIND_WORDS[known.kind]}; here fits ${fitting.map((kind) => KIND_WORDS[kind]).join(' or ')}${hint}`,
  );
}

const KIND_WORDS: Readonly<Record<Kind, string>> = { files: 'files', text: 'a text', number: 'a number' };

const quoted = (word: Word): Result<string, Json> =>
  word.isQuoted ? ok(word.text) : err(`a text stands in quotes: "${word.text}"`);

const readPath = (word: Word): Result<string, string> => {
  if (!word.isQuoted && /[*?]/.test(word.text))
    return err(`a path has no * or ?: find ${word.text} -> NAME, then use the name`);
  const path = insidePath(word.text);
  return path === null
    ? err(`${word.text === '' ? '""' : word.text} is no path inside the workspace`)
    : ok(path);
};

const SLOTS: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ['TEXT', quoted],
  ['PART', (word) => (word.isQuoted && word.text === '' ? err('a text that is not empty') : quoted(word))],
  ['NAME', (word, names) => (isName(word) ? ok(word.text) : err(readMissing(word, names)))],
  [
    'VALUE',
    (word, names) => {
      if (!isName(word))
        return word.isQuoted
          ? ok(word.text)
          : err(`a text stands in quotes: "${word.text}"; a name begins with a capital`);
      const known = readName(word, names, ['text', 'number']);
      return known._tag === 'Left' ? known : ok({ name: word.text });
    },
  ],
  ['WHAT', (word) => (isName(word) ? ok({ name: word.text }) : quoted(word))],
  ['SOURCE', readSource],
  ['PATH', (word, names) => (isName(word) ? err(sayPathOnly(word, names)) : readPath(word))],
  [
    'FILE',
    (word) => (word.text.endsWith('/') ? err(`a file, such as ${word.text}result.txt`) : readPath(word)),
  ],
  [
    'TARGET',
    (word) => {
      const path = readPath(word);
      return path._tag === 'Left' ? path : ok({ path: path.right, isFolder: word.text.endsWith('/') });
    },
  ],
  ['FOLDER', (word) => (/^(?:\.\/)*\.\/?$/.test(word.text) ? ok('') : readPath(word))],
  ['PATTERN', readPattern],
  ['MATCH', (word) => (word.text.includes('/') ? readMatchedPath(word) : readPattern(word))],
  [
    'N',
    ({ text, isQuoted }) =>
      !isQuoted && /^[1-9][0-9]{0,5}$/.test(text) ? ok(Number(text)) : err('a whole number from 1 to 999999'),
  ],
  [
    'COLUMN',
    ({ text, isQuoted }) =>
      !isQuoted && /^[1-9][0-9]{0,3}$/.test(text)
        ? ok(Number(text))
        : text === ''
          ? err('a heading, or a place from 1')
          : ok(text),
  ],
  ['SIZE', readSize],
  ['DATE', readDate],
]);

function readMissing({ text }: Word, names: Names): string {
  const known = [...names.keys()].slice(-5);
  return `${text} is no name${known.length === 0 ? '; no name stands above' : `; above stand ${known.join(', ')}`}`;
}

function sayPathOnly({ text }: Word, names: Names): string {
  return names.has(text)
    ? `${text} is a name; here fits a path, in quotes if it looks like a name`
    : `a path of this form stands in quotes: "${text}"`;
}

function readSource(word: Word, names: Names): Result<string, Json> {
  if (!isName(word)) {
    const path = readPath(word);
    return path._tag === 'Left'
      ? path
      : word.text.endsWith('/')
        ? err(`a file, not a folder: find * in ${word.text} -> NAME`)
        : ok({ path: path.right });
  }
  if (!names.has(word.text))
    return err(`no name ${word.text} above; a path of this form stands in quotes: "${word.text}"`);
  const known = readName(word, names, ['files']);
  return known._tag === 'Left' ? known : ok({ name: word.text });
}

function readPattern({ text, isQuoted }: Word): Result<string, Json> {
  if (!isQuoted && !/[*?[./]/.test(text))
    return err(`a name without *, ?, [ or . stands in quotes: "${text}"`);
  if (text === '' || /[{}\\\0]/.test(text))
    return err('a pattern is signs, *, ? and [a-z]; no braces and no backslash');
  if (!isQuoted && text.includes(','))
    return err(`patterns are parted by spaces; one with a comma stands in quotes: "${text}"`);
  if (/\[[!^]?(?:\]|[^\]]*$)/.test(text)) return err('a set is closed and not empty: [a-z]');
  return ok(text);
}

/** A path that is left out: a file, or all of a folder. */
function readMatchedPath(word: Word): Result<string, Json> {
  if (/[*?[]/.test(word.text)) return err('a pattern has no "/", and a path no *, ? or [');
  const path = readPath(word);
  return path._tag === 'Left' ? path : ok({ path: path.right });
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['kB', 1e3],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['KiB', 1_024],
  ['MiB', 1_048_576],
  ['GiB', 1_073_741_824],
]);

function readSize({ text }: Word): Result<string, Json> {
  const [, digits = '', unit = ''] = /^([0-9]{1,6})([A-Za-z]+)$/.exec(text) ?? [];
  const factor = UNITS.get(unit);
  return factor === undefined
    ? err('SIZE is a whole number and a unit without space: 10MB; units are B, kB, MB, GB, KiB, MiB, GiB')
    : ok(Number(digits) * factor);
}

/** The first millisecond of a day in UTC, since 1970. */
function readDate({ text }: Word): Result<string, Json> {
  const [, year = 0, month = 0, day = 0] = (/^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? []).map(
    Number,
  );
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const length = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > length)
    return err('DATE is a day such as 2026-11-28; there is no clock');
  const [years, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const days = years * 365 + leaps + Math.floor((153 * months + 2) / 5) + day - 1;
  return ok((days - EPOCH_DAYS) * DAY_MS);
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const EPOCH_DAYS = 719_468;
