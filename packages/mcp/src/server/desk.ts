/**
 * What a server offers, and with what: who starts it decides, and no client can ask for more. Bounds of the
 * server, and why a tool gave no answer: a code, one sentence, a place and a remedy, as the command says it.
 */
import { type Json, type JsonObject, type Replayable, type Result, err } from '@assay/kernel';
import type { Viewable } from '@assay/kernel/view';
import type { Redecider } from '@assay/verifier/impact';
import type { DriveError, DriveOptions, Journal, Ports, Store } from '@assay/host';
import type { MachineName } from '@assay/views/machines';
import type { Players, TaskTools } from '@assay/controller/shell';

/**
 * With what tasks are done. `policy`: as the machine takes it, with its tools and who plays; `journal`: where
 * calls and whole outputs are kept beside the store, null where there is none.
 */
export type TaskDesk = {
  readonly tools: TaskTools;
  readonly portsOf: Players['portsOf'];
  readonly policy: JsonObject;
  readonly journal: Journal | null;
};

/** What a server works with. */
export type Desk = {
  /** Where runs are kept. */
  readonly store: Store;
  /** The store's address as it may be shown. */
  readonly place: string;
  /**
   * Opens the same store for one call that writes, and is closed after it, so that no run stays locked
   * between two calls. Without it `store` is written to.
   */
  readonly writing?: () => Promise<Result<ToolProblem, Store>>;
  /** Who may be asked, by the slot they take, in order; the first is asked if a client names none. */
  readonly proposers: ReadonlyMap<string, Ports>;
  /** Clients may answer open requests. */
  readonly allowAnswer?: boolean;
  /** With what tasks are done; without it there is no tool `task`. */
  readonly task?: TaskDesk;
  /** Some proposer reaches beyond this machine. */
  readonly isOpenWorld?: boolean;
  /** What makes a derived run id one of this desk: who answers, and without a lasting store a nonce. */
  readonly own?: Json;
  /** Those that `verify` can run again. */
  readonly machines?: readonly Replayable[];
  /**
   * The machine with its view that `show` draws a run with, null if nobody has it. Without it: the table
   * of `@assay/views/machines`.
   */
  readonly viewable?: (machine: MachineName) => Promise<Viewable | null>;
  /** The machine that `whatif` and `impact` decide with, null if nobody has it. Without it: the same table. */
  readonly redecider?: (machine: MachineName) => Promise<Redecider | null>;
  /** What keeps a run from being read, driven or taken up, in words; nothing was changed. */
  readonly describe: (error: DriveError, runId: string) => ToolProblem;
  /** How runs are driven. */
  readonly drive?: Pick<DriveOptions, 'budget' | 'deadlines' | 'retry'>;
  /**
   * Does the call of a tool in another thread, by {@link callApart}, and ends that thread soon after the caller's
   * signal says so: meanwhile others are answered. Without it calls are done in this thread.
   */
  readonly apart?: (tool: string, args: unknown, caller: Caller) => Promise<Result<ToolProblem, object>>;
  /** Told of what is nobody's mistake. */
  readonly onDefect?: (error: unknown) => void;
};

/** Who calls: what a client says of itself, which nobody has checked, and the end of its patience. */
export type Caller = {
  readonly client: { readonly name: string; readonly version: string } | null;
  readonly signal: AbortSignal;
};

/** The slot that a client answers by `answer`. */
export const CLIENT_SLOT = 'client';

/** The proposer under which an answer of a client is recorded. */
export const CLIENT_PROPOSER = 'mcp:client';

/** How a stored run is named in documents. */
export function ledgerUri(runId: string): string {
  return `assay://runs/${runId}/ledger`;
}

/**
 * A problem. `code` is API; the texts are not, and may quote what came from outside. `place`: an id, an
 * argument; "" where there is none.
 */
export type ToolProblem = {
  readonly code: string;
  readonly message: string;
  readonly place: string;
  readonly remedy: string;
};

/** A problem as a Left. */
export function problem(
  code: string,
  message: string,
  place: string,
  remedy: string,
): Result<ToolProblem, never> {
  return err({ code, message, place, remedy });
}

/** Bytes of one message to the server. A request for a decision has at most 1 MiB of text. */
export const MESSAGE_BYTES_MAX = 4_194_304;
/** Bytes of an answer as JSON, and of a resource. What is larger is the problem `too_large`. */
export const ANSWER_BYTES_MAX = 4_194_304;
/**
 * Bytes of a ledger that tools keep in memory: `run`, `answer` and `show`. `verify` and `store_list` have
 * no such bound.
 */
export const LEDGER_BYTES_MAX = 67_108_864;
/** Runs on one page of `store_list`, and of the list of resources. */
export const PAGE_MAX = 100;
/** Connections that the HTTP server holds at once. */
export const CONNECTIONS_MAX = 64;
/** Calls under way at once; further ones are the problem `busy`. */
export const CALLS_MAX = 16;
