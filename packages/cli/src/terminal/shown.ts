/** Text that may be printed: written by us, with every value in it escaped. */
import { maskedAddress } from '@assay/host';
import { forTerminal, safeJson, type InkLine } from '@assay/views';
import { utf8Bytes, field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import type { NextMove } from '@assay/kernel/view';

/**
 * A line for the terminal, with the style each part asks for. Made by {@link show}, so no value gets in
 * unescaped.
 */
export type Shown = { readonly parts: readonly Part[] };
/** A piece of text and its style. */
type Part = { readonly text: string; readonly style: Style | null };

/** A template whose values are escaped: strings, numbers, and other shown text as it is. */
export function show(literals: TemplateStringsArray, ...values: readonly (string | number | Shown)[]): Shown {
  const parts = literals.flatMap((literal, index): readonly Part[] => {
    const value = values[index];
    const own: Part = { text: literal, style: null };
    if (value === undefined) return [own];
    return typeof value === 'object'
      ? [own, ...value.parts]
      : [own, { text: forTerminal(String(value)), style: null }];
  });
  return { parts };
}

/** Shown text in a style. */
export function styled(style: Style, shown: Shown): Shown {
  return { parts: shown.parts.map(({ text, style: own }) => ({ text, style: own ?? style })) };
}

/** Shown text padded with spaces to a width in code points. */
export function padded(shown: Shown, width: number): Shown {
  const length = shown.parts.reduce((sum, { text }) => sum + [...text].length, 0);
  return length >= width
    ? shown
    : { parts: [...shown.parts, { text: ' '.repeat(width - length), style: null }] };
}

/** The text of a line, without styles. */
export function plain(shown: Shown): string {
  return shown.parts.map(({ text }) => text).join('');
}

/** A line of a picture, which is escaped as it is drawn. */
export function inked(line: InkLine): Shown {
  return { parts: line.map(({ text, tone }) => ({ text, style: tone === 'plain' ? null : tone })) };
}

/**
 * A line of the verifier's own rendering, which has escaped what it shows; the word of each verdict gets its
 * style.
 */
export function rendered(text: string): Shown {
  const found = /^(  [a-z]+ +)(held|failed|not_checked)( .*)?$/s.exec(text);
  if (found === null) return { parts: [{ text, style: null }] };
  const [, before = '', verdict = '', after = ''] = found;
  return {
    parts: [
      { text: before, style: null },
      { text: verdict, style: VERDICTS[verdict] ?? null },
      { text: after, style: null },
    ],
  };
}

const VERDICTS: { readonly [verdict: string]: Style } = { held: 'good', failed: 'bad', not_checked: 'open' };

/** What a part of a line is. */
type Style = 'good' | 'bad' | 'open' | 'faint' | 'strong';

const CODES: { readonly [style in Style]: readonly [number, number] } = {
  good: [32, 39],
  bad: [31, 39],
  open: [33, 39],
  faint: [2, 22],
  strong: [1, 22],
};

/** Text in a style, as a terminal takes it. */
export function paint(style: Style, text: string): string {
  const [on, off] = CODES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/**
 * Whether to colour: NO_COLOR, FORCE_COLOR and TERM=dumb are honoured, then whether a terminal listens.
 */
export function wantsColor(env: NodeJS.ProcessEnv, isTty: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}

/** Text cut to a number of code points, the cut marked by an ellipsis. */
export function cut(text: string, pointsMax: number): string {
  const points = [...text.slice(0, 2 * pointsMax + 2)];
  return points.length <= pointsMax ? text : `${points.slice(0, pointsMax - 1).join('')}…`;
}

/** Parts per million as a share of one, cut to three places. */
export function points(ppm: number): string {
  return `${Math.floor(ppm / 1_000_000)}.${String(ppm % 1_000_000)
    .padStart(6, '0')
    .slice(0, 3)}`;
}

/** Columns of the demo's screen. */
export const COLUMNS = 100;

/** A line cut to a number of code points, the cut marked by an ellipsis. */
export function fitted(shown: Shown, columns: number = COLUMNS): Shown {
  if ([...plain(shown)].length <= columns) return shown;
  return { parts: [...takeFirst(shown, columns - 1).parts, { text: '…', style: null }] };
}

/**
 * A line that is too long goes on, indented, in the next ones: at most `lines`, the last cut. What goes on
 * has no style.
 */
export function folded(
  shown: Shown,
  indent: number,
  lines: number = 2,
  columns: number = COLUMNS,
): readonly Shown[] {
  const points = [...plain(shown)];
  if (points.length <= columns) return [shown];
  const at = points.slice(0, columns).lastIndexOf(' ');
  if (lines <= 1 || at <= indent) return [fitted(shown, columns)];
  const rest: Shown = { parts: [{ text: ' '.repeat(indent) + points.slice(at + 1).join(''), style: null }] };
  return [takeFirst(shown, at), ...folded(rest, indent, lines - 1, columns)];
}

/** Words in lines of at most some columns; a word that is longer has a line of its own. */
export function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The first code points of a line. */
function takeFirst(shown: Shown, count: number): Shown {
  let room = count;
  const parts = shown.parts.map(({ text, style }): Part => {
    const points = [...text].slice(0, room);
    room -= points.length;
    return { text: points.join(''), style };
  });
  return { parts };
}

/** A value as JSON inside a line, cut to a number of code points. */
export function jsonShown(value: unknown, pointsMax: number = Number.MAX_SAFE_INTEGER): Shown {
  return {
    parts: [
      {
        text: pointsMax === Number.MAX_SAFE_INTEGER ? safeJson(value) : cut(safeJson(value), pointsMax),
        style: null,
      },
    ],
  };
}

const BARE = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * One word. Plain ones as they are; others in single quotes, where a shell expands nothing, a single quote
 * among them in double quotes; with a backslash, a character that no terminal shows, or both a quote and a
 * `!`, as `$'…'` with such bytes in hexadecimal.
 */
export function shellWord(text: string): string {
  if (BARE.test(text)) return text;
  const isPlain = forTerminal(text) === text && !text.includes('\\');
  if (isPlain && !text.includes("'")) return `'${text}'`;
  if (isPlain && !text.includes('!'))
    return text
      .split("'")
      .map((part) => (part === '' ? '' : `'${part}'`))
      .join(`"'"`);
  return `$'${[...text]
    .map((character) =>
      /['\\!]/.test(character) || forTerminal(character) !== character ? hexadecimal(character) : character,
    )
    .join('')}'`;
}

/**
 * A command line of such words, a password in an address of a server as `***`. It holds no character that needs an
 * escape, and a second one would change what it says.
 */
export function commandLine(words: readonly string[]): Shown {
  const shown = words.map((word) => (/^(?:postgres|redis)\w*:\/\//.test(word) ? maskedAddress(word) : word));
  return { parts: [{ text: shown.map(shellWord).join(' '), style: null }] };
}

/** What to type next, as words. `ledger`: the file behind `{ledger}`. */
export function moveWords({ command, args }: NextMove, ledger: string): readonly string[] {
  // A name that begins with a hyphen would pass for an option.
  const file = ledger.startsWith('-') && ledger !== '-' ? `./${ledger}` : ledger;
  return ['assay', command, ...args.map((arg) => (arg === '{ledger}' ? file : arg))];
}

function hexadecimal(character: string): string {
  return [...utf8Bytes(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The value of a JSON text, null for anything else. */
export function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** The value of an object's field, null where there is none. */
export function valueIn(value: Json | undefined, key: string): Json {
  return value !== undefined && isObject(value) ? (field(value, key) ?? null) : null;
}

/** The text of an object's field, "" where there is none. */
export function textIn(value: Json | undefined, key: string): string {
  const text = valueIn(value, key);
  return typeof text === 'string' ? text : '';
}

/** The object in an object's field, empty where there is none. */
export function objectIn(value: Json | undefined, key: string): JsonObject {
  const object = valueIn(value, key);
  return isObject(object) ? object : {};
}

/** Code points shown before the first difference of two long texts. */
const BEFORE_POINTS = 16;

/**
 * Both sides as JSON, each at most that many code points: from their beginning, else lists by what they hold,
 * else around the first difference.
 */
export function describeChange(from: Json, to: Json, pointsMax: number): Shown {
  const [before, after] = [safeJson(from), safeJson(to)];
  if (cut(before, pointsMax) !== cut(after, pointsMax))
    return show`${cut(before, pointsMax)} → ${cut(after, pointsMax)}`;
  if (isArray(from) && isArray(to)) return listChange(from, to);
  const [had, has] = [[...before], [...after]];
  const start = Math.max(0, had.findIndex((point, at) => point !== has[at]) - BEFORE_POINTS);
  const [left, right] = [had, has].map((points) => cut(`…${points.slice(start).join('')}`, pointsMax));
  return show`${left ?? ''} → ${right ?? ''}`;
}

/**
 * How two different lists differ: in number; of an answer with as many readings, what in the first that
 * differs.
 */
export function listChange(from: readonly Json[], to: readonly Json[]): Shown {
  const noun = [...from, ...to].every((item) => isArray(valueIn(item, 'commits'))) ? 'reading' : 'item';
  if (from.length !== to.length) return show`${counted(from.length, noun)} → ${counted(to.length, noun)}`;
  const place = from.findIndex((item, index) => safeJson(item) !== safeJson(to[index]));
  const [before, after] = [from[place] ?? null, to[place] ?? null];
  const key = isObject(before)
    ? Object.keys(before).find((name) => safeJson(before[name]) !== safeJson(valueIn(after, name)))
    : undefined;
  const [had, has] = [valueIn(before, key ?? ''), valueIn(after, key ?? '')];
  const where = `${noun} ${place + 1}`;
  if (!isArray(had) || !isArray(has)) return show`${where} of ${from.length}: another`;
  const inner = key === 'commits' ? 'claim' : (key ?? '').replace(/s$/, '');
  return had.length === has.length
    ? show`${where}: ${counted(had.length, inner)} in another order`
    : show`${where}: ${counted(had.length, inner)} → ${counted(has.length, inner)}`;
}

/** A JSON pointer as programs write it: `/deny/0/when/~1path` as `deny[0].when["/path"]`. */
export function renderPointer(pointer: string): string {
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const parts = keys
    .slice(1)
    .map((key) =>
      /^[0-9]+$/.test(key) ? `[${key}]` : /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${safeJson(key)}]`,
    );
  return parts.join('').replace(/^\./, '') || 'the whole file';
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
