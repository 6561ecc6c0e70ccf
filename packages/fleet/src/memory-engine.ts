/** An engine in memory, for tests: what is offered lives and ends with this process. */
import type { Engine, Job, Taking } from './engine.js';

type Taker = { readonly taking: Taking; readonly jobs: Set<Job>; isOver: boolean };

/** After so long a job whose handler rejected comes again. */
const AGAIN_MS = 100;

/** An engine for the workers of one process. A job whose handler rejects comes again, after a moment. */
export function memoryEngine(): Engine {
  const queues = new Map<string, Job[]>();
  const takers = new Set<Taker>();
  const put = (job: Job): void => {
    const queue = queues.get(job.queue) ?? [];
    queue.push(job);
    queues.set(job.queue, queue);
  };
  const give = (): void => {
    for (const taker of takers)
      for (const name of taker.taking.queues) {
        const queue = queues.get(name) ?? [];
        while (!taker.isOver && taker.jobs.size < taker.taking.concurrency) {
          const job = queue.shift();
          if (job === undefined) break;
          taker.jobs.add(job);
          void handle(taker, job);
        }
      }
  };
  const handle = async (taker: Taker, job: Job): Promise<void> => {
    const isDone = await taker.taking.handle(job).then(
      () => true,
      () => false,
    );
    // Forgotten meanwhile: others have it.
    if (!taker.jobs.delete(job)) return;
    if (!isDone) setTimeout(() => (put(job), give()), AGAIN_MS).unref();
    give();
  };
  return {
    name: 'memory',
    offer: async (jobs) => {
      for (const job of jobs) put(job);
      give();
    },
    take: async (taking) => {
      const taker: Taker = { taking, jobs: new Set(), isOver: false };
      takers.add(taker);
      give();
      return {
        stop: async () => {
          // What it still holds can be forgotten.
          taker.isOver = true;
        },
      };
    },
    forget: async (workers) => {
      for (const { taking, jobs } of takers)
        if (workers.includes(taking.worker)) {
          for (const job of jobs) put(job);
          jobs.clear();
        }
      give();
    },
    close: async () => {
      for (const taker of takers) taker.isOver = true;
      takers.clear();
    },
  };
}
