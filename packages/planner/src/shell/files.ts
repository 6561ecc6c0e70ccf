/**
 * Bytes beside a ledger, by their SHA-256: outputs of leaves and their files. A model says {files: [{path, text}]}; a
 * ledger holds {files: [{path, blob}]}. Source: dec-K83; docs/formats, tokens.
 */
import {
  isArray,
  isObject,
  ok,
  err,
  type Json,
  type JsonObject,
  type Result,
  canonicalize,
  orThrow,
  type Digest,
} from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import { isStartedByItself, type Toolset } from '@assay/effector';
import type { Blobs } from '@assay/host';

/** What stands in a ledger for bytes. */
export function makeToken(bytes: Uint8Array, sha256: Digest): JsonObject {
  return { $blob: { bytes: bytes.length, media: 'text/plain', sha256 } };
}

/** The digest of a token; null for anything else. */
function digestIn(token: Json | undefined): Digest | null {
  const blob = isObject(token) ? token['$blob'] : undefined;
  return isObject(blob) && typeof blob['sha256'] === 'string' ? (blob['sha256'] as Digest) : null;
}

/** Keeps a value under the hash that a planner knows it by, which is given back. */
export function keepValue(blobs: Blobs, value: Json): Promise<Digest> {
  return blobs.put(orThrow(canonicalize(value)));
}

/** A kept value; null where it is not there. */
async function findValue(blobs: Blobs, digest: string): Promise<Json> {
  const bytes = await blobs.find(digest as Digest);
  return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString('utf8')) as Json);
}

/** A file of an output: where, and its bytes. */
export type LeafFile = { readonly path: string; readonly bytes: Uint8Array };

/** Why files are not written. `blob`: bytes that are not kept; else the code of the tool. */
export type FilesFault = { readonly code: string; readonly path: string };

/** The value with every text of a file kept as a blob; anything else stays. */
export async function withBlobs(blobs: Blobs, value: Json): Promise<Json> {
  if (!isObject(value) || !isArray(value['files'] ?? null)) return value;
  const files: Json[] = [];
  for (const file of value['files'] as readonly Json[]) {
    if (!isObject(file) || typeof file['text'] !== 'string' || !file['text'].isWellFormed()) {
      files.push(file);
      continue;
    }
    const { text, ...rest } = file as JsonObject & { readonly text: string };
    const bytes = Buffer.from(text, 'utf8');
    files.push({ ...rest, blob: makeToken(bytes, await blobs.put(bytes)) });
  }
  return { ...value, files };
}

/** The files of an output by its hash, none where it has none. Code `blob`. */
export async function readFiles(
  blobs: Blobs,
  output: string,
): Promise<Result<FilesFault, readonly LeafFile[]>> {
  const value = await findValue(blobs, output);
  const listed = readField(value, 'files');
  if (!isArray(listed)) return ok([]);
  const files: LeafFile[] = [];
  for (const file of listed) {
    if (!isObject(file) || typeof file['path'] !== 'string') continue;
    const digest = digestIn(file['blob']);
    const bytes = digest === null ? null : await blobs.find(digest);
    if (bytes === null) return err({ code: 'blob', path: file['path'] });
    files.push({ path: file['path'], bytes });
  }
  return ok(files);
}

/**
 * Writes files into the workspace. A file that stands there is replaced only where its bytes are kept: then nothing is
 * lost; one that programs start by themselves is not. Codes: those of `write_file`, `needs_confirmation` among them.
 */
export async function writeFiles(
  tools: Toolset,
  blobs: Blobs,
  files: readonly LeafFile[],
  signal: AbortSignal,
): Promise<Result<FilesFault, void>> {
  for (const { path, bytes } of files) {
    const request = { tool: 'write_file', input: { path, content: Buffer.from(bytes).toString('utf8') } };
    let call = await tools.run(request, { signal });
    const { code, loses, target } = call;
    const isQuiet = ![path, target.replace(/^"/, '')].some(isStartedByItself);
    if (code === 'needs_confirmation' && isQuiet && loses !== null && (await blobs.find(loses)) !== null)
      call = await tools.run(request, { signal, confirmed: { loses, target } });
    if (call.status !== 'ok') return err({ code: call.code ?? call.status, path });
  }
  return ok(undefined);
}
