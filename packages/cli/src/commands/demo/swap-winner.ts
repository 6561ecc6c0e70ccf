/**
 * The attack that looks most like a decision: another reading shown as the winner, in every place that names
 * it.
 */
import { isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import type { Blueprint } from '@assay/kernel/intent';
import { nativeSha256 } from '@assay/host';
import {
  chained,
  encodeFile,
  hashValue,
  withChanges,
  type Draft,
  type Forged,
} from '@assay/verifier/attacks';
import { textIn, valueIn } from '../../terminal/shown.js';

/**
 * Swaps the winner's name with the best loser's in the last decision and in all results, every hash computed
 * again. Null where a ledger has no blueprint with a loser.
 */
export function winnerSwapped(records: readonly EvidenceRecord[]): Forged | null {
  const names = namesIn(records);
  const record = records.findLastIndex(({ kind }) => kind === 'decision');
  if (names === null || record === -1) return null;
  const hashes = new Map<string, Json>();
  const drafts = records.map(({ ts, kind, payload = null }, index): Draft => {
    if (index === record)
      return {
        ts,
        kind,
        payload: withChanges(payload, {
          at: ['events'],
          to: swapped(valueIn(payload, 'events'), names, hashes),
        }),
      };
    if (kind === 'artifact') {
      const forged = swapped(valueIn(payload, 'content'), names, hashes);
      hashes.set(textIn(payload, 'artifact_hash'), hashValue(forged, nativeSha256));
      return {
        ts,
        kind,
        payload: withChanges(
          payload,
          { at: ['content'], to: forged },
          { at: ['artifact_hash'], to: hashValue(forged, nativeSha256) },
        ),
      };
    }
    return { ts, kind, payload: kind === 'close' ? swapped(payload, names, hashes) : payload };
  });
  const [from, to] = names;
  return {
    bytes: encodeFile(chained(drafts, nativeSha256)),
    done: 'another reading shown as the winner, every hash computed again',
    record,
    edit: { path: '/payload/events', from, to, value: to },
  };
}

function namesIn(records: readonly EvidenceRecord[]): readonly [winner: string, loser: string] | null {
  const found = records.find(
    ({ kind, payload }) =>
      kind === 'artifact' && payload !== undefined && isObject(payload) && payload['name'] === 'blueprint',
  );
  const blueprint =
    found?.payload === undefined || !isObject(found.payload)
      ? undefined
      : (found.payload['content'] as unknown as Partial<Blueprint>);
  const winner = blueprint?.intent?.name;
  const loser = blueprint?.decisions?.[0]?.losers?.find(({ name }) => name !== winner)?.name;
  return winner === undefined || loser === undefined ? null : [winner, loser];
}

/**
 * The two names exchanged wherever they stand alone, and artifact hashes replaced by those of the forged
 * artifacts.
 */
function swapped(value: Json, [a, b]: readonly [string, string], hashes: ReadonlyMap<string, Json>): Json {
  if (typeof value === 'string') return value === a ? b : value === b ? a : (hashes.get(value) ?? value);
  if (isArray(value)) return value.map((item) => swapped(item, [a, b], hashes));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, swapped(item, [a, b], hashes)]),
    );
  return value;
}
