/**
 * What can be made of outputs: a closed list of operations, each total and exact. The executor makes values with
 * them, and the validator makes them again from the evidence. Source: 003 §R2, §R4a; language/P4.
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
import { readText } from '@assay/kernel/shape';
import {
  foundPath,
  groupAlike,
  nameLine,
  makeOperand,
  order,
  renderText,
  totalsByExtension,
} from './files.js';
import {
  compareDecimals,
  cutColumn,
  isDecimal,
  joinLines,
  keepFirst,
  measureText,
  sortLines,
  splitLines,
  sumLines,
} from './lines.js';
import { derivationIn, type Derivation, type Holds, type Operation, type StepFault } from './program.js';

/** Outputs by the ids of their steps. */
export type Outputs = ReadonlyMap<string, Json>;

type Made = Result<StepFault, Json>;
type Operate = (value: Json, args: readonly Json[]) => Made;

/** What there is before any step. */
export const NO_OUTPUTS: ReadonlyMap<string, Json> = new Map([['empty', '']]);

/** Makes the value of a derivation. Arguments that are derivations are made first. */
export function derive({ from, do: operations }: Derivation, outputs: Outputs): Made {
  const start = outputs.get(from);
  if (start === undefined) return fault('unknown_step', from);
  let value = start;
  for (const operation of operations) {
    const made = operate(value, operation, outputs);
    if (made._tag === 'Left') return made;
    value = made.right;
  }
  return ok(value);
}

function operate(value: Json, [name, ...given]: Operation, outputs: Outputs): Made {
  const known = OPERATIONS.get(typeof name === 'string' ? name : '');
  if (known === undefined) return fault('unknown_operation', renderText(name ?? null));
  const args: Json[] = [];
  for (const arg of given) {
    const derivation = derivationIn(arg);
    const made = derivation === null ? ok(arg) : derive(derivation, outputs);
    if (made._tag === 'Left') return made;
    args.push(made.right);
  }
  return known(value, args);
}

/** Checks that something holds; `right` is what was found where it does not, null where it does. */
export function findUnmet({ value, op, than }: Holds, outputs: Outputs): Result<StepFault, string | null> {
  const found = derive(value, outputs);
  if (found._tag === 'Left') return found;
  const derivation = derivationIn(than);
  const wanted = derivation === null ? ok(than) : derive(derivation, outputs);
  if (wanted._tag === 'Left') return wanted;
  const [left, right] = [renderText(found.right), renderText(wanted.right)];
  return ok(compare(left, op, right) ? null : left);
}

function compare(left: string, op: Holds['op'], right: string): boolean {
  if (op === 'ends') return left.endsWith(right);
  if (op === 'is' || op === 'is_not')
    return (left.replace(/\r?\n$/, '') === right.replace(/\r?\n$/, '')) === (op === 'is');
  if (!isDecimal(left) || !isDecimal(right)) return false;
  const order = compareDecimals(left, right);
  const signs = order < 0 ? ['!=', '<', '<='] : order > 0 ? ['!=', '>', '>='] : ['=', '<=', '>='];
  return signs.includes(op);
}

/** The mark of a text: its size and digest. */
export function makeMark(text: string, sha256: Sha256 = nobleSha256): string {
  return markWith(utf8Length(text), hashText(text, sha256));
}

/** The same of a text of which only this is known. */
export function markWith(bytes: number, digest: string): string {
  return `${bytes} bytes, sha256 ${digest}`;
}

const texts =
  (make: (text: string, args: readonly Json[]) => Made): Operate =>
  (value, args) =>
    typeof value === 'string' ? make(value, args) : fault('wrong_value', 'a text is wanted');
const lines = (make: (lines: readonly string[], args: readonly Json[]) => readonly string[]): Operate =>
  texts((text, args) => ok(joinLines(make(splitLines(text), args))));
const lists =
  (make: (items: readonly Json[], args: readonly Json[]) => Made): Operate =>
  (value, args) =>
    isArray(value) ? make(value, args) : fault('wrong_value', 'a list is wanted');
/** Of objects with a path, as a search gives them. */
const files = (make: (files: readonly JsonObject[], args: readonly Json[]) => Json): Operate =>
  lists((items, args) =>
    ok(
      make(
        items.filter((item) => isObject(item)),
        args,
      ),
    ),
  );
const filters = (keep: (path: string, arg: string) => boolean): Operate =>
  files((items, [arg = null]) => items.filter((item) => keep(readPath(item), foundPath(renderText(arg)))));

/** The operations by name. */
export const OPERATIONS: ReadonlyMap<string, Operate> = new Map<string, Operate>([
  /** Objects, one a line. */
  ['json_lines', texts(readObjects)],
  /** A field of an object, or of each object of a list. */
  ['pluck', (value, [key]) => (isArray(value) ? pluckAll(value, key) : pluck(value, key))],

  /**
   * Files below the folder that is given, none of whose names begins with a dot; but for the last one, if `last`
   * is so.
   */
  [
    'visible',
    lists((items, [folder, last]) => keepVisible(items, foundPath(renderText(folder ?? '')), last === true)),
  ],
  /** Files in the folder itself; empty for the workspace. */
  ['directly', filters((path, folder) => path.slice(0, path.lastIndexOf('/') + 1) === folder)],
  ['except', filters((path, other) => path !== other && !path.startsWith(`${other}/`))],
  /** Files that another list has too, or has not; files of both lists, by path. */
  ['common', files((items, [others = []]) => items.filter(isAmong(others)))],
  ['minus', files((items, [others = []]) => items.filter((item) => !isAmong(others)(item)))],
  ['union', files((items, [others = []]) => joinFiles(items, others))],
  /** Files by a number, `up` or `down`; equal ones by path. */
  ['order', files((items, [key, way]) => order(items, renderText(key ?? null), way === 'down'))],
  ['head', lists((items, [count]) => ok(items.slice(0, Number(count))))],
  ['count', lists(({ length }) => ok(String(length)))],
  /** Paths as tools take them. */
  ['paths', files((items) => items.map((item) => makeOperand(readPath(item))))],
  /** Where each file is, and where it would be in a folder; files in it already are left out. */
  ['into', lists((items, [folder]) => moveAll(items, renderText(folder ?? '')))],
  /** A line for each: its path; path, tab, bytes; extension, tab, bytes. */
  ['names', files((items) => joinLines(items.map((item) => nameLine(readPath(item)))))],
  [
    'sizes',
    files((items) =>
      joinLines(items.map((item) => `${nameLine(readPath(item))}\t${renderText(item['size'] ?? null)}`)),
    ),
  ],
  ['by_extension', files(totalsByExtension)],
  ['same_content', files((items) => groupAlike(items, 'sha256'))],

  ['keep', lines((all, [part]) => all.filter((line) => line.includes(renderText(part ?? ''))))],
  ['drop', lines((all, [part]) => all.filter((line) => !line.includes(renderText(part ?? ''))))],
  ['not_empty', lines((all) => all.filter((line) => line.trim() !== ''))],
  ['first', lines((all, [count]) => all.slice(0, Number(count)))],
  ['last', lines((all, [count]) => all.slice(-Number(count)))],
  ['unique', lines(keepFirst)],
  ['reverse', lines((all) => all.toReversed())],
  ['sort', texts((text, [column = null, way]) => sortLines(text, column, way === 'down'))],
  ['column', texts((text, [column = null]) => cutColumn(text, column))],
  ['replace', texts((text, [from, to]) => replaceAll(text, renderText(from ?? ''), renderText(to ?? '')))],
  [
    'add',
    texts((text, [more]) => {
      const added = renderText(more ?? '');
      return text.length + added.length > TEXT_UNITS ? fault('too_long', 'a text') : ok(text + added);
    }),
  ],
  /** Numbers, as decimal texts. */
  ['measure', texts((text, [unit = null]) => measureText(text, unit))],
  ['sum', texts((text) => sumLines(text, false))],
  ['average', texts((text) => sumLines(text, true))],
]);

/** Longest text that is made, in UTF-16 units. */
const TEXT_UNITS = 16_777_216;

function replaceAll(text: string, from: string, to: string): Made {
  if (from === '') return fault('wrong_value', 'nothing cannot be replaced');
  const parts = text.split(from);
  const units = text.length + (parts.length - 1) * (to.length - from.length);
  return units > TEXT_UNITS ? fault('too_long', 'a text') : ok(parts.join(to));
}

function readObjects(text: string): Made {
  const objects: Json[] = [];
  for (const line of splitLines(text)) {
    const value = readJson(line);
    if (!isObject(value)) return fault('wrong_value', line);
    objects.push(value);
  }
  return ok(objects);
}

/** The value of a JSON text; null where it is none. */
function readJson(text: string): Json {
  try {
    const admitted = admit(JSON.parse(text));
    return admitted._tag === 'Right' ? admitted.right.value : null;
  } catch {
    return null;
  }
}

function pluck(item: Json, key: Json | undefined): Made {
  const value = isObject(item) ? field(item, renderText(key ?? null)) : undefined;
  return value === undefined ? fault('wrong_value', `no field ${renderText(key ?? null)}`) : ok(value);
}

function pluckAll(items: readonly Json[], key: Json | undefined): Made {
  const made: Json[] = [];
  for (const item of items) {
    const one = pluck(item, key);
    if (one._tag === 'Left') return one;
    made.push(one.right);
  }
  return ok(made);
}

function readPath(file: JsonObject): string {
  return foundPath(readText(file, 'path'));
}

function isAmong(others: Json): (file: JsonObject) => boolean {
  const paths = new Set(isArray(others) ? others.map((other) => foundPath(readText(other, 'path'))) : []);
  return (file) => paths.has(readPath(file));
}

function joinFiles(items: readonly JsonObject[], others: Json): readonly JsonObject[] {
  const more = (isArray(others) ? others : []).filter((other) => isObject(other));
  const all = new Map([...items, ...more].map((file) => [readPath(file), file]));
  return order([...all.values()], 'path', false);
}

/** What is found elsewhere than below the folder cannot be compared with paths that are given. */
function keepVisible(items: readonly Json[], folder: string, isLastFree: boolean): Made {
  const hidden = isLastFree ? /(?:^|\/)\.[^/]*\// : /(?:^|\/)\./;
  const paths = items.map((item) => readText(item, 'path'));
  const other = paths.find((path) => folder !== '' && !path.startsWith(`${folder}/`));
  if (other !== undefined) return fault('wrong_value', `${other} is not below ${folder}`);
  return ok(items.filter((_, at) => !hidden.test((paths[at] ?? '').slice(folder.length))));
}

function moveAll(files: readonly Json[], folder: string): Made {
  const moves: JsonObject[] = [];
  const taken = new Map<string, string>();
  for (const file of files) {
    const path = readText(file, 'path');
    const to = `${folder}/${path.slice(path.lastIndexOf('/') + 1)}`;
    const other = taken.get(to);
    if (other !== undefined) return fault('ambiguous', `${other} and ${path} would both be ${to}`);
    taken.set(to, path);
    if (makeOperand(path) !== to) moves.push({ from: makeOperand(path), path: to });
  }
  return ok(moves);
}

/** A value that cannot be made. */
export function fault(code: StepFault['code'], detail: string): Result<StepFault, never> {
  return err({ code, detail });
}
