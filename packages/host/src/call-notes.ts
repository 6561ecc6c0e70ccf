/**
 * Notes of calls that are begun, beside the store: what a call cost that a crash cut off is not in the ledger, and nobody
 * else would know that it was made.
 *
 * @module
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunId } from '@assay/kernel';

/**
 * Keeps notes. `begin`: notes durably that a call under this idempotency key is about to be made, and gives how many under
 * it were noted before: calls that ended without their attempt being recorded.
 */
export type CallNotes = { readonly begin: (runId: string, key: string) => Promise<number> };

/** Notes in memory, for tests: `kept` is what outlives a process. */
export function memoryNotes(kept: string[] = []): CallNotes {
  return {
    begin: (runId, key) => {
      const note = `${runId} ${key}`;
      const before = kept.filter((each) => each === note).length;
      kept.push(note);
      return Promise.resolve(before);
    },
  };
}

/**
 * Notes in a folder, `RUN.calls`: one key a line, each durable before its call is made. A line that a crash cut is of a call
 * that was never begun. The folder is made where it is missing. Rejects where the file cannot be written.
 */
export function folderNotes(folder: string): CallNotes {
  return {
    begin: async (runId, key) => {
      if (!isRunId(runId)) throw new RangeError(`call notes: ${runId} is no run id`);
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${runId}.calls`);
      const text = await textOf(path);
      const file = await open(path, 'a');
      try {
        await file.writeFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${key}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').filter((line) => line === key).length;
    },
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return '';
    throw error;
  }
}
