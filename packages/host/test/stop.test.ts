import { describe, expect, it } from 'vitest';
import { isObject, openRun, orThrow, type Json } from '@assay/kernel';
import { tally } from '@assay/testing';
import { drive, memoryStore, portsByKind, type DriveOptions, type Ports, type Store } from '@assay/host';
import { AT_ONCE, ledgerText, payloads, poll, port, textOf } from './tools.js';

const voting: Ports = portsByKind({ ballot: port(() => ({ value: { option: 'soup' } })) });

async function driven(
  options: Partial<DriveOptions> = {},
  genesis = poll(),
): Promise<{
  readonly store: Store;
  readonly result: Awaited<ReturnType<typeof drive<unknown, unknown, never, never>>>;
}> {
  const store = options.store ?? memoryStore();
  const result = await drive(tally, genesis, { store, ports: voting, retry: AT_ONCE, ...options });
  return { store, result: result as never };
}

describe('a run that stops early', () => {
  it('by a machine that throws: each drive makes the call once more, under the same key', async () => {
    const store = memoryStore();
    const broken: typeof tally = {
      ...tally,
      decide: (state, answer, context) => {
        if (answer.request.id === '1.1') throw new Error('defect');
        return tally.decide(state, answer, context);
      },
    };
    const ballot = port(() => ({ value: { option: 'soup' } }));
    for (let drives = 0; drives < 3; drives += 1)
      await expect(
        drive(broken, poll(), { store, ports: portsByKind({ ballot }), retry: AT_ONCE }),
      ).rejects.toThrow('defect');
    const keys = ballot.calls.map(({ id, key }) => `${id} ${key.split('/').at(-1)}`);
    expect(keys).toEqual(['1.0 0', '1.1 0', '1.1 0', '1.1 0']);
    expect(new Set(ballot.calls.map(({ key }) => key)).size).toBe(2);
    expect(await payloads(store, 'proposal')).toHaveLength(1);
    expect(orThrow(await drive(tally, 'poll-1', { store, ports: portsByKind({ ballot }) })).end).toBe(
      'success',
    );
  });

  it('is interrupted by the signal, in a call too, and nothing of that call is recorded', async () => {
    const store = memoryStore();
    const controller = new AbortController();
    let wasTold = false;
    const ballot = port((request, { signal }) => {
      if (request.id === '1.0') return { value: { option: 'soup' } };
      controller.abort();
      wasTold = signal.aborted;
      return new Promise<never>(() => undefined);
    });
    const { result } = await driven({ store, ports: portsByKind({ ballot }), signal: controller.signal });
    expect([orThrow(result).end, wasTold]).toEqual(['interrupted', true]);
    expect(await payloads(store, 'proposal')).toHaveLength(1);
    const rest = await drive(tally, 'poll-1', { store, ports: voting });
    expect(orThrow(rest).end).toBe('success');
    expect(await ledgerText(store)).toBe(await ledgerText((await driven()).store));
  });

  it('where the signal came first: the run is stored, and nothing is asked', async () => {
    const ballot = port(() => ({ value: { option: 'soup' } }));
    const { store, result } = await driven({ ports: portsByKind({ ballot }), signal: AbortSignal.abort() });
    expect([orThrow(result).end, ballot.calls.length]).toEqual(['interrupted', 0]);
    expect(orThrow(await store.head('poll-1'))).toEqual(orThrow(result).head);
    expect(await ledgerText(store)).toBe(textOf(orThrow(openRun(tally, poll())).records));
    // Of a stored run, what a crash had cut is completed; that is decided already.
    const again = await driven({ store, ports: portsByKind({ ballot }), signal: AbortSignal.abort() });
    expect([orThrow(again.result).end, await payloads(store, 'proposal')]).toEqual(['interrupted', []]);
    expect(orThrow((await driven({ store })).result).end).toBe('success');
    expect(await ledgerText(store)).toBe(await ledgerText((await driven()).store));
  });

  it('a port that rejects because of the signal is no failure', async () => {
    const controller = new AbortController();
    const ballot = port(() => {
      controller.abort();
      return Promise.reject(new Error('aborted'));
    });
    const { store, result } = await driven({
      ports: portsByKind({ ballot }),
      signal: controller.signal,
      onEvent: ({ type }) => expect(type).not.toBe('port_error'),
    });
    expect(orThrow(result).end).toBe('interrupted');
    expect(await payloads(store, 'proposal')).toEqual([]);
  });

  it('where the signal comes while the loop yields, nothing more is recorded or asked', async () => {
    const cut: readonly ((reason: unknown) => Promise<{ readonly value: Json }>)[] = [
      async () => ({ value: { option: 'salad' } }),
      (reason) => Promise.reject(reason),
    ];
    for (const [index, ending] of cut.entries()) {
      for (const order of ['turn', 'arrival'] as const) {
        const store = memoryStore();
        const controller = new AbortController();
        let now = 0;
        let late = 0;
        // Every look at the clock is a second later, so the loop lets other work pass each time; that work
        // aborts the signal, once an answer is there.
        const timer = {
          now: () => (now += 1_000),
          sleep: async (ms: number, signal: AbortSignal) => {
            if (ms > 0)
              return new Promise<void>((resolve) =>
                signal.addEventListener('abort', () => resolve(), { once: true }),
              );
            if (late > 0) controller.abort();
            for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
          },
        };
        const ballot = port(({ id }, { signal }) => {
          if (controller.signal.aborted) expect.unreachable(`${id} is asked after the abort`);
          if (id === '1.0')
            return new Promise((resolve, reject) =>
              signal.addEventListener('abort', () => void ending(signal.reason).then(resolve, reject)),
            );
          late += 1;
          return { value: { option: 'soup' } };
        });
        const driven = orThrow(
          await drive(tally, poll(), {
            store,
            ports: portsByKind({ ballot }),
            signal: controller.signal,
            concurrency: 2,
            order,
            timer,
            deadlines: { call: null },
          }),
        );
        const answered = (await payloads(store, 'proposal')).map((proposal) =>
          isObject(proposal) ? proposal['request_id'] : null,
        );
        expect({ index, order, end: driven.end, answered }).toEqual({
          index,
          order,
          end: 'interrupted',
          answered: [],
        });
      }
    }
  });

  it('where a port aborts the signal as it is called, none after it is', async () => {
    const controller = new AbortController();
    const ballot = port(() => {
      controller.abort();
      return new Promise<never>(() => undefined);
    });
    const { store, result } = await driven({
      ports: portsByKind({ ballot }),
      signal: controller.signal,
      concurrency: 3,
    });
    expect([orThrow(result).end, orThrow(result).underWay, ballot.calls.length]).toEqual([
      'interrupted',
      ['1.0'],
      1,
    ]);
    // The invitation has no port, and would have had its failure recorded at once.
    expect(await payloads(store, 'proposal')).toEqual([]);
  });

  it('pauses after so many answers, and goes on when it is driven again', async () => {
    const store = memoryStore();
    for (const recorded of [1, 2]) {
      const { result } = await driven({ store, steps: 1 });
      expect(orThrow(result).end).toBe('paused');
      expect(await payloads(store, 'proposal')).toHaveLength(recorded);
    }
    expect(orThrow((await driven({ store, steps: 1 })).result).end).toBe('success');
  });

  it('pauses at once where no answer may be recorded, and is idle where nothing is asked', async () => {
    expect(orThrow((await driven({ steps: 0 })).result).end).toBe('paused');
    const silent: typeof tally = {
      ...tally,
      open: (genesis, context) => {
        const opened = tally.open(genesis, context);
        return opened._tag === 'Left'
          ? opened
          : { _tag: 'Right', right: { state: opened.right.state, decision: { events: [] } } };
      },
    };
    const result = await drive(silent, poll(), { store: memoryStore(), ports: voting });
    expect(orThrow(result).end).toBe('idle');
  });

  it("a store that refuses stops the run with the store's reason", async () => {
    const inner = memoryStore();
    let appends = 0;
    const error = { code: 'unavailable', run_id: 'poll-1', operation: 'append', errno: 'ENOSPC' } as const;
    const store: Store = {
      ...inner,
      append: (...given) =>
        (appends += 1) === 2 ? Promise.resolve({ _tag: 'Left', left: error }) : inner.append(...given),
    };
    const ballot = port(() => ({ value: { option: 'soup' } }));
    const { result } = await driven({ store, ports: portsByKind({ ballot }) });
    expect(result).toEqual({ _tag: 'Left', left: { code: 'store', error } });
    expect(ballot.calls).toHaveLength(1);
  });
});
