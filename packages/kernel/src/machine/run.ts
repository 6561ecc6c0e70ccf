/** A run: a machine and where its ledger stands, as a value. */
import type { PersistentMap } from '../collections/persistent-map.js';
import { nobleSha256, type Digest, type Sha256 } from '../hash/sha256.js';
import type { Json } from '../json.js';
import type { Graph } from '../graph/graph.js';
import { compareRequestIds } from '../ledger/names.js';
import type { Base, Genesis, Head, Request, Status } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import type { OpenTable } from './request-table.js';
import type { Machine, Rejection } from './types.js';

/** What shells may inject: the runtime's native digest (same bytes, faster). */
export type KernelOptions = { readonly sha256?: Sha256 };

/**
 * The digest of some options: noble's unless one is injected. One that is no SHA-256 in lower-case hex is a
 * defect.
 */
export function chooseDigest(options: KernelOptions | undefined): Sha256 {
  const sha256 = options?.sha256;
  if (sha256 === undefined) return nobleSha256;
  const got: unknown = sha256(new Uint8Array(0));
  if (got !== EMPTY_DIGEST)
    throw new TypeError(`options.sha256: expected ${EMPTY_DIGEST} of no bytes, got ${String(got)}`);
  return sha256;
}

const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * What a caller gives to open a run; the kernel adds format and machine. `engine` names what executes the
 * machine where that is not this kernel itself.
 */
export type GenesisInput = {
  readonly run_id: string;
  readonly ts_base: string;
  readonly policy: Json;
  readonly input: Json;
  readonly base?: Base | null;
  readonly engine?: string | null;
};

/**
 * A run after a whole group. An immutable value: `advance` gives the next one and leaves this one as
 * it was, so a run may be kept, branched and compared.
 */
export type Run<S, I, E extends Json = Json, A extends Json = Json> = {
  readonly machine: Machine<S, I, E, A>;
  readonly genesis: Genesis;
  readonly genesisRecord: EvidenceRecord;
  readonly state: S;
  readonly open: OpenTable;
  readonly artifacts: PersistentMap<Digest>;
  readonly graph: Graph;
  /** Sequence of the last record + 1. */
  readonly count: number;
  /** Hash of the last record. */
  readonly hash: Digest;
  /** null while the run is open. */
  readonly outcome: Status | null;
  /**
   * When the state is hashed next (ledger format, "State hash"): L, n, and whether the last group carried a
   * hash.
   */
  readonly pace: Pace;
  readonly sha256: Sha256;
};

/** L = `stateBytes` of the last hashed State; n so far = `payloadBytes` recorded since. */
export type Pace = {
  readonly stateBytes: number;
  readonly payloadBytes: number;
  readonly isAnchored: boolean;
};

/** One step of a run: the next run, the records to append, and the rejection recorded, if any. */
export type Step<S, I, E extends Json = Json, A extends Json = Json> = {
  readonly run: Run<S, I, E, A>;
  readonly records: readonly EvidenceRecord[];
  readonly rejection: Rejection | null;
};

/** The requests of a run that wait for an answer, by (sequence, index). O(n log n). */
export function openRequests<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
): readonly Request<A>[] {
  return run.open.sorted(compareRequestIds).map(([, row]) => row.request as Request<A>);
}

/** Where a run's ledger stands. */
export function makeHead<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): Head {
  return { run_id: run.genesis.run_id, count: run.count, hash: run.hash };
}
