import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bullmqEngine, dbosEngine, type Engine, type Job } from '../src/index.js';
import { missing, startPostgres, startRedis } from './kill/servers.mjs';

const QUEUE = 'tally@1';
const jobs = (name: string): readonly Job[] => [{ run_id: name, ticket: name, queue: QUEUE }];

const KINDS = [
  {
    name: 'dbos',
    make: dbosEngine,
    start: startPostgres,
    closed: 'postgres://u:canary-password@127.0.0.1:9/x',
  },
  {
    name: 'bullmq',
    make: bullmqEngine,
    start: startRedis,
    closed: 'redis://u:canary-password@127.0.0.1:9/0',
  },
];

describe.skipIf(missing !== null).each(KINDS)('$name: its server away', ({ make, start, closed }) => {
  it('at the start: each call rejects with the system name of why, and no secret', async () => {
    const engine = await make({ url: closed, schema: 'away' });
    const said = [engine.offer(jobs('x')), engine.take({ ...TAKING, handle: async () => undefined })];
    for (const error of await Promise.all(said.map((each) => each.catch((raised: unknown) => raised)))) {
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
      expect(JSON.stringify([String(error), (error as Error).stack])).not.toContain('canary');
    }
    await engine.close();
  });

  it('for a while: what is offered meanwhile is refused or kept, and jobs are taken again', async () => {
    const server = await start();
    const engine = await make({ url: server.url, schema: 'away' });
    try {
      const done = new Set<string>();
      const errors: unknown[] = [];
      await engine.take({
        ...TAKING,
        handle: async ({ run_id }) => void done.add(run_id),
        onError: (error) => errors.push(error),
      });
      await engine.offer(jobs('before'));
      while (!done.has('before')) await sleep(20);
      await server.restart(2_000);
      await offerUntilTaken(engine, done);
      expect(errors.length).toBeGreaterThan(0);
    } finally {
      await engine.close();
      await server.remove();
    }
  });
});

/** As a feeder does. */
async function offerUntilTaken(engine: Engine, done: ReadonlySet<string>): Promise<void> {
  for (let n = 0; ![...done].some((name) => name.startsWith('after')); n += 1) {
    await engine.offer(jobs(`after-${n}`)).catch(() => undefined);
    await sleep(500);
  }
}

const TAKING = {
  queues: [QUEUE],
  concurrency: 2,
  worker: 'w',
  leaseMs: 2_000,
  onError: (): void => undefined,
};
