/** A port that raises `Later`: nothing is recorded or charged, others go on, and the next drive asks again. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  folderNotes,
  Later,
  memoryNotes,
  memoryStore,
  portsByKind,
  type DriveOptions,
  type PortAnswer,
} from '@assay/host';
import type { MemoryRuns } from '../src/store.ts';
import { firstAnswer } from './simulation/scenarios.js';
import { AT_ONCE, payloads, poll, port } from './tools.js';

const soup: PortAnswer = { value: { option: 'soup' }, spent: { cents: 4 } };
const notice = port(() => ({ failure: { code: 'denied', final: true, detail: null } }));
const later = (until: number | null = null) =>
  port(() => {
    throw new Later({ until });
  });
/** Votes by everybody but the second voter, whose answer comes later. */
const withoutSecond = () =>
  port((request) => {
    if (request.id.endsWith('.1')) throw new Later();
    return soup;
  });

async function driven(
  runs: MemoryRuns,
  given: Partial<DriveOptions>,
  policy: Parameters<typeof poll>[0] = { voters: 3, quorum: 3 },
) {
  const store = memoryStore(runs);
  const options = { store, retry: AT_ONCE, ports: portsByKind({ notice }), ...given };
  return { store, ...orThrow(await drive(tally, poll(policy), options)) };
}

describe('an answer that comes later', () => {
  it('ends the drive waiting, with nothing recorded of it, as soon as no other request is left', async () => {
    const ballot = later(1_700_000_000_000_000);
    const { end, head, underWay, waiting } = await driven(new Map(), {
      ports: portsByKind({ ballot, notice }),
    });
    expect([end, head.count, underWay]).toEqual(['waiting', 4, []]);
    expect(waiting.map(({ kind, until }) => [kind, until])).toEqual(
      Array.from({ length: 3 }, () => ['ballot', 1_700_000_000_000_000]),
    );
    expect(ballot.calls).toHaveLength(3);
  });

  it.each([
    ['turn', 1],
    ['turn', 3],
    ['arrival', 3],
  ] as const)('holds nobody up: order %s, %i at once', async (order, concurrency) => {
    const runs: MemoryRuns = new Map();
    const first = await driven(runs, {
      ports: portsByKind({ ballot: withoutSecond(), notice }),
      order,
      concurrency,
    });
    expect(await payloads(first.store, 'proposal')).toHaveLength(3);
    expect(first.waiting.map(({ request_id }) => request_id)).toEqual([expect.stringMatching(/\.1$/)]);
    const ballot = port(() => soup);
    const second = await driven(runs, { ports: portsByKind({ ballot, notice }), order, concurrency });
    expect([second.end, second.waiting]).toEqual(['success', []]);
    // The attempt that was put off is the same attempt: its key has not changed.
    expect(ballot.calls.map(({ key }) => key.split('/').at(-1))).toEqual(['0']);
  });

  it('is left to a later drive where a retry would wait longer than a drive stays', async () => {
    const runs: MemoryRuns = new Map();
    const down = port(() => ({ failure: { code: 'unavailable', final: false, detail: null } }));
    const retry = { baseMs: 60_000, leaveAfterMs: 1_000 };
    const first = await driven(runs, { ports: portsByKind({ ballot: down, notice }), retry });
    expect([first.end, first.waiting.length, down.calls.length]).toEqual(['waiting', 3, 3]);
    for (const { until } of first.waiting) expect((until ?? 0) / 1_000 - Date.now()).toBeGreaterThan(20_000);
    const second = await driven(runs, { ports: portsByKind({ ballot: port(() => soup), notice }), retry });
    expect(second.end).toBe('success');
  });

  it('is not waited for where another answer withdrew its request', async () => {
    const ballot = port(({ id }) => {
      if (id === '1.0') throw new Later();
      return soup;
    });
    const genesis = { run_id: 'first', ts_base: 't0', policy: null, input: 3 };
    const options = { store: memoryStore(), ports: portsByKind({ ballot }) };
    const { end, waiting } = orThrow(await drive(firstAnswer, genesis, options));
    expect([end, waiting]).toEqual(['idle', []]);
    expect(ballot.calls).toHaveLength(2);
  });

  it('keeps no reserve: another request may spend it', async () => {
    const ballot = { ...withoutSecond(), bound: () => ({ cents: 10 }) };
    const { store } = await driven(
      new Map(),
      { ports: portsByKind({ ballot, notice }), budget: { limits: { cents: 30 } } },
      { voters: 3, quorum: 3, attempts: 1 },
    );
    expect(JSON.stringify(await payloads(store, 'proposal'))).not.toContain('budget');
  });

  it('takes its note back, in memory and in a folder: the next drive charges nothing for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-later-'));
    try {
      for (const notes of [memoryNotes(), folderNotes(folder)]) {
        const runs: MemoryRuns = new Map();
        const policy = { voters: 1, quorum: 1 };
        const limits = { cents: 100 };
        const asked = { ...later(), bound: () => ({ cents: 10 }) };
        await driven(
          runs,
          { ports: portsByKind({ ballot: asked, notice }), budget: { limits, notes } },
          policy,
        );
        const ballot = { ...port(() => soup), bound: () => ({ cents: 10 }) };
        const { store } = await driven(
          runs,
          { ports: portsByKind({ ballot, notice }), budget: { limits, notes } },
          policy,
        );
        expect(JSON.stringify(await payloads(store, 'proposal'))).not.toContain('lost_calls');
      }
      const text = await readFile(join(folder, 'poll-1.calls'), 'utf8');
      expect(text.split('\n').filter((line) => line.endsWith(' back ~'))).toHaveLength(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
