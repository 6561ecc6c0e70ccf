/**
 * The proof of one run: its entries, their paths, and the checkpoint they lead to; and what it says of a
 * ledger. Source: docs/formats/log.md.
 */
import {
  type Digest,
  err,
  type HeadLine,
  type Json,
  ok,
  parseShape,
  readCanonical,
  type Result,
  type RunSummary,
  utf8Bytes,
} from '@assay/kernel';
import {
  anyOf,
  closed,
  digest,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type TypeOf,
} from '@assay/kernel/shape';
import type { AuthorshipVerdict } from '../authorship/authorship.js';
import { canonicalText, toHex } from '../bytes/read.js';
import type { PublicKey } from '../keys/key.js';
import { verifyInclusion } from '../merkle/proof.js';
import { TreeHasher } from '../merkle/tree.js';
import {
  type Checkpoint,
  isSigned,
  logKey,
  type NoteCrypto,
  parseCheckpoint,
  readCosignatures,
} from './checkpoint.js';
import {
  abandonedShape,
  closedShape,
  formatEntry,
  openedShape,
  type RunEnd,
  type RunOpened,
} from './entry.js';

const PATH_MAX = 64;
const placed = {
  index: integer(0),
  path: list(digest, (path) => path.length <= PATH_MAX, { max: PATH_MAX }),
};

/** The shape of a proof: one canonical line. `end` is null while the log has none. */
export const runProofShape = closed({
  t: oneOf(['assay.log-proof.v1']),
  checkpoint: text(),
  opened: closed({ ...placed, entry: openedShape }),
  end: nullable(closed({ ...placed, entry: anyOf(closedShape, abandonedShape) })),
});
/** A proof of one run. */
export type RunProof = TypeOf<typeof runProofShape>;

/** The canonical line of a proof, without a line end. */
export function formatRunProof(proof: RunProof): string {
  return canonicalText(proof);
}

/** Reads a proof, a last line end left out or not. Error: `proof`. Nothing is recomputed. */
export function parseRunProof(bytes: Uint8Array): Result<{ readonly code: 'proof' }, RunProof> {
  const read = readCanonical(bytes.at(-1) === LINE_END ? bytes.subarray(0, -1) : bytes);
  const parsed = read._tag === 'Left' ? read : parseShape<RunProof>(runProofShape, read.right.value);
  return parsed._tag === 'Left' ? err({ code: 'proof' }) : ok(parsed.right);
}

const LINE_END = 0x0a;

/** The head that a ledger of this run has by the log; null while it has none. */
export function readProvenHead({ end }: RunProof): HeadLine | null {
  return end === null ? null : { count: end.entry.count, hash: end.entry.hash };
}

/** Whom to believe, as the user says: keys of the log, and of witnesses. */
export type LogTrust = { readonly trusted: readonly PublicKey[]; readonly witnesses: readonly PublicKey[] };

/**
 * What a log says of a ledger whose integrity held. `proof`: null if the log has no such run.
 * `completeness`: null if the entries are proven and have an end, with whose head the ledger is then
 * compared as with one that was kept. `time`: no later than which moment that head was there. Source:
 * docs/formats/log.md, lines 1 to 9.
 */
export function judgeRunProof(
  proof: RunProof | null,
  summary: Pick<RunSummary, 'run_id' | 'genesis_hash' | 'count' | 'hash' | 'outcome'>,
  trust: LogTrust,
  crypto: NoteCrypto,
): { readonly completeness: AuthorshipVerdict | null; readonly time: AuthorshipVerdict } {
  const checkpoint = proof === null ? null : parseCheckpoint(proof.checkpoint);
  const unproven = (verdict: AuthorshipVerdict): ReturnType<typeof judgeRunProof> => ({
    completeness: verdict,
    time: say('not_checked', 'no_witness'),
  });
  if (proof === null || checkpoint === null || !isOf(proof, summary))
    return unproven(say('failed', 'unlogged', 1));
  if (checkpoint._tag === 'Left' || !leadsTo(proof, checkpoint.right, crypto))
    return unproven(say('failed', 'bad_proof', 1));
  if (trust.trusted.length === 0) return unproven(say('not_checked', 'no_key'));
  if (!trust.trusted.some(({ bytes }) => toHex(bytes) === logKey(checkpoint.right)))
    return unproven(say('not_checked', 'unknown_key'));
  if (!isSigned(checkpoint.right, crypto)) return unproven(say('failed', 'bad_signature', 1));
  if (proof.end === null)
    return { completeness: say('not_checked', 'unclosed'), time: say('not_checked', 'unclosed') };
  return { completeness: null, time: judgeTime(proof.end.entry, summary, checkpoint.right, trust, crypto) };
}

function judgeTime(
  end: RunEnd,
  { count, hash }: Pick<RunSummary, 'count' | 'hash'>,
  checkpoint: Checkpoint,
  { witnesses }: LogTrust,
  crypto: NoteCrypto,
): AuthorshipVerdict {
  const all = readCosignatures(checkpoint, crypto);
  const own = all.filter(({ key }) => witnesses.some(({ bytes }) => toHex(bytes) === key));
  if (own.some(({ isSound }) => !isSound)) return say('failed', 'bad_witness', 1);
  if (own.length === 0) return say('not_checked', all.length === 0 ? 'no_witness' : 'no_authority');
  if (end.count !== count || end.hash !== hash) return say('failed', 'witnessed_other', 1);
  const time = own.reduce((least, one) => Math.min(least, one.time), Number.MAX_SAFE_INTEGER);
  return say('held', null, 0, { not_later_than: time, witnesses: new Set(own.map(({ key }) => key)).size });
}

function say(
  verdict: AuthorshipVerdict['verdict'],
  code: string | null,
  count = 0,
  detail: Json = null,
): AuthorshipVerdict {
  return { verdict, code, record: null, count, detail };
}

function isOf(
  { opened }: RunProof,
  { run_id, genesis_hash }: Pick<RunSummary, 'run_id' | 'genesis_hash'>,
): boolean {
  return opened.entry.run_id === run_id && opened.entry.genesis_hash === genesis_hash;
}

/** Whether the two entries are of one run, and their paths lead to the root of the checkpoint. */
function leadsTo({ opened, end }: RunProof, { size, root }: Checkpoint, { sha256 }: NoteCrypto): boolean {
  const hasher = new TreeHasher(sha256);
  const stands = ({
    index,
    path,
    entry,
  }: {
    index: number;
    path: readonly Digest[];
    entry: RunOpened | RunEnd;
  }): boolean =>
    verifyInclusion(hasher, { index, size }, hasher.leaf(sha256(utf8Bytes(formatEntry(entry)))), path, root);
  return (
    stands(opened) &&
    (end === null ||
      (stands(end) &&
        end.entry.opened === opened.index &&
        end.entry.run_id === opened.entry.run_id &&
        end.entry.genesis_hash === opened.entry.genesis_hash))
  );
}
