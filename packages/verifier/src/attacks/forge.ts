/**
 * The attacks that anybody may carry out on a copy of a ledger, whatever machine made it, and what the
 * verifier says of each.
 */
import { type EvidenceRecord, type HeadLine, isObject, type Json, type Sha256 } from '@assay/kernel';
import type { CheckName, Checks } from '../verify/document.js';
import { verify } from '../verify/verify.js';
import {
  chained,
  type Edit,
  encodeFile,
  type Forged,
  type ForgeOptions,
  hashValue,
  tellingEdit,
  withChanges,
} from './edit.js';
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
  return {
    bytes: encodeFile(forged),
    done: 'one field changed, no hash computed again',
    record,
    edit: found,
  };
}

function dropped(records: readonly EvidenceRecord[]): Forged | null {
  const record =
    lastIndex(records, 'rejection') ?? lastIndex(records, 'artifact') ?? lastIndex(records, 'decision');
  if (record === null || record === 0) return null;
  return {
    bytes: encodeFile(records.filter((_, index) => index !== record)),
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
  return {
    bytes: encodeFile(forged),
    done: `records ${record} and ${record + 1} swapped`,
    record,
    edit: null,
  };
}

/** The last group cut off, as if it had never been: the rest is a sound, open run. */
function truncated(records: readonly EvidenceRecord[]): Forged | null {
  const record = lastIndex(records, 'proposal');
  if (record === null) return null;
  return {
    bytes: encodeFile(records.slice(0, record)),
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
  const hash = content === undefined ? null : hashValue(content, sha256);
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
    bytes: encodeFile(chained(drafts, sha256)),
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

/** The checks that a file alone allows, then those with the head. */
export type Judged = { readonly alone: Checks; readonly withHead: Checks };

/** Verifies a forged copy twice. */
export function judgeForged(file: string, bytes: Uint8Array, head: HeadLine, options: ForgeOptions): Judged {
  return {
    alone: verify(file, bytes, options).document.checks,
    withHead: verify(file, bytes, { ...options, head }).document.checks,
  };
}

/**
 * Which check is announced to catch an attack: one that a file alone allows, or completeness, which needs the
 * head.
 */
export const CAUGHT_BY: { readonly [attack in Attack]: CheckName } = {
  edit: 'integrity',
  drop: 'integrity',
  swap: 'integrity',
  truncate: 'completeness',
  rehash: 'rederivation',
  rederive: 'completeness',
};

/** True if an attack ended as announced: caught by its check and by no check before it. */
export function isAsAnnounced(attack: Attack, { alone, withHead }: Judged): boolean {
  switch (CAUGHT_BY[attack]) {
    case 'integrity':
      return alone.integrity.verdict === 'failed';
    case 'rederivation':
      return alone.integrity.verdict === 'held' && alone.rederivation.verdict === 'failed';
    default:
      return (
        alone.integrity.verdict === 'held' &&
        alone.rederivation.verdict === 'held' &&
        withHead.completeness.verdict === 'failed'
      );
  }
}
