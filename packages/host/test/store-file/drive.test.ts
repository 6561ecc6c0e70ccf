import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow, type GenesisInput } from '@assay/kernel';
import { drive, portsByKind, type Port } from '@assay/host';
import { tally } from '@assay/testing';
import { fileStore } from '@assay/host/store-file';
import { Crash, FaultyDisk, TestProcesses } from './tools/faulty-disk.js';
import { temporaryFolder } from '@assay/testing/store-contract';

const genesis: GenesisInput = {
  run_id: 'poll',
  ts_base: 't0',
  policy: { voters: 2, quorum: 1, attempts: 2 },
  input: { question: 'lunch?', options: ['soup', 'salad'] },
};
const ballot: Port = {
  source: 'rule',
  proposer: 'test',
  perform: async (_, { key }) => ({ value: { option: key.endsWith('1.1/0') ? 'tea' : 'soup' } }),
};

let folder: { readonly path: string; readonly remove: () => Promise<void> };
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** One life of a process that drives the run; true where it died. */
async function live(path: string, pid: number, disk: FaultyDisk): Promise<boolean> {
  const store = fileStore(path, { disk: disk.disk, processes: new TestProcesses().start(pid) });
  try {
    expect(orThrow(await drive(tally, genesis, { store, ports: portsByKind({ ballot }) })).end).toBe(
      'success',
    );
    await store.close();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  }
}

describe('a run driven over files', () => {
  it('that dies or loses power at any operation ends in the same bytes', async () => {
    const whole = join(folder.path, 'whole');
    const probe = new FaultyDisk();
    expect(await live(whole, 1, probe)).toBe(false);
    const expected = await readFile(join(whole, 'poll.ledger.jsonl'), 'utf8');
    expect(expected.split('\n').length).toBeGreaterThan(8);
    expect(probe.operations.length).toBeGreaterThan(30);
    for (const [at, { size }] of probe.operations.entries()) {
      for (const after of size === 0 ? [0] : [0, 1, size >> 1, size - 1, size]) {
        for (const losesPower of [false, true]) {
          const path = join(folder.path, `${at}-${after}-${losesPower}`);
          const disk = new FaultyDisk((_, index) => (index === at ? { crash: true, after } : null));
          expect(await live(path, 1, disk)).toBe(true);
          if (losesPower) await disk.losePower(after >> 1);
          expect(await live(path, 2, new FaultyDisk())).toBe(false);
          expect({
            at,
            after,
            losesPower,
            text: await readFile(join(path, 'poll.ledger.jsonl'), 'utf8'),
          }).toEqual({ at, after, losesPower, text: expected });
          expect((await readdir(path)).filter((name) => !name.startsWith('.'))).toEqual([
            'poll.ledger.jsonl',
          ]);
        }
      }
    }
  });
});
