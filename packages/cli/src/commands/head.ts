/**
 * `assay head`: the one line to keep outside, or the head signed.
 *
 * @module
 */
import { formatEnvelope, MerkleTree, signedHead, signHead } from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { formatHeadLine } from '@assay/kernel';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { requireApart, requireTarget } from '../files/write.js';
import { factsOf } from '../inputs/ledger.js';
import { jsonShown } from '../output/json.js';
import { show } from '../output/shown.js';
import { misuse } from '../problem.js';
import { addLine } from '../signing/evidence-files.js';
import { readSecretKey } from '../signing/key-files.js';

/** Options of `head`. */
export type HeadFlags = { readonly sign?: string; readonly output?: string };

/** Prints the head line of a ledger whose integrity holds; with `sign`, its signed head, or adds that to a file. */
export async function head(context: Context, file: string, { sign, output: path }: HeadFlags): Promise<ExitCode> {
  if (sign !== undefined) return signedHeadOf(context, file, sign, path);
  if (path !== undefined) throw misuse('conflict', 'a head line is printed, not written', '-o', 'give --sign KEY too, or redirect the output');
  const { output } = context;
  const { run_id, count, hash, outcome } = await factsOf(file);
  const line = formatHeadLine({ count, hash });
  output.document({ head: { run_id, count, hash }, line, outcome });
  output.data(show`${line}`);
  if (outcome === 'open') output.note(OPEN);
  return EXIT.done;
}

const OPEN = show`assay: this run is open; its head changes with every record`;

async function signedHeadOf({ output }: Context, file: string, keyFile: string, path: string | undefined): Promise<ExitCode> {
  // What is wrong with the key is said before a long ledger is read.
  const secret = readSecretKey(keyFile);
  if (path !== undefined) {
    requireTarget(path);
    requireApart([path], [file, keyFile]);
  }
  const tree = new MerkleTree(nativeSha256);
  const summary = await factsOf(file, ({ record_hash }) => tree.add(record_hash));
  const signed = signedHead(summary, tree.root());
  const envelope = signHead(signed, secret, nativeEd25519);
  const line = formatEnvelope(envelope);
  if (path !== undefined) await addLine(path, line);
  output.document({ signed, keyid: envelope.signatures[0]?.keyid, envelope: JSON.parse(line) as unknown, file: path ?? null });
  if (path === undefined) output.data(jsonShown(JSON.parse(line)));
  else output.line(show`${path}: signed ${signed.count} records, last ${signed.last_hash}`);
  if (summary.outcome === 'open') output.note(OPEN);
  return EXIT.done;
}
