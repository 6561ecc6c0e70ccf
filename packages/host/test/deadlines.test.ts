import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { drive, memoryStore, portsByKind, systemTimer, type DriveOptions, type Port } from '../src/index.ts';
import { CALL_DEADLINE_MS, callDeadlineMs } from '../src/timer.ts';
import { payloads, poll, port } from './tools.js';
import { virtually } from './simulation/virtually.js';

const soup = { value: { option: 'soup' } };
const silence = (): Promise<never> => new Promise(() => undefined);

describe('a call that is not answered in time', () => {
  it('becomes the failure timeout, with the cost told so far; its late answer is dropped', async () => {
    const seen = await virtually(async (life) => {
      const store = memoryStore();
      const signals: AbortSignal[] = [];
      const dropped: unknown[] = [];
      const ballot = port(async (_, { signal, charge, key }) => {
        signals.push(signal);
        charge?.({ tokens: 4 });
        await life.wait('answers', key.endsWith('/0') ? 700 : 10);
        return { ...soup, spent: { tokens: 9 } };
      });
      const options: DriveOptions = {
        store,
        ports: portsByKind({ ballot }),
        timer: life.timer,
        deadlines: { kinds: { ballot: 500 } },
        onEvent: (event) => {
          if (event.type === 'dropped') dropped.push([event.request.id, event.reason, event.spent]);
        },
      };
      const { end } = orThrow(await drive(tally, poll({ voters: 1, quorum: 1, attempts: 2 }), options));
      return {
        end,
        dropped,
        aborted: signals.map(({ aborted, reason }) => [aborted, aborted && (reason as Error).name]),
        proposals: await payloads(store, 'proposal'),
      };
    });
    expect(seen.end).toBe('success');
    expect(seen.aborted).toEqual([
      [true, 'TimeoutError'],
      [false, false],
    ]);
    expect(seen.dropped).toEqual([['1.0', 'late', { tokens: 9 }]]);
    expect(seen.proposals).toMatchObject([
      {
        request_id: '1.0',
        source: 'rule',
        proposer: 'test',
        value: null,
        spent: { tokens: 4 },
        failure: { code: 'timeout', final: false, detail: { class: 'timeout', deadline: 'call' } },
      },
      { request_id: '1.1', proposer: 'host' },
      { request_id: '1.0', value: { option: 'soup' }, spent: { tokens: 9 } },
    ]);
  });

  it('host/silence-ends: a run whose proposers are silent ends by its policy', async () => {
    const end = await virtually(
      async (life) =>
        orThrow(
          await drive(tally, poll(), {
            store: memoryStore(),
            ports: portsByKind({ ballot: port(silence) }),
            timer: life.timer,
          }),
        ).end,
    );
    expect(end).toBe('refused');
  });

  it('has a deadline by its kind, by default, or none; people and clocks are waited for', () => {
    const request = (kind: string): Parameters<typeof callDeadlineMs>[1] => ({
      id: '1.0',
      kind,
      body: null,
      accepts: ['rule'],
      attempts: 1,
    });
    expect(callDeadlineMs({}, request('a'), 'rule')).toBe(CALL_DEADLINE_MS);
    expect(callDeadlineMs({}, request('a'), 'human')).toBeNull();
    expect(callDeadlineMs({}, request('a'), 'clock')).toBeNull();
    expect(callDeadlineMs({ call: 5 }, request('a'), 'human')).toBe(5);
    expect(callDeadlineMs({ call: 5, kinds: { a: null, b: 7 } }, request('a'), 'rule')).toBeNull();
    expect(callDeadlineMs({ call: 5, kinds: { b: 7 } }, request('b'), 'rule')).toBe(7);
    expect(callDeadlineMs({ call: 5, kinds: {} }, request('constructor'), 'rule')).toBe(5);
  });
});

describe('a drive past its own deadline', () => {
  it('gives up its calls and fails every request for good: the machine ends the run', async () => {
    for (const concurrency of [1, 3]) {
      const seen = await virtually(async (life) => {
        const store = memoryStore();
        const ballot = port(({ id }) => (id === '1.0' ? soup : silence()));
        const { end } = orThrow(
          await drive(tally, poll({ voters: 4, quorum: 2 }), {
            store,
            ports: portsByKind({ ballot }),
            timer: life.timer,
            concurrency,
            deadlines: { run: 2_000 },
          }),
        );
        return {
          end,
          now: life.timer.now(),
          calls: ballot.calls.length,
          proposals: await payloads(store, 'proposal'),
        };
      });
      expect(seen).toMatchObject({ end: 'refused', now: 2_000, calls: concurrency === 1 ? 2 : 4 });
      expect(seen.proposals.slice(1)).toEqual(
        [1, 2, 3].map(() =>
          expect.objectContaining({
            failure: { code: 'timeout', final: true, detail: { class: 'timeout', deadline: 'run' } },
          }),
        ),
      );
    }
  });
});

describe("the runtime's own time", () => {
  it('waits, wakes at the signal, and leaves nothing behind', async () => {
    const { now, sleep } = systemTimer();
    const start = now();
    await sleep(20, new AbortController().signal);
    expect(now() - start).toBeGreaterThan(15);
    await sleep(10 ** 9, AbortSignal.abort());
    const controller = new AbortController();
    const slept = sleep(10 ** 12, controller.signal);
    controller.abort();
    await slept;
    expect(now() - start).toBeLessThan(30_000);
  });

  it('a port that answers at once does not keep a signal from being heard', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const notes: Port = {
      source: 'synthetic',
      proposer: 'test',
      perform: async ({ id }) => ({ value: { note: id } }),
    };
    const { end } = orThrow(
      await drive(tally, poll({ voters: 1, quorum: 1 }), {
        store: memoryStore(),
        ports: portsByKind({ notice: notes, ballot: port(silence) }),
        concurrency: 2,
        signal: controller.signal,
      }),
    );
    expect(end).toBe('interrupted');
  });
});
