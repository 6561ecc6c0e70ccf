/**
 * A port as the host takes it: its fields read once, and looked at before its call. What is wrong with them
 * would else be seen in the record of an answer that was paid for.
 */
import {
  cutText,
  err,
  isName,
  isProposer,
  ok,
  type Request,
  type Result,
  type Source,
  type Spent,
} from '@assay/kernel';
import type { PortCall } from './port.js';

/**
 * A port for one request. `bound`: what it says of this request, null where it says nothing, or nobody asks.
 */
export type BoundPort = {
  readonly source: Source;
  readonly proposer: string;
  readonly perform: (request: Request, call: PortCall) => Promise<unknown>;
  readonly bound: Spent | null;
};

/**
 * What of a port cannot be used: the field, and what it is. Recorded, so it holds no more of a value than
 * tells it apart.
 */
export type PortFault = { readonly code: 'port'; readonly field: string; readonly got: string };

/**
 * Why a port is not asked: `fault` null where there is none, or its source is not accepted. `error`: what is
 * told of it.
 */
type Unasked = { readonly fault: PortFault | null; readonly error: unknown };

/**
 * The port for a request. `units`: those that have a limit, each of which a bound must name; null where no
 * bound is needed. The first that applies of: source, proposer, perform, bound. A field that throws when it
 * is read is one that cannot be used.
 */
export function boundPort(
  given: unknown,
  request: Request,
  units: readonly string[] | null,
): Result<Unasked, BoundPort> {
  if (typeof given !== 'object' || given === null) return err(NOBODY);
  const fields = copyFields(
    given,
    units === null ? ['source', 'proposer', 'perform'] : ['source', 'proposer', 'perform', 'bound'],
  );
  if (fields._tag === 'Left')
    return unusable(
      request,
      'unknown',
      fields.left.field,
      'a field that can be read',
      'an error',
      fields.left.error,
    );
  const { source, proposer, perform, bound: boundBy } = fields.right;
  if (!isAccepted(source, request)) return err(NOBODY);
  if (typeof proposer !== 'string' || !isProposer(proposer))
    return unusable(request, source, 'proposer', '[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}', shown(proposer));
  if (typeof perform !== 'function')
    return unusable(request, source, 'perform', 'a function', shown(perform));
  const bound =
    units === null || boundBy === undefined ? ok(null) : readBound(given, boundBy, source, request, units);
  if (bound._tag === 'Left') return bound;
  return ok({
    source,
    proposer,
    perform: async (asked, call): Promise<unknown> => Reflect.apply(perform, given, [asked, call]),
    bound: bound.right,
  });
}

type Fields = { readonly [field in 'source' | 'proposer' | 'perform' | 'bound']?: unknown };

/** Each field, read once; the first that cannot be. */
function copyFields(
  given: object,
  names: readonly (keyof Fields)[],
): Result<{ readonly field: string; readonly error: unknown }, Fields> {
  const fields: { -readonly [field in keyof Fields]: unknown } = {};
  for (const name of names) {
    try {
      fields[name] = Reflect.get(given, name);
    } catch (error) {
      return err({ field: name, error });
    }
  }
  return ok(fields);
}

function isAccepted(source: unknown, { accepts }: Request): source is Source {
  return accepts.some((accepted) => accepted === source);
}

function readBound(
  port: object,
  boundBy: unknown,
  source: Source,
  request: Request,
  units: readonly string[],
): Result<Unasked, Spent | null> {
  const bound: { [unit: string]: number } = {};
  let given: unknown;
  try {
    if (typeof boundBy !== 'function') return unusable(request, source, 'bound', AMOUNTS, shown(boundBy));
    given = Reflect.apply(boundBy, port, [request]);
    if (given === null) return ok(null);
    if (typeof given !== 'object') return unusable(request, source, 'bound', AMOUNTS, shown(given));
    Object.assign(bound, given);
  } catch (error) {
    return unusable(request, source, 'bound', AMOUNTS, 'an error', error);
  }
  for (const unit of new Set([...units, ...Object.keys(bound)])) {
    const amount: unknown = Object.hasOwn(bound, unit) ? bound[unit] : undefined;
    if (!isName(unit) || !Number.isSafeInteger(amount) || Number(amount) < 0)
      return unusable(request, source, `bound.${unit}`, AMOUNTS, shown(amount));
  }
  return ok(bound);
}

function unusable(
  request: Request,
  source: Source | 'unknown',
  field: string,
  expected: string,
  got: string,
  cause?: unknown,
): Result<Unasked, never> {
  const fault: PortFault = { code: 'port', field: cutText(field, SHOWN_MAX), got };
  const message =
    `the port for ${request.kind} (source ${source}) was not asked: ${fault.field}: expected ` +
    `${expected}, got ${got}`;
  return err({ fault, error: new RangeError(message, cause === undefined ? undefined : { cause }) });
}

function shown(got: unknown): string {
  if (typeof got === 'string') return JSON.stringify(cutText(got, SHOWN_MAX));
  return typeof got === 'number' || got === null ? String(got) : typeof got;
}

const NOBODY: Unasked = { fault: null, error: null };
const AMOUNTS = 'a whole number from 0 for each unit that has a limit';
const SHOWN_MAX = 128;
