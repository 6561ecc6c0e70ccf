/**
 * Bounds of the server, and why a tool gave no answer: a code, one sentence, a place and a remedy, as the
 * command says it.
 *
 * @module
 */
import { err, type Result } from '@assay/kernel';

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
