/**
 * What a library says of a goal: bounded, and the same for the same state. Goals are alike by their words, among
 * those with constraints of the same kinds. Source: 000 §2.C; dec-K24, dec-K81, dec-K84.
 */
import { compareText } from '@assay/kernel';
import type { Bodies, GoalKind } from '../protocol/bodies.js';
import type { Answers } from '../protocol/requests.js';
import { compareKnown, NO_TRACK, type Known, type Resolver } from '../protocol/resolver.js';
import { type LibraryState, type Pattern, type Usage, signatureKey } from './state.js';

const MILLION = 1_000_000;
/** Goals less alike than this are different, ppm. */
const ALIKE = 500_000;
/** So many alike ones are looked at. */
const ALIKE_MAX = 10;

/** A text as goals are named by: ASCII lower case, runs of white space as one space, none at the ends. */
export function normalized(text: string): string {
  return text
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) // ascii
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .trim();
}

/** The words of a text, sorted, none twice: runs of ASCII letters and digits, and of anything beyond ASCII. */
export function listWords(text: string): readonly string[] {
  const words = normalized(text).match(/[a-z0-9\u0080-\uffff]+/g) ?? [];
  return [...new Set(words)].toSorted(compareText);
}

/** Shared words among all words, ppm, rounded down; two texts without words are the same. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const known = new Set(a);
  const shared = b.filter((word) => known.has(word)).length;
  const all = a.length + b.length - shared;
  return all === 0 ? MILLION : Math.floor((shared * MILLION) / all);
}

/** The patterns that are like a goal, the most alike first, then by id. */
export function alikeTo(
  { patterns, bySignature }: LibraryState,
  goal: GoalKind,
): readonly { readonly id: string; readonly pattern: Pattern; readonly ppm: number }[] {
  const words = listWords(goal.summary);
  return (bySignature.get(signatureKey(goal)) ?? [])
    .flatMap((id) => {
      const pattern = patterns.get(id);
      const ppm = pattern === undefined ? 0 : likeness(words, pattern.words);
      return pattern === undefined || ppm < ALIKE ? [] : [{ id, pattern, ppm }];
    })
    .toSorted((a, b) => b.ppm - a.ppm || compareText(a.id, b.id))
    .slice(0, ALIKE_MAX);
}

/** Bounds of a reading, in resolvers, requests and UTF-16 units of history. */
const RESOLVERS_MAX = 256;
const CAPABILITIES_MAX = 1_024;
const HISTORY_MAX = 4_000;
const SHOWN_MAX = 80;
const SURE = 1_000_000;
/** A quality that nothing is known of. Source: 000 §2.B. */
const UNKNOWN = 500_000;

/** The six values of 000, ppm: two follow what happened, of the others nothing is known. Source: specs E. */
type Quality = {
  readonly completeness: number;
  readonly executability: number;
  readonly optimality: number;
  readonly representation: number;
  readonly generalization: number;
  readonly efficiency: number;
};

/** The quality of a resolver by how it has fared. Rounded down. */
export function computeQuality({ successes, failures, estimated, actual }: Usage): Quality {
  const tried = successes + failures;
  const cheap = actual === 0 ? UNKNOWN : Number((BigInt(estimated) * BigInt(SURE)) / BigInt(actual));
  return {
    completeness: tried === 0 ? UNKNOWN : Math.floor((successes * SURE) / tried),
    executability: UNKNOWN,
    optimality: UNKNOWN,
    representation: UNKNOWN,
    generalization: UNKNOWN,
    efficiency: Math.min(SURE, cheap),
  };
}

/**
 * Reads a library for a goal. With a capability only what provides it, and requests for it. At most 256
 * resolvers, the best first; the latest 1,024 requests; 4,000 units of history.
 */
export function answerReading(
  state: LibraryState,
  { summary, signature, capability }: Bodies['library'],
): Answers['library'] {
  const tag = capability === null ? null : (state.aliases.get(capability) ?? capability);
  const known = state.resolvers.sorted().map(([, resolver]) => describeKnown(state, resolver));
  const alike = alikeTo(state, { summary, signature });
  return {
    resolvers: known
      .filter(({ capabilities }) => tag === null || capabilities.includes(tag))
      .toSorted(compareKnown)
      .slice(0, RESOLVERS_MAX),
    capabilities: state.capabilities
      .sorted()
      .filter(([, each]) => tag === null || each.capability === tag)
      .toSorted(([, a], [, b]) => b.order - a.order)
      .slice(0, CAPABILITIES_MAX)
      .flatMap(([fingerprint]) => findSettled(state, fingerprint) ?? []),
    aliases: state.aliases.sorted().slice(0, CAPABILITIES_MAX),
    history: writeHistory(alike.map(({ pattern }) => pattern)),
    off: computeOff(alike.flatMap(({ pattern }) => pattern.tools.flatMap(([, { ratios }]) => ratios))),
  };
}

/** So many rows are told apart in a reading: those with most actuals. */
const OFF_MAX = 64;

/** By how much estimates were off, by row: the lower median of actual by estimate. */
export function computeOff(ratios: Pattern['tools'][number][1]['ratios']): Answers['library']['off'] {
  const rows = new Map<string | null, number[]>();
  for (const [row, ppm] of ratios) rows.set(row, [...(rows.get(row) ?? []), ppm]);
  return [...rows]
    .map(([row, found]) => {
      const sorted = found.toSorted((a, b) => a - b);
      return { row, n: sorted.length, median_ppm: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0 };
    })
    .toSorted((a, b) => b.n - a.n || compareText(a.row ?? '', b.row ?? ''))
    .slice(0, OFF_MAX);
}

function describeKnown({ usage }: LibraryState, resolver: Resolver): Known {
  const { successes, failures, sigma_ppm } = usage.get(resolver.id) ?? NO_TRACK;
  return { ...resolver, record: { successes, failures, sigma_ppm } };
}

/** What became of a capability request; null where it is not known, or withdrawn. */
export function findSettled(
  { capabilities, resolvers }: LibraryState,
  fingerprint: string,
): Answers['capability'] | null {
  const found = capabilities.get(fingerprint);
  if (found === undefined || found.status === 'withdrawn') return null;
  const { capability, status, resolver: id } = found;
  return { fingerprint, capability, status, resolver: id === null ? null : (resolvers.get(id) ?? null) };
}

/** The history block of 000, cut at a whole line. */
function writeHistory(patterns: readonly Pattern[]): string {
  const modes = new Map<string, number>();
  const lines = [`Similar goals attempted: ${patterns.length}`];
  for (const { summary, tools } of patterns) {
    lines.push(`  - "${summary.slice(0, SHOWN_MAX)}"`);
    for (const [resolver, { successes, failures, sigma_ppm, modes: failed }] of tools) {
      if (successes + failures > 0)
        lines.push(
          `    ${resolver}: ${successes} succeeded${sigma_ppm === null ? '' : ` (best ${sigma_ppm} ppm)`}, ` +
            `${failures} failed`,
        );
      for (const [mode, count] of failed) modes.set(mode, (modes.get(mode) ?? 0) + count);
    }
  }
  const known = [...modes].toSorted(([a, m], [b, n]) => n - m || compareText(a, b));
  if (known.length > 0) lines.push('Known failure modes:');
  for (const [mode, count] of known) lines.push(`  - ${mode.slice(0, SHOWN_MAX)} (${count})`);
  if (patterns.length === 0) return '';
  let text = '';
  for (const line of lines) {
    if (text.length + line.length + 1 > HISTORY_MAX) break;
    text += `${line}\n`;
  }
  return text.trimEnd();
}
