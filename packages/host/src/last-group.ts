/**
 * The group that a ledger's head stands after, and whether a state is the one its decision recorded. Source:
 * ledger format, "Base", "Snapshot file".
 *
 * @module
 */
import {
  field,
  isObject,
  stateHashOf,
  type EvidenceRecord,
  type Json,
  type Sha256,
  type Snapshot,
} from '@assay/kernel';

/** The group that is being read. */
export class LastGroup {
  private stateHash: Json = null;

  begin(decision: Json): void {
    this.stateHash = isObject(decision) ? (field(decision, 'state_hash') ?? null) : null;
  }

  add({ kind }: EvidenceRecord): void {
    if (kind !== 'artifact') this.stateHash = null;
  }

  /** Whether what was taken at a head is of the run after this record. Null where it is. */
  fault(
    { head, state }: Pick<Snapshot, 'head' | 'state'>,
    last: EvidenceRecord,
    sha256: Sha256,
  ): 'head' | 'state' | null {
    if (last.record_hash !== head.hash) return 'head';
    return this.stateHash !== null && this.stateHash === stateHashOf(state, { sha256 }) ? null : 'state';
  }
}

/** The payload of a line whose hashes hold; it is read only, never recorded. Null where it was erased. */
export function payloadOf(line: Uint8Array): Json {
  const read: unknown = JSON.parse(new TextDecoder().decode(line));
  return isObject(read as Json) ? (field(read as { readonly [key: string]: Json }, 'payload') ?? null) : null;
}
