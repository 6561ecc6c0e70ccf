/**
 * What every record of a ledger is judged by before its payload is looked at: hashes, link, logical time,
 * order. Shared by the strict and the hash-only judge. Source: ledger format, "File and records",
 * "Grammar", "Verdicts".
 */
import { encodeScalar } from '../canonical/encode.js';
import { utf8Length } from '../text.js';
import type { Digest, Sha256 } from '../hash/sha256.js';
import { field, isObject, type Json } from '../json.js';
import { finding, type Finding } from './faults.js';
import { RECORDS_MAX } from './head.js';
import { isTsBase, logicalTime, type RecordKind } from './names.js';
import { FORMAT, type Status } from './payloads.js';
import { recordHash, type EvidenceRecord } from './record.js';

/** Which kinds may follow which. Source: ledger format, "Grammar". */
const FOLLOWERS: ReadonlyMap<string, readonly RecordKind[]> = new Map<string, readonly RecordKind[]>([
  ['', ['genesis']],
  ['genesis', ['decision']],
  ['proposal', ['decision', 'rejection']],
  ['decision', ['artifact', 'close', 'proposal']],
  ['artifact', ['artifact', 'close', 'proposal']],
  ['rejection', ['proposal']],
  ['close', []],
]);

const LOGICAL_TIME = /^([^#]*)#([0-9]{12})$/;

/** Erased records of a ledger: the position of the first and their number. */
export type Erased = { readonly record: number; readonly count: number };

/** How a ledger ends. A foreign chain is always open. */
export type Ending = Status | 'open';

/**
 * The chain, logical time and order of one ledger, record by record. Holds a few words whatever the length.
 */
export class Frame {
  /** Position of the next record, which is the number of records so far. */
  position = 0;
  /** Hash of the last record. */
  hash: Digest | null = null;
  /** Hash of the first record. */
  genesisHash: Digest | null = null;
  /** Kind of the last record, "" before the first. */
  kind = '';
  /** True if the first record is no `assay/0` genesis: judged up to `parent` only. */
  isForeign = false;
  /** Sequence of the first record. */
  first = 0;
  erased: Erased | null = null;
  private tsBase: Json | undefined = undefined;
  private artifactName: string | null = null;
  private readonly sha256: Sha256;

  constructor(sha256: Sha256) {
    this.sha256 = sha256;
  }

  /** Sequence of the next record. */
  get sequence(): number {
    return this.first + this.position;
  }

  /**
   * payload_hash, record_hash, parent, then ts and order where the chain is ours. `payload`: the payload's
   * canonical bytes, null if erased.
   */
  judge(record: EvidenceRecord, payload: Uint8Array | null): Finding | null {
    const fault = this.link(record, payload);
    if (fault !== null) return fault;
    if (this.position === 0) this.begin(record);
    if (this.isForeign) return null;
    return this.time(record.ts) ?? this.follow(record);
  }

  /** parent, ts and order of a record that is not the first and whose hashes are known to hold. */
  judgePlace(record: EvidenceRecord): Finding | null {
    return this.linkTo(record.parent) ?? this.time(record.ts) ?? this.follow(record);
  }

  /** Counts a record that was judged sound. */
  accept(record: EvidenceRecord): void {
    if (record.payload === undefined)
      this.erased = { record: this.erased?.record ?? this.position, count: (this.erased?.count ?? 0) + 1 };
    if (this.position === 0) this.genesisHash = record.record_hash;
    this.hash = record.record_hash;
    // The last name known in a row of artifacts: an erased one hides its own, not those before it.
    if (record.kind !== 'artifact') this.artifactName = null;
    else this.artifactName = readName(record.kind, record.payload) ?? this.artifactName;
    this.kind = record.kind;
    this.position += 1;
  }

  /** The `ts` the next record has to carry, or null if none would be right. */
  expectedTs(): string | null {
    if (typeof this.tsBase !== 'string' || this.sequence >= RECORDS_MAX) return null;
    return logicalTime(this.tsBase, this.sequence);
  }

  /** True if a record of this kind may come next, by the grammar alone. */
  mayFollow(kind: string): boolean {
    const allowed: readonly string[] = FOLLOWERS.get(this.kind) ?? [];
    return allowed.includes(kind);
  }

  private link(record: EvidenceRecord, payload: Uint8Array | null): Finding | null {
    if (payload !== null) {
      const expected = this.sha256(payload);
      if (expected !== record.payload_hash)
        return finding('payload_hash', { path: '/payload_hash', expected, got: record.payload_hash });
    }
    const expected = recordHash(record, record.payload_hash, this.sha256);
    if (expected !== record.record_hash)
      return finding('record_hash', { path: '/record_hash', expected, got: record.record_hash });
    return this.linkTo(record.parent);
  }

  private linkTo(parent: Digest | null): Finding | null {
    return parent === this.hash
      ? null
      : finding('parent', { path: '/parent', expected: this.hash, got: parent });
  }

  /**
   * Reads from the first record what ts needs, leniently: its form is judged later. Where it is erased, its
   * own ts says both, so that only its form counts.
   */
  private begin({ kind, payload, ts }: EvidenceRecord): void {
    this.isForeign =
      kind !== 'genesis' ||
      (payload !== undefined && !(isObject(payload) && field(payload, 'format') === FORMAT));
    if (this.isForeign) return;
    if (!isObject(payload)) {
      const [, shown = '', sequence = '0'] = LOGICAL_TIME.exec(ts) ?? [];
      this.tsBase = isTsBase(shown) ? shown : undefined;
      this.first = Number(sequence);
      return;
    }
    const tsBase = field(payload, 'ts_base');
    this.tsBase = typeof tsBase === 'string' && isTsBase(tsBase) ? tsBase : undefined;
    const base = field(payload, 'base');
    if (!isObject(base)) return;
    const count = field(base, 'count');
    const isContinued = (field(base, 'snapshot') ?? null) !== null;
    if (isContinued && typeof count === 'number' && Number.isInteger(count) && count >= 1) this.first = count;
  }

  private time(ts: string): Finding | null {
    const expected = this.expectedTs();
    return ts === expected ? null : finding('ts', { path: '/ts', expected, got: ts });
  }

  private follow({ kind, payload }: EvidenceRecord): Finding | null {
    if (!this.mayFollow(kind))
      return finding('order', { path: '/kind', expected: FOLLOWERS.get(this.kind) ?? [], got: kind });
    const name = readName(kind, payload);
    if (name === null || this.artifactName === null || name > this.artifactName) return null;
    return finding('order', {
      path: '/payload/name',
      expected: `a name after ${this.artifactName}`,
      got: name,
    });
  }
}

/** The name an artifact record has, null if it has none or is of another kind. */
function readName(kind: string, payload: Json | undefined): string | null {
  const name = kind === 'artifact' && isObject(payload) ? field(payload, 'name') : undefined;
  return typeof name === 'string' ? name : null;
}

/** The bytes of a line's payload, which its canonical form puts at a known place; null if it is erased. */
export function payloadBytes(line: Uint8Array, record: EvidenceRecord): Uint8Array | null {
  if (record.payload === undefined) return null;
  const before =
    utf8Length(encodeScalar(record.kind)) + (record.parent === null ? 4 : HASH_TEXT) + BEFORE_PAYLOAD;
  const after = utf8Length(encodeScalar(record.ts)) + AFTER_PAYLOAD;
  return line.subarray(before, line.length - after);
}

const HASH_TEXT = 66;
const BEFORE_PAYLOAD = '{"kind":,"parent":,"payload":'.length;
const AFTER_PAYLOAD = ',"payload_hash":,"record_hash":,"ts":,"v":1}'.length + 2 * HASH_TEXT;
