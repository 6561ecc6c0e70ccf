/**
 * What a port is told of the answer that was rejected before: it comes from the ledger, so a crash changes
 * nothing.
 */
import { describe, expect, it } from 'vitest';
import { orThrow, type JsonObject, type Request } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  memoryStore,
  portsByKind,
  type PortAnswer,
  type PortCall,
  type RejectedAnswer,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { poll, port } from './tools.js';

const soup = { value: { option: 'soup' } };
const wrong = (attempt: number): PortAnswer => ({ value: { option: `pizza ${attempt}` } });

/** Drives one voter who is wrong so often; what it was told before each attempt. */
async function toldTo(
  runs: MemoryRuns,
  wrongs: number,
  steps?: number,
): Promise<readonly (RejectedAnswer | null)[]> {
  const told: (RejectedAnswer | null)[] = [];
  const ballot = port(async (_request: Request, call: PortCall) => {
    told.push((await call.rejected?.()) ?? null);
    const attempt = Number(call.key.split('/')[2]);
    return attempt < wrongs ? wrong(attempt) : soup;
  });
  orThrow(
    await drive(tally, poll({ voters: 1, quorum: 1, attempts: 4 }), {
      store: memoryStore(runs),
      ports: portsByKind({ ballot }),
      ...(steps === undefined ? {} : { steps }),
    }),
  );
  return told;
}

const optionsIn = (told: readonly (RejectedAnswer | null)[]): readonly unknown[] =>
  told.map((each) => (each === null ? null : (each.proposal['value'] as JsonObject)['option']));

describe('the answer rejected before', () => {
  it('is null at first, then the last one, with the code and detail of its rejection', async () => {
    const told = await toldTo(new Map(), 3);
    expect(optionsIn(told)).toEqual([null, 'pizza 0', 'pizza 1', 'pizza 2']);
    expect(told[1]?.rejection.code).toMatch(/^[a-z_]+$/);
  });

  it('is the same after a restart', async () => {
    for (const steps of [1, 2, 3]) {
      const runs: MemoryRuns = new Map();
      const before = await toldTo(runs, 3, steps);
      const after = await toldTo(runs, 3);
      expect(optionsIn([...before, ...after])).toEqual([null, 'pizza 0', 'pizza 1', 'pizza 2']);
    }
  });
});
