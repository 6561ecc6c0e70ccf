/**
 * Which runs a log holds, and what a ledger at hand comes to against it. Source: docs/formats/log.md.
 */
import { type Digest, type Sha256, utf8Bytes } from '@assay/kernel';
import { formatEntry, type LogEntry, type RunAbandoned, type RunEnd, type RunOpened } from './entry.js';

/**
 * What is wrong with a log, or what a log does not have. `inconsistent`: its tree does not begin with that
 * of an earlier checkpoint. `unwitnessed`: no trusted witness cosigned it. `twice`: a second opening or end
 * of a run. `missing_run`: entries without a ledger. `unlogged`: a ledger without entries. `head_mismatch`:
 * the ledger is not the one of the entries. `unclosed`: an opening without an end.
 */
export const LOG_CODES = [
  'inconsistent',
  'unwitnessed',
  'twice',
  'missing_run',
  'unlogged',
  'head_mismatch',
  'unclosed',
] as const;

/** A ledger in the facts that entries hold. `tree_root`: over its record hashes. */
export type LedgerFacts = {
  readonly run_id: string;
  readonly genesis_hash: Digest;
  readonly machine: RunOpened['machine'];
  readonly count: number;
  readonly hash: Digest;
  readonly tree_root: Digest;
  readonly outcome: 'success' | 'refused' | 'open';
};

/**
 * A run of the log. `opened`: index of its opening, whose genesis_hash is there while it has no end. Of a closing its
 * line's digest is kept, from which a ledger's own is told.
 */
export type LoggedRun =
  | { readonly opened: number; readonly genesis_hash: Digest; readonly end: null }
  | { readonly opened: number; readonly end: Digest | RunAbandoned };

/** Runs by id, as entries come. Memory: some two hundred bytes a run. */
export class RunIndex {
  private readonly logged = new Map<string, LoggedRun>();
  private entries = 0;

  /** Number of entries. */
  get size(): number {
    return this.entries;
  }

  /** The runs, by id. */
  get runs(): ReadonlyMap<string, LoggedRun> {
    return this.logged;
  }

  /**
   * Takes the next entry, with the digest of its line. `twice` or `head_mismatch` where it does not fit those
   * before: then it counts for nothing.
   */
  add(entry: LogEntry, digest: Digest): 'twice' | 'head_mismatch' | null {
    const index = this.entries;
    this.entries += 1;
    const run = this.logged.get(entry.run_id);
    if (entry.t === 'assay.run-opened.v1') {
      if (run !== undefined) return 'twice';
      this.logged.set(entry.run_id, { opened: index, genesis_hash: entry.genesis_hash, end: null });
      return null;
    }
    if (run === undefined || run.opened !== entry.opened) return 'head_mismatch';
    if (run.end !== null) return 'twice';
    if (run.genesis_hash !== entry.genesis_hash) return 'head_mismatch';
    const end = entry.t === 'assay.run-closed.v1' ? digest : entry;
    this.logged.set(entry.run_id, { opened: run.opened, end });
    return null;
  }
}

/** The closing of a ledger; null while it is open. */
export function makeClosing(
  { run_id, genesis_hash, count, hash, tree_root, outcome }: LedgerFacts,
  opened: number,
): RunEnd | null {
  return outcome === 'open'
    ? null
    : { t: 'assay.run-closed.v1', run_id, genesis_hash, count, hash, tree_root, outcome, opened };
}

/**
 * What a ledger comes to against its run of the log: null if they fit. `unclosed` is a fault where the
 * ledger has an end that the log does not, and else information: the run goes on, or waits.
 */
export function judgeLedger(
  run: LoggedRun,
  ledger: LedgerFacts,
  sha256: Sha256,
): { readonly code: 'head_mismatch' | 'unclosed'; readonly isFault: boolean } | null {
  const mismatch = { code: 'head_mismatch', isFault: true } as const;
  if (run.end === null)
    return ledger.genesis_hash === run.genesis_hash
      ? { code: 'unclosed', isFault: ledger.outcome !== 'open' }
      : mismatch;
  const closing = makeClosing(ledger, run.opened);
  if (typeof run.end === 'string')
    return closing !== null && sha256(utf8Bytes(formatEntry(closing))) === run.end ? null : mismatch;
  const { genesis_hash, count, hash } = run.end;
  const isThere = ledger.genesis_hash === genesis_hash && ledger.count === count && ledger.hash === hash;
  return isThere && closing === null ? null : mismatch;
}
