/** What a sound ledger is, in a few facts. */
import { encodeJson } from '../canonical/encode.js';
import { hashText, type Digest, type Sha256 } from '../hash/sha256.js';
import { InvariantError } from '../result.js';
import type { Ending, Erased, Frame } from './frame.js';
import type { ClosePayload } from './payloads.js';

/** Facts of a ledger whose integrity holds. */
export type RunSummary = {
  /** The run's id; null for a foreign chain. */
  readonly run_id: string | null;
  /** True for a chain that does not begin with an `assay/0` genesis: judged from `size` to `parent` only. */
  readonly isForeign: boolean;
  /** Records in the file. */
  readonly records: number;
  /** Sequence of the first record: 0, or `base.count` in a continuation. */
  readonly first: number;
  /** Sequence of the last record + 1: the count of the head. */
  readonly count: number;
  /** Record hash of the last record. */
  readonly hash: Digest;
  /** Record hash of the first record. */
  readonly genesis_hash: Digest;
  /** How the run ended; `open` without a close. */
  readonly outcome: Ending;
  /** True after a genesis or proposal: at least one record is due. */
  readonly isInsideGroup: boolean;
  /** Records whose payload was erased, if there are any. */
  readonly erased: Erased | null;
  /** H({ledger_last_hash, dag_root_hash, artifact_hashes}); null while the run is open. Source: 001 §2.6. */
  readonly summary_hash: Digest | null;
};

/** The close of a run and its record hash. */
export type Closed = { readonly payload: ClosePayload; readonly hash: Digest };

/** The facts of a ledger from its judged frame. */
export function summarize(
  frame: Frame,
  runId: string | null,
  closed: Closed | null,
  sha256: Sha256,
): RunSummary {
  const { hash, genesisHash, position, first, kind, isForeign, erased } = frame;
  if (hash === null || genesisHash === null)
    throw new InvariantError('summarize', 'a ledger without records has no summary');
  return {
    run_id: runId,
    isForeign,
    records: position,
    first,
    count: first + position,
    hash,
    genesis_hash: genesisHash,
    outcome: closed?.payload.status ?? 'open',
    isInsideGroup: !isForeign && (kind === 'genesis' || kind === 'proposal'),
    erased,
    summary_hash: closed === null ? null : summaryHash(closed.hash, closed.payload, sha256),
  };
}

/**
 * summary_hash = H({ledger_last_hash, dag_root_hash, artifact_hashes}), ledger_last_hash being that of the
 * close. Source: 001 §2.6.
 */
export function summaryHash(
  lastHash: Digest,
  close: Pick<ClosePayload, 'dag_root_hash' | 'artifact_hashes'>,
  sha256: Sha256,
): Digest {
  const { dag_root_hash, artifact_hashes } = close;
  return hashText(
    `{"artifact_hashes":${encodeJson(artifact_hashes)},"dag_root_hash":"${dag_root_hash}",` +
      `"ledger_last_hash":"${lastHash}"}`,
    sha256,
  );
}
