/**
 * What each code means, in a few words, and one sentence for the whole.
 *
 * A line about a check that was not made must not look like a good result, so none of these texts uses the
 * usual words of praise; a test lists every such line.
 *
 * @module
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
  integrity: 'each record hashes, links and encodes as the format says',
  rederivation: 'each decision was derived again and is the recorded one',
  completeness: 'the run is closed and matches what was brought from outside',
  authorship: 'the head is signed by keys named by the user',
  time: 'a trusted witness saw this head',
};

const CODES: Readonly<Record<string, string>> = {
  empty: 'the file has no bytes',
  size: 'a line is longer than a record may be',
  depth: 'a line is nested deeper than a record may be',
  encoding: 'a line is not the canonical text of a record',
  final_newline: 'the last line has no line end',
  shape: 'a line has not the seven keys of a record',
  version: 'a record of another version',
  payload_hash: 'a payload does not have the hash recorded for it',
  record_hash: 'a record does not have the hash recorded for it',
  parent: 'a record does not follow the one before it',
  ts: 'a record has another logical time than its place gives',
  order: 'a record stands where its kind may not stand',
  payload_shape: 'a payload has not the form of its kind',
  number: 'a fraction where only integers may stand',
  token: 'a token has not its form, or does not fit what is kept for it',
  proposal_hash: 'a proposal does not have the hash recorded for it',
  request_id: 'an answer, a rejection or a request does not fit what was open',
  artifact_hash: 'an artifact does not have the hash recorded for it',
  graph: 'the graph has a wrong id, a missing end or a cycle',
  close: 'the close does not sum up the ledger before it',
  differs: 'the machine derives another record',
  unknown_machine: 'the machine, or this version of it, is not at hand',
  unknown_format: 'the chain is foreign: its first record is no genesis of a known format',
  payload_erased: 'a proposal was erased, so what follows cannot be derived',
  limit: 'stopped at a limit set for this run of the verifier',
  truncated: 'records known from outside are missing at the end',
  head_mismatch: 'the file is not the one whose head was given',
  split_view: 'two files of one run go different ways',
  expectation: 'an expectation is not met',
  answer_mismatch: 'an answer differs from what the cited ledger gives',
  no_ledger: 'a ledger that is cited is not among those that were given',
  no_head: 'no head from outside was given to compare with',
  open_run: 'the run is still open',
  beyond_head: 'the file goes on after the head that was given',
  unsigned: 'no signature was given',
  no_key: 'no key was named',
  unknown_key: 'signed by keys the user did not name',
  below_threshold: 'fewer signatures by named keys than were asked for',
  bad_signature: 'a signature by a named key does not fit',
  signed_other: 'a named key signed another head',
  bad_proof: 'a signed head or path does not recompute',
  no_authority: 'no authority was named',
  bad_witness: 'a timestamp by a named authority does not fit',
  witnessed_other: 'a named authority saw another head',
  no_witness: 'no witness was given',
  integrity: 'integrity failed, so there is nothing to ask this of',
  not_a_ledger: 'this is not a ledger',
  missing_file: 'there is no such file',
  is_folder: 'this is a folder, not a file',
  unreadable: 'it could not be read, or what is kept beside it could not',
  internal_error: 'the verifier met a fault of its own',
  machine_file: 'the machine that was given for it throws',
};

/** What a verdict means, in a few words. Fixed text: nothing from evidence is in it. */
export function reasonOf(check: CheckName, { verdict, code, detail }: Verdict): string {
  const isHashOnly =
    isObject(detail) &&
    (check === 'integrity'
      ? field(detail, 'hash_only') !== undefined
      : code === 'limit' && field(detail, 'mode') === 'hash_only');
  if (verdict === 'held')
    return isHashOnly
      ? 'hash-only: each record hashes and links; what stands inside payloads was not read'
      : HELD[check];
  if (isHashOnly) return 'hash-only: nothing was derived again';
  if (code === 'head_mismatch' && isObject(detail) && field(detail, 'reason') === CITED_HEAD)
    return 'a head of another ledger that is named here, or what was taken over from it, is not in that ledger';
  return CODES[code ?? ''] ?? 'for a reason this version does not know';
}

/** Where a verdict points: "record 3", "record 3 and 2 more", or "". Positions count from 0. */
export function placeOf({ record, count }: Verdict): string {
  if (record === null) return count === 0 ? '' : `${count} records`;
  return count > 1 ? `record ${record} and ${count - 1} more` : `record ${record}`;
}

/**
 * What a run's base came to when it was compared: held, failed or not_checked; null where there is none, or
 * nothing was read.
 */
export function baseOf(document: VerifyDocument): CheckResult | null {
  return RESULTS.find((known) => known === citedAt(document, 'base')) ?? null;
}

/** What is said of the ledgers that a run cites, by keys; undefined where nothing is. */
function citedAt({ checks: { completeness } }: VerifyDocument, ...keys: readonly string[]): Json | undefined {
  let at: Json | undefined = completeness.detail;
  for (const key of ['cited', ...keys]) at = at !== undefined && isObject(at) ? field(at, key) : undefined;
  return at;
}

/** What is said of heads and answers of other ledgers that were not compared; empty where there is none. */
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
  held: 'the ledger this run is based on has that head, and what was taken over from it',
  failed: 'the ledger this run is based on has another head there, another state, or other answers',
  not_checked: 'nothing was compared: the ledger this run is based on was not at hand, or does not show it',
};

/** What a run took from another ledger without that being compared. */
function uncompared(document: VerifyDocument): string {
  const base = baseOf(document);
  const of = citedAt(document, 'taken', 'of');
  if (base === 'held')
    return typeof of === 'number' && citedAt(document, 'taken', 'answers') === 0
      ? ` (0 of ${of} answers taken over)`
      : '';
  if (isContinuation(document))
    return ' and the snapshot the run begins with, which was compared with no ledger';
  return base === null ? '' : ', which were compared with those of no other ledger';
}

/** A continuation begins after sequence 0, with a state from another ledger. */
function isContinuation({ head, checks: { integrity } }: VerifyDocument): boolean {
  const records = isObject(integrity.detail) ? field(integrity.detail, 'records') : undefined;
  return head !== null && typeof records === 'number' && head.count > records;
}

/** One sentence on a whole document. Fixed text. */
export function sentenceOf(document: VerifyDocument, options: ExitOptions = {}): string {
  const { checks } = document;
  const broken = CHECKS.filter((check) => checks[check].verdict === 'failed');
  const [first] = broken;
  if (first !== undefined) return `Do not rely on this file: ${broken.join(' and ')} failed.`;
  const open = CHECKS.filter((check) => checks[check].verdict === 'not_checked');
  if (open.includes('integrity')) return 'Nothing is known of this file: it was not judged.';
  const allowed =
    options.allowUnchecked === true && open.some((check) => isAsked(check, checks[check], options))
      ? ' This was allowed by --allow-unchecked.'
      : '';
  if (open.includes('rederivation'))
    return (
      'Whether the decisions follow from the answers is not known: nothing was found wrong, ' +
      `and they were not all derived again.${allowed}`
    );
  const follows =
    'Every decision follows from the recorded ' +
    `answers${uncompared(document)}${notCompared(document)}${
      checks.authorship.verdict === 'held' ? ', and keys that you named signed its head' : ''
    }`;
  if (open.includes('completeness'))
    return `${follows}; whether this is the whole and the first version of the file is not known.${allowed}`;
  return `${follows}, and the file matches what was brought from outside.${allowed}`;
}
