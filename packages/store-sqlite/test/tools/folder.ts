import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own under the system's temporary folder, and how to remove it. */
export async function temporaryFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'assay-sqlite-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
