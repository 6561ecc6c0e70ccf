import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { drive, memoryStore, portsByKind } from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { AT_ONCE, Death, dyingStore, ledgerText, poll, port } from './tools.js';

/** Each voter is answered by its number and the attempt: a rejection, a failure, a wrong shape, votes. */
const ports = (): ReturnType<typeof portsByKind> =>
  portsByKind({
    ballot: port((request, { key }) => {
      const used = Number(key.slice(key.lastIndexOf('/') + 1));
      if (request.id === '1.0' && used === 0) return { value: { option: 'tea' }, spent: { tokens: 3 } };
      if (request.id === '1.1' && used === 0) return Promise.reject(new Error('down'));
      if (request.id === '1.2' && used < 2) return { value: NaN, spent: { tokens: 1 } };
      return { value: { option: used === 1 ? 'salad' : 'soup' }, at_us: used, spent: { tokens: 2 } };
    }),
  });

describe('a process that dies in an append', () => {
  it('at every append and record: driven again, the ledger is that of an undisturbed run', async () => {
    const whole = memoryStore();
    orThrow(await drive(tally, poll(), { store: whole, ports: ports(), retry: AT_ONCE }));
    const expected = await ledgerText(whole);
    const probe = dyingStore(new Map(), Infinity, 0);
    orThrow(await drive(tally, poll(), { store: probe, ports: ports(), retry: AT_ONCE }));
    expect(probe.appends).toHaveLength(9);
    expect(Math.max(...probe.appends)).toBeGreaterThan(3);
    for (const [at, size] of probe.appends.entries()) {
      for (let kept = 0; kept <= size; kept += 1) {
        const runs: MemoryRuns = new Map();
        await expect(
          drive(tally, poll(), { store: dyingStore(runs, at, kept), ports: ports(), retry: AT_ONCE }),
        ).rejects.toThrow(Death);
        const store = memoryStore(runs);
        const again = orThrow(await drive(tally, poll(), { store, ports: ports(), retry: AT_ONCE }));
        const isCut = kept > 0 && kept < size;
        expect({ at, kept, completed: again.completed, end: again.end }).toEqual({
          at,
          kept,
          completed: isCut ? size - kept : 0,
          end: 'success',
        });
        expect(await ledgerText(store)).toBe(expected);
      }
    }
  });

  it('again and again, each time a step further: the run still ends, the same', async () => {
    const whole = memoryStore();
    orThrow(await drive(tally, poll(), { store: whole, ports: ports(), retry: AT_ONCE }));
    const runs: MemoryRuns = new Map();
    let lives = 0;
    for (let isDone = false; !isDone; lives += 1) {
      // Each life takes the run up, and dies with one record of its second append stored.
      isDone = await drive(tally, poll(), {
        store: dyingStore(runs, 1, 1),
        ports: ports(),
        retry: AT_ONCE,
      }).then(
        (result) => orThrow(result).end === 'success',
        (error: unknown) => {
          expect(error).toBeInstanceOf(Death);
          return false;
        },
      );
      expect(lives).toBeLessThan(30);
    }
    expect(await ledgerText(memoryStore(runs))).toBe(await ledgerText(whole));
    expect(lives).toBeGreaterThan(5);
  });

  it('and had an answer that was not stored: the call is made again under the same key', async () => {
    const runs: MemoryRuns = new Map();
    const first = port(() => ({ value: { option: 'soup' } }));
    await expect(
      drive(tally, poll(), { store: dyingStore(runs, 2, 0), ports: portsByKind({ ballot: first }) }),
    ).rejects.toThrow(Death);
    const second = port(() => ({ value: { option: 'soup' } }));
    orThrow(
      await drive(tally, 'poll-1', { store: memoryStore(runs), ports: portsByKind({ ballot: second }) }),
    );
    expect(first.calls.map(({ id }) => id)).toEqual(['1.0', '1.1']);
    expect(second.calls[0]).toEqual(first.calls[1]);
  });
});

describe('a run that is taken up', () => {
  it('is claimed, and its due records stored, before anything is performed', async () => {
    const runs: MemoryRuns = new Map();
    await expect(
      drive(tally, poll(), { store: dyingStore(runs, 1, 1), ports: ports(), retry: AT_ONCE }),
    ).rejects.toThrow(Death);
    const order: string[] = [];
    const inner = memoryStore(runs);
    const store = {
      ...inner,
      append: (...given: Parameters<typeof inner.append>) => {
        order.push(`append ${given[2].length}`);
        return inner.append(...given);
      },
    };
    const ballot = port((request) => {
      order.push(`perform ${request.id}`);
      return { value: { option: 'soup' } };
    });
    orThrow(await drive(tally, 'poll-1', { store, ports: portsByKind({ ballot }), steps: 1 }));
    expect(order.slice(0, 2)).toEqual(['append 1', 'perform 1.1']);
    order.length = 0;
    orThrow(
      await drive(tally, 'poll-1', {
        store,
        ports: portsByKind({ ballot }),
        steps: 1,
        onEvent: (event) => {
          if (event.type === 'append') order.push(`told ${event.records.length}`);
        },
      }),
    );
    expect(order).toEqual(['append 0', 'perform 1.2', 'append 2', 'told 2']);
  });

  it('and is closed already gives its outcome, claimed with no record; nothing is performed', async () => {
    const store = memoryStore();
    orThrow(await drive(tally, poll(), { store, ports: ports(), retry: AT_ONCE }));
    const before = await ledgerText(store);
    const appended: number[] = [];
    const refusal = { code: 'unavailable', run_id: 'poll-1', operation: 'append', errno: 'EIO' } as const;
    const watched = (isRefusing: boolean): typeof store => ({
      ...store,
      append: (...given) => {
        appended.push(given[2].length);
        return isRefusing ? Promise.resolve({ _tag: 'Left', left: refusal }) : store.append(...given);
      },
    });
    const nobody = (): never => {
      throw new Error('no port');
    };
    expect(orThrow(await drive(tally, poll(), { store: watched(false), ports: nobody }))).toMatchObject({
      end: 'success',
      completed: 0,
    });
    expect(await drive(tally, 'poll-1', { store: watched(true), ports: nobody })).toEqual({
      _tag: 'Left',
      left: { code: 'store', error: refusal },
    });
    expect([appended, await ledgerText(store)]).toEqual([[0, 0], before]);
  });

  it('and was extended by another writer meanwhile is stale', async () => {
    const runs: MemoryRuns = new Map();
    orThrow(
      await drive(tally, poll(), { store: memoryStore(runs), ports: ports(), retry: AT_ONCE, steps: 1 }),
    );
    const rival = memoryStore(runs);
    const ballot = port(async () => {
      orThrow(await drive(tally, 'poll-1', { store: rival, ports: ports(), retry: AT_ONCE, steps: 1 }));
      return { value: { option: 'soup' } };
    });
    const result = await drive(tally, 'poll-1', { store: memoryStore(runs), ports: portsByKind({ ballot }) });
    expect(result).toMatchObject({ left: { code: 'store', error: { code: 'stale_head' } } });
  });
});
