/**
 * Answers that come another day.
 *
 * @module
 */
import type { Request } from '@assay/kernel';

/**
 * Raised by a port that has no answer yet, such as a person's. Nothing is recorded, no attempt is used, the
 * reserve is given back and the note of the call taken back. This drive goes on with other requests and ends
 * `waiting` where none is left; the next one asks again. Raised once nobody waits for the call, it leaves the
 * note: the call was given up. `until`: when to ask again, in microseconds since
 * 1970; null where nobody knows. Source: calls/C10.
 */
export class Later extends Error {
  override readonly name = 'Later';
  readonly until: number | null;
  // oxlint-disable-next-line no-unused-private-class-members -- a brand, which `in` reads
  readonly #isLater: boolean = true;
  constructor({ until = null }: { readonly until?: number | null } = {}) {
    super(until === null ? 'the answer comes later' : `the answer comes later: ask again at ${until} us`);
    this.until = until;
  }

  /** True for one of these. A port may raise anything, and a revoked Proxy throws when it is looked at. */
  static isLater(error: unknown): error is Later {
    return typeof error === 'object' && error !== null && #isLater in error;
  }
}

/** A request whose port raised {@link Later}. */
export type Waiting = {
  readonly request_id: string;
  readonly kind: string;
  readonly until: number | null;
};

/** What a request waits for. */
export function waitingFor({ id, kind }: Request, { until }: Later): Waiting {
  return { request_id: id, kind, until };
}
