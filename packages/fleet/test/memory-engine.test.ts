import { setTimeout as sleep } from 'node:timers/promises';
import { memoryEngine, type Job } from '../src/index.js';
import { fleetContract } from './fleet-contract.js';

fleetContract('memory', async () => {
  const [engine, leaseMs] = [memoryEngine(), 50];
  return {
    engine,
    leaseMs,
    start: async (worker, { queues = ['tally@1'], concurrency = 4, rejects = 0, ms = 10 } = {}) => {
      const [taken, done]: [Job[], Job[]] = [[], []];
      const { stop } = await engine.take({
        queues,
        concurrency,
        worker,
        leaseMs,
        handle: async (job) => {
          taken.push(job);
          if (taken.length <= rejects) throw new Error('not now');
          await sleep(ms, null, { ref: false });
          done.push(job);
        },
        onError: () => undefined,
      });
      return { taken, done, stop, kill: stop };
    },
    wipe: null,
    dump: async () => '',
    remove: () => engine.close(),
  };
});
