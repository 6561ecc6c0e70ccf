/**
 * Entries of the log of runs: canonical lines, at most two for each run. Source: docs/formats/log.md.
 *
 * ```text
 * {"genesis_hash","machine":{"name","version"},"run_id","t":"assay.run-opened.v1"}
 * {"count","genesis_hash","hash","opened","outcome","run_id","t":"assay.run-closed.v1","tree_root"}
 * {"by","code","count","genesis_hash","hash","opened","run_id","t":"assay.run-abandoned.v1"}
 * ```
 *
 * `opened`: index of the run's opening. The tree is that of record hashes, over the digests of the lines.
 */
import {
  type Digest,
  err,
  isName,
  isProposer,
  isRunId,
  ok,
  parseShape,
  readCanonical,
  RECORDS_MAX,
  type Result,
} from '@assay/kernel';
import { anyOf, closed, digest, integer, oneOf, text, type TypeOf } from '@assay/kernel/shape';
import { canonicalText } from '../bytes/read.js';

const named = text(isName);
const run = { run_id: text(isRunId), genesis_hash: digest };
const end = {
  ...run,
  opened: integer(0, 2 * RECORDS_MAX),
  count: integer(1, RECORDS_MAX),
  hash: digest,
};

/** The shape of an opening: a run was begun. */
export const openedShape = closed({
  t: oneOf(['assay.run-opened.v1']),
  ...run,
  machine: closed({ name: named, version: integer(0) }),
});
/** The shape of a closing: the ledger ends here. `tree_root`: that of a signed head. */
export const closedShape = closed({
  t: oneOf(['assay.run-closed.v1']),
  ...end,
  outcome: oneOf(['success', 'refused']),
  tree_root: digest,
});
/** The shape of a giving up: this ledger is not continued, for the reason `code`. */
export const abandonedShape = closed({
  t: oneOf(['assay.run-abandoned.v1']),
  ...end,
  by: text(isProposer),
  code: named,
});

const ENTRY = anyOf(openedShape, closedShape, abandonedShape);

/** A run was begun. */
export type RunOpened = TypeOf<typeof openedShape>;
/** A run was given up. */
export type RunAbandoned = TypeOf<typeof abandonedShape>;
/** A run's last entry: how it ended. */
export type RunEnd = TypeOf<typeof closedShape> | RunAbandoned;
/** An entry of the log. */
export type LogEntry = RunOpened | RunEnd;

/** The canonical line of an entry, without a line end. */
export function formatEntry(entry: LogEntry): string {
  return canonicalText(entry);
}

/** Reads a line, given without its line end. Error: `entry`, for every other text. */
export function parseEntry(line: Uint8Array): Result<{ readonly code: 'entry' }, LogEntry> {
  const read = readCanonical(line);
  if (read._tag === 'Left') return err({ code: 'entry' });
  const parsed = parseShape<LogEntry>(ENTRY, read.right.value);
  return parsed._tag === 'Right' ? ok(parsed.right) : err({ code: 'entry' });
}

/** The opening of a run, from its first record. */
export function makeOpening(
  runId: string,
  genesisHash: Digest,
  { name, version }: RunOpened['machine'],
): RunOpened {
  return { t: 'assay.run-opened.v1', run_id: runId, genesis_hash: genesisHash, machine: { name, version } };
}
