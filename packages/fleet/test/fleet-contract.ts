/** What every engine keeps to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Engine, Job } from '../src/index.js';

/** How a taker takes: `rejects`: its first handlers fail; `ms`: what a handler takes. */
export type TakerOptions = {
  readonly queues?: readonly string[];
  readonly concurrency?: number;
  readonly rejects?: number;
  readonly ms?: number;
};

/** One that takes jobs. `kill`: its process is gone, and what it held with it. */
export type Taker = {
  readonly taken: readonly Job[];
  readonly done: readonly Job[];
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

/** An engine of its own. `wipe`: all it knows is gone, null where nothing outlives it; `dump`: what it keeps, as text. */
export type EnginePlace = {
  readonly leaseMs: number;
  readonly engine: Engine;
  readonly start: (worker: string, options?: TakerOptions) => Promise<Taker>;
  readonly wipe: (() => Promise<void>) | null;
  readonly dump: () => Promise<string>;
  readonly remove: () => Promise<void>;
};

const QUEUE = 'tally@1';

/** Declares the suite for one engine. */
export function fleetContract(
  name: string,
  makePlace: () => Promise<EnginePlace>,
  isRun: boolean = true,
): void {
  const at = (what: string, body: (place: EnginePlace) => Promise<void>): void => {
    it.skipIf(!isRun)(what, async () => {
      const place = await makePlace();
      try {
        await body(place);
      } finally {
        await place.remove();
      }
    });
  };

  describe(`fleet-contract: ${name}`, () => {
    at('two first workers on an empty server at once, and each offer reaches one handler', async (place) => {
      const takers = await Promise.all([place.start('a'), place.start('b')]);
      await place.engine.offer(jobsOf('x', 60));
      await until(() => countOf(takers, 'done') === 60);
      await sleep(2 * place.leaseMs);
      expect(namesOf(takers.flatMap(({ taken }) => taken))).toEqual(namesOf(jobsOf('x', 60)));
    });

    at('what was offered before anybody took waits', async (place) => {
      await place.engine.offer(jobsOf('x', 3));
      const taker = await place.start('a');
      await until(() => taker.done.length === 3);
    });

    at('a rejected job comes again until it is done, and nothing of the failure is kept', async (place) => {
      const taker = await place.start('a', { rejects: 4 });
      await place.engine.offer(jobsOf('x', 2));
      await until(() => taker.taken.length >= 4);
      expect(await place.dump()).not.toContain(CANARY);
      await until(() => taker.done.length === 2);
      expect(namesOf(taker.done)).toEqual(namesOf(jobsOf('x', 2)));
      expect(taker.taken.length).toBe(6);
    });

    at(
      'a run offered again under another ticket while its job is under way is not dropped',
      async (place) => {
        const taker = await place.start('a', { ms: 300 });
        await place.engine.offer([{ run_id: 'r', ticket: 'first', queue: QUEUE }]);
        await until(() => taker.taken.length === 1);
        await place.engine.offer([{ run_id: 'r', ticket: 'second', queue: QUEUE }]);
        await until(() => taker.done.length === 2);
        expect(taker.done.map(({ ticket }) => ticket).toSorted()).toEqual(['first', 'second']);
      },
    );

    at('queues are kept apart, and together have as many handlers as the worker may', async (place) => {
      const both = await place.start('a', { queues: ['tally@1', 'gate@1'], concurrency: 2, ms: 60 });
      const jobs = [...jobsOf('x', 4), ...jobsOf('y', 4, 'gate@1'), ...jobsOf('z', 2, 'intent@1')];
      await place.engine.offer(jobs);
      let most = 0;
      await until(() => {
        most = Math.max(most, both.taken.length - both.done.length);
        return both.done.length === 8;
      });
      expect(most).toBe(2);
      expect(both.done.every(({ queue }) => queue !== 'intent@1')).toBe(true);
      const other = await place.start('b', { queues: ['intent@1'] });
      await until(() => other.done.length === 2);
    });

    at('who stops takes no more and finishes what it began; others go on', async (place) => {
      const taker = await place.start('a', { concurrency: 2, ms: 500 });
      await place.engine.offer(jobsOf('x', 6));
      await until(() => taker.taken.length === 2);
      await taker.stop();
      await until(() => taker.done.length === 2);
      const other = await place.start('b');
      await until(() => other.done.length === 4);
      expect(taker.taken.length).toBe(2);
      expect(namesOf([...taker.done, ...other.done])).toEqual(namesOf(jobsOf('x', 6)));
    });

    at('what a worker that is gone held comes again, and what another holds does not', async (place) => {
      const gone = await place.start('gone', { concurrency: 2, ms: 60_000 });
      await place.engine.offer(jobsOf('x', 2));
      await until(() => gone.taken.length === 2);
      const other = await place.start('b', { ms: 3 * place.leaseMs });
      await place.engine.offer(jobsOf('y', 2));
      await until(() => other.taken.length === 2);
      await gone.kill();
      await place.engine.forget(['gone']);
      await until(() => other.done.length === 4);
      expect(namesOf(other.taken)).toEqual(namesOf([...jobsOf('x', 2), ...jobsOf('y', 2)]));
    });

    at('a wipe loses nothing once it is offered anew, and takers go on', async (place) => {
      const taker = await place.start('a', { concurrency: 1, ms: 50 });
      await place.engine.offer(jobsOf('x', 20));
      await until(() => taker.done.length > 2);
      await place.wipe?.();
      await place.engine.offer(jobsOf('y', 20));
      await until(() => namesOf(taker.done).filter((each) => each.startsWith('y')).length === 20);
    });
  });
}

/** What a handler of a taker raises: it may hold what is no business of an engine. */
export const CANARY = 'canary-of-a-handler';

function jobsOf(prefix: string, count: number, queue: string = QUEUE): readonly Job[] {
  return Array.from({ length: count }, (_, n) => ({
    run_id: `${prefix}-${n}`,
    ticket: `t-${prefix}-${n}`,
    queue,
  }));
}

function namesOf(jobs: readonly Job[]): readonly string[] {
  return jobs.map(({ ticket }) => ticket.slice(2)).toSorted();
}

function countOf(takers: readonly Taker[], what: 'taken' | 'done'): number {
  return takers.reduce((sum, taker) => sum + taker[what].length, 0);
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  // oxlint-disable-next-line no-await-in-loop -- looks again and again
  for (; !isSo(); await sleep(5)) if (Date.now() > end) throw new Error('it did not come to pass in 30 s');
}
