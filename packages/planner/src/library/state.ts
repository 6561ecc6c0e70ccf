/**
 * What a library holds, and the events that it follows from. Source: 000 §2.B, §2.C; dec-K28, dec-K33, dec-K81.
 */
import { absurd, PersistentMap, type Json, type Rejection, type Result } from '@assay/kernel';
import {
  closed,
  decodeBy,
  integer,
  list,
  mapOf,
  nullable,
  oneOf,
  record,
  text,
  tuple,
  type Coded,
  type TypeOf,
  type ValueOf,
} from '@assay/kernel/shape';
import { NO_TRACK, RESOLVER, TRACK_FIELDS, type Resolver, type Track } from '../protocol/resolver.js';
import { REQUEST_STATUSES, SIGNATURE, type GoalKind } from '../protocol/bodies.js';

/** What anyone may bring to a library: each kind is a standing invitation. */
export const INVITATION_KINDS = ['end', 'write'] as const;
/** One of {@link INVITATION_KINDS}. */
export type InvitationKind = (typeof INVITATION_KINDS)[number];

/** What an invitation says: nothing but its kind. */
export type LibraryAsk = { readonly invites: InvitationKind };

const anyText = text();
const count = integer(0);

const USAGE = closed({ ...TRACK_FIELDS, estimated: count, actual: count });
/**
 * How a resolver has fared: a {@link Track}, and what its work was to cost and did, summed over units and held
 * below 2^52.
 */
export type Usage = TypeOf<typeof USAGE>;

/** True where no pair has the key of another. */
const isOnce = (pairs: readonly Json[]): boolean =>
  new Set((pairs as readonly (readonly [string, Json])[]).map(([key]) => key)).size === pairs.length;
const TOOL = closed({
  ...TRACK_FIELDS,
  /** Failure modes, and how often. */
  modes: list(tuple(anyText, count), isOnce),
  /** Actual by estimate, ppm, of a row or, null, of the time; the latest last. */
  ratios: list(tuple(nullable(anyText), count)),
});
/** How a tool has fared with goals of one kind. */
export type Tool = TypeOf<typeof TOOL>;
const NO_TOOL: Tool = Object.freeze({ ...NO_TRACK, modes: [], ratios: [] });

const PATTERN = closed({
  summary: anyText,
  signature: SIGNATURE,
  words: list(anyText),
  tools: list(tuple(anyText, TOOL), isOnce),
});
/** Goals of one kind. `words`: what they are compared by. */
export type Pattern = TypeOf<typeof PATTERN>;

const REQUESTED = closed({
  capability: anyText,
  status: oneOf(REQUEST_STATUSES),
  resolver: nullable(anyText),
  order: count,
});
/** A capability request; `order`: its place among them. */
type Requested = TypeOf<typeof REQUESTED>;

const EDGE = closed({
  from: anyText,
  relation: anyText,
  to: anyText,
  ppm: nullable(integer(0, 1_000_000)),
});
/** An edge of the knowledge graph, both ends with their kinds before them. `ppm`: σ or similarity. */
export type Edge = TypeOf<typeof EDGE>;

const KEPT = record({
  invitations: mapOf(anyText, oneOf(INVITATION_KINDS)),
  cited: mapOf(count),
  resolvers: mapOf(RESOLVER),
  usage: mapOf(USAGE),
  patterns: mapOf(PATTERN),
  edges: mapOf(EDGE),
  capabilities: mapOf(REQUESTED),
  aliases: mapOf(anyText),
});

/** All of a library. `bySignature`: patterns that may be alike. */
export type LibraryState = ValueOf<typeof KEPT> & { readonly bySignature: PersistentMap<readonly string[]> };

/** An event of a library. */
export type LibraryEvent =
  | { readonly t: 'opened' }
  | { readonly t: 'invited'; readonly kind: InvitationKind; readonly id: string }
  | { readonly t: 'unanswered'; readonly kind: InvitationKind; readonly code: string }
  /** An answer of a run, so that the same answer is known when it comes again. */
  | { readonly t: 'cited'; readonly key: string; readonly sequence: number }
  | { readonly t: 'registered'; readonly resolver: Resolver }
  | ({ readonly t: 'pattern'; readonly id: string; readonly words: readonly string[] } & GoalKind)
  | {
      readonly t: 'tried';
      readonly pattern: string;
      readonly resolver: string;
      readonly verdict: 'SAT' | 'UNSAT';
      readonly sigma_ppm: number;
      readonly failure_mode: string | null;
    }
  | {
      readonly t: 'cost';
      readonly pattern: string;
      readonly resolver: string;
      readonly row: string | null;
      readonly estimated: number;
      readonly actual: number;
      readonly ratio_ppm: number;
    }
  | ({ readonly t: 'edge'; readonly id: string } & Edge)
  | ({ readonly t: 'capability'; readonly fingerprint: string } & Omit<Requested, 'order'>)
  | { readonly t: 'alias'; readonly tag: string; readonly is: string }
  | { readonly t: 'ended' };

/** Before anything. */
export const EMPTY: LibraryState = Object.freeze({
  invitations: PersistentMap.empty<string>(),
  cited: PersistentMap.empty<number>(),
  resolvers: PersistentMap.empty<Resolver>(),
  usage: PersistentMap.empty<Usage>(),
  patterns: PersistentMap.empty<Pattern>(),
  bySignature: PersistentMap.empty<readonly string[]>(),
  edges: PersistentMap.empty<Edge>(),
  capabilities: PersistentMap.empty<Requested>(),
  aliases: PersistentMap.empty<string>(),
});

/** So many ratios of a tool with goals of one kind are kept: the latest. */
const RATIOS_MAX = 256;
/** So many of its failure modes are told apart. */
const MODES_MAX = 64;
const SUM_MAX = 4_503_599_627_370_496;
const NO_USAGE: Usage = Object.freeze({ ...NO_TRACK, estimated: 0, actual: 0 });

/** The key under which patterns with equal constraints lie together. */
export function signatureKey({ signature }: Pick<GoalKind, 'signature'>): string {
  return signature.map(([type, domain]) => `${type} ${domain}`).join('\n');
}

const STATE: Coded<LibraryState> = {
  ...KEPT,
  from: (json) => {
    const kept = KEPT.from(json);
    let { bySignature } = EMPTY;
    for (const [id, pattern] of kept.patterns.sorted()) bySignature = withAlike(bySignature, pattern, id);
    return { ...kept, bySignature };
  },
};

function withAlike(
  bySignature: LibraryState['bySignature'],
  goal: Pick<GoalKind, 'signature'>,
  id: string,
): LibraryState['bySignature'] {
  const key = signatureKey(goal);
  return bySignature.set(key, [...(bySignature.get(key) ?? []), id]);
}

/** A library as JSON: tables as pairs in the order of their keys. */
export function encode(state: LibraryState): Json {
  return STATE.to(state);
}

/** Reads a library back. Rejection: `bad_state` {path}. */
export function decode(json: Json): Result<Rejection, LibraryState> {
  return decodeBy(STATE, json);
}

/** Folds an event. Total. */
export function evolve(state: LibraryState, event: LibraryEvent): LibraryState {
  switch (event.t) {
    case 'opened':
      return state;
    case 'invited':
      return { ...state, invitations: state.invitations.set(event.kind, event.id) };
    case 'unanswered':
      return { ...state, invitations: state.invitations.delete(event.kind) };
    case 'cited':
      return { ...state, cited: state.cited.set(event.key, event.sequence) };
    case 'registered':
      return { ...state, resolvers: state.resolvers.set(event.resolver.id, event.resolver) };
    case 'pattern': {
      const { id, summary, signature, words } = event;
      return {
        ...state,
        patterns: state.patterns.set(id, { summary, signature, words, tools: [] }),
        bySignature: withAlike(state.bySignature, event, id),
      };
    }
    case 'tried':
      return tried(state, event);
    case 'cost': {
      const { pattern, resolver, row, estimated, actual, ratio_ppm } = event;
      const before = state.usage.get(resolver) ?? NO_USAGE;
      const usage = {
        ...before,
        estimated: Math.min(SUM_MAX, before.estimated + estimated),
        actual: Math.min(SUM_MAX, before.actual + actual),
      };
      return {
        ...state,
        // Hours and money do not add up: what a tool costs is by rows.
        usage: row === null ? state.usage : state.usage.set(resolver, usage),
        patterns: withTool(state, pattern, resolver, (tool) => ({
          ...tool,
          ratios: [...tool.ratios, [row, ratio_ppm] as const].slice(-RATIOS_MAX),
        })),
      };
    }
    case 'edge': {
      const { t: _, id, ...edge } = event;
      return { ...state, edges: state.edges.set(id, edge) };
    }
    case 'capability': {
      const { t: _, fingerprint, ...rest } = event;
      const order = state.capabilities.get(fingerprint)?.order ?? state.capabilities.size;
      return { ...state, capabilities: state.capabilities.set(fingerprint, { ...rest, order }) };
    }
    case 'alias':
      return { ...state, aliases: state.aliases.set(event.tag, event.is) };
    case 'ended':
      return { ...state, invitations: PersistentMap.empty() };
    default:
      return absurd(event);
  }
}

function withTool(
  { patterns }: LibraryState,
  id: string,
  resolver: string,
  change: (tool: Tool) => Tool,
): PersistentMap<Pattern> {
  const found = patterns.get(id);
  if (found === undefined) return patterns;
  return patterns.set(id, { ...found, tools: counted(found.tools, resolver, change, NO_TOOL) });
}

function tried(
  state: LibraryState,
  { pattern, resolver, verdict, sigma_ppm, failure_mode }: Extract<LibraryEvent, { readonly t: 'tried' }>,
): LibraryState {
  const better = <T extends Track>(track: T): T =>
    verdict === 'SAT'
      ? { ...track, successes: track.successes + 1, sigma_ppm: Math.max(track.sigma_ppm ?? 0, sigma_ppm) }
      : { ...track, failures: track.failures + 1 };
  const before = state.usage.get(resolver) ?? NO_USAGE;
  return {
    ...state,
    usage: state.usage.set(resolver, { ...before, ...better(before) }),
    patterns: withTool(state, pattern, resolver, (tool) => ({
      ...better(tool),
      modes:
        failure_mode === null
          ? tool.modes
          : counted(tool.modes, failure_mode, (count) => count + 1, 0).slice(0, MODES_MAX),
    })),
  };
}

/** A list of pairs with one of them changed, or a new one behind them. */
function counted<T>(
  pairs: readonly (readonly [string, T])[],
  key: string,
  change: (value: T) => T,
  first: T,
): readonly (readonly [string, T])[] {
  return pairs.some(([name]) => name === key)
    ? pairs.map(([name, value]) => [name, name === key ? change(value) : value] as const)
    : [...pairs, [key, change(first)]];
}
