/**
 * A copy of a ledger that is edited: which field an attack changes (the first one in a payload that a reader
 * would notice), what was changed, and chaining the records again.
 */
import {
  type Digest,
  encodeLine,
  type EvidenceRecord,
  hashCanonical,
  isArray,
  isDigest,
  isObject,
  type Json,
  orThrow,
  recordHash,
  type Replayable,
  type Sha256,
  utf8Bytes,
} from '@assay/kernel';

/** A change of one field: where (JSON pointer), from what, to what, and the value with it made. */
export type Edit = { readonly path: string; readonly from: Json; readonly to: Json; readonly value: Json };

/**
 * The first telling change inside a value, or null: an integer raised by one, else a flag turned, else a text
 * with a word added. Tags (`t`), ids and hashes are left alone, so that every rule of form still holds.
 */
export function tellingEdit(value: Json, path: string): Edit | null {
  for (const change of [raised, turned, reworded]) {
    const found = firstIn(value, change);
    if (found !== null)
      return {
        path: `${path}${found.at.map(escapePointer).join('')}`,
        from: found.from,
        to: found.to,
        value: withChanges(value, found),
      };
  }
  return null;
}

type Turn = (value: Json) => Json | null;
type Found = { readonly at: readonly Step[]; readonly from: Json; readonly to: Json };

const raised: Turn = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value + 1) ? value + 1 : null;
const turned: Turn = (value) => (typeof value === 'boolean' ? !value : null);
const reworded: Turn = (value) =>
  typeof value === 'string' && !isDigest(value) && !/^[0-9]+\.[0-9]+$/.test(value)
    ? `${value} (not so)`
    : null;
/** Keys whose values are form; `__proto__` is no place to assign to. */
const FORM: ReadonlySet<string> = new Set([
  't',
  'id',
  'kind',
  'key',
  'op',
  'code',
  'format',
  'version',
  'start',
  'end',
  'place',
  '__proto__',
]);

function firstIn(value: Json, change: Turn): Found | null {
  const to = change(value);
  if (to !== null) return { at: [], from: value, to };
  for (const [step, item] of listItems(value)) {
    const found = firstIn(item, change);
    if (found !== null) return { ...found, at: [step, ...found.at] };
  }
  return null;
}

function listItems(value: Json): readonly (readonly [Step, Json])[] {
  if (isArray(value)) return [...value.entries()];
  if (!isObject(value) || Object.hasOwn(value, '$sealed') || Object.hasOwn(value, '$blob')) return [];
  return Object.entries(value).filter(([key]) => !FORM.has(key));
}

function escapePointer(step: Step): string {
  return `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a forger writes: a record before it is chained. */
export type Draft = { readonly ts: string; readonly kind: string; readonly payload: Json };

/** H of a value. */
export function hashValue(value: Json, sha256: Sha256): Digest {
  return orThrow(hashCanonical(value, sha256));
}

/**
 * Chains drafts after a record hash (null: from the start): payload hashes, parents and record hashes are
 * computed.
 */
export function chained(
  drafts: readonly Draft[],
  sha256: Sha256,
  after: Digest | null = null,
): readonly EvidenceRecord[] {
  const records: EvidenceRecord[] = [];
  for (const { ts, kind, payload } of drafts) {
    const parent = records.at(-1)?.record_hash ?? after;
    const payload_hash = hashValue(payload, sha256);
    records.push({
      v: 1,
      ts,
      kind,
      parent,
      payload,
      payload_hash,
      record_hash: recordHash({ ts, kind, parent }, payload_hash, sha256),
    });
  }
  return records;
}

/** The bytes of a ledger file. */
export function encodeFile(records: readonly EvidenceRecord[]): Uint8Array {
  return utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
}

/** A key of an object or an index of a list. */
export type Step = string | number;
/** Another value for one place; `at` leads there from the root. */
export type Change = { readonly at: readonly Step[]; readonly to: Json };

/**
 * A copy of a value with changes made, in order, frozen where it was changed. A change of the root replaces
 * the value; every other place must lie in an object or list that is there.
 */
export function withChanges(value: Json, ...changes: readonly Change[]): Json {
  return changes.reduce<Json>((before, { at, to }) => changed(before, at, to), value);
}

function changed(value: Json, [step, ...rest]: readonly Step[], to: Json): Json {
  if (step === undefined) return to;
  if (isArray(value))
    return Object.freeze(value.map((item, index) => (index === step ? changed(item, rest, to) : item)));
  if (!isObject(value)) throw new TypeError(`withChanges: nothing has a field ${step} here`);
  return Object.freeze({ ...value, [step]: changed(value[step] ?? null, rest, to) });
}

/**
 * A forged copy: its bytes, and in words what was done to it. Null if a ledger offers nothing to do that
 * to.
 */
export type Forged = {
  readonly bytes: Uint8Array;
  readonly done: string;
  readonly record: number;
  readonly edit: Edit | null;
};

/** What a forger needs: the digest, and the machines that may derive a ledger again. */
export type ForgeOptions = { readonly sha256: Sha256; readonly machines: readonly Replayable[] };
