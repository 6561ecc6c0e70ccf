/**
 * What a server offers, and with what: who starts it decides, and no client can ask for more.
 *
 * @module
 */
import type { Replayable, Result } from '@assay/kernel';
import type { Viewable } from '@assay/kernel/view';
import type { DriveOptions, Ports, Store, StoreError } from '@assay/host';
import type { MachineName } from '@assay/views/machines';
import type { ToolProblem } from './problem.js';

/**
 * What a server works with. `store`: where runs are kept; `place`: its address as it may be shown. `writing`:
 * opens the same store for one call that writes, and is closed after it, so that no run stays locked between
 * two calls; without it `store` is written to. `proposers`: who may be asked, by the name of the slot they
 * take, in order; the first is asked where a client names none. `allowAdvance`: clients may answer open
 * requests. `isOpenWorld`: some proposer reaches beyond this machine. `machines`: those `verify` can run
 * again. `viewable`: the machine with its view that `explain` draws a run with, null where nobody has it;
 * without it the table of `@assay/views/machines`. `describe`: a store's refusal in words. `drive`: how runs are driven. `onDefect`:
 * told of what is nobody's mistake.
 */
export type Desk = {
  readonly store: Store;
  readonly place: string;
  readonly writing?: () => Promise<Result<ToolProblem, Store>>;
  readonly proposers: ReadonlyMap<string, Ports>;
  readonly allowAdvance?: boolean;
  readonly isOpenWorld?: boolean;
  readonly machines?: readonly Replayable[];
  readonly viewable?: (machine: MachineName) => Promise<Viewable | null>;
  readonly describe?: (error: StoreError) => ToolProblem;
  readonly drive?: Pick<DriveOptions, 'budget' | 'deadlines' | 'retry'>;
  readonly onDefect?: (error: unknown) => void;
};

/** Who calls: what a client says of itself, which nobody has checked, and the end of its patience. */
export type Caller = {
  readonly client: { readonly name: string; readonly version: string } | null;
  readonly signal: AbortSignal;
};

/** The slot that a client answers by `advance`. */
export const CLIENT_SLOT = 'client';

/** The proposer under which an answer of a client is recorded. */
export const CLIENT_PROPOSER = 'mcp:client';

/** How a stored run is named in documents. */
export function ledgerUri(runId: string): string {
  return `assay://runs/${runId}/ledger`;
}
