import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  memorySnapshots,
  memoryStore,
  nativeSha256,
  portsByKind,
  systemTimer,
  type DriveOptions,
  type Store,
} from '../src/index.ts';
import { CONCURRENCY_MAX } from '../src/check-options.ts';
import { poll, port } from './tools.js';

const keep = memorySnapshots();
/** Options that are numbers, by the name an error gives them. */
const MILLISECONDS: Readonly<Record<string, (ms: never) => Partial<DriveOptions>>> = {
  'deadlines.call': (call) => ({ deadlines: { call } }),
  'deadlines.run': (run) => ({ deadlines: { run } }),
  'deadlines.kinds.ballot': (ballot) => ({ deadlines: { kinds: { other: 5, ballot } } }),
  'retry.baseMs': (baseMs) => ({ retry: { baseMs } }),
  'retry.capMs': (capMs) => ({ retry: { capMs } }),
  'snapshots.deadlineMs': (deadlineMs) => ({ snapshots: { keep, deadlineMs } }),
};
const COUNTS: Readonly<Record<string, (count: never) => Partial<DriveOptions>>> = {
  concurrency: (concurrency) => ({ concurrency }),
  steps: (steps) => ({ steps }),
  invitationAttempts: (invitationAttempts) => ({ invitationAttempts }),
  'snapshots.every': (every) => ({ snapshots: { keep, every } }),
};

const driven = (options: Partial<DriveOptions>): ReturnType<typeof drive<unknown, unknown, never, never>> =>
  drive(tally, poll(), {
    store: memoryStore(),
    ports: portsByKind({ ballot: port(() => ({ value: { option: 'soup' } })) }),
    ...options,
  }) as never;

describe('an option that is a number', () => {
  it('and is none, or out of its range, is a RangeError with its name; nothing is stored', async () => {
    const isNamed = async (name: string, options: Partial<DriveOptions>): Promise<void> => {
      const store = memoryStore();
      await expect(driven({ store, ...options })).rejects.toThrow(
        new RegExp(`^options\\.${name.replaceAll('.', '\\.')}: expected `),
      );
      await expect(driven(options)).rejects.toBeInstanceOf(RangeError);
      expect(orThrow(await store.list())).toEqual([]);
    };
    for (const [name, given] of Object.entries(MILLISECONDS))
      for (const bad of [NaN, -1, -Infinity, Infinity, '300', {}, 5n])
        await isNamed(name, given(bad as never));
    for (const [name, given] of Object.entries(COUNTS))
      for (const bad of [NaN, -1, 1.5, -Infinity, '2', null, 5n]) await isNamed(name, given(bad as never));
    for (const bad of [0, Infinity, CONCURRENCY_MAX + 1]) await isNamed('concurrency', { concurrency: bad });
    await isNamed('snapshots.every', { snapshots: { keep, every: 0 } });
  });

  it('may be left out, null where that is none, and Infinity where it lifts a bound', async () => {
    for (const options of [
      { deadlines: { call: null, run: null, kinds: { ballot: null } } },
      { steps: Infinity, invitationAttempts: Infinity },
      { retry: { baseMs: 0, capMs: 0.5 } },
      { snapshots: { keep, every: Infinity } },
      { concurrency: CONCURRENCY_MAX },
    ]) {
      expect(orThrow(await driven(options)).end).toBe('success');
    }
    for (const given of Object.values({ ...MILLISECONDS, ...COUNTS }))
      expect(orThrow(await driven(given(undefined as never))).end).toBe('success');
  });

  it('an order that is none is refused as well', async () => {
    await expect(driven({ order: 'Arrival' as never })).rejects.toThrow(
      'options.order: expected turn or arrival, got Arrival',
    );
  });
});

describe('a name among the options, or in a part of them, that is none', () => {
  it.each<readonly [string, object]>([
    ['options.deadline', { deadline: { call: 200 } }],
    ['options.onappend', { onappend: undefined }],
    ['options.deadlines.callMs', { deadlines: { callMs: 200 } }],
    ['options.retry.base', { retry: { base: 5 } }],
    ['options.budget.limit', { budget: { limits: {}, limit: { cents: 5 } } }],
    ['options.snapshots.each', { snapshots: { keep, each: 5 } }],
  ])('%s is a TypeError with its name, and nothing is stored', async (name, options) => {
    const store = memoryStore();
    const driving = driven({ store, ...options });
    await expect(driving).rejects.toThrow(`${name}: expected one of `);
    await expect(driving).rejects.toBeInstanceOf(TypeError);
    expect(orThrow(await store.list())).toEqual([]);
  });
});

it('every option that there is may be named', async () => {
  const all: Required<DriveOptions> = {
    store: memoryStore(),
    ports: portsByKind({ ballot: port(() => ({ value: { option: 'soup' } })) }),
    signal: new AbortController().signal,
    concurrency: 1,
    order: 'turn',
    deadlines: {},
    retry: {},
    budget: { limits: {} },
    snapshots: { keep },
    steps: 99,
    invitationAttempts: 1,
    sha256: nativeSha256,
    timer: systemTimer(),
    onEvent: () => undefined,
  };
  expect(orThrow(await drive(tally, poll(), all)).end).toBe('success');
});

describe('what options give when they are called', () => {
  it('a clock that gives no number stops the drive: it would wait for ever', async () => {
    for (const bad of [NaN, Infinity, undefined, '5', 5n]) {
      await expect(
        driven({ timer: { now: () => bad as never, sleep: async () => Promise.resolve() } }),
      ).rejects.toThrow(/^options\.timer\.now: expected it to give milliseconds, got /);
      let reads = 0;
      const broken = {
        now: () => ((reads += 1) < 4 ? reads : bad) as never,
        sleep: async () => Promise.resolve(),
      };
      await expect(driven({ timer: broken })).rejects.toBeInstanceOf(RangeError);
    }
  });

  it('a store that gives no result stops the drive: nobody knows what it stored', async () => {
    for (const bad of [{}, 5, null, undefined, { _tag: 'Right' }, { _tag: 'right', right: null }]) {
      for (const method of ['append', 'head'] as const) {
        const store = { ...memoryStore(), [method]: async () => Promise.resolve(bad as never) };
        await expect(driven({ store })).rejects.toThrow(
          new RegExp(`^options\\.store\\.${method}: expected it to give a Left or a Right, got `),
        );
      }
    }
  });
});

describe('an option that is no number', () => {
  /** A store that notes whether anything was asked of it. */
  function watched(): Store & { readonly asked: string[] } {
    const inner = memoryStore();
    const asked: string[] = [];
    return {
      ...inner,
      asked,
      append: (...given) => (asked.push('append'), inner.append(...given)),
      read: (...given) => (asked.push('read'), inner.read(...given)),
      head: (...given) => (asked.push('head'), inner.head(...given)),
    };
  }
  const OBJECTS: Readonly<Record<string, (value: never) => Partial<DriveOptions>>> = {
    deadlines: (deadlines) => ({ deadlines }),
    'deadlines.kinds': (kinds) => ({ deadlines: { kinds } }),
    retry: (retry) => ({ retry }),
    budget: (budget) => ({ budget }),
    'budget.limits': (limits) => ({ budget: { limits } }),
    'budget.notes': (notes) => ({ budget: { limits: {}, notes } }),
    signal: (signal) => ({ signal }),
    timer: (timer) => ({ timer }),
    snapshots: (snapshots) => ({ snapshots }),
    'snapshots.keep': (kept) => ({ snapshots: { keep: kept } }),
  };
  const FUNCTIONS: Readonly<Record<string, (value: never) => Partial<DriveOptions>>> = {
    ports: (ports) => ({ ports }),
    sha256: (sha256) => ({ sha256 }),
    onEvent: (onEvent) => ({ onEvent }),
    'signal.addEventListener': (addEventListener) => ({ signal: { addEventListener } as never }),
    'timer.sleep': (sleep) => ({ timer: { now: () => 0, sleep } }),
    'budget.notes.begin': (begin) => ({ budget: { limits: {}, notes: { begin } } }),
    'snapshots.keep.load': (load) => ({ snapshots: { keep: { save: () => Promise.resolve(), load } } }),
  };

  it('is a TypeError with its name, and nothing is read or stored', async () => {
    const isNamed = async (name: string, options: Partial<DriveOptions>): Promise<void> => {
      const store = watched();
      const error: unknown = await driven({ store, ...options }).then(String, (raised: unknown) => raised);
      expect([name, error instanceof TypeError, String(error)]).toEqual([
        name,
        true,
        expect.stringMatching(`^TypeError: options\\.${name.replaceAll('.', '\\.')}: expected an? `),
      ]);
      expect(store.asked).toEqual([]);
    };
    for (const [name, given] of Object.entries(OBJECTS))
      for (const bad of [null, 'x', 7, true]) await isNamed(name, given(bad as never));
    for (const [name, given] of Object.entries(FUNCTIONS))
      for (const bad of [null, {}, 'x']) await isNamed(name, given(bad as never));
    await isNamed('signal.addEventListener', { signal: {} as never });
    await isNamed('snapshots.keep', { snapshots: {} as never });
    await isNamed('snapshots.isTrusted', { snapshots: { keep, isTrusted: 'no' as never } });
    await isNamed('retry.seed', { retry: { seed: 5 as never } });
    for (const store of [null, {}, memoryStore])
      await expect(driven({ store: store as never })).rejects.toThrow(/^options\.store[a-z.]*: expected /);
    await expect(drive(tally, poll(), null as never)).rejects.toThrow(
      'options: expected an object, got null',
    );
  });

  it('a limit of a budget that is no amount, or of no unit, is a RangeError; nothing is read or stored', async () => {
    for (const [limits, said] of [
      [{ usd: NaN }, 'limits.usd: expected a whole number from 0, got NaN'],
      [{ calls: 5, usd: -1 }, 'limits.usd: expected'],
      [{ usd: 0.5 }, 'limits.usd: expected'],
      [{ usd: '10' }, 'got string'],
      [{ usd: null }, 'got null'],
      [{ 'US dollars': 5 }, 'got "US dollars"'],
    ] as const) {
      const store = watched();
      const error: unknown = await driven({ store, budget: { limits: limits as never } }).then(
        String,
        (raised: unknown) => raised,
      );
      expect([error instanceof RangeError, String(error)]).toEqual([
        true,
        expect.stringContaining(`options.budget.limits`),
      ]);
      expect(String(error)).toContain(said);
      expect(store.asked).toEqual([]);
    }
  });
});
