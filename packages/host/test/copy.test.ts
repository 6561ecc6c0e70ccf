/** Runs copied between stores: what became of each, in codes. */
import { expect, test } from 'vitest';
import {
  advance,
  encodeLine,
  ok,
  openRequests,
  openRun,
  orThrow,
  replayable,
  type EvidenceRecord,
} from '@assay/kernel';
import { memoryStore, StoreReadError } from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { copyRun, type CopyOptions } from '../src/copy/index.ts';
import type { TriedStore } from '../src/copy/copy-run.ts';
import { makeChain } from '@assay/testing/store-contract';
import { tally } from '@assay/testing/tally';
import { BATCH_BYTES, readBatches } from '../src/copy/batches.ts';
import { poll } from './tools.ts';

const open = orThrow(openRun(tally, poll()));
const vote = {
  request_id: [...openRequests(open.run)][0]?.id ?? '',
  source: 'human',
  proposer: 'desk',
  confidence: null,
  value: { option: 'soup' },
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};
const voted = orThrow(advance(open.run, vote));
const records = [...open.records, ...voted.records];

const triedStore = (runs: MemoryRuns = new Map()): TriedStore => ({
  ...memoryStore(runs),
  tryWriting: () => Promise.resolve(ok(null)),
});
const holding = async (given: readonly EvidenceRecord[]): Promise<TriedStore> => {
  const store = triedStore();
  if (given.length > 0) orThrow(await store.append('poll-1', null, given));
  return store;
};
const options = (from: TriedStore, to: TriedStore): CopyOptions => ({
  from,
  to,
  machines: [replayable(tally)],
  goesOn: () => undefined,
  onRecords: () => undefined,
});

test('a run is copied, completed, or there already', async () => {
  const from = await holding(records);
  const to = await holding([]);
  const begun = await holding(open.records);
  const held = { identical: true, rederivation: { verdict: 'held', code: null, record: null } };
  expect(orThrow(await copyRun('poll-1', options(from, to)))).toMatchObject({ result: 'copied', ...held });
  expect(orThrow(await copyRun('poll-1', options(from, begun)))).toMatchObject({
    result: 'completed',
    added: voted.records.length,
    ...held,
  });
  expect(orThrow(await copyRun('poll-1', options(from, to)))).toMatchObject({
    result: 'already_there',
    added: 0,
    head: { count: records.length },
  });
});

test('a run that may not be copied is refused, by a code and what was found', async () => {
  const from = await holding(records);
  const other = await holding(orThrow(openRun(tally, poll({ voters: 5 }))).records);
  const fork = options(from, other);
  expect(orThrow(await copyRun('poll-1', fork))).toMatchObject({
    result: 'refused',
    added: 0,
    fault: { code: 'exists', count: open.records.length },
  });
  expect(orThrow(await copyRun('none', options(from, other)))).toMatchObject({
    fault: { code: 'invalid', side: 'from', isStored: false, found: { why: 'missing' } },
  });
  const edited = await holding(
    records.map((record, index) => (index === 1 ? { ...record, payload: {} } : record)),
  );
  expect(orThrow(await copyRun('poll-1', options(edited, triedStore())))).toMatchObject({
    fault: { code: 'invalid', side: 'from', found: { why: 'integrity', record: 1 } },
  });
});

test('a store that is gone ends the copy of every run', async () => {
  const error = { code: 'unavailable', run_id: null, operation: 'read', errno: 'EIO' } as const;
  const gone: TriedStore = {
    ...triedStore(),
    list: () => Promise.resolve({ _tag: 'Left', left: error }),
    read: () => {
      throw new StoreReadError(error);
    },
  };
  expect(await copyRun('poll-1', options(gone, triedStore()))).toEqual({
    _tag: 'Left',
    left: { code: 'store', side: 'from', error },
  });
});

test('records come in pieces of at least a mebibyte that end with a group, whatever a run measures', async () => {
  const store = memoryStore();
  const records = makeChain(
    'large',
    Array.from({ length: 12 }, (_, index) => ({ value: `${index}`.repeat(300_000) })),
  );
  orThrow(await store.append('large', null, records));
  const sizes: number[] = [];
  const read: string[] = [];
  for await (const batch of readBatches(store, 'large', 0, records.length)) {
    sizes.push(batch.reduce((sum, record) => sum + encodeLine(record).length, 0));
    read.push(...batch.map(({ record_hash }) => record_hash));
  }
  expect(read).toEqual(records.map(({ record_hash }) => record_hash));
  expect(sizes.length).toBeGreaterThan(2);
  for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThanOrEqual(BATCH_BYTES);
  expect(Math.max(...sizes)).toBeLessThan(2 * BATCH_BYTES);
});
