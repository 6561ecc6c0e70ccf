/**
 * What each code means, in a few words, and one sentence for the whole.
 *
 * A line about a check that was not made must not look like a good result, so none of these texts uses the
 * usual words of praise; a test lists every such line.
 */
import { field, isObject, type Json } from '@assay/kernel';
import {
  CHECKS,
  CITED_HEAD,
  isAsked,
  RESULTS,
  type CheckName,
  type CheckResult,
  type Verdict,
  type VerifyDocument,
  type ExitOptions,
} from '@assay/verifier';

const HELD: { readonly [check in CheckName]: string } = {
  integrity: 'every hash and link fits, and every line has the right form',
  rederivation: 'all decisions recomputed, and all match',
  completeness: 'the run is closed and matches the head you gave',
  authorship: 'keys that you named signed the head',
  time: 'a witness that you trust saw this head',
};

const CODES: Readonly<Record<string, string>> = {
  empty: 'the file is empty',
  size: 'a line is longer than a record may be',
  depth: 'a line is nested deeper than a record may be',
  encoding: 'a line is not the canonical text of a record',
  final_newline: 'the last line has no line end',
  shape: 'a line does not have the seven keys of a record',
  version: 'a record has another version',
  payload_hash: 'a payload does not match its recorded hash',
  record_hash: 'a record does not match its recorded hash',
  parent: 'a record does not follow the one before it',
  ts: 'the logical time of a record does not fit its place',
  order: 'a record of this kind may not stand here',
  payload_shape: 'a payload does not have the form of its kind',
  number: 'a fraction stands where only integers may',
  token: 'a token has the wrong form, or does not match its kept value',
  proposal_hash: 'a proposal does not match its recorded hash',
  request_id: 'an answer, a rejection or a request does not fit the open requests',
  artifact_hash: 'an artifact does not match its recorded hash',
  graph: 'the graph has a wrong id, a missing node or a cycle',
  close: 'the close does not match the records before it',
  differs: 'the machine computes another record',
  unknown_machine: 'this machine, or this version of it, is not available',
  unknown_format: 'the first record is not a genesis of a known format',
  payload_erased: 'a proposal was erased, so later decisions cannot be recomputed',
  limit: 'stopped at the limit you set',
  truncated: 'records before the head you gave are missing',
  head_mismatch: 'the file does not have the head you gave',
  split_view: 'two files of one run differ',
  expectation: 'the file is not what you expected',
  answer_mismatch: 'an answer differs from the ledger it cites',
  no_ledger: 'a cited ledger was not given',
  no_head: 'give the head you kept (--head) to detect missing records',
  open_run: 'the run is still open',
  beyond_head: 'the file has more records than the head you gave',
  unlogged: 'the log has no such run',
  unclosed: 'the log has no end of this run',
  unsigned: 'give signed heads (--signature) to know who signed',
  no_key: 'name the keys you trust (--trust)',
  unknown_key: 'signed only by keys that you did not name',
  below_threshold: 'too few of the keys you named signed',
  bad_signature: 'a signature by a key you named is wrong',
  signed_other: 'a key you named signed another head',
  bad_proof: 'a signed head or path does not recompute',
  no_authority: 'you named no time authority',
  bad_witness: 'a timestamp by an authority you named is wrong',
  witnessed_other: 'an authority you named saw another head',
  no_witness: 'no timestamp was given',
  integrity: 'skipped: integrity failed',
  not_a_ledger: 'this is not a ledger',
  missing_file: 'the file does not exist',
  is_folder: 'this is a folder, not a file',
  unreadable: 'the file, or one beside it, could not be read',
  internal_error: 'internal error of the verifier',
  machine_file: 'the machine file throws an error',
};

/** What a verdict means, in a few words. Fixed text: nothing from evidence is in it. */
export function renderReason(check: CheckName, { verdict, code, detail }: Verdict): string {
  const isHashOnly =
    isObject(detail) &&
    (check === 'integrity'
      ? field(detail, 'hash_only') !== undefined
      : code === 'limit' && field(detail, 'mode') === 'hash_only');
  if (verdict === 'held')
    return isHashOnly
      ? 'hash-only: every hash and link fits; the content of payloads was not checked'
      : HELD[check];
  if (isHashOnly) return 'hash-only: no decision was recomputed';
  if (code === 'head_mismatch' && isObject(detail) && field(detail, 'reason') === CITED_HEAD)
    return 'another ledger does not have the head, or the answers, that this file takes from it';
  return CODES[code ?? ''] ?? 'for a reason unknown to this version';
}

/** Where a verdict points: "record 3", "record 3 and 2 more", or "". Positions count from 0. */
export function renderPlace({ record, count }: Verdict): string {
  if (record === null) return count === 0 ? '' : `${count} records`;
  return count > 1 ? `record ${record} and ${count - 1} more` : `record ${record}`;
}

/**
 * What a run's base came to when it was compared: held, failed or not_checked; null if there is none, or
 * nothing was read.
 */
export function findBaseResult(document: VerifyDocument): CheckResult | null {
  return RESULTS.find((known) => known === citedAt(document, 'base')) ?? null;
}

/** What is said of the ledgers that a run cites, by keys; undefined if nothing is. */
function citedAt({ checks: { completeness } }: VerifyDocument, ...keys: readonly string[]): Json | undefined {
  let at: Json | undefined = completeness.detail;
  for (const key of ['cited', ...keys]) at = at !== undefined && isObject(at) ? field(at, key) : undefined;
  return at;
}

/** What is said of heads and answers of other ledgers that were not compared; empty if there is none. */
function notCompared(document: VerifyDocument): string {
  const [heads, contents] = [
    citedAt(document, 'cites', 'not_checked'),
    citedAt(document, 'contents', 'not_compared'),
  ];
  if (typeof heads === 'number' && heads > 0)
    return ` (heads of other ledgers cited, not compared: ${heads})`;
  return typeof contents === 'number' && contents > 0
    ? ` (of ${contents} from other ledgers: heads compared, contents not)`
    : '';
}

/** What a base's result means, in a few words. Fixed text. */
export const BASES: { readonly [result in CheckResult]: string } = {
  held: 'the ledger this run is based on has that head and those answers',
  failed: 'the ledger this run is based on has another head, state or answers',
  not_checked: 'not compared: the ledger this run is based on was not given, or does not show it',
};

/** What a run took from another ledger without that being compared. */
function uncompared(document: VerifyDocument): string {
  const base = findBaseResult(document);
  const of = citedAt(document, 'taken', 'of');
  if (base === 'held')
    return typeof of === 'number' && citedAt(document, 'taken', 'answers') === 0
      ? ` (0 of ${of} answers taken over)`
      : '';
  if (isContinuation(document)) return ' and the first snapshot, which was not compared with its ledger';
  return base === null ? '' : ', which were not compared with the ledger they come from';
}

/** A continuation begins after sequence 0, with a state from another ledger. */
function isContinuation({ head, checks: { integrity } }: VerifyDocument): boolean {
  const records = isObject(integrity.detail) ? field(integrity.detail, 'records') : undefined;
  return head !== null && typeof records === 'number' && head.count > records;
}

/** One sentence on a whole document. Fixed text. */
export function renderSentence(document: VerifyDocument, options: ExitOptions = {}): string {
  const { checks } = document;
  const broken = CHECKS.filter((check) => checks[check].verdict === 'failed');
  const [first] = broken;
  if (first !== undefined) return `Do not rely on this file: ${broken.join(' and ')} failed.`;
  const open = CHECKS.filter((check) => checks[check].verdict === 'not_checked');
  if (open.includes('integrity')) return 'This file was not checked.';
  const allowed =
    options.allowUnchecked === true && open.some((check) => isAsked(check, checks[check], options))
      ? ' This was allowed by --checks any.'
      : '';
  if (open.includes('rederivation'))
    return `No fault was found, but not all decisions were recomputed.${allowed}`;
  const follows =
    'Every decision follows from the recorded ' +
    `answers${uncompared(document)}${notCompared(document)}${
      checks.authorship.verdict === 'held' ? ', and keys that you named signed its head' : ''
    }`;
  if (open.includes('completeness'))
    return `${follows}. Whether records are missing or replaced was not checked.${allowed}`;
  return `${follows}, and the file matches the head you gave.${allowed}`;
}
