/**
 * Sizes a server takes and gives.
 *
 * @module
 */

/** Bytes of one message to the server. A request for a decision has at most 1 MiB of text. */
export const MESSAGE_BYTES_MAX = 4_194_304;
/** Bytes of an answer as JSON, and of a resource. What is larger is the problem `too_large`. */
export const ANSWER_BYTES_MAX = 4_194_304;
/**
 * Bytes of a ledger that tools keep in memory: `run`, `advance` and `explain`. `verify` and `list_runs` have
 * no such bound.
 */
export const LEDGER_BYTES_MAX = 67_108_864;
/** Runs on one page of `list_runs`, and of the list of resources. */
export const PAGE_MAX = 100;
/** Connections that the HTTP server holds at once. */
export const CONNECTIONS_MAX = 64;
/** Calls under way at once; further ones are the problem `busy`. */
export const CALLS_MAX = 16;
