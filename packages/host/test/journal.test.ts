/** The journal in a folder passes the suite of every journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { journalContract } from '@assay/testing/store-contract';
import { folderJournal } from '../src/index.ts';

journalContract(
  'folder',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-journal-'));
    return {
      open: () => Promise.resolve({ journal: folderJournal(folder), close: () => Promise.resolve() }),
      remove: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
    };
  },
  { describe, it },
);
