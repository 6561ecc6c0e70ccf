/**
 * Machines and views of a module that the user names: code of the user's, which is run.
 *
 * @module
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isName, type Machine } from '@assay/kernel';
import type { viewSchemas } from '@assay/kernel/schemas';
import type { View } from '@assay/kernel/view';
import { misuse, Stop } from '../problems/problem.js';

/** A machine of which nothing is known but that it is one. */
export type AnyMachine = Machine<unknown, unknown>;
/** A view of which nothing is known but that it is one. */
type AnyView = View<unknown, unknown>;

/** What a module exports. */
export type UserModule = {
  readonly path: string;
  readonly machines: readonly AnyMachine[];
  readonly views: readonly AnyView[];
};

const METHODS = ['open', 'parse', 'decide', 'evolve', 'encode', 'decode'] as const;
const VIEW_METHODS = ['start', 'fold', 'describe', 'show', 'knobs', 'turn', 'files', 'next'] as const;
const EXPORTS =
  'write export const machines = [yourMachine]; and, to be shown, export const views = [yourView];';

/** Loads a module. Raises `Stop`, `machine_file`. */
export async function userModule(path: string): Promise<UserModule> {
  const loaded = await load(path);
  const list: unknown = 'machines' in loaded ? loaded.machines : undefined;
  if (!Array.isArray(list) || list.length === 0)
    throw misuse('machine_file', 'this module does not export a list of machines', path, EXPORTS);
  const views: unknown = 'views' in loaded ? loaded.views : [];
  if (!Array.isArray(views))
    throw misuse('machine_file', 'the views that this module exports are not a list', path, EXPORTS);
  const schemas = views.length === 0 ? null : (await import('@assay/kernel/schemas')).viewSchemas;
  return {
    path,
    machines: list.map((item: unknown, index) => {
      if (!isMachine(item))
        throw misuse(
          'machine_file',
          `item ${index} of machines is not a machine: it needs a name, a version and ${METHODS.join(', ')}`,
          path,
          EXPORTS,
        );
      return steady(item, path);
    }),
    views: views.map((item: unknown, index) => {
      if (!isView(item))
        throw misuse(
          'machine_file',
          `item ${index} of views is not a view: it needs machine, versions and ${VIEW_METHODS.join(', ')}`,
          path,
          EXPORTS,
        );
      return schemas === null ? item : judged(item, path, schemas);
    }),
  };
}

async function load(path: string): Promise<object> {
  try {
    const module: unknown = await import(pathToFileURL(resolve(path)).href);
    if (typeof module === 'object' && module !== null) return module;
  } catch (error) {
    throw misuse(
      'machine_file',
      `this module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      path,
      'give an ES module (.mjs) that exports machines',
    );
  }
  throw misuse('machine_file', 'not a module', path, 'give an ES module (.mjs) that exports machines');
}

function isMachine(item: unknown): item is AnyMachine {
  const version = hasMethods(item, METHODS) ? Number(Reflect.get(item, 'version')) : -1;
  return hasMethods(item, METHODS) && isNamed(item, 'name') && Number.isSafeInteger(version) && version >= 0;
}

function isView(item: unknown): item is AnyView {
  if (!hasMethods(item, VIEW_METHODS) || !isNamed(item, 'machine')) return false;
  const versions: unknown = Reflect.get(item, 'versions');
  return Array.isArray(versions) && versions.every(Number.isSafeInteger);
}

function hasMethods(item: unknown, methods: readonly string[]): item is object {
  return (
    typeof item === 'object' &&
    item !== null &&
    methods.every((method) => typeof Reflect.get(item, method) === 'function')
  );
}

function isNamed(item: object, key: string): boolean {
  const name: unknown = Reflect.get(item, key);
  return typeof name === 'string' && isName(name);
}

/**
 * The machine with every decision made twice: one that is not the same is no decision of a machine. What it
 * throws is told of its module, whichever command runs it.
 */
function steady(machine: AnyMachine, path: string): AnyMachine {
  const twice = <T>(decide: () => T, textOf: (decided: T) => string): T => {
    const decided = decide();
    if (textOf(decided) === textOf(decide())) return decided;
    throw misuse(
      'machine_file',
      `${machine.name}@${machine.version} decides differently the second time`,
      path,
      'export machines that depend only on their arguments, not on time, chance or earlier calls',
    );
  };
  return {
    ...machine,
    open: (genesis, context) =>
      twice(
        () => within(path, () => machine.open(genesis, context)),
        (opened) => JSON.stringify(opened._tag === 'Left' ? opened : opened.right.decision),
      ),
    decide: (state, answer, context) =>
      twice(
        () => within(path, () => machine.decide(state, answer, context)),
        (decided) => JSON.stringify(decided),
      ),
    parse: (value, request) => within(path, () => machine.parse(value, request)),
    evolve: (state, event) => within(path, () => machine.evolve(state, event)),
    encode: (state) => within(path, () => machine.encode(state)),
    decode: (json) => within(path, () => machine.decode(json)),
  };
}

/** The view with all that it returns judged by its schema, and what it throws told of its module. */
function judged(view: AnyView, path: string, schemas: typeof viewSchemas): AnyView {
  const fit = <K extends keyof typeof viewSchemas>(method: K, made: unknown): ReturnType<AnyView[K]> => {
    const read = schemas[method].safeParse(made);
    if (read.success) return read.data as ReturnType<AnyView[K]>;
    const [issue] = read.error.issues;
    throw misuse(
      'machine_file',
      `the view of ${view.machine} is wrong: ${method}()${placeOf(issue?.path ?? [])}: ${issue?.message ?? ''}`,
      path,
      'export a view that returns what docs/guides/views.md lists',
    );
  };
  return {
    machine: view.machine,
    versions: view.versions,
    start: (genesis) => within(path, () => view.start(genesis)),
    fold: (...given) => within(path, () => view.fold(...given)),
    describe: (...given) => within(path, () => fit('describe', view.describe(...given))),
    show: (...given) => within(path, () => fit('show', view.show(...given))),
    knobs: (...given) => within(path, () => fit('knobs', view.knobs(...given))),
    turn: (...given) => within(path, () => view.turn(...given)),
    files: (...given) => within(path, () => view.files(...given)),
    next: (...given) => within(path, () => fit('next', view.next(...given))),
  };
}

/** Keys and positions as code writes them: `.panels[0].block`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}

/** Runs code of a module. Raises `Stop`, `machine_file`, where it throws. */
function within<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw misuse(
      'machine_file',
      `a machine or view of this module throws: ${error instanceof Error ? error.message : String(error)}`,
      path,
      'export machines and views that never throw; @assay/testing has laws to test them',
    );
  }
}
