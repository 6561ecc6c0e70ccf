/**
 * The table of open requests, as integrity keeps it: ids only, derivable without the machine.
 * Source: ledger format, "Payloads" (decision), "Verdicts" (`request_id`).
 */
import { OPEN_REQUESTS_MAX } from '../canonical/limits.js';
import { finding, type Finding } from './faults.js';
import { compareRequestIds } from './names.js';
import type { DecisionPayload } from './payloads.js';

/**
 * The ids open at a point of a ledger. At most 65,536. Once {@link forget} was called, nothing that reads the
 * table is judged.
 */
export class OpenTable {
  private readonly open: Set<string>;
  private isKnown = true;
  /** Requests that the last decision opened. */
  private opened = 0;

  /** A table with the carried requests of a base snapshot, or none. */
  constructor(carried: Iterable<string> = []) {
    this.open = new Set(carried);
  }

  /** From here on it is unknown what is open: an erased proposal or decision. */
  forget(): void {
    this.isKnown = false;
    this.opened = 0;
    this.open.clear();
  }

  /** `not_open` for exactly what is not open. */
  rejected(requestId: string, code: string): Finding | null {
    if (!this.isKnown) return null;
    const isOpen = this.open.has(requestId);
    if (isOpen === (code !== 'not_open')) return null;
    return finding(
      'request_id',
      isOpen
        ? { path: '/payload/code', expected: 'not the code of a closed request', got: code }
        : { path: '/payload/code', expected: 'not_open', got: code },
    );
  }

  /** An accepted answer closes its request, which must be open. */
  answered(requestId: string): Finding | null {
    if (!this.isKnown || this.open.delete(requestId)) return null;
    return finding('request_id', { expected: 'an open request', got: requestId });
  }

  /** Withdrawals, then new ids `<sequence>.<index>`, then the bound on open requests. */
  decided(decision: Pick<DecisionPayload, 'requests' | 'withdrawn'>, sequence: number): Finding | null {
    if (this.isKnown) {
      for (const [index, id] of decision.withdrawn.entries()) {
        if (!this.open.delete(id))
          return finding('request_id', {
            path: `/payload/withdrawn/${index}`,
            expected: 'an open request',
            got: id,
          });
      }
    }
    this.opened = decision.requests.length;
    for (const [index, { id }] of decision.requests.entries()) {
      const expected = `${sequence}.${index}`;
      if (id !== expected)
        return finding('request_id', { path: `/payload/requests/${index}/id`, expected, got: id });
      if (this.isKnown) this.open.add(id);
    }
    if (this.open.size <= OPEN_REQUESTS_MAX) return null;
    return finding('request_id', {
      path: '/payload/requests',
      expected: OPEN_REQUESTS_MAX,
      got: this.open.size,
    });
  }

  /**
   * A decision with an outcome opens no request. `open_requests` of its close: exactly the open ids, by
   * sequence then index as integers.
   */
  closed(openRequests: readonly string[]): Finding | null {
    if (this.opened > 0) return finding('close', { path: '/kind', got: 'close' });
    if (!this.isKnown) return null;
    const expected = [...this.open].sort(compareRequestIds);
    if (expected.length === openRequests.length && expected.every((id, index) => id === openRequests[index]))
      return null;
    return finding('close', { path: '/payload/open_requests', expected, got: openRequests });
  }
}
