/**
 * `assay keygen`: a key to sign heads with.
 *
 * @module
 */
import { formatEnvelope, formatPublicKey, MerkleTree, signedHead, signHead } from '@assay/attest';
import { nativeEd25519 } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import type { RunSummary } from '@assay/kernel';
import type { Context, Output } from '../call/output.js';
import { makeKeyFiles, readSecretKey } from '../files/key-files.js';
import { readFacts } from '../files/ledger.js';
import { requireApart, requireTarget } from '../files/write.js';
import { EXIT, type ExitCode } from '../problems/problem.js';
import { jsonShown, show } from '../terminal/shown.js';
import { addLines } from './sign/evidence-files.js';

/** Writes a secret key and its public one, and prints the public one. The secret is never printed. */
export async function keygen({ output }: Context, path: string): Promise<ExitCode> {
  const { secretPath, publicPath, key } = await makeKeyFiles(path);
  const line = formatPublicKey(key.bytes);
  output.document({
    key: { id: key.id, public_key: line, secret_file: secretPath, public_file: publicPath },
  });
  output.data(show`${line}`);
  output.note(
    show`assay: ${secretPath} is the secret key, keep it private; share ${publicPath} or the line above`,
  );
  return EXIT.done;
}

/** Signs the head of a ledger and prints it, or adds it to a file. Raises `Stop`. */
export async function signLedger(
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
  const summary = await readFacts(file, ({ record_hash }) => tree.add(record_hash));
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
