/**
 * What can be made of outputs: a closed list of operations, each total and exact. The executor makes values
 * with them, and the validator makes them again from the evidence. Source: 003 §R2, §R4a.
 *
 * @module
 */
import {
  admit,
  err,
  field,
  hashText,
  isArray,
  isObject,
  nobleSha256,
  ok,
  utf8Length,
  type Json,
  type JsonObject,
  type Result,
  type Sha256,
} from '@assay/kernel';
import {
  renderText,
  alike,
  readExtension,
  nameLine,
  order,
  statLines,
  totalsByExtension,
  twins,
  byCodePoints,
  bare,
  makeOperand,
} from './files.js';
import { measured, sumTotal } from './numbers.js';
import type { StepFault, Derivation, Operation } from './program.js';

/** Outputs by the ids of their steps. */
export type Outputs = ReadonlyMap<string, Json>;

type Made = Result<StepFault, Json>;
type Operate = (value: Json, args: readonly Json[], outputs: Outputs, sha256: Sha256) => Made;

/** Makes the value of a derivation. `sha256`: a faster digest of the host. */
export function derive(
  { from, do: operations }: Derivation,
  outputs: Outputs,
  sha256: Sha256 = nobleSha256,
): Made {
  const start = outputs.get(from);
  if (start === undefined) return fault('unknown_step', from);
  let value = start;
  for (const operation of operations) {
    const made = operate(value, operation, outputs, sha256);
    if (made._tag === 'Left') return made;
    value = made.right;
  }
  return ok(value);
}

/** A text as it is where it is short, else its size and digest. */
export function brief(text: string, sha256: Sha256): string {
  return text.length <= BRIEF_MAX ? text : makeMark(text, sha256);
}

/** The mark of a text that is too long to be said. */
export function makeMark(text: string, sha256: Sha256): string {
  return markWith(utf8Length(text), hashText(text, sha256));
}

/** The same of a text of which only this is known. */
export function markWith(bytes: number, digest: string): string {
  return `${bytes} bytes, sha256 ${digest}`;
}

/** Longest text that {@link brief} says itself, in UTF-16 units. */
const BRIEF_MAX = 200;

function operate(value: Json, [name, ...args]: Operation, outputs: Outputs, sha256: Sha256): Made {
  const known = OPERATIONS.get(typeof name === 'string' ? name : '');
  return known === undefined
    ? fault('unknown_operation', renderText(name ?? null))
    : known(value, args, outputs, sha256);
}

const texts =
  (make: (text: string, args: readonly Json[]) => Made): Operate =>
  (value, args) =>
    typeof value === 'string' ? make(value, args) : fault('wrong_value', 'a text is wanted');
const lists =
  (make: (items: readonly Json[], args: readonly Json[], outputs: Outputs) => Made): Operate =>
  (value, args, outputs) =>
    isArray(value) ? make(value, args, outputs) : fault('wrong_value', 'a list is wanted');

/** The operations by name. `path` of an item: the field `path` of an object, else the text itself. */
export const OPERATIONS: ReadonlyMap<string, Operate> = new Map<string, Operate>([
  /** Lines of a text, without their ends; what follows the last end is a line where it is not empty. */
  ['lines', texts((text) => ok(splitLines(text)))],
  /** Objects, one a line. */
  ['json_lines', texts((text) => all(splitLines(text), jsonObject))],
  /** A field of an object, or of each object of a list. */
  [
    'pluck',
    (value, [key]) => (isArray(value) ? all(value, (item) => pluckField(item, key)) : pluckField(value, key)),
  ],
  /** A list without the items of these paths. */
  ['without', lists((items, paths) => ok(items.filter((item) => !isOneOf(paths, item))))],
  /** The items of these paths. */
  ['only', lists((items, paths) => ok(items.filter((item) => isOneOf(paths, item))))],
  /** Items of which the path has this extension, see `readExtension`. */
  [
    'with_ext',
    lists((items, [ext]) => ok(items.filter((item) => readExtension(renderText(readPath(item))) === ext))),
  ],
  [
    'first',
    lists((items) =>
      items[0] === undefined ? fault('nothing_found', 'there is no such file') : ok(items[0]),
    ),
  ],
  ['count', lists((items) => ok(items.length))],
  /** Texts by code points. */
  ['sort', lists((items) => ok(items.map(renderText).toSorted(byCodePoints)))],
  /**
   * Objects by a number, `up` or `down`; equal ones by path, by UTF-16 units, as the search tool has them.
   */
  [
    'order',
    lists((items, [key, way]) =>
      ok(
        order(
          items.filter((item) => isObject(item)),
          renderText(key ?? null),
          way === 'down',
        ),
      ),
    ),
  ],
  /**
   * A path on one line: itself, or a JSON string where it holds control characters, quotes or backslashes.
   */
  ['name', texts((text) => ok(nameLine(text)))],
  ['names', lists((items) => ok(items.map((item) => nameLine(renderText(item)))))],
  /** One line of text. */
  [
    'line',
    (value) =>
      typeof value === 'string' || typeof value === 'number'
        ? ok(`${value}\n`)
        : fault('wrong_value', 'a text or a number is wanted'),
  ],
  /** A line for each text. */
  ['as_lines', lists((items) => ok(items.map((item) => `${renderText(item)}\n`).join('')))],
  [
    'text',
    (value) =>
      typeof value === 'string' || typeof value === 'number'
        ? ok(String(value))
        : fault('wrong_value', 'a text or a number is wanted'),
  ],
  ['measure', texts((text, [unit]) => ok(measured(text, renderText(unit ?? null))))],
  [
    'total',
    texts((text, [column]) =>
      sumTotal(text, typeof column === 'number' || typeof column === 'string' ? column : null),
    ),
  ],
  ['brief', (value, args, _, sha256) => texts((text) => ok(brief(text, sha256)))(value, args, _, sha256)],
  /**
   * Paths of `grep -c --null`, a NUL behind each and a line with its count; without a NUL of `path:count`
   * lines, see `pathsOfLines`.
   */
  [
    'counted_paths',
    texts((text) => (text.includes(NUL) ? countedPaths(text) : pathsOfLines(splitLines(text), COUNT_BEHIND))),
  ],
  /** Paths of `grep -l --null`, a NUL behind each; without a NUL one a line, see `pathsOfLines`. */
  [
    'bare_paths',
    texts((text) => (text.includes(NUL) ? barePaths(text) : pathsOfLines(splitLines(text), NOTHING_BEHIND))),
  ],
  /**
   * Objects of `size seconds.nanoseconds path`, a NUL behind each; without a NUL one a line, no path twice.
   */
  [
    'stat_lines',
    texts((text) => (text.includes(NUL) ? all(splitItems(text), statLines) : statedOnce(splitLines(text)))),
  ],
  /**
   * Paths as tools take them: `./` before `-`, which is an input, and before `~` at the beginning, which is
   * another folder.
   */
  ['operands', lists((items) => ok(items.map((item) => makeOperand(renderText(item)))))],
  /**
   * Says that none of the folders that `stat -c %F` looked at is a link; where that is not so, no search by
   * paths is sound.
   */
  [
    'no_links',
    texts((text) =>
      splitLines(text).includes('symbolic link')
        ? fault('linked_folder', 'a folder on the way is a symbolic link: name the folder that it leads to')
        : ok(['none']),
    ),
  ],
  /** Groups of paths with the same digest, of the output of `sha256sum` for the paths that a step gave. */
  [
    'twins',
    (value, [paths], outputs, sha256) =>
      derived(paths, outputs, sha256, (named) => twins(splitLines(renderText(value)), named)),
  ],
  /** Groups of paths of objects that say the same under a key. */
  [
    'alike',
    lists((items, [key]) =>
      alike(
        items.filter((item) => isObject(item)),
        renderText(key ?? null),
      ),
    ),
  ],
  /** Lines of each group, groups parted by an empty line. */
  [
    'as_groups',
    lists((items) =>
      ok(
        items
          .map((group) =>
            isArray(group) ? group.map((item) => `${nameLine(renderText(item))}\n`).join('') : '',
          )
          .join('\n'),
      ),
    ),
  ],
  /** `extension<TAB>bytes` lines of objects with `path` and `size`; `-` where there is none. */
  ['by_extension', lists((items) => ok(totalsByExtension(items.filter((item) => isObject(item)))))],
]);

function derived(
  value: Json | undefined,
  outputs: Outputs,
  sha256: Sha256,
  make: (paths: readonly string[]) => Made,
): Made {
  if (!isObject(value)) return fault('wrong_value', 'a derivation is wanted');
  const from = field(value, 'from');
  const operations = field(value, 'do');
  if (typeof from !== 'string' || !isArray(operations)) return fault('wrong_value', 'a derivation is wanted');
  const paths = derive({ from, do: operations.filter((operation) => isArray(operation)) }, outputs, sha256);
  if (paths._tag === 'Left') return paths;
  return isArray(paths.right)
    ? make(paths.right.map(renderText))
    : fault('wrong_value', 'a list of paths is wanted');
}

function jsonObject(line: string): Result<StepFault, JsonObject> {
  const value = writeJson(line);
  return isObject(value) ? ok(value) : fault('wrong_value', line);
}

/** The value of a JSON text; null where it is none. */
function writeJson(text: string): Json {
  try {
    const parsed: unknown = JSON.parse(text);
    const admitted = admit(parsed);
    return admitted._tag === 'Right' ? admitted.right.value : null;
  } catch {
    return null;
  }
}

function pluckField(item: Json, key: Json | undefined): Made {
  const value = isObject(item) ? field(item, renderText(key ?? null)) : undefined;
  return value === undefined ? fault('wrong_value', `no field ${renderText(key ?? null)}`) : ok(value);
}

function readPath(item: Json): Json {
  return isObject(item) ? (field(item, 'path') ?? '') : item;
}

function isOneOf(paths: readonly Json[], item: Json): boolean {
  return paths.some(
    (path) => path === readPath(item) || (typeof path === 'string' && bare(path) === readPath(item)),
  );
}

const NUL = '\0';

/** What stands before each NUL, and what follows the last. A NUL is in no path, a line end may be. */
function splitItems(text: string): readonly string[] {
  const items = text.split(NUL);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}

function barePaths(text: string): Made {
  return text.endsWith(NUL)
    ? ok(splitItems(text).map(bare))
    : fault('wrong_value', 'what follows the last NUL');
}

/** Behind each path of a line: its count, or nothing. */
const COUNT_BEHIND = /:[0-9]+$/;
const NOTHING_BEHIND = /$/;

/**
 * Paths, one a line. A name with a line end looks like two of them: refused is what shows it, a path that
 * comes twice, and `./` before some only.
 */
function pathsOfLines(lines: readonly string[], behind: RegExp): Made {
  const odd = lines.find((line) => !behind.test(line));
  if (odd !== undefined) return fault('wrong_value', odd);
  const paths = lines.map((line) => line.replace(behind, ''));
  const other = paths.find((path) => path.startsWith('./') !== paths[0]?.startsWith('./'));
  return other === undefined
    ? once(paths.map(bare), (path) => path)
    : fault('wrong_value', `${other}: it may be a part of a name with a line end; grep --null tells`);
}

function statedOnce(lines: readonly string[]): Made {
  const files = all(lines, statLines);
  return files._tag === 'Left' || !isArray(files.right)
    ? files
    : once(files.right, (file) => renderText(readPath(file)));
}

function once<T extends Json>(items: readonly T[], named: (item: T) => string): Made {
  const paths = new Set<string>();
  for (const item of items) {
    const path = named(item);
    if (paths.has(path))
      return fault(
        'wrong_value',
        `${path} comes twice: it may be a part of a name with a line end; grep --null and stat --printf tell`,
      );
    paths.add(path);
  }
  return ok([...items]);
}

function countedPaths(text: string): Made {
  const paths: Json[] = [];
  let at = 0;
  while (at < text.length) {
    const nul = text.indexOf(NUL, at);
    const count = nul < 0 ? null : COUNT.exec(text.slice(nul + 1, nul + 1 + COUNT_UNITS));
    if (count === null) return fault('wrong_value', text.slice(at));
    paths.push(bare(text.slice(at, nul)));
    at = nul + 1 + count[0].length;
  }
  return ok(paths);
}

/** A count and the end of its line, and the most units that they take. */
const COUNT = /^[0-9]{1,19}\n/;
const COUNT_UNITS = 20;

/** Lines without their ends; an empty text has none. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function all<T extends Json>(items: readonly T[], make: (item: T) => Made): Made {
  const made: Json[] = [];
  for (const item of items) {
    const one = make(item);
    if (one._tag === 'Left') return one;
    made.push(one.right);
  }
  return ok(made);
}

/** A value that cannot be made. */
export function fault(code: StepFault['code'], detail: string): Result<StepFault, never> {
  return err({ code, detail });
}
