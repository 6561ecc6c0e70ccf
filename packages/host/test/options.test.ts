import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import { CONCURRENCY_MAX, drive, memorySnapshots, memoryStore, portsByKind, type DriveOptions } from '@assay/host';
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

const driven = (options: Partial<DriveOptions>): ReturnType<typeof drive<unknown, unknown, never, never>> => drive(tally, poll(), { store: memoryStore(), ports: portsByKind({ ballot: port(() => ({ value: { option: 'soup' } })) }), ...options }) as never;

describe('an option that is a number', () => {
  it('and is none, or out of its range, is a RangeError with its name; nothing is stored', async () => {
    const isNamed = async (name: string, options: Partial<DriveOptions>): Promise<void> => {
      const store = memoryStore();
      await expect(driven({ store, ...options })).rejects.toThrow(new RegExp(`^options\\.${name.replaceAll('.', '\\.')}: expected `));
      await expect(driven(options)).rejects.toBeInstanceOf(RangeError);
      expect(orThrow(await store.list())).toEqual([]);
    };
    for (const [name, given] of Object.entries(MILLISECONDS)) for (const bad of [NaN, -1, -Infinity, Infinity, '300', {}, 5n]) await isNamed(name, given(bad as never));
    for (const [name, given] of Object.entries(COUNTS)) for (const bad of [NaN, -1, 1.5, -Infinity, '2', null, 5n]) await isNamed(name, given(bad as never));
    for (const bad of [0, Infinity, CONCURRENCY_MAX + 1]) await isNamed('concurrency', { concurrency: bad });
    await isNamed('snapshots.every', { snapshots: { keep, every: 0 } });
  });

  it('may be left out, null where that is none, and Infinity where it lifts a bound', async () => {
    for (const options of [{ deadlines: { call: null, run: null, kinds: { ballot: null } } }, { steps: Infinity, invitationAttempts: Infinity }, { retry: { baseMs: 0, capMs: 0.5 } }, { snapshots: { keep, every: Infinity } }, { concurrency: CONCURRENCY_MAX }]) {
      expect(orThrow(await driven(options)).end).toBe('success');
    }
    for (const given of Object.values({ ...MILLISECONDS, ...COUNTS })) expect(orThrow(await driven(given(undefined as never))).end).toBe('success');
  });

  it('an order that is none is refused as well', async () => {
    await expect(driven({ order: 'Arrival' as never })).rejects.toThrow('options.order: expected turn or arrival, got Arrival');
  });
});
