/**
 * `assay keygen`: a key to sign heads with.
 *
 * @module
 */
import { formatPublicKey } from '@assay/attest';
import { makeKeyFiles } from '../files/key-files.js';
import { EXIT, type ExitCode } from '../problems/problem.js';
import { show } from '../terminal/shown.js';
import type { Context } from '../call/context.js';

/** Writes a secret key and its public one, and prints the public one. The secret is never printed. */
export async function keygen(
  { output }: Context,
  { output: path }: { readonly output: string },
): Promise<ExitCode> {
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
