/**
 * Heads that a store has seen.
 *
 * @module
 */
import type { Head } from '@assay/kernel';

/** The last known head of each run, of at most 10,000 runs: beyond, the one known longest is forgotten. */
export class KnownHeads {
  private readonly heads = new Map<string, Head>();

  /** True where this head was the last one known of its run. */
  has({ run_id, hash, count }: Head): boolean {
    const known = this.heads.get(run_id);
    return known?.hash === hash && known.count === count;
  }

  /** Takes this for the head of its run. */
  remember(head: Head): void {
    this.heads.delete(head.run_id);
    this.heads.set(head.run_id, head);
    const [oldest] = this.heads.keys();
    if (this.heads.size > KNOWN_MAX && oldest !== undefined) this.heads.delete(oldest);
  }

  /** Knows nothing of this run. */
  forget(runId: string): void {
    this.heads.delete(runId);
  }
}

const KNOWN_MAX = 10_000;
