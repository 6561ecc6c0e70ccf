/**
 * A continuation is driven only where its base waits for it: no call of the base is made again under another
 * key.
 */
import { describe, expect, it } from 'vitest';
import { makeContinuation, orThrow, snapshot, type Base, type GenesisInput, type State } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  loadRun,
  memoryNotes,
  memorySnapshots,
  memoryStore,
  portsByKind,
  StoreReadError,
  type CallNotes,
  type DriveOptions,
  type Port,
  type PortAnswer,
  type Store,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { Random } from '../src/testing/world.ts';
import { AT_ONCE, Death, dyingStore, ledgerText, poll, port } from './tools.js';
import { draws } from '../../kernel/tools/laws.ts';

const NINE = { voters: 9 };
const soup: PortAnswer = { value: { option: 'soup' } };
const silence = (): Promise<never> => new Promise(() => undefined);
const voter = (answer: (id: string) => PortAnswer | Promise<PortAnswer> = () => soup) => ({
  ...port(({ id }) => answer(id)),
  bound: () => ({ cents: 1 }),
});

type World = { readonly runs: MemoryRuns; readonly store: Store; readonly notes: CallNotes };
const newWorld = (): World => {
  const runs: MemoryRuns = new Map();
  return { runs, store: memoryStore(runs), notes: memoryNotes() };
};

const driven = (
  { store, notes }: World,
  start: GenesisInput | string,
  ballot: Port = voter(),
  given: Partial<DriveOptions> = {},
) =>
  drive(tally, start, {
    store,
    ports: portsByKind({ ballot }),
    budget: { limits: {}, notes },
    retry: AT_ONCE,
    ...given,
  });

type Continued = Base & { readonly snapshot: State };

/** Drives the base on, by at least so many answers, to a group whose state is hashed. */
async function rested(world: World, ballot: Port = voter(), steps = 1): Promise<Continued> {
  let { run } = orThrow(await driven(world, poll(NINE), ballot, { steps }));
  while (run.outcome === null && snapshot(run) === null)
    ({ run } = orThrow(await driven(world, 'poll-1', ballot, { steps: 1 })));
  const taken = snapshot(run);
  if (taken === null) throw new Error('the poll was over before its state was hashed again');
  return makeContinuation(taken) as Continued;
}

const next = (base: Base): GenesisInput => ({ ...poll(NINE, 'poll-2'), base });

/** Begins a call of the base and gives it up. */
async function beginCall(world: World): Promise<readonly string[]> {
  const stopping = new AbortController();
  const ballot = voter(() => {
    stopping.abort();
    return silence();
  });
  return orThrow(await driven(world, 'poll-1', ballot, { signal: stopping.signal })).underWay;
}

/** What comes of driving a continuation: nothing is performed or stored by it. */
async function refused(
  world: World,
  start: GenesisInput | string,
  given: Partial<DriveOptions> = {},
): Promise<unknown> {
  const before = [...world.runs].map(([id, { lines }]) => [id, lines.length]);
  const ballot = voter();
  const result = await driven(world, start, ballot, given);
  expect([ballot.calls, [...world.runs].map(([id, { lines }]) => [id, lines.length])]).toEqual([[], before]);
  return result._tag === 'Right' ? result.right.end : result.left;
}

const rejected = (code: string, detail: object): object => ({
  code: 'rejected',
  rejection: { code, detail: { run_id: 'poll-1', ...detail } },
});

describe('a continuation of a base in the same store', () => {
  it('whose base has a call begun and not answered is refused until the base has its answer', async () => {
    const world = newWorld();
    const base = await rested(world);
    const [id] = await beginCall(world);
    expect(base.snapshot.open).toHaveProperty([id as string]);
    expect(await refused(world, next(base))).toEqual(rejected('base_under_way', { requests: [id] }));
    // Answered, and nothing after it: then the snapshot is taken anew, and the call is made under no other
    // key.
    const later = await rested(world, voter(), 1);
    expect(later.snapshot.open).not.toHaveProperty([id as string]);
    const ballot = voter();
    expect(orThrow(await driven(world, next(later), ballot)).end).toBe('success');
    expect(ballot.calls.map((call) => call.id)).not.toContain(id);
  });

  it('whose base was asked several at once names each that waits, in the order of their numbers', async () => {
    const world = newWorld();
    const { count, hash, run_id } = await rested(world, voter(), 0);
    const stopping = new AbortController();
    let begun = 0;
    const ballot = voter(() => {
      begun += 1;
      if (begun === 3) stopping.abort();
      return silence();
    });
    const { underWay, run } = orThrow(
      await driven(world, 'poll-1', ballot, { signal: stopping.signal, concurrency: 3 }),
    );
    expect([underWay, run.count, run.hash]).toEqual([['1.0', '1.1', '1.2'], count, hash]);
    const taken = snapshot(run);
    expect(await refused(world, next({ run_id, count, hash, snapshot: taken?.state ?? null }))).toEqual(
      rejected('base_under_way', { requests: ['1.0', '1.1', '1.2'] }),
    );
    // Where nobody keeps notes of the base's calls, nothing is seen.
    expect(
      orThrow(
        await driven(world, next({ run_id, count, hash, snapshot: taken?.state ?? null }), voter(), {
          budget: { limits: {} },
        }),
      ).end,
    ).toBe('success');
  });

  it('whose base is not the ledger it says is refused', async () => {
    const world = newWorld();
    const first = await rested(world, voter(), 0);
    const base = await rested(world);
    const { count } = base;
    const other: State = { ...base.snapshot, artifacts: { result: 'b'.repeat(64) as Base['hash'] } };
    const hashes = (await ledgerText(world.store))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly record_hash: string }).record_hash);
    const at = (sequence: number): Continued =>
      ({ ...base, count: sequence + 1, hash: hashes[sequence] ?? '' }) as Continued;
    for (const [change, found] of [
      [{ ...base, hash: 'a'.repeat(64) }, 'head'],
      [{ ...base, count: count + 1 }, 'head'],
      [{ ...base, snapshot: other }, 'state'],
      [{ ...base, snapshot: first.snapshot }, 'state'],
      [at(count - 2), 'state'],
    ] as const) {
      expect(await refused(world, next(change as Base))).toEqual(
        rejected('base_mismatch', { count: change.count, found }),
      );
    }
    expect(orThrow(await driven(world, next(base))).end).toBe('success');
  });

  it('whose base has more in that group, as its close, is refused', async () => {
    const world = newWorld();
    // What was rejected counts for the pace of state hashes, so that the last decision carries one.
    let asked = 0;
    const ballot = voter(() => ({ value: { option: (asked += 1) < 12 ? 'tea' : 'soup' } }));
    const { run } = orThrow(await driven(world, poll({ voters: 1, quorum: 1, attempts: 20 }), ballot));
    const records = (await ledgerText(world.store))
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly kind: string;
            readonly record_hash: Base['hash'];
            readonly payload: { readonly state_hash?: string | null };
          },
      );
    const decided = records.findLastIndex(({ kind }) => kind === 'decision');
    expect(records[decided]?.payload.state_hash).toEqual(expect.any(String));
    const state = (artifacts: Iterable<readonly [string, string]>): State =>
      ({
        t: 'state',
        machine: tally.encode(run.state),
        open: {},
        artifacts: Object.fromEntries(artifacts),
      }) as State;
    const base = {
      run_id: 'poll-1',
      count: decided + 1,
      hash: records[decided]?.record_hash ?? '',
      snapshot: state(run.artifacts.sorted()),
    } as Base;
    expect(await refused(world, next(base))).toEqual(
      rejected('base_mismatch', { count: base.count, found: 'group' }),
    );
    // The close carries the hash of the state as well, and is no decision.
    expect(await refused(world, next({ ...base, count: run.count, hash: run.hash }))).toEqual(
      rejected('base_mismatch', { count: run.count, found: 'state' }),
    );
    expect(await refused(world, next({ ...base, snapshot: state([]) }))).toMatchObject({
      rejection: { detail: { found: 'state' } },
    });
  });

  it('whose base does not hold is refused', async () => {
    for (const [from, to] of [
      ['soup', 'soap'],
      ['"kind"', ' "kind"'],
    ] as const) {
      const world = newWorld();
      const base = await rested(world);
      const stored = world.runs.get('poll-1');
      const lines = stored?.lines ?? [];
      lines.splice(2, 1, new TextEncoder().encode(new TextDecoder().decode(lines[2]).replace(from, to)));
      expect(await refused(world, next(base))).toEqual(
        rejected('base_mismatch', { count: base.count, found: 'ledger' }),
      );
    }
  });

  it('whose base was driven to its end meanwhile is refused', async () => {
    const world = newWorld();
    const base = await rested(world);
    expect(orThrow(await driven(world, 'poll-1')).end).toBe('success');
    expect(await refused(world, next(base))).toEqual(
      rejected('base_closed', { count: base.count, records: world.runs.get('poll-1')?.lines.length }),
    );
  });

  it('whose base went on is refused, with both counts, also where only the answer is stored', async () => {
    const world = newWorld();
    const base = await rested(world);
    await expect(driven({ ...world, store: dyingStore(world.runs, 1, 1) }, 'poll-1')).rejects.toThrow(Death);
    expect(await refused(world, next(base))).toEqual(
      rejected('base_went_on', { count: base.count, records: base.count + 1 }),
    );
    orThrow(await driven(world, 'poll-1', voter(), { steps: 1 }));
    expect(await refused(world, next(base))).toEqual(
      rejected('base_went_on', { count: base.count, records: world.runs.get('poll-1')?.lines.length }),
    );
  });

  it('whose decision there was erased is compared by its hash, as a verifier does', async () => {
    const world = newWorld();
    const base = await rested(world);
    const lines = world.runs.get('poll-1')?.lines ?? [];
    const { payload: _, ...erased } = JSON.parse(new TextDecoder().decode(lines[base.count - 1])) as {
      readonly payload: unknown;
    };
    lines.splice(base.count - 1, 1, new TextEncoder().encode(JSON.stringify(erased)));
    expect(await refused(world, next({ ...base, hash: 'a'.repeat(64) as Base['hash'] }))).toMatchObject({
      rejection: { code: 'base_mismatch', detail: { found: 'head' } },
    });
    expect(orThrow(await driven(world, next(base))).end).toBe('success');
  });

  it('that continues a continuation is judged in the same way', async () => {
    const world = newWorld();
    const base = await rested(world, voter(), 0);
    let { run } = orThrow(await driven(world, next(base), voter(), { steps: 0 }));
    const taken = snapshot(run);
    if (taken === null) throw new Error('the first group of a continuation carries its state');
    const third: GenesisInput = { ...poll(NINE, 'poll-3'), base: makeContinuation(taken) };
    ({ run } = orThrow(await driven(world, 'poll-2', voter(), { steps: 1 })));
    expect(await refused(world, third)).toMatchObject({
      rejection: {
        code: 'base_went_on',
        detail: { run_id: 'poll-2', count: taken.head.count, records: run.count },
      },
    });
    const again = newWorld();
    await rested(again, voter(), 0);
    orThrow(await driven(again, next(base), voter(), { steps: 0 }));
    expect(orThrow(await driven(again, third)).end).toBe('success');
  });

  it('ends with the reason of a store or of notes that cannot be read, and nothing is begun', async () => {
    const world = newWorld();
    const base = await rested(world);
    const away = { code: 'unavailable', run_id: 'poll-1', operation: 'read', errno: 'EIO' } as const;
    const store: Store = {
      ...world.store,
      read: async function* (runId) {
        if (runId === 'poll-1') throw new StoreReadError(away);
        yield* world.store.read(runId);
      },
    };
    expect(await refused({ ...world, store }, next(base))).toEqual({ code: 'store', error: away });
    const defect: Store = {
      ...world.store,
      read: async function* (runId) {
        if (runId === 'poll-1') throw new RangeError('a defect');
        yield* world.store.read(runId);
      },
    };
    await expect(driven({ ...world, store: defect }, next(base))).rejects.toThrow('a defect');
    // Of a stored continuation itself as well, read once more for its own answers.
    orThrow(await driven(world, next(base), voter(), { steps: 0 }));
    let readings = 0;
    const failing: Store = {
      ...world.store,
      read: (runId, from) => {
        readings += runId === 'poll-2' ? 1 : 0;
        return readings === 2 ? store.read('poll-1') : world.store.read(runId, from);
      },
    };
    expect(await refused({ ...world, store: failing }, 'poll-2')).toEqual({ code: 'store', error: away });
    const damaged = memoryNotes(['what is no note']);
    expect(await refused({ ...world, notes: damaged }, next(base))).toMatchObject({
      code: 'notes',
      reason: 'damaged',
    });
  });
});

describe('a stored continuation', () => {
  it('that has recorded no answer of its own is checked as a new one, whole or cut', async () => {
    for (const kept of [1, 2]) {
      for (const meanwhile of ['base_under_way', 'base_went_on', 'base_closed'] as const) {
        const world = newWorld();
        const base = await rested(world);
        if (kept === 1)
          await expect(
            driven({ ...world, store: dyingStore(world.runs, 0, kept) }, next(base)),
          ).rejects.toThrow(Death);
        else expect(orThrow(await driven(world, next(base), voter(), { steps: 0 })).end).toBe('paused');
        expect(world.runs.get('poll-2')?.lines.length).toBe(kept);
        if (meanwhile === 'base_under_way') await beginCall(world);
        else orThrow(await driven(world, 'poll-1', voter(), meanwhile === 'base_closed' ? {} : { steps: 1 }));
        for (const start of [next(base), 'poll-2'])
          expect(await refused(world, start)).toMatchObject({
            code: 'rejected',
            rejection: { code: meanwhile },
          });
      }
    }
  });

  it('that has its own answers is driven on, and its base is not read', async () => {
    const world = newWorld();
    const base = await rested(world);
    const keep = memorySnapshots();
    orThrow(await driven(world, next(base), voter(), { steps: 1, snapshots: { keep, every: 1 } }));
    orThrow(await driven(world, 'poll-1', voter(), { steps: 1 }));
    const read: string[] = [];
    const store: Store = {
      ...world.store,
      read: (runId, from) => {
        read.push(runId);
        return world.store.read(runId, from);
      },
    };
    expect(orThrow(await driven({ ...world, store }, next(base), voter(), { steps: 1 })).end).toBe('paused');
    expect(orThrow(await driven({ ...world, store }, 'poll-2', voter(), { snapshots: { keep } })).end).toBe(
      'success',
    );
    expect(orThrow(await driven({ ...world, store }, 'poll-2')).end).toBe('success');
    expect(read).not.toContain('poll-1');
    expect(orThrow(await loadRun(tally, 'poll-2', world.store)).due).toEqual([]);
  });
});

describe('a continuation of a base that is elsewhere', () => {
  it('is driven: nothing can be compared', async () => {
    const world = newWorld();
    const base = await rested(world);
    await beginCall(world);
    world.runs.delete('poll-1');
    expect(orThrow(await driven(world, next(base))).end).toBe('success');
  });
});

describe('a base and its continuation on random days', () => {
  const RUNS = draws(100);

  /**
   * Two runs on a random day: driven, stopped, continued, driven on before the continuation has asked
   * anybody.
   */
  async function aDay(
    seed: number,
    seen: Map<string, Set<string>>,
    codes: Map<string, number>,
  ): Promise<void> {
    const random = new Random(seed);
    const world = newWorld();
    const lifeOf = (): readonly [Port, Partial<DriveOptions>] => {
      const stopping = new AbortController();
      let left = random.happens(400_000) ? random.integer(3) : Infinity;
      const ballot = {
        ...voter(),
        perform: async (...[{ id }, { key }]: Parameters<Port['perform']>): Promise<PortAnswer> => {
          const call = `${id}/${key.slice(key.lastIndexOf('/') + 1)}`;
          seen.set(call, (seen.get(call) ?? new Set()).add(key));
          left -= 1;
          if (left < 0) stopping.abort();
          if (left < 0) return silence();
          if (random.happens(200_000)) throw new Error('away');
          return { value: { option: random.happens(300_000) ? 'tea' : 'soup' } };
        },
      };
      return [
        ballot,
        { signal: stopping.signal, steps: random.integer(3), concurrency: 1 + random.integer(2) },
      ];
    };
    const bases: Base[] = [];
    let isAsked = false;
    for (let turn = 0; turn < 24; turn += 1) {
      const base = bases.at(-1 - random.integer(1)) ?? bases.at(-1);
      if (!isAsked && (base === undefined || random.happens(600_000))) {
        const { run } = orThrow(await driven(world, poll(NINE), ...lifeOf()));
        const taken = snapshot(run);
        if (taken !== null) bases.push(makeContinuation(taken));
        continue;
      }
      const [ballot, given] = lifeOf();
      const stored = world.runs.has('poll-2');
      const result = await driven(world, stored || base === undefined ? 'poll-2' : next(base), ballot, given);
      const code =
        result._tag === 'Right'
          ? 'driven'
          : result.left.code === 'rejected'
            ? result.left.rejection.code
            : result.left.code;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      // From here on its base is not driven any more: that is for who drives them to see to.
      isAsked ||= result._tag === 'Right' && given.steps !== 0;
    }
  }

  it('host/one-key-for-a-call: whatever happens, an attempt at a request has one key', async () => {
    console.log(`host/one-key-for-a-call: seeds 1 to ${RUNS}`);
    const codes = new Map<string, number>();
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const seen = new Map<string, Set<string>>();
      await aDay(seed, seen, codes);
      expect([seed, [...seen].filter(([, keys]) => keys.size > 1)]).toEqual([seed, []]);
    }
    for (const code of ['driven', 'base_went_on', 'base_closed', 'base_under_way'])
      expect([code, (codes.get(code) ?? 0) > RUNS / 20]).toEqual([code, true]);
    expect(
      [...codes.keys()].filter(
        (code) => !['driven', 'base_went_on', 'base_closed', 'base_under_way'].includes(code),
      ),
    ).toEqual([]);
  });
});
