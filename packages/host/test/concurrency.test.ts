import { describe, expect, it } from 'vitest';
import { isObject, orThrow, type Json } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  memoryStore,
  portsByKind,
  type DriveOptions,
  type Ports,
  type DriveEvent,
  type Store,
} from '../src/index.ts';
import { CONCURRENCY_MAX } from '../src/check-options.ts';
import type { Progress } from '../src/drive-options.ts';
import type { Order } from '../src/drive-options.ts';
import { ledgerText, payloads, poll, port } from './tools.js';
import type { Life } from '../src/testing/world.ts';
import { talkative } from './simulation/scenarios.js';
import { virtually } from './simulation/virtually.js';

/**
 * Voters that take as long as a table says; how many were asked at once, and in what order answers were
 * recorded.
 */
async function voting(
  ms: readonly number[],
  given: Partial<DriveOptions>,
): Promise<{
  readonly most: number;
  readonly order: readonly Json[];
  readonly now: number;
  readonly store: Store;
}> {
  return virtually(async (life) => {
    const store = memoryStore();
    let busy = 0;
    let most = 0;
    const ballot = port(async ({ id }) => {
      most = Math.max(most, (busy += 1));
      await life.wait(`answers ${id}`, ms[Number(id.slice(2))] ?? 0);
      busy -= 1;
      return { value: { option: 'soup' } };
    });
    orThrow(
      await drive(tally, poll({ voters: ms.length, quorum: 1 }), {
        store,
        ports: portsByKind({ ballot }),
        timer: life.timer,
        ...given,
      }),
    );
    const order = (await payloads(store, 'proposal')).map((proposal) =>
      isObject(proposal) ? (proposal['request_id'] ?? null) : null,
    );
    return { most, order: order.filter((id) => id !== `1.${ms.length}`), now: life.timer.now(), store };
  });
}

describe('calls under way at once', () => {
  const ms = [900, 300, 500, 100, 700];

  it('are as many as concurrency says, never more, and all are made', async () => {
    for (const order of ['turn', 'arrival'] satisfies Order[]) {
      for (const concurrency of [1, 2, 3, 5, CONCURRENCY_MAX]) {
        const { most, order: recorded } = await voting(ms, { concurrency, order });
        expect([order, concurrency, most]).toEqual([order, concurrency, Math.min(concurrency, 5)]);
        expect(recorded.toSorted()).toEqual(['1.0', '1.1', '1.2', '1.3', '1.4']);
      }
    }
  });

  it('are recorded as they come, in the order of arrival', async () => {
    const { order, now } = await voting(ms, { concurrency: 5 });
    expect([order, now]).toEqual([['1.3', '1.1', '1.2', '1.4', '1.0'], 900]);
  });

  it('are recorded by turn in the bytes of one after the other, in as little time', async () => {
    const one = await voting(ms, {});
    const five = await voting(ms, { concurrency: 5, order: 'turn' });
    expect([one.now, five.now]).toEqual([2_500, 900]);
    expect(await ledgerText(five.store)).toBe(await ledgerText(one.store));
  });

  it('stopped after any number of answers, by turn, continues to the same bytes', async () => {
    const ports =
      (life: Life): Ports =>
      (request) => {
        const port = talkative(request);
        return port === null
          ? null
          : {
              ...port,
              perform: async (asked, { key }) => {
                await life.delay('answers', 50);
                return port.answer(asked, key);
              },
            };
      };
    const driven = (steps: number, concurrency: number): Promise<string> =>
      virtually(async (life) => {
        const store = memoryStore();
        let ended = 'paused';
        for (let drives = 0; ended === 'paused' && drives < 100; drives += 1)
          ended = orThrow(
            await drive(tally, poll({ voters: 5, quorum: 1 }), {
              store,
              ports: ports(life),
              timer: life.timer,
              concurrency,
              order: 'turn',
              steps,
            }),
          ).end;
        expect(ended).toBe('success');
        return ledgerText(store);
      });
    const expected = await driven(100, 1);
    for (let steps = 1; steps <= 12; steps += 1)
      for (const concurrency of [2, 3, 6]) expect(await driven(steps, concurrency)).toBe(expected);
  });

  it('are aborted and given up where the run closes without them, and what they cost is told', async () => {
    const seen = await virtually(async (life) => {
      const signals: AbortSignal[] = [];
      const dropped: unknown[] = [];
      const answering = (after: number, value: Json): ReturnType<typeof port> =>
        port(
          async (_, { signal }) => {
            signals.push(signal);
            await life.wait('answers', after);
            return { value, spent: { tokens: 2 } };
          },
          { source: 'human' },
        );
      const ports: Ports = portsByKind({
        ballot: answering(800, { option: 'soup' }),
        notice: answering(100, { end: true }),
      });
      const { end } = orThrow(
        await drive(tally, poll(), {
          store: memoryStore(),
          ports,
          timer: life.timer,
          concurrency: 4,
          onEvent: (event) => {
            if (event.type === 'dropped') dropped.push([event.request.id, event.reason, event.spent]);
          },
        }),
      );
      await life.wait('later', 1_000);
      return { end, dropped: dropped.toSorted(), aborted: signals.map(({ aborted }) => aborted) };
    });
    expect(seen).toEqual({
      end: 'refused',
      dropped: [0, 1, 2].map((index) => [`1.${index}`, 'withdrawn', { tokens: 2 }]),
      aborted: [true, true, true, false],
    });
  });

  it('are aborted where the drive ends, are named, and are made again with the same keys', async () => {
    const seen = await virtually(async (life) => {
      const store = memoryStore();
      const controller = new AbortController();
      const silent = port(async (_, { signal }) => {
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new Error('aborted');
      });
      void life.wait('aborts', 50).then(() => controller.abort());
      const errors: unknown[] = [];
      const first = orThrow(
        await drive(tally, poll(), {
          store,
          ports: portsByKind({ ballot: silent }),
          timer: life.timer,
          concurrency: 2,
          signal: controller.signal,
          onEvent: (event) => {
            if (event.type === 'port_error') errors.push(event.error);
          },
        }),
      );
      const again = port(() => ({ value: { option: 'soup' } }));
      orThrow(
        await drive(tally, 'poll-1', {
          store,
          ports: portsByKind({ ballot: again }),
          timer: life.timer,
          concurrency: 2,
        }),
      );
      return {
        end: first.end,
        underWay: first.underWay,
        errors,
        first: silent.calls,
        again: again.calls.slice(0, 2),
        recorded: (await payloads(store, 'proposal')).length,
      };
    });
    expect(seen).toMatchObject({ end: 'interrupted', underWay: ['1.0', '1.1'], errors: [] });
    expect(seen.first).toEqual(seen.again);
  });

  it('a store that refuses, a machine and a callback that throw, end them too', async () => {
    const left = {
      _tag: 'Left',
      left: { code: 'unavailable', run_id: null, operation: 'append', errno: 'EIO' },
    } as const;
    for (const how of ['store', 'machine', 'callback']) {
      const seen = await virtually(async (life) => {
        const signals: AbortSignal[] = [];
        const ballot = port(async ({ id }, { signal }) => {
          signals.push(signal);
          await life.wait('answers', id === '1.0' ? 10 : 1_000);
          if (how === 'callback') throw new Error('down');
          return { value: { option: 'soup' } };
        });
        const inner = memoryStore();
        let appends = 0;
        const store: Store = {
          ...inner,
          append: (...to) =>
            (appends += 1) > 1 && how === 'store' ? Promise.resolve(left) : inner.append(...to),
        };
        const machine: typeof tally =
          how === 'machine'
            ? {
                ...tally,
                decide: () => {
                  throw new Error('a defect');
                },
              }
            : tally;
        const onEvent = ({ type }: DriveEvent): void => {
          if (type === 'port_error') throw new Error('a callback');
        };
        const end = await drive(machine, poll(), {
          store,
          ports: portsByKind({ ballot }),
          timer: life.timer,
          concurrency: 3,
          onEvent,
        }).then((result) => result._tag, String);
        return [end, signals.map(({ aborted }) => aborted)];
      });
      expect(seen).toEqual([
        { store: 'Left', machine: 'Error: a defect', callback: 'Error: a callback' }[how],
        [how === 'callback', true, true],
      ]);
    }
  });
});

describe('progress', () => {
  it('is told after each group: head, records, open requests, calls, steps, time, cost', async () => {
    const told: Progress[] = [];
    const seen = await virtually(async (life) => {
      const ballot = port(async ({ id }) => {
        await life.wait('answers', 100 * (1 + Number(id.slice(2))));
        return { value: { option: 'soup' }, spent: { tokens: 3 } };
      });
      return orThrow(
        await drive(tally, poll({ voters: 2, quorum: 1 }), {
          store: memoryStore(),
          ports: portsByKind({ ballot }),
          timer: life.timer,
          concurrency: 2,
          onEvent: (event) => {
            if (event.type === 'progress') told.push(event.progress);
          },
        }),
      );
    });
    expect(told).toMatchObject([
      { records: 4, open: 2, calls: 1, steps: 1, elapsedMs: 100, spent: { tokens: 3 } },
      { records: 6, open: 1, calls: 1, steps: 2, elapsedMs: 100, spent: { tokens: 3 } },
      { open: 0, calls: 0, steps: 3, elapsedMs: 200, spent: { tokens: 6 } },
    ]);
    expect(told.at(-1)?.head).toEqual(seen.head);
  });
});
