/**
 * Parts put together: by a tool where they are files, and into a folder at the end. Source: 000 §1 Step 13;
 * dec-K83.
 *
 * @module
 */
import { err, isArray, isObject, ok, orThrow, type Json, type Result } from '@assay/kernel';
import { openWorkspace, toolset } from '@assay/effector';
import type { Bodies } from '../index.js';
import type { Port } from '@assay/host';
import {
  keepValue,
  memoryBlobs,
  type Blobs,
  readFiles,
  writeFiles,
  type FilesFault,
  type LeafFile,
} from './files.js';
import { filesJson } from './resolvers.js';

/** The files of several outputs; of one path the last one counts. Code `blob`. */
async function together(
  blobs: Blobs,
  outputs: readonly string[],
): Promise<Result<FilesFault, readonly LeafFile[]>> {
  const byPath = new Map<string, LeafFile>();
  for (const output of outputs) {
    const files = await readFiles(blobs, output);
    if (files._tag === 'Left') return files;
    for (const file of files.right) byPath.set(file.path, file);
  }
  return ok([...byPath.values()]);
}

/** The port for requests `assemble`: the files of all parts, a later part's where two have one path. */
export function assemblePort(blobs: Blobs): Port {
  return {
    source: 'tool',
    proposer: 'tools-0',
    perform: async ({ body }) => {
      const { parts } = body as unknown as Bodies['assemble'];
      const files = await together(
        blobs,
        parts.map(({ output }) => output),
      );
      if (files._tag === 'Left')
        return { failure: { code: 'unavailable', final: true, detail: { ...files.left } } };
      const content = { files: await filesJson(blobs, files.right) };
      await keepValue(blobs, content);
      const summary = `${files.right.length} files of ${parts.length} parts`;
      return { value: { artifact: { format: 'files', summary, content } } };
    },
  };
}

/**
 * Writes what a run has assembled into a folder: the files of its output, or of its parts where nobody put
 * them together. `assembly`: the artifact of the run. The folder is there, and no path leaves it; what stands
 * there with other bytes stays. Right: how many files. Codes: `blob`, `folder`, those of `write_file`.
 */
export async function assembleInto(
  folder: string,
  assembly: Json,
  blobs: Blobs,
): Promise<Result<FilesFault, number>> {
  if (!isObject(assembly)) return ok(0);
  const whole = typeof assembly['output'] === 'string' ? await readFiles(blobs, assembly['output']) : ok([]);
  if (whole._tag === 'Left') return whole;
  const listed = isArray(assembly['parts'] ?? null) ? (assembly['parts'] as readonly Json[]) : [];
  const outputs = listed.flatMap((part) =>
    isObject(part) && typeof part['output'] === 'string' ? [part['output']] : [],
  );
  const files = whole.right.length > 0 ? whole : await together(blobs, outputs);
  if (files._tag === 'Left') return files;
  const opened = await openWorkspace(folder);
  if (opened._tag === 'Left') return err({ code: 'folder', path: folder });
  const tools = orThrow(await toolset(opened.right, { allow: { tools: ['write_file'] } }));
  const written = await writeFiles(tools, memoryBlobs(), files.right, new AbortController().signal);
  return written._tag === 'Left' ? written : ok(files.right.length);
}
