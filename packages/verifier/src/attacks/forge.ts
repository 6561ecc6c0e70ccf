/**
 * The attacks that anybody may carry out on a copy of a ledger, whatever machine made it.
 *
 * @module
 */
import { isObject, type EvidenceRecord, type Json, type Sha256 } from '@assay/kernel';
import { chained, fileOf, hashOf } from './chain.js';
import { tellingEdit, type Edit } from './edit.js';
import type { Forged, ForgeOptions } from './forged.js';
import { withChanges } from './changes.js';
import { rederived } from './rederive.js';

/** Names of the attacks. */
export const ATTACKS = ['edit', 'drop', 'swap', 'truncate', 'rehash', 'rederive'] as const;
/** One of `ATTACKS`. */
export type Attack = (typeof ATTACKS)[number];

/** Carries out an attack on the records of a sound ledger. */
export function forge(
  attack: Attack,
  records: readonly EvidenceRecord[],
  options: ForgeOptions,
): Forged | null {
  switch (attack) {
    case 'edit':
      return edited(records);
    case 'drop':
      return dropped(records);
    case 'swap':
      return swapped(records);
    case 'truncate':
      return truncated(records);
    case 'rehash':
      return rehashed(records, options.sha256);
    case 'rederive':
      return rederived(records, options);
  }
}

/** One field of a result (or of a decision) changed, no hash computed again. */
function edited(records: readonly EvidenceRecord[]): Forged | null {
  const record = lastIndex(records, 'artifact') ?? lastIndex(records, 'decision');
  const found = record === null ? null : editIn(records, record);
  if (record === null || found === null) return null;
  const forged = records.map((other, index) =>
    index === record ? { ...other, payload: found.value } : other,
  );
  return { bytes: fileOf(forged), done: 'one field changed, no hash computed again', record, edit: found };
}

function dropped(records: readonly EvidenceRecord[]): Forged | null {
  const record =
    lastIndex(records, 'rejection') ?? lastIndex(records, 'artifact') ?? lastIndex(records, 'decision');
  if (record === null || record === 0) return null;
  return {
    bytes: fileOf(records.filter((_, index) => index !== record)),
    done: `record ${record} (${records[record]?.kind ?? ''}) taken out`,
    record,
    edit: null,
  };
}

function swapped(records: readonly EvidenceRecord[]): Forged | null {
  const record = records.findIndex((other, index) => index > 0 && other.kind === 'proposal');
  const [first, second] = [records[record], records[record + 1]];
  if (first === undefined || second === undefined) return null;
  const forged = records.map((other, index) =>
    index === record ? second : index === record + 1 ? first : other,
  );
  return { bytes: fileOf(forged), done: `records ${record} and ${record + 1} swapped`, record, edit: null };
}

/** The last group cut off, as if it had never been: what is left is a sound, open run. */
function truncated(records: readonly EvidenceRecord[]): Forged | null {
  const record = lastIndex(records, 'proposal');
  if (record === null) return null;
  return {
    bytes: fileOf(records.slice(0, record)),
    done: `everything from record ${record} on cut off`,
    record,
    edit: null,
  };
}

/** What the machine derived changed, its own hash, the close and every hash of the chain computed again. */
function rehashed(records: readonly EvidenceRecord[], sha256: Sha256): Forged | null {
  const record = lastIndex(records, 'artifact') ?? lastIndex(records, 'decision');
  const found = record === null ? null : editIn(records, record);
  if (record === null || found === null || !isObject(found.value)) return null;
  const { name, content } = found.value;
  const hash = content === undefined ? null : hashOf(content, sha256);
  const drafts = records.map(({ ts, kind, payload }, index) => {
    if (index === record)
      return {
        ts,
        kind,
        payload: hash === null ? found.value : withChanges(found.value, { at: ['artifact_hash'], to: hash }),
      };
    if (kind === 'close' && hash !== null && typeof name === 'string')
      return { ts, kind, payload: reclosed(payload ?? null, name, hash) };
    return { ts, kind, payload: payload ?? null };
  });
  return {
    bytes: fileOf(chained(drafts, sha256)),
    done: 'a result changed, every hash computed again',
    record,
    edit: found,
  };
}

function reclosed(close: Json, name: string, hash: string): Json {
  if (!isObject(close) || !isObject(close['artifact_hashes'])) return close;
  return withChanges(close, { at: ['artifact_hashes', name], to: hash });
}

/** The telling change of one record: inside an artifact's content, or a decision's events. */
function editIn(records: readonly EvidenceRecord[], record: number): Edit | null {
  const payload = records[record]?.payload;
  const part = records[record]?.kind === 'artifact' ? 'content' : 'events';
  const inner = payload !== undefined && isObject(payload) ? payload[part] : undefined;
  const edit = inner === undefined ? null : tellingEdit(inner, `/payload/${part}`);
  return edit === null || payload === undefined || !isObject(payload)
    ? null
    : { ...edit, value: withChanges(payload, { at: [part], to: edit.value }) };
}

function lastIndex(records: readonly EvidenceRecord[], kind: string): number | null {
  const index = records.findLastIndex((record) => record.kind === kind && record.payload !== undefined);
  return index === -1 ? null : index;
}
