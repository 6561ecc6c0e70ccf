/**
 * Which runs a log holds, and what a ledger at hand comes to against it. Source: docs/formats/log.md.
 */
import type { Digest } from '@assay/kernel';
import { formatEntry, type LogEntry, type RunEnd, type RunOpened } from './entry.js';

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

/** A run of the log. `opened`: index of its opening. */
export type LoggedRun = {
  readonly opened: number;
  readonly genesis_hash: Digest;
  readonly end: RunEnd | null;
};

/** Runs by id, as entries come. Memory: some hundred bytes a run. */
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
   * Takes the next entry. `twice` or `head_mismatch` where it does not fit those before: then it counts for
   * nothing.
   */
  add(entry: LogEntry): 'twice' | 'head_mismatch' | null {
    const index = this.entries;
    this.entries += 1;
    const run = this.logged.get(entry.run_id);
    if (entry.t === 'assay.run-opened.v1') {
      if (run !== undefined) return 'twice';
      this.logged.set(entry.run_id, { opened: index, genesis_hash: entry.genesis_hash, end: null });
      return null;
    }
    if (run === undefined || run.opened !== entry.opened || run.genesis_hash !== entry.genesis_hash)
      return 'head_mismatch';
    if (run.end !== null) return 'twice';
    this.logged.set(entry.run_id, { ...run, end: entry });
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
 * What a ledger comes to against its run of the log: null where they fit. `unclosed` is a fault where the
 * ledger has an end that the log does not, and else information: the run goes on, or waits.
 */
export function judgeLedger(
  { opened, genesis_hash, end }: LoggedRun,
  ledger: LedgerFacts,
): { readonly code: 'head_mismatch' | 'unclosed'; readonly isFault: boolean } | null {
  const mismatch = { code: 'head_mismatch', isFault: true } as const;
  if (ledger.genesis_hash !== genesis_hash) return mismatch;
  if (end === null) return { code: 'unclosed', isFault: ledger.outcome !== 'open' };
  if (end.t === 'assay.run-abandoned.v1')
    return ledger.count === end.count && ledger.hash === end.hash && ledger.outcome === 'open'
      ? null
      : mismatch;
  const closing = makeClosing(ledger, opened);
  return closing !== null && formatEntry(closing) === formatEntry(end) ? null : mismatch;
}
