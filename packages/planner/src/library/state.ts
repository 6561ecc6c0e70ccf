/**
 * What a library holds, and the events that it follows from. Source: 000 §2.B, §2.C; dec-K28, dec-K33, dec-K81.
 *
 * @module
 */
import { absurd, PersistentMap } from '@assay/kernel';
import { NO_TRACK, type Resolver, type Track } from '../protocol/resolver.js';
import type { GoalKind, REQUEST_STATUSES } from '../protocol/library-rows.js';

/** What anyone may bring to a library: each kind is a standing invitation. */
export const INVITATION_KINDS = ['end', 'write'] as const;
/** One of {@link INVITATION_KINDS}. */
export type InvitationKind = (typeof INVITATION_KINDS)[number];

/** What an invitation says: nothing but its kind. */
export type LibraryAsk = { readonly invites: InvitationKind };

/**
 * How a resolver has fared: a {@link Track}, and what its work was to cost and did, summed over units and held
 * below 2^52.
 */
export type Usage = Track & { readonly estimated: number; readonly actual: number };

/** Goals of one kind. `words`: what they are compared by; `ratios`: actual by estimate, ppm, the latest last. */
export type Pattern = GoalKind & {
  readonly words: readonly string[];
  readonly usage: readonly (readonly [resolver: string, record: Track])[];
  readonly modes: readonly (readonly [failure_mode: string, count: number])[];
  readonly ratios: readonly number[];
};

/** A capability request; `order`: its place among them. */
export type Requested = {
  readonly capability: string;
  readonly status: (typeof REQUEST_STATUSES)[number];
  readonly resolver: string | null;
  readonly order: number;
};

/** An edge of the knowledge graph, both ends with their kinds before them. `ppm`: σ or similarity. */
export type Edge = {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  readonly ppm: number | null;
};

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
      readonly estimated: number;
      readonly actual: number;
      readonly ratio_ppm: number;
    }
  | ({ readonly t: 'edge'; readonly id: string } & Edge)
  | ({ readonly t: 'capability'; readonly fingerprint: string } & Omit<Requested, 'order'>)
  | { readonly t: 'alias'; readonly tag: string; readonly is: string }
  | { readonly t: 'ended' };

/** All of a library. `bySignature`: patterns that may be alike. */
export type LibraryState = {
  readonly invitations: PersistentMap<string>;
  readonly cited: PersistentMap<number>;
  readonly resolvers: PersistentMap<Resolver>;
  readonly usage: PersistentMap<Usage>;
  readonly patterns: PersistentMap<Pattern>;
  readonly bySignature: PersistentMap<readonly string[]>;
  readonly edges: PersistentMap<Edge>;
  readonly capabilities: PersistentMap<Requested>;
  readonly aliases: PersistentMap<string>;
};

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

/** So many ratios of a pattern are kept: the latest. */
const RATIOS_MAX = 256;
/** So many failure modes of a pattern are told apart. */
const MODES_MAX = 64;
const SUM_MAX = 4_503_599_627_370_496;
const NO_USAGE: Usage = Object.freeze({ ...NO_TRACK, estimated: 0, actual: 0 });

/** The key under which patterns with equal constraints lie together. */
export function signatureKey({ signature }: Pick<GoalKind, 'signature'>): string {
  return signature.map(([type, domain]) => `${type} ${domain}`).join('\n');
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
      const alike = signatureKey(event);
      return {
        ...state,
        patterns: state.patterns.set(id, { summary, signature, words, usage: [], modes: [], ratios: [] }),
        bySignature: state.bySignature.set(alike, [...(state.bySignature.get(alike) ?? []), id]),
      };
    }
    case 'tried':
      return tried(state, event);
    case 'cost': {
      const { pattern, resolver, estimated, actual, ratio_ppm } = event;
      const before = state.usage.get(resolver) ?? NO_USAGE;
      const usage = {
        ...before,
        estimated: Math.min(SUM_MAX, before.estimated + estimated),
        actual: Math.min(SUM_MAX, before.actual + actual),
      };
      return {
        ...state,
        usage: state.usage.set(resolver, usage),
        patterns: withPattern(state, pattern, (each) => ({
          ...each,
          ratios: [...each.ratios, ratio_ppm].slice(-RATIOS_MAX),
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

function withPattern(
  { patterns }: LibraryState,
  id: string,
  change: (pattern: Pattern) => Pattern,
): PersistentMap<Pattern> {
  const found = patterns.get(id);
  return found === undefined ? patterns : patterns.set(id, change(found));
}

function tried(
  state: LibraryState,
  { pattern, resolver, verdict, sigma_ppm, failure_mode }: Extract<LibraryEvent, { readonly t: 'tried' }>,
): LibraryState {
  const better = (track: Track): Track =>
    verdict === 'SAT'
      ? { ...track, successes: track.successes + 1, sigma_ppm: Math.max(track.sigma_ppm ?? 0, sigma_ppm) }
      : { ...track, failures: track.failures + 1 };
  const before = state.usage.get(resolver) ?? NO_USAGE;
  return {
    ...state,
    usage: state.usage.set(resolver, { ...before, ...better(before) }),
    patterns: withPattern(state, pattern, (each) => ({
      ...each,
      usage: counted(each.usage, resolver, better, NO_TRACK),
      modes:
        failure_mode === null
          ? each.modes
          : counted(each.modes, failure_mode, (count) => count + 1, 0).slice(0, MODES_MAX),
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
