/**
 * Notes of calls that are begun, beside the store: what a call cost that a crash cut off is not in the ledger, and nobody
 * else would know that it was made.
 *
 * @module
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunId, type Spent } from '@assay/kernel';

/**
 * Keeps notes. `begin`: notes durably that a call under this idempotency key is about to be made, and what it can cost at most; with
 * the bound null there is nothing to note. It gives the bounds of the calls that were noted under the key before: they ended without
 * their attempt being recorded, and are charged by their note, whoever answers now and at whatever price.
 */
export type CallNotes = { readonly begin: (runId: string, key: string, bound: Spent | null) => Promise<readonly Spent[]> };

/** Notes in memory, for tests: `kept` is what outlives a process. */
export function memoryNotes(kept: string[] = []): CallNotes {
  return {
    begin: (runId, key, bound) => {
      const before = kept.flatMap((note) => boundIn(note, `${runId} ${key}`));
      if (bound !== null) kept.push(noteOf(`${runId} ${key}`, bound));
      return Promise.resolve(before);
    },
  };
}

/**
 * Notes in a folder, `RUN.calls`: a line of key and bound for each call (`KEY {"output_tokens":16384}`), each durable before its call
 * is made. A line that a crash cut is of a call that was never begun. The folder is made where it is missing. Rejects where the file
 * cannot be written.
 */
export function folderNotes(folder: string): CallNotes {
  return {
    begin: async (runId, key, bound) => {
      if (!isRunId(runId)) throw new RangeError(`call notes: ${runId} is no run id`);
      const path = join(folder, `${runId}.calls`);
      const text = await textOf(path);
      if (bound !== null) {
        await mkdir(folder, { recursive: true });
        const file = await open(path, 'a');
        try {
          await file.writeFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${noteOf(key, bound)}\n`);
          await file.sync();
        } finally {
          await file.close();
        }
      }
      return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').flatMap((line) => boundIn(line, key));
    },
  };
}

function noteOf(key: string, bound: Spent): string {
  return `${key} ${JSON.stringify(bound)}`;
}

/** The bound in a line, if it is a whole note under this key. */
function boundIn(line: string, key: string): readonly Spent[] {
  if (!line.startsWith(`${key} {`)) return [];
  try {
    const amounts = Object.entries(JSON.parse(line.slice(key.length + 1)) as object);
    return [Object.fromEntries(amounts.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0))];
  } catch {
    return [];
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return '';
    throw error;
  }
}
