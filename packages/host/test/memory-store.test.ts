import { memoryStore } from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { storeContract } from '@assay/testing/store-contract';
import { describe, it } from 'vitest';

storeContract(
  'memory',
  async () => {
    const runs: MemoryRuns = new Map();
    return { open: async () => memoryStore(runs), remove: async () => undefined };
  },
  { describe, it },
);
