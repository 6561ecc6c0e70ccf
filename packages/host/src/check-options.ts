/**
 * Options of a drive that are not what they must be, and results of a caller's timer or store that are none.
 * All options are looked at before anything is read: found later, a run would be stored already, and a NaN
 * compares with nothing, and would wait for ever.
 */
import { isName, type Result } from '@assay/kernel';
import type { DriveOptions } from './drive-options.js';
import type { Timer } from './timer.js';

/** Calls that one drive may have under way at once, at most. */
export const CONCURRENCY_MAX = 1_024;

/**
 * Throws an error that names the first option that is not what it must be: a RangeError for a number or a
 * choice, else a TypeError.
 */
export function checkOptions(options: DriveOptions): void {
  if (!isObject(options)) throw new TypeError(`options: expected an object, got ${shown(options)}`);
  const { concurrency, deadlines, invitationAttempts, order, retry, snapshots, steps } = options;
  known('options', options, NAMES);
  checkParts(options);
  known('options.deadlines', deadlines, ['kinds', 'call', 'run']);
  known('options.retry', retry, ['baseMs', 'capMs', 'leaveAfterMs', 'read', 'seed']);
  known('options.budget', options.budget, ['limits', 'notes']);
  known('options.snapshots', snapshots, ['keep', 'every', 'deadlineMs', 'isTrusted']);
  whole('concurrency', concurrency, 1, CONCURRENCY_MAX);
  whole('steps', steps, 0, Infinity);
  whole('invitationAttempts', invitationAttempts, 0, Infinity);
  milliseconds('deadlines.call', deadlines?.call ?? undefined);
  milliseconds('deadlines.run', deadlines?.run ?? undefined);
  for (const [kind, ms] of Object.entries(deadlines?.kinds ?? {}))
    milliseconds(`deadlines.kinds.${kind}`, ms ?? undefined);
  milliseconds('retry.baseMs', retry?.baseMs);
  milliseconds('retry.capMs', retry?.capMs);
  milliseconds('retry.leaveAfterMs', retry?.leaveAfterMs);
  whole('snapshots.every', snapshots?.every, 1, Infinity);
  milliseconds('snapshots.deadlineMs', snapshots?.deadlineMs);
  for (const [unit, limit] of Object.entries(options.budget?.limits ?? {})) amount(unit, limit);
  if (order !== undefined && order !== 'turn' && order !== 'arrival')
    throw new RangeError(`options.order: expected turn or arrival, got ${String(order)}`);
}

/** What is no number: what it must have, by name. */
function checkParts({
  budget,
  deadlines,
  retry,
  signal,
  snapshots,
  store,
  timer,
  ...rest
}: DriveOptions): void {
  methods('store', store, ['append', 'read', 'head']);
  kind('ports', rest.ports, 'function');
  for (const name of ['sha256', 'onEvent'] as const)
    if (rest[name] !== undefined) kind(name, rest[name], 'function');
  if (signal !== undefined)
    methods('signal', signal, ['addEventListener', 'removeEventListener', 'throwIfAborted']);
  if (timer !== undefined) methods('timer', timer, ['now', 'sleep']);
  for (const [name, value] of Object.entries({
    deadlines,
    'deadlines.kinds': deadlines?.kinds,
    retry,
    budget,
    'budget.limits': budget?.limits,
    snapshots,
  }))
    if (value !== undefined) kind(name, value, 'object');
  if (retry?.seed !== undefined) kind('retry.seed', retry.seed, 'string');
  if (budget?.notes !== undefined) methods('budget.notes', budget.notes, ['begin']);
  if (snapshots === undefined) return;
  methods('snapshots.keep', snapshots.keep, ['save', 'load']);
  if (snapshots.isTrusted !== undefined) kind('snapshots.isTrusted', snapshots.isTrusted, 'boolean');
}

/** All that a drive may be told; the type holds them equal to {@link DriveOptions}. */
const NAMES = Object.keys({
  store: true,
  ports: true,
  signal: true,
  concurrency: true,
  order: true,
  deadlines: true,
  retry: true,
  budget: true,
  snapshots: true,
  steps: true,
  invitationAttempts: true,
  sha256: true,
  timer: true,
  onEvent: true,
} satisfies Record<keyof DriveOptions, true>);

/**
 * A name that is none, such as `callMs` for `call`, or `deadline` for `deadlines`, would leave a default in
 * force, and nobody would know.
 */
function known(place: string, value: object | undefined, names: readonly string[]): void {
  const odd = Object.keys(value ?? {}).find((name) => !names.includes(name));
  if (odd !== undefined) throw new TypeError(`${place}.${odd}: expected one of ${names.join(', ')}`);
}

function methods(name: string, value: unknown, names: readonly string[]): void {
  kind(name, value, 'object');
  for (const each of names) kind(`${name}.${each}`, Reflect.get(value as object, each), 'function');
}

function kind(name: string, value: unknown, expected: 'object' | 'function' | 'string' | 'boolean'): void {
  const isOne = expected === 'object' ? isObject(value) : typeof value === expected;
  if (!isOne)
    throw new TypeError(
      `options.${name}: expected ${expected === 'object' ? 'an object' : `a ${expected}`}, got ${shown(value)}`,
    );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `to` Infinity: Infinity itself too, which is how a bound is lifted. */
function whole(name: string, value: number | undefined, from: number, to: number): void {
  const isWhole = Number.isInteger(value) || (value === Infinity && to === Infinity);
  if (value !== undefined && !(isWhole && value >= from && value <= to))
    throw new RangeError(
      `options.${name}: expected an integer from ${from}${to === Infinity ? ' up' : ` to ${to}`}, got ${shown(value)}`,
    );
}

function milliseconds(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isFinite(value) && value >= 0))
    throw new RangeError(`options.${name}: expected milliseconds from 0 up, got ${shown(value)}`);
}

/** No cost is ever counted in a unit that is no name, so its limit would hold nothing. */
function amount(unit: string, limit: number): void {
  if (!isName(unit))
    throw new RangeError(
      `options.budget.limits: expected units like [a-z][a-z0-9_.-]{0,63}, got ${JSON.stringify(unit)}`,
    );
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new RangeError(
      `options.budget.limits.${unit}: expected a whole number from 0, got ${shown(limit)}`,
    );
}

/** What was given, which may be no number at all where nothing checked its type. */
function shown(value: unknown): string {
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}

/** A timer that throws a RangeError where its clock gives no number. */
export function checkedTimer(timer: Timer): Timer {
  return {
    now: () => {
      const reading: unknown = timer.now();
      if (typeof reading !== 'number' || !Number.isFinite(reading))
        throw new RangeError(
          'options.timer.now: expected it to give milliseconds, got ' +
            `${typeof reading === 'number' ? String(reading) : typeof reading}`,
        );
      return reading;
    },
    sleep: (ms, signal) => timer.sleep(ms, signal),
  };
}

/**
 * The result a method of the store gave. Throws a TypeError where it is none: nobody knows then what is
 * stored.
 */
export function checkResult<L, R>(method: 'append' | 'head', given: Result<L, R>): Result<L, R> {
  const tag: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, '_tag') : undefined;
  if (tag === 'Left' ? Reflect.has(given, 'left') : tag === 'Right' && Reflect.has(given, 'right'))
    return given;
  throw new TypeError(
    `options.store.${method}: expected it to give a Left or a Right, got ${given === null ? 'null' : typeof given}`,
  );
}

/**
 * What was loaded of a snapshot, null for none. Throws a TypeError where it is neither: a keeper that finds
 * none may forget to say so.
 */
export function readSnapshot(given: unknown): Uint8Array | null {
  if (given === null || isBytes(given)) return given;
  throw new TypeError(`options.snapshots.keep.load: expected it to give bytes or null, got ${typeof given}`);
}

/** By its name: bytes of another realm are bytes too. */
function isBytes(given: unknown): given is Uint8Array {
  return Object.prototype.toString.call(given) === '[object Uint8Array]';
}
