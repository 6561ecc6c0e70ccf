import { fileStore } from '@assay/store-file';
import { storeContract } from '@assay/store-contract';
import { describe, it } from 'vitest';
import { temporaryFolder } from './tools/folder.js';
import { canMount, injected, mounted } from './tools/media.js';

storeContract(
  'file',
  async () => {
    const { path, remove } = await temporaryFolder();
    return { open: async () => fileStore(path), remove };
  },
  { describe, it },
  [...(canMount() ? mounted : []), ...injected],
);
