/**
 * The plan notation: one call a line, names for what came back. Reads a whole plan, kinds included, before
 * anything runs; the first fault names its line and what fits there. Total and linear. The page:
 * docs/formats/plan-notation.md.
 */
import { err, ok, type Result } from '@assay/kernel';
import { renderText, type Operation } from '@assay/controller/steps';
import {
  CALLS,
  FILTERS,
  isName,
  isWord,
  OPERATIONS,
  readForm,
  isSlot,
  readName,
  showForm,
  type Kind,
  type Names,
  type Search,
} from './forms.js';
import { readWords, type Fault, type Said, type Word } from './words.js';

/** A text, or the name that stands for one. */
export type Value = string | { readonly name: string };
/** A file by its path, or the files of a name. */
type Source = { readonly path: string } | { readonly name: string };
type Target = { readonly path: string; readonly isFolder: boolean };
/** Operations, and the name of what they give; null: it is the answer. Arguments may be names. */
type Made = { readonly ops: readonly Operation[]; readonly name: string | null; readonly kind: Kind };
/** One line that was read. `says`: as it was written. */
export type Line = { readonly line: number; readonly says: string } & (
  | ({ readonly t: 'find' } & Search & Made)
  | ({ readonly t: 'read'; readonly from: Source } & Made)
  | ({ readonly t: 'let'; readonly from: Value } & Made)
  | { readonly t: 'write' | 'append'; readonly value: Value; readonly path: string }
  | { readonly t: 'copy'; readonly from: string; readonly to: string }
  | { readonly t: 'move'; readonly from: Source; readonly to: string }
  | { readonly t: 'delete'; readonly from: Source }
  | {
      readonly t: 'expect';
      readonly of: string;
      readonly isCount: boolean;
      readonly op: Sign;
      readonly than: Value;
    }
  | { readonly t: 'answer'; readonly of: string }
);
/** A plan that was read. */
export type Plan = { readonly lines: readonly Line[]; readonly kinds: ReadonlyMap<string, Kind> };
type Sign = (typeof SIGNS)[number];
type Read<T> = Result<string, T>;
/** What was read so far. `answered`: the line that gives the answer. */
type Above = {
  readonly names: Map<string, { readonly kind: Kind; readonly line: number }>;
  answered: number | null;
};

/** Most lines of a plan that are calls. */
const LINES_MAX = 64;

/** Reads a plan. Code `not_understood`: the first line that is none, and what fits there. */
export function readPlan(text: string): Result<Fault, Plan> {
  const { lines: said, fault } = readWords(text);
  const above: Above = { names: new Map(), answered: null };
  const lines: Line[] = [];
  for (const one of said) {
    const read =
      lines.length < LINES_MAX ? readLine(one, above) : err(`a plan has at most ${LINES_MAX} calls`);
    if (read._tag === 'Left')
      return err({ code: 'not_understood', line: one.line, said: one.says, fits: read.left });
    lines.push({ line: one.line, says: one.says, ...read.right });
  }
  if (fault !== null) return err(fault);
  if (!lines.some(({ t }) => t !== 'let' && t !== 'expect' && t !== 'answer'))
    return err({
      code: 'not_understood',
      line: 1,
      said: lines[0]?.says ?? '',
      fits: `no call: ${callNames()}`,
    });
  return ok({ lines, kinds: new Map([...above.names].map(([name, { kind }]) => [name, kind])) });
}

/** Most operations of a line, and most words of patterns and filters. */
const OPERATIONS_MAX = 16;
const FIND_WORDS = 48;

const callNames = (): string => [...CALLS.keys()].join(', ');

type Distribute<T> = T extends unknown ? Omit<T, 'line' | 'says'> : never;
type Body = Distribute<Line>;

function readLine({ line, words: [first, ...words] }: Said, above: Above): Read<Body> {
  const call = first?.isQuoted === false ? first.text : '';
  const form = CALLS.get(call);
  if (form === undefined) return err(`no call "${first?.text.slice(0, 40) ?? ''}": ${callNames()}`);
  if (call === 'expect') return readExpect(words, above.names);
  if (call === 'find') return readFind(words, line, above);
  const result = words.findIndex((word) => isWord(word, '|') || isWord(word, '->'));
  const isMade = call === 'read' || call === 'let';
  const head = isMade && result >= 0 ? words.slice(0, result) : words;
  const values = readForm(head, form, above.names);
  if (values === null) return err(`${call} ${showForm(form)}${isMade ? ' [| operation] [-> NAME]' : ''}`);
  if (values._tag === 'Left') return values;
  const [value, target] = values.right as readonly [never, never];
  switch (call) {
    case 'read': {
      const made = readResult(words.slice(head.length), 'text', line, above);
      return made._tag === 'Left' ? made : ok({ t: call, from: value, ...made.right });
    }
    case 'let': {
      const name = (value as Exclude<Value, string>).name as string | undefined;
      const kind =
        name === undefined
          ? ok('text' as const)
          : readName({ text: name, isQuoted: false }, above.names, ['files', 'text', 'number']);
      const made =
        kind._tag === 'Left' ? kind : readResult(words.slice(head.length), kind.right, line, above);
      return made._tag === 'Left' ? made : ok({ t: call, from: value, ...made.right });
    }
    case 'write':
    case 'append':
      return ok({ t: call, value, path: target });
    case 'copy':
      return readArranged({ path: value }, target, ({ path }, to) => ({ t: call, from: path, to }));
    case 'move':
      return readArranged(value, target, (from, to) => ({ t: call, from, to }));
    case 'delete':
      return ok({ t: call, from: value });
    default: {
      const named = readName({ text: value, isQuoted: false }, above.names, ['files', 'text', 'number']);
      const answer = named._tag === 'Left' ? named : giveAnswer(line, above);
      return answer._tag === 'Left' ? answer : ok({ t: 'answer', of: value });
    }
  }
}

function giveAnswer(line: number, above: Above): Read<null> {
  if (above.answered !== null) return err(`the answer is given in line ${above.answered} already`);
  above.answered = line;
  return ok(null);
}

function readArranged<S extends Source>(
  from: S,
  { path, isFolder }: Target,
  make: (from: S, to: string) => Body,
): Read<Body> {
  if ('name' in from)
    return isFolder
      ? ok(make(from, path))
      : err(`files of a name are moved into a folder, with / at its end: ${path}/`);
  const own = from.path;
  const to = isFolder ? `${path}/${own.slice(own.lastIndexOf('/') + 1)}` : path;
  return own === to ? err('two different paths') : ok(make(from, to));
}

function readFind(words: readonly Word[], line: number, above: Above): Read<Body> {
  const result = words.findIndex((word) => isWord(word, '|') || isWord(word, '->'));
  const head = result < 0 ? words : words.slice(0, result);
  const filter = head.findIndex((_, at) => filterAt(head, at) !== null);
  const patterns: string[] = [];
  for (const word of head.slice(0, filter < 0 ? head.length : filter)) {
    const pattern = readForm([word], 'PATTERN', above.names);
    if (pattern?._tag !== 'Right') return pattern ?? err('find PATTERN');
    const text = renderText(pattern.right[0] ?? '');
    const slash = text.lastIndexOf('/');
    if (slash >= 0)
      return err(
        `a pattern has no "/": find ${text.slice(slash + 1) || '*'} in ${text.slice(0, slash) || '.'}`,
      );
    patterns.push(text);
  }
  if (head.length > FIND_WORDS) return err(`${FIND_WORDS} words of patterns and filters to a line`);
  if (patterns.length === 0)
    return err('find PATTERN [filters] [| operation] [-> NAME]: a pattern such as * or *.md');
  const search = readFilters(head.slice(patterns.length), above.names);
  if (search._tag === 'Left') return search;
  const made = readResult(words.slice(head.length), 'files', line, above);
  return made._tag === 'Left' ? made : ok({ t: 'find', patterns, ...search.right, ...made.right });
}

const FILTER_WORDS = FILTERS.map(([form]) => showForm(form)).join(', ');

/** The form of the filter that begins here by its small words; null where none does. */
function filterAt(words: readonly Word[], at: number): (typeof FILTERS)[number] | null {
  return (
    FILTERS.find(([form]) =>
      form.split(' ').every((part, n) => {
        const word = words[at + n];
        if (part === 'N') return word?.isQuoted === false && /^[0-9]+$/.test(word.text);
        return isSlot(part) ? word !== undefined : isWord(word, part);
      }),
    ) ?? null
  );
}

function readFilters(words: readonly Word[], names: Names): Read<Omit<Search, 'patterns'>> {
  const given = new Map<string, string>();
  let search: Omit<Search, 'patterns'> = { input: {}, under: '', isDirect: false, except: [], rank: [] };
  for (let at = 0; at < words.length; ) {
    const row = filterAt(words, at);
    if (row === null) return err(`no filter "${words[at]?.text ?? ''}": ${FILTER_WORDS}`);
    const [form, one, add] = row;
    const other = given.get(one);
    if (other !== undefined && one !== 'except') return err(`"${form}" beside "${other}": one of them`);
    given.set(one, form);
    const size = form.split(' ').length;
    const values = readForm(words.slice(at, at + size), form, names);
    if (values?._tag !== 'Right') return err(`${showForm(form)}: ${values?.left ?? 'another form'}`);
    const { input = {}, except = [], ...more } = add(values.right[0] ?? null);
    search = {
      ...{ ...search, ...more },
      ...{ input: { ...search.input, ...input }, except: [...search.except, ...except] },
    };
    at += size;
  }
  return ok(search);
}

/** `| operation … -> NAME`. */
function readResult(words: readonly Word[], from: Kind, line: number, above: Above): Read<Made> {
  let [kind, rest] = [from, words];
  const ops: Operation[] = [];
  while (isWord(rest[0], '|')) {
    const next = rest.findIndex((word, at) => at > 0 && (isWord(word, '|') || isWord(word, '->')));
    const part = rest.slice(1, next < 0 ? rest.length : next);
    const made =
      ops.length < OPERATIONS_MAX
        ? readOperation(part, kind, above.names)
        : err(`${OPERATIONS_MAX} operations to a line`);
    if (made._tag === 'Left') return made;
    ops.push(made.right.op);
    [kind, rest] = [made.right.kind, rest.slice(part.length + 1)];
  }
  const [arrow, name, more] = rest;
  if (arrow !== undefined) {
    if (name === undefined || !isName(name) || more !== undefined)
      return err('"-> NAME" ends the line; a name begins with a capital, such as Files');
    const other = above.names.get(name.text);
    if (other !== undefined) return err(`${name.text} is given in line ${other.line} already`);
    above.names.set(name.text, { kind, line });
  } else {
    const answer = giveAnswer(line, above);
    if (answer._tag === 'Left') return answer;
  }
  return ok({ ops, kind, name: name?.text ?? null });
}

function readOperation(
  words: readonly Word[],
  kind: Kind,
  names: Names,
): Read<{ readonly op: Operation; readonly kind: Kind }> {
  for (const [form, gives, make] of OPERATIONS[kind]) {
    const values = readForm(words, form, names);
    if (values === null) continue;
    return values._tag === 'Left'
      ? err(`${showForm(form)}: ${values.left}`)
      : ok({ op: make(...values.right), kind: gives });
  }
  return err(OPERATION_WORDS[kind]);
}

const OPERATION_WORDS: Readonly<Record<Kind, string>> = {
  files: 'of files: names, count, sizes [by extension], same content, first N',
  text:
    'of a text: lines with TEXT, lines without TEXT, lines not empty, first N, last N, sort [by COLUMN] [down], ' +
    'column COLUMN, unique, reverse, replace TEXT with TEXT, add TEXT or NAME, ' +
    'count [lines, words, characters or bytes], sum, average',
  number: 'a number takes no operation',
};

const SIGNS = ['=', '!=', '<', '<=', '>', '>='] as const;
const EXPECT = 'expect count(NAME) >= 1, expect NAME = "text", or expect NAME > 100';

function readExpect(given: readonly Word[], names: Names): Read<Body> {
  const words = given.flatMap((word): readonly Word[] =>
    word.isQuoted
      ? [word]
      : word.text
          .split(/(<=|>=|!=|[=<>()])/)
          .filter((text) => text !== '')
          .map((text) => ({ text, isQuoted: false })),
  );
  const isCount = isWord(words[0], 'count') && isWord(words[1], '(') && isWord(words[3], ')');
  const [name, sign, than, more] = isCount ? [words[2], ...words.slice(4)] : words;
  const op = SIGNS.find((one) => isWord(sign, one));
  if (name === undefined || !isName(name) || op === undefined || than === undefined || more !== undefined)
    return err(EXPECT);
  const kind = readName(name, names, ['files', 'text', 'number']);
  if (kind._tag === 'Left') return kind;
  if (kind.right === 'files' && !isCount) return err(`${name.text} is files; here fits count(${name.text})`);
  if (kind.right === 'number' && isCount)
    return err(`${name.text} is a number; here fits ${name.text} alone`);
  const isNumber = isCount || kind.right === 'number';
  if (!isNumber && op !== '=' && op !== '!=') return err(`${name.text} is a text; here fits = or !=`);
  if (isName(than)) {
    const other = readName(than, names, [isNumber ? 'number' : 'text']);
    return other._tag === 'Left'
      ? other
      : ok({ t: 'expect', of: name.text, isCount, op, than: { name: than.text } });
  }
  const isFit = isNumber
    ? !than.isQuoted && /^[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?$/.test(than.text)
    : than.isQuoted;
  if (!isFit)
    return err(
      isNumber ? `a number, or the name of one, not ${than.text}` : `a text stands in quotes: "${than.text}"`,
    );
  return ok({ t: 'expect', of: name.text, isCount, op, than: than.text });
}
