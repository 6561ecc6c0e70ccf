/**
 * Estimates and approaches as a plan file writes them.
 *
 * @module
 */
import { compareText, field, isArray, type Json, type JsonObject } from '@assay/kernel';
import { MILLION, TOTAL_MAX, type Approach, type Estimate, type Held, type Metric } from './plan.js';
import { within, type At, type Reader } from './reader.js';

/** Keys of an approach, without the one that names it. */
export const APPROACH_KEYS: { readonly required: readonly string[]; readonly optional: readonly string[] } = {
  required: ['minutes', 'confidence'],
  optional: ['method', 'amounts', 'metrics', 'uses'],
};

/** What an approach is read against; `amounts` that a row's `defaults` states may be left out. */
export type Columns = {
  readonly rows: readonly Held[];
  readonly defaults: readonly (number | null)[];
  readonly metrics: readonly Metric[];
};

/** `500`, or `[200, 500, 1000]` with low <= mid <= high. Source: dec-K59. */
function readEstimate(reader: Reader, value: Json | undefined, at: At): Estimate {
  if (!isArray(value)) {
    const amount = reader.integer(value, at, TOTAL_MAX);
    return [amount, amount, amount];
  }
  if (value.length !== 3) reader.fail('shape', at, '[low, mid, high]');
  const [low, mid, high] = [0, 1, 2].map((index) =>
    reader.integer(value[index], within(at, index), TOTAL_MAX),
  );
  if (low === undefined || mid === undefined || high === undefined) return [0, 0, 0];
  if (low > mid || mid > high) reader.fail('low_mid_high', at, `${low}/${mid}/${high}`);
  return [low, mid, high];
}

/** The approach that an object describes, under a given id. */
export function readApproach(
  reader: Reader,
  value: JsonObject,
  at: At,
  id: string,
  columns: Columns,
): Approach {
  const { rows, defaults, metrics } = columns;
  const stated = new Map(reader.entries(field(value, 'amounts'), within(at, 'amounts')));
  const amounts = rows.map((row, index): Estimate => {
    const amount = stated.get(row.id) ?? defaults[index] ?? undefined;
    return readEstimate(reader, amount, within(within(at, 'amounts'), row.id));
  });
  for (const key of stated.keys())
    if (!rows.some((row) => row.id === key))
      reader.fail('unknown_row', within(within(at, 'amounts'), key), key);
  const measured = new Map(reader.entries(field(value, 'metrics'), within(at, 'metrics')));
  for (const key of measured.keys())
    if (!metrics.some((metric) => metric.id === key))
      reader.fail('unknown_metric', within(within(at, 'metrics'), key), key);
  return {
    id,
    method:
      field(value, 'method') === undefined
        ? null
        : reader.text(field(value, 'method'), within(at, 'method'), ''),
    minutes: readEstimate(reader, field(value, 'minutes'), within(at, 'minutes')),
    amounts,
    metrics: metrics.map((metric) => {
      const figure = measured.get(metric.id);
      return figure === undefined
        ? null
        : readEstimate(reader, figure, within(within(at, 'metrics'), metric.id));
    }),
    confidence: reader.integer(field(value, 'confidence'), within(at, 'confidence'), MILLION),
    uses: reader
      .entries(field(value, 'uses'), within(at, 'uses'))
      .map(
        ([key, amount]) => [key, reader.integer(amount, within(within(at, 'uses'), key), TOTAL_MAX)] as const,
      )
      .toSorted(([a], [b]) => compareText(a, b)),
  };
}

/**
 * True where two approaches are one: the same words, or the same figures where not both are put into words.
 * Words are compared as runs of letters and digits, ASCII capitals as small ones. Source: dec-K62.
 */
export function isSameApproach(a: Approach, b: Approach): boolean {
  if (a.method !== null && b.method !== null) return words(a.method) === words(b.method);
  return figures(a) === figures(b);
}

function words(method: string): string {
  const lower = method.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
  return lower.replace(/[^a-z0-9\u0080-\uffff]+/g, ' ').trim();
}

function figures({ minutes, amounts, metrics, confidence, uses }: Approach): string {
  const parts = [minutes, ...amounts, ...metrics.map((each) => each ?? ['-']), [confidence], ...uses];
  return parts.map((part) => part.join(',')).join(';');
}
