/**
 * A library as JSON, and back: tables as arrays of pairs, in the order of their keys. What is read may come
 * from somebody else's snapshot, so every field is held to its shape.
 *
 * @module
 */
import { err, ok, parseShape, PersistentMap, type Json, type Rejection, type Result } from '@assay/kernel';
import { closed, integer, list, nullable, oneOf, text } from '@assay/kernel/shape';
import type { Shape } from '@assay/kernel';
import { GOAL_KIND, REQUEST_STATUSES } from '../protocol/library-rows.js';
import { RESOLVER } from '../protocol/resolver.js';
import { EMPTY, INVITATION_KINDS, signatureKey, type LibraryState } from './state.js';

const TABLES = [
  'invitations',
  'cited',
  'resolvers',
  'usage',
  'patterns',
  'edges',
  'capabilities',
  'aliases',
] as const;

/** A library as JSON. */
export function encode(state: LibraryState): Json {
  return Object.fromEntries(TABLES.map((name) => [name, state[name].sorted() as unknown as Json]));
}

const anyText = text(() => true);
const count = integer(0);
const ppm = nullable(integer(0, 1_000_000));
const TRACK = closed({ successes: count, failures: count, sigma_ppm: ppm });

/** Pairs of a key and a value, keys ascending and none twice. */
function pairs(key: Shape, value: Shape): Shape {
  return (list_) => {
    if (!Array.isArray(list_)) return '';
    for (const [at, pair] of list_.entries()) {
      if (!Array.isArray(pair) || pair.length !== 2) return `/${at}`;
      const fault = key(pair[0] as Json) ?? value(pair[1] as Json);
      if (fault !== null) return `/${at}${fault}`;
    }
    const keys = list_.map((pair) => (pair as readonly [string, Json])[0]);
    return keys.every((each, at) => at === 0 || (keys[at - 1] ?? '') !== each) ? null : '';
  };
}

const PATTERN: Shape = closed({
  summary: anyText,
  signature: (value) => GOAL_KIND({ summary: '', signature: value }),
  words: list(anyText),
  usage: pairs(anyText, TRACK),
  modes: pairs(anyText, count),
  ratios: list(count),
});
const SHAPE = closed({
  invitations: pairs(oneOf(INVITATION_KINDS), anyText),
  cited: pairs(anyText, count),
  resolvers: pairs(anyText, RESOLVER),
  usage: pairs(
    anyText,
    closed({ successes: count, failures: count, sigma_ppm: ppm, estimated: count, actual: count }),
  ),
  patterns: pairs(anyText, PATTERN),
  edges: pairs(anyText, closed({ from: anyText, relation: anyText, to: anyText, ppm })),
  capabilities: pairs(
    anyText,
    closed({
      capability: anyText,
      status: oneOf(REQUEST_STATUSES),
      resolver: nullable(anyText),
      order: count,
    }),
  ),
  aliases: pairs(anyText, anyText),
});

type Encoded = { readonly [table in (typeof TABLES)[number]]: readonly (readonly [string, never])[] };

/** Reads a library back. Rejection: `bad_state` {path}. */
export function decode(json: Json): Result<Rejection, LibraryState> {
  const shaped = parseShape<Json>(SHAPE, json);
  if (shaped._tag === 'Left') return err({ code: 'bad_state', detail: { path: shaped.left.path } });
  const encoded = shaped.right as unknown as Encoded;
  const patterns: LibraryState['patterns'] = PersistentMap.from(encoded.patterns);
  let bySignature = EMPTY.bySignature;
  for (const [id, pattern] of patterns.sorted()) {
    const key = signatureKey(pattern);
    bySignature = bySignature.set(key, [...(bySignature.get(key) ?? []), id]);
  }
  return ok({
    invitations: PersistentMap.from(encoded.invitations),
    cited: PersistentMap.from(encoded.cited),
    resolvers: PersistentMap.from(encoded.resolvers),
    usage: PersistentMap.from(encoded.usage),
    patterns,
    bySignature,
    edges: PersistentMap.from(encoded.edges),
    capabilities: PersistentMap.from(encoded.capabilities),
    aliases: PersistentMap.from(encoded.aliases),
  });
}
