import { describe, expect, it } from 'vitest';
import { makeContinuation, orThrow, snapshot, type Base, type GenesisInput } from '@assay/kernel';
import { tally } from '@assay/testing';
import { drive, fork, loadRun, memoryStore, portsByKind, type Store } from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { Death, dyingStore, ledgerText, poll, port } from './tools.js';

const voting = portsByKind({ ballot: port(() => ({ value: { option: 'soup' } })) });

/** A poll of five with three answers; its head is the base of the forks. */
async function parent(): Promise<{
  readonly runs: MemoryRuns;
  readonly store: Store;
  readonly genesis: GenesisInput & { readonly base: Base & { readonly snapshot: null } };
}> {
  const runs: MemoryRuns = new Map();
  const store = memoryStore(runs);
  const { head } = orThrow(await drive(tally, poll({ voters: 5 }), { store, ports: voting, steps: 3 }));
  return { runs, store, genesis: { ...poll({ voters: 5 }, 'fork-1'), base: { ...head, snapshot: null } } };
}

describe('a fork', () => {
  it('is fed what its parent recorded, asks only for the rest, and leaves the parent as it was', async () => {
    const { store, genesis } = await parent();
    const before = await ledgerText(store);
    const { head, leftOver } = orThrow(await fork(tally, genesis, { store }));
    expect([head.count, leftOver]).toEqual([8, []]);
    const ballot = port(() => ({ value: { option: 'salad' } }));
    const { end } = orThrow(await drive(tally, 'fork-1', { store, ports: portsByKind({ ballot }) }));
    expect([end, ballot.calls.map(({ id }) => id)]).toEqual(['success', ['1.3', '1.4']]);
    expect(await ledgerText(store)).toBe(before);
    expect(orThrow(await loadRun(tally, 'fork-1', store)).due).toEqual([]);
    // Driven on, it is still the fork: to fork again does nothing.
    const driven = await ledgerText(store, 'fork-1');
    orThrow(await fork(tally, genesis, { store }));
    expect(await ledgerText(store, 'fork-1')).toBe(driven);
  });

  it('cut anywhere while it is stored goes on where it ends', async () => {
    const { runs, genesis, store } = await parent();
    orThrow(await fork(tally, genesis, { store }));
    const expected = await ledgerText(store, 'fork-1');
    for (let kept = 0; kept < 8; kept += 1) {
      const again: MemoryRuns = new Map([...runs].filter(([id]) => id !== 'fork-1'));
      await expect(fork(tally, genesis, { store: dyingStore(again, 0, kept) })).rejects.toThrow(Death);
      orThrow(await fork(tally, genesis, { store: memoryStore(again) }));
      expect(await ledgerText(memoryStore(again), 'fork-1')).toBe(expected);
    }
  });

  it('that lacks answers of its parent is not driven: no call of the parent is made again', async () => {
    const { runs, store, genesis } = await parent();
    orThrow(await fork(tally, genesis, { store }));
    const whole = (await ledgerText(store, 'fork-1')).trimEnd().split('\n').length;
    const nobody = port(() => ({ value: { option: 'salad' } }));
    const ports = portsByKind({ ballot: nobody });
    for (let kept = 0; kept < whole; kept += 1) {
      const cut: MemoryRuns = new Map(
        [...runs]
          .filter(([id]) => id !== 'fork-1')
          .map(([id, run]) => [id, { ...run, lines: [...run.lines] }]),
      );
      await expect(fork(tally, genesis, { store: dyingStore(cut, 0, kept) })).rejects.toThrow(Death);
      const left = memoryStore(cut);
      const before = kept === 0 ? '' : await ledgerText(left, 'fork-1');
      const count = kept === 0 ? 2 : kept;
      for (const start of kept === 0 ? [genesis] : [genesis, 'fork-1']) {
        expect(await drive(tally, start, { store: left, ports })).toEqual({
          _tag: 'Left',
          left: {
            code: 'rejected',
            rejection: { code: 'unfed', detail: { run_id: 'fork-1', count, records: whole } },
          },
        });
      }
      expect([kept, kept === 0 ? '' : await ledgerText(left, 'fork-1'), nobody.calls.length]).toEqual([
        kept,
        before,
        0,
      ]);
      orThrow(await fork(tally, genesis, { store: left }));
      expect(orThrow(await drive(tally, 'fork-1', { store: left, ports, steps: 0 })).end).toBe('paused');
    }
    // Where its parent is not to be had, nothing can be compared.
    const alone: MemoryRuns = new Map();
    orThrow(await drive(tally, genesis, { store: memoryStore(alone), ports, steps: 1 }));
    expect(nobody.calls.length).toBe(1);
  });

  it('of another base, of a broken ledger, or under a taken name, is refused and not stored', async () => {
    const { runs, store, genesis } = await parent();
    const wrong = { ...genesis, base: { ...genesis.base, count: genesis.base.count - 1 } };
    expect(await fork(tally, wrong, { store })).toMatchObject({
      left: { code: 'rejected', rejection: { code: 'base_mismatch' } },
    });
    expect(
      await fork(tally, { ...genesis, base: { ...genesis.base, run_id: 'none' } }, { store }),
    ).toMatchObject({ left: { code: 'store', error: { code: 'not_found' } } });
    const lines = runs.get('poll-1')?.lines ?? [];
    const reading = (change: (text: string) => string): Pick<Store, 'read'> => ({
      read: async function* () {
        for (const [index, line] of lines.entries())
          yield index === 2 ? new TextEncoder().encode(change(new TextDecoder().decode(line))) : line;
      },
    });
    expect(await fork(tally, genesis, { store, parent: reading((text) => ` ${text}`) })).toEqual({
      _tag: 'Left',
      left: { code: 'line', record: 2, reason: 'encoding' },
    });
    expect(
      await fork(tally, genesis, { store, parent: reading((text) => text.replace('soup', 'soap')) }),
    ).toMatchObject({ left: { code: 'ledger', failed: { code: 'payload_hash', record: 2 } } });
    expect(orThrow(await store.head('fork-1'))).toBeNull();
    for (const steps of [1, 100]) {
      const taken = memoryStore(new Map(runs));
      orThrow(await drive(tally, poll({ voters: 4 }, 'fork-1'), { store: taken, ports: voting, steps }));
      expect(await fork(tally, genesis, { store: taken })).toEqual({
        _tag: 'Left',
        left: { code: 'exists', run_id: 'fork-1' },
      });
    }
  });
});

describe('a continuation', () => {
  it('goes on under another name with the requests it carries; the run it continues stays as it was', async () => {
    const store = memoryStore();
    let at = orThrow(await drive(tally, poll({ voters: 9 }), { store, ports: voting, steps: 1 }));
    while (snapshot(at.run) === null)
      at = orThrow(await drive(tally, 'poll-1', { store, ports: voting, steps: 1 }));
    const before = await ledgerText(store);
    const taken = snapshot(at.run);
    if (taken === null) throw new Error('no snapshot');
    const next = { ...poll({ voters: 9 }, 'poll-2'), base: makeContinuation(taken) };
    const ballot = port(() => ({ value: { option: 'salad' } }));
    const runs = [
      await drive(tally, next, { store, ports: portsByKind({ ballot }), steps: 2 }),
      await drive(tally, 'poll-2', { store, ports: portsByKind({ ballot }) }),
    ];
    expect(runs.map((driven) => orThrow(driven).end)).toEqual(['paused', 'success']);
    expect(new Set(ballot.calls.map(({ id }) => id)).size).toBe(at.run.open.size - 1);
    expect(await ledgerText(store)).toBe(before);
    expect(orThrow(await loadRun(tally, 'poll-2', store)).head.count).toBe(
      orThrow(runs[1] ?? (runs[0] as never)).head.count,
    );
  });
});
