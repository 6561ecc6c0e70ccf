import { memoryStore, type MemoryRuns } from '@assay/host';
import { storeContract } from '@assay/store-contract';
import { describe, it } from 'vitest';

storeContract(
  'memory',
  async () => {
    const runs: MemoryRuns = new Map();
    return { open: async () => memoryStore(runs), remove: async () => undefined };
  },
  { describe, it },
);
