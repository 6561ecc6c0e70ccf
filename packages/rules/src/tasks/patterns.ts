/**
 * Patterns of token lists: small, finite, without repetition, so that matching ends soon whatever the text.
 *
 * A pattern is words parted by spaces. `a|b` one of these words; `[a b|c]` one of these phrases; `?` behind
 * either: or nothing; `<path>`, `<to>` and so on: one token of that kind, kept under that name; `{name}`: one
 * of the patterns of a table.
 *
 * @module
 */
import type { Token } from './tokens.js';

/** What a pattern kept, by name. */
export type Kept = ReadonlyMap<string, Token>;

type Part =
  | {
      readonly kind: 'phrases';
      readonly phrases: readonly (readonly string[])[];
      readonly isOptional: boolean;
    }
  | { readonly kind: 'keep'; readonly name: string }
  | { readonly kind: 'use'; readonly name: string; readonly isOptional: boolean };

/** A pattern that was read. */
export type Pattern = readonly Part[];
/** Patterns by name, for `{name}`. */
export type Table = ReadonlyMap<string, readonly Pattern[]>;
/** Which tokens a name may keep. */
export type Kinds = ReadonlyMap<string, (token: Token) => boolean>;

/** Reads a pattern. What it cannot be is a defect. */
export function pattern(text: string): Pattern {
  return (text.match(/\[[^\]]*\]\??|\{[a-z_]+\}\??|<[a-z_]+>|[^\s[\]{}<>]+/g) ?? []).map(partOf);
}

function partOf(text: string): Part {
  const isOptional = text.endsWith('?');
  const bare = isOptional ? text.slice(0, -1) : text;
  if (bare.startsWith('<')) return { kind: 'keep', name: bare.slice(1, -1) };
  if (bare.startsWith('{')) return { kind: 'use', name: bare.slice(1, -1), isOptional };
  const phrases = (bare.startsWith('[') ? bare.slice(1, -1) : bare)
    .split('|')
    .map((phrase) => phrase.split(' '));
  return { kind: 'phrases', phrases, isOptional };
}

/** All ways in which a pattern fits all of the tokens. */
export function matches(
  found: Pattern,
  tokens: readonly Token[],
  table: Table,
  kinds: Kinds,
): readonly Kept[] {
  const results: Kept[] = [];
  walk({ tokens, table, kinds }, found, 0, new Map(), (at, kept) => {
    if (at === tokens.length) results.push(kept);
  });
  return results;
}

type Walk = { readonly tokens: readonly Token[]; readonly table: Table; readonly kinds: Kinds };
type Next = (at: number, kept: Kept) => void;

function walk(matching: Walk, parts: Pattern, at: number, kept: Kept, next: Next): void {
  const [part, ...rest] = parts;
  if (part === undefined) return next(at, kept);
  const goOn: Next = (after, more) => walk(matching, rest, after, more, next);
  switch (part.kind) {
    case 'phrases':
      for (const phrase of part.phrases)
        if (phrase.every((word, index) => matching.tokens[at + index]?.lower === word))
          goOn(at + phrase.length, kept);
      break;
    case 'keep': {
      const token = matching.tokens[at];
      const isKind = matching.kinds.get(part.name);
      if (isKind === undefined) throw new RangeError(`pattern: no kind ${part.name}`);
      if (token !== undefined && isKind(token)) goOn(at + 1, new Map([...kept, [part.name, token]]));
      return;
    }
    case 'use': {
      const patterns = matching.table.get(part.name);
      if (patterns === undefined) throw new RangeError(`pattern: no phrases ${part.name}`);
      for (const inner of patterns) walk(matching, inner, at, kept, goOn);
    }
  }
  if (part.isOptional) goOn(at, kept);
}
