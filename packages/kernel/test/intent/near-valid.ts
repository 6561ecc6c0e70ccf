/** Near-valid values: a valid one with a few places changed, for laws that compare two parsers. */
import fc from 'fast-check';
import type { Json } from '@assay/kernel';

const ODD: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  16,
  17,
  240,
  1_000_000,
  1_000_001,
  0.5,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'a',
  'A b',
  'rules',
  'lexicographic',
  '=',
  'in',
  '<=',
  'must',
  'question',
  'date',
  'clock',
  '2026-03-16',
  '2026-3-16',
  '06:30',
  '2026-03-16T12:00',
  'x'.repeat(121),
  'x'.repeat(201),
  '\u0001',
  'é',
  '😀',
  [],
  {},
  ['rules'],
  ['rules', 'rules'],
  { n: 1, scale: 0 },
  { n: 1, scale: 10 },
  { n: 1.5, scale: 0 },
  { start: 0, end: 1 },
  { start: 1, end: 1 },
  { start: 2, end: 1 },
];
const KEYS: readonly string[] = ['extra', '__proto__', 'constructor', 'toString', 'unit', 'value', 'note'];

type Change = {
  readonly at: number;
  readonly kind: 'replace' | 'delete' | 'add' | 'double';
  readonly odd: number;
  readonly key: number;
};

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1_000),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'delete', 'add', 'double'),
  odd: fc.nat(ODD.length - 1),
  key: fc.nat(KEYS.length - 1),
});

/** Values that differ from one of some valid ones in up to three places. */
export function nearValid(valid: readonly Json[]): fc.Arbitrary<Json> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(change, { maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(changed, value));
}

function changed(value: Json, { at, kind, odd, key }: Change): Json {
  const places = placesOf(value, []);
  const path = places[at % places.length] ?? [];
  return rewrite(value, path, (found) => {
    const replacement = ODD[odd] ?? null;
    if (kind === 'replace') return replacement;
    if (Array.isArray(found))
      return kind === 'delete'
        ? found.slice(1)
        : kind === 'double'
          ? [...(found as Json[]), ...(found as Json[])]
          : [...(found as Json[]), replacement];
    if (typeof found !== 'object' || found === null) return kind === 'delete' ? null : found;
    const entries = Object.entries(found);
    return Object.fromEntries(
      kind === 'delete' ? entries.slice(1) : [...entries, [KEYS[key] ?? 'extra', replacement]],
    );
  });
}

function placesOf(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value as { readonly [key: string]: Json }).flatMap(([key, item]) =>
      placesOf(item, [...path, key]),
    ),
  ];
}

function rewrite(value: Json, [first, ...rest]: readonly string[], change: (found: Json) => Json): Json {
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return (value as Json[]).map((item, index) =>
      String(index) === first ? rewrite(item, rest, change) : item,
    );
  return Object.fromEntries(
    Object.entries(value as { readonly [key: string]: Json }).map(([key, item]) => [
      key,
      key === first ? rewrite(item, rest, change) : item,
    ]),
  );
}
