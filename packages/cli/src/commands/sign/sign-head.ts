/**
 * The head of a ledger, signed with a key file. Apart from `head`, which without a key loads no curve.
 *
 * @module
 */
import { formatEnvelope, MerkleTree, signedHead, signHead } from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import type { RunSummary } from '@assay/kernel';
import { requireApart, requireTarget } from '../../files/write.js';
import { factsOf } from '../../files/ledger.js';
import { jsonShown } from '../../terminal/json.js';
import type { Output } from '../../call/output.js';
import { show } from '../../terminal/shown.js';
import { addLines } from './evidence-files.js';
import { readSecretKey } from '../../files/key-files.js';

/** Signs the head of a ledger and prints it, or adds it to a file. Raises `Stop`. */
export async function signHeadOf(
  output: Output,
  file: string,
  keyFile: string,
  path: string | undefined,
): Promise<RunSummary> {
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
  if (path !== undefined) await addLines(path, [line]);
  output.document({
    signed,
    keyid: envelope.signatures[0]?.keyid,
    envelope: JSON.parse(line) as unknown,
    file: path ?? null,
  });
  if (path === undefined) output.data(jsonShown(JSON.parse(line)));
  else output.line(show`${path}: signed ${signed.count} records, last ${signed.last_hash}`);
  return summary;
}
