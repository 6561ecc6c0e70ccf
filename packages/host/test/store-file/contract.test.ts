import { spawnSync } from 'node:child_process';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStore, nodeProcesses } from '@assay/host/store-file';
import {
  canMount,
  chainBytes,
  storeContract,
  temporaryFolder,
  tryingContract,
} from '@assay/testing/store-contract';
import { describe, it } from 'vitest';
import { Crash, FaultyDisk } from './tools/faulty-disk.js';
import { injected, mounted } from './tools/media.js';

/** A process that has ended. */
const gone = spawnSync(process.execPath, ['--version']).pid;

storeContract(
  'file',
  async () => {
    const { path, remove } = await temporaryFolder();
    const file = (runId: string): string => join(path, `${runId}.ledger.jsonl`);
    return {
      open: async () => fileStore(path),
      remove,
      async die(expected, group, after) {
        const { disk } = new FaultyDisk(({ name }) =>
          name === 'write' ? { crash: true, after: chainBytes(group.slice(0, after)).length } : null,
        );
        const dying = fileStore(path, {
          disk,
          processes: { ...nodeProcesses, self: () => ({ ...nodeProcesses.self(), pid: gone }) },
        });
        await dying.append(expected.run_id, expected, group).then(
          () => Promise.reject(new Error('it lives')),
          (error: unknown) => {
            if (!(error instanceof Crash)) throw error;
          },
        );
      },
      async tear(runId) {
        const bytes = await readFile(file(runId));
        await truncate(file(runId), bytes.length - 1_500);
      },
      async spoil(runId, sequence) {
        const lines = (await readFile(file(runId), 'utf8')).split('\n');
        lines[sequence] = lines[sequence]?.replace('"value":', '"valve":') ?? '';
        await writeFile(file(runId), lines.join('\n'));
      },
    };
  },
  { describe, it },
  [...(canMount('store-file') ? mounted : []), ...injected],
  ['die', 'tear', 'spoil'],
);

tryingContract(
  'file',
  async () => {
    const { path, remove } = await temporaryFolder();
    return { path, open: async () => fileStore(path), remove };
  },
  async ({ path }) =>
    Promise.all(
      (await readdir(path, { recursive: true, withFileTypes: true })).map(async (entry) => [
        entry.parentPath,
        entry.name,
        entry.isFile() ? await readFile(join(entry.parentPath, entry.name), 'utf8') : '',
      ]),
    ),
  { describe, it },
  [...(canMount('store-file') ? mounted.filter(({ errno }) => errno === 'EROFS') : []), ...injected],
);
