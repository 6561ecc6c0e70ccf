/** How a replay fails: the first record that differs, and where. */
import { field, isArray, isObject, type Json } from '../json.js';
import type { ChainCode } from '../ledger/chain.js';
import type { EvidenceRecord } from '../ledger/record.js';

/**
 * Why a replay stopped. `record`: index in the ledger given, from 0. `expected` is what was derived, `got`
 * what is recorded; `field` is a JSON pointer into the record, null if the record as a whole is wrong.
 */
export type Failed = {
  readonly check: 'integrity' | 'rederivation';
  readonly code: ChainCode | 'differs' | 'unknown_machine' | 'unknown_format' | 'payload_erased';
  readonly record: number;
  readonly field: string | null;
  readonly expected: Json;
  readonly got: Json;
};

/** A failure of re-derivation. */
export function failed(
  code: Failed['code'],
  record: number,
  rest: Partial<Pick<Failed, 'field' | 'expected' | 'got'>> = {},
): Failed {
  return { check: 'rederivation', code, record, field: null, expected: null, got: null, ...rest };
}

/** The first place where a recorded record departs from the derived one. */
export function difference(derived: EvidenceRecord, recorded: EvidenceRecord, record: number): Failed {
  for (const key of ['kind', 'ts', 'parent'] as const) {
    if (derived[key] !== recorded[key])
      return failed('differs', record, { field: `/${key}`, expected: derived[key], got: recorded[key] });
  }
  if (derived.payload !== undefined && recorded.payload !== undefined) {
    const at = firstDifference(derived.payload, recorded.payload, '/payload');
    if (at !== null) return failed('differs', record, at);
  }
  const key = derived.payload_hash === recorded.payload_hash ? 'record_hash' : 'payload_hash';
  return failed('differs', record, { field: `/${key}`, expected: derived[key], got: recorded[key] });
}

type Place = { readonly field: string; readonly expected: Json; readonly got: Json };

/**
 * Pre-order, keys in the derived value's order; a key or item that is missing on one side shows as null
 * there.
 */
function firstDifference(expected: Json, got: Json, path: string): Place | null {
  if (isArray(expected) && isArray(got)) {
    for (let index = 0; index < Math.max(expected.length, got.length); index += 1) {
      const at = compareAt(expected[index], got[index], `${path}/${index}`);
      if (at !== null) return at;
    }
    return null;
  }
  if (isObject(expected) && isObject(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const at = compareAt(
        field(expected, key),
        field(got, key),
        `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      );
      if (at !== null) return at;
    }
    return null;
  }
  return expected === got ? null : { field: path, expected, got };
}

function compareAt(expected: Json | undefined, got: Json | undefined, path: string): Place | null {
  if (expected === undefined || got === undefined)
    return expected === got ? null : { field: path, expected: expected ?? null, got: got ?? null };
  return firstDifference(expected, got, path);
}
