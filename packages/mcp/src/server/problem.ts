/**
 * Bounds of the server, and why a tool gave no answer: a code, one sentence, a place and a remedy, as the
 * command says it.
 *
 * @module
 */
import type { CallNotesFault, DriveError, StoreError } from '@assay/host';
import { err, type Result } from '@assay/kernel';
import { safeJson } from '@assay/views';

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

const RESTORE = 'nothing was changed; restore the run from a copy';

/** What a store's refusals say: code, message, remedy. */
const STORE_PROBLEMS = {
  not_found: ['no_run', 'this store has no such run', 'list_runs says which there are'],
  name: ['run_id', 'this is no name for a run', 'give an id that list_runs names'],
  other_run: ['other_run', 'what is stored under this name is the ledger of another run', RESTORE],
  locked: ['store_locked', 'another writer holds this run', 'try again later'],
  stale_head: ['store_stale', 'another process has written to this run meanwhile', 'call it again'],
  torn: ['store_torn', 'what is stored of this run is damaged', RESTORE],
  unavailable: ['store_unavailable', 'the store cannot be used', 'look after the store, and call it again'],
} as const;

/** A store's refusal: `no_run`, `run_id`, or its own code behind `store_`. */
export function storeProblem(error: StoreError): ToolProblem {
  if (!('run_id' in error))
    return {
      code: `store_${error.code}`,
      message: 'the store does not answer',
      place: '',
      remedy: 'look after the store: assay store check',
    };
  const [code, message, remedy] = STORE_PROBLEMS[error.code === 'run_id' ? error.detail : error.code];
  const why = error.code === 'unavailable' ? ` (${error.operation}: ${error.errno})` : '';
  return { code, message: `${message}${why}`, place: error.run_id ?? '', remedy };
}

/** Notes of calls that cannot be used: no call is made, and nothing was recorded. */
export function notesProblem(fault: CallNotesFault): ToolProblem {
  if (fault.reason === 'unavailable')
    return {
      code: 'notes_unavailable',
      message: `the notes of calls cannot be read or written (${fault.errno}), so no call is made`,
      place: '',
      remedy: 'look after the folder of the store, and call it again',
    };
  return {
    code: 'notes_damaged',
    message: `line ${fault.line} of the notes of calls is no note, and what its call cost is not known`,
    place: '',
    remedy: 'restore the notes of this run, beside its store',
  };
}

/**
 * What keeps a run from being driven or taken up. Nothing was changed. `describe`: a store's refusal in
 * words.
 */
export function driveProblem(
  error: DriveError,
  runId: string,
  describe: (error: StoreError) => ToolProblem,
): ToolProblem {
  switch (error.code) {
    case 'rejected':
      return {
        code: error.rejection.code,
        message: `the run cannot be opened: ${safeJson(error.rejection.detail)}`,
        place: '',
        remedy: 'correct the request or its pins',
      };
    case 'exists':
      return {
        code: 'run_exists',
        message: 'another run is stored under this name',
        place: runId,
        remedy: 'look at it with get_record; nothing was changed',
      };
    case 'store':
      return describe(error.error);
    case 'notes':
      return notesProblem(error);
    case 'line':
      return {
        code: 'store_line',
        message: `record ${error.record} of the stored run is no record (${error.reason})`,
        place: runId,
        remedy: 'nothing was changed; restore the run from a copy',
      };
    case 'ledger':
      return {
        code: 'store_ledger',
        message: `the stored run does not hold: ${error.failed.code} at record ${error.failed.record}`,
        place: runId,
        remedy: 'nothing was changed; verify says more',
      };
  }
}

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
