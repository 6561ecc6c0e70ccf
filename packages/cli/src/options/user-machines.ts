/**
 * Machines and views of a module that the user names: code of the user's, which is run.
 *
 * @module
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkOptions } from '@assay/fleet';
import { admit, isName, type Machine, type Result } from '@assay/kernel';
import type { viewSchemas } from '@assay/kernel/schemas';
import type { View } from '@assay/kernel/view';
import { Stop, badMachine } from '../problems/problem.js';
import { deciding } from '../terminal/signals.js';

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
  const machines = machinesIn(loaded, path, EXPORTS);
  const views: unknown = 'views' in loaded ? loaded.views : [];
  if (!Array.isArray(views))
    throw badMachine('the views that this module exports are not a list', path, EXPORTS);
  const schemas = views.length === 0 ? null : (await import('@assay/kernel/schemas')).viewSchemas;
  // What a getter of theirs throws is told of the module as well.
  return within(path, () => ({
    path,
    machines: machines.map((machine) => steady(machine, path)),
    views: views.map((item: unknown, index) => {
      if (!isView(item))
        throw badMachine(
          `item ${index} of views is not a view: it needs machine, versions and ${VIEW_METHODS.join(', ')}`,
          path,
          EXPORTS,
        );
      return schemas === null ? item : judged(item, path, schemas);
    }),
  }));
}

/**
 * What a worker drives. Each decision is made once: who verifies the ledgers makes it again. Raises `Stop`,
 * `machine_file`.
 */
export async function workerModule(path: string): Promise<Pick<WorkOptions, 'machines' | 'ports'>> {
  const loaded = await load(path);
  const machines = machinesIn(loaded, path, WORKER_EXPORTS);
  const ports: unknown = 'ports' in loaded ? loaded.ports : undefined;
  if (typeof ports === 'function') return { machines, ports: ports as WorkOptions['ports'] };
  throw badMachine('this module does not export the function ports', path, WORKER_EXPORTS);
}

const WORKER_EXPORTS =
  'write export const machines = [yourMachine]; and export const ports = ({ inbox }) => (request) => yourPort;';

/** The machines that a module exports. Raises `Stop`, `machine_file`. */
function machinesIn(loaded: object, path: string, remedy: string): readonly AnyMachine[] {
  const list: unknown = 'machines' in loaded ? loaded.machines : undefined;
  if (!Array.isArray(list) || list.length === 0)
    throw badMachine('this module does not export a list of machines', path, remedy);
  return within(path, () =>
    list.map((item: unknown, index) => {
      if (isMachine(item)) return item;
      throw badMachine(
        `item ${index} of machines is not a machine: it needs a name, a version and ${METHODS.join(', ')}`,
        path,
        remedy,
      );
    }),
  );
}

async function load(path: string): Promise<object> {
  try {
    const module: unknown = await import(pathToFileURL(resolve(path)).href);
    if (typeof module === 'object' && module !== null) return module;
  } catch (error) {
    throw badMachine(
      `this module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      path,
      'give an ES module (.mjs) that exports machines',
    );
  }
  throw badMachine('not a module', path, 'give an ES module (.mjs) that exports machines');
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
 * The machine with everything that it derives made twice: what is not the same is no machine's. What it
 * throws, and what it returns that is no result, is told of its module, whichever command runs it.
 */
function steady(machine: AnyMachine, path: string): AnyMachine {
  const twice = <T>(method: string, make: () => T, textOf: (made: T) => string): T =>
    within(path, () => {
      const made = make();
      if (textOf(made) === textOf(make())) return made;
      throw badMachine(
        `${machine.name}@${machine.version}: ${method}() decides differently the second time`,
        path,
        'export machines that depend only on their arguments, not on time, chance or earlier calls',
      );
    });
  const result = <T extends Result<unknown, unknown>>(method: string, make: () => T): T =>
    twice(
      method,
      () => {
        const made = make();
        if (isResult(made)) return made;
        throw new TypeError(`${method}() returns no result: expected { _tag: 'Left' | 'Right', … }`);
      },
      (made) => JSON.stringify(made._tag === 'Right' && method === 'open' ? decisionIn(made.right) : made),
    );
  return {
    name: machine.name,
    version: machine.version,
    open: (genesis, context) => result('open', () => machine.open(genesis, context)),
    decide: (state, answer, context) => result('decide', () => machine.decide(state, answer, context)),
    parse: (value, request) => result('parse', () => machine.parse(value, request)),
    evolve: (state, event) =>
      twice(
        'evolve',
        () => machine.evolve(state, event),
        (next) => JSON.stringify(machine.encode(next)),
      ),
    encode: (state) => within(path, () => machine.encode(state)),
    decode: (json) => within(path, () => machine.decode(json)),
  };
}

function isResult(made: unknown): boolean {
  const tag: unknown = typeof made === 'object' && made !== null ? Reflect.get(made, '_tag') : null;
  return tag === 'Left' || tag === 'Right';
}

/** The state has no text but by `encode`. */
function decisionIn(opened: unknown): unknown {
  return typeof opened === 'object' && opened !== null ? Reflect.get(opened, 'decision') : opened;
}

/** The view with all that it returns judged by its schema, and what it throws told of its module. */
function judged(view: AnyView, path: string, schemas: typeof viewSchemas): AnyView {
  const fit = <K extends keyof typeof viewSchemas>(method: K, made: unknown): ReturnType<AnyView[K]> => {
    const admitted = admit(made);
    const fault = admitted._tag === 'Left' ? admitted.left.path : schemas[method](admitted.right.value);
    if (admitted._tag === 'Right' && fault === null)
      return admitted.right.value as unknown as ReturnType<AnyView[K]>;
    throw badMachine(
      `the view of ${view.machine} is wrong: ${method}()${describePlace(fault ?? '')}: not such a value`,
      path,
      'export a view that returns what docs/guides/write-a-machine.md lists',
    );
  };
  return {
    machine: view.machine,
    versions: view.versions,
    ...(view.account === undefined ? {} : { account: view.account }),
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
function describePlace(pointer: string): string {
  return pointer.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.');
}

/** Runs code of a module. Raises `Stop`, `machine_file`, where it throws. */
function within<T>(path: string, run: () => T): T {
  deciding();
  try {
    return run();
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw badMachine(
      `a machine or view of this module throws: ${error instanceof Error ? error.message : typeof error}`,
      path,
      'export machines and views that never throw; @assay/testing has laws to test them',
    );
  }
}
