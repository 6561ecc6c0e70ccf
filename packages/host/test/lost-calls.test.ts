/**
 * A call that a crash cut off is charged, once, whatever way its request ends; one that was never made is
 * charged to nobody.
 */
import { describe, expect, it } from 'vitest';
import { isObject, openRun, orThrow, type JsonObject, type Spent } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  memoryNotes,
  memoryStore,
  portsByKind,
  withLostCalls,
  type CallNotes,
  type DriveOptions,
  type Port,
  type PortAnswer,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { AT_ONCE, payloads, poll, port } from './tools.js';
import { virtually } from './simulation/virtually.js';

const silence = (): Promise<never> => new Promise(() => undefined);
const soup: PortAnswer = { value: { option: 'soup' }, spent: { cents: 4 } };
const costly = (
  answer: () => PortAnswer | Promise<PortAnswer>,
  bound: Spent = { cents: 10 },
): ReturnType<typeof port> & Port => ({ ...port(answer), bound: () => bound });

type Life = { readonly runs: MemoryRuns; readonly kept: string[]; readonly notes: CallNotes };
const newLife = (): Life => {
  const kept: string[] = [];
  return { runs: new Map(), kept, notes: memoryNotes(kept) };
};

/** Drives; the proposals recorded so far, without what the host says of itself by name and source. */
async function driven(
  { runs, notes }: Pick<Life, 'runs' | 'notes'>,
  given: Partial<DriveOptions>,
  policy: Parameters<typeof poll>[0] = { voters: 1, quorum: 1, attempts: 2 },
): Promise<{ readonly end: string; readonly proposals: readonly JsonObject[] }> {
  const store = memoryStore(runs);
  const ballot = costly(() => soup);
  const { end } = orThrow(
    await drive(tally, poll(policy), {
      store,
      ports: portsByKind({ ballot, notice: port(() => ({ value: null })) }),
      retry: AT_ONCE,
      ...given,
      budget: { limits: {}, notes, ...given.budget },
    }),
  );
  return { end, proposals: (await payloads(store, 'proposal')).filter(isObject) };
}

/** A life that ends with its calls open: all of them are noted, and none is recorded. */
async function cutOff(life: Life, policy?: Parameters<typeof poll>[0], concurrency = 1): Promise<void> {
  const stopping = new AbortController();
  let open = 0;
  const ballot = costly(() => {
    open += 1;
    if (open === concurrency) stopping.abort();
    return silence();
  });
  expect(
    (await driven(life, { ports: portsByKind({ ballot }), signal: stopping.signal, concurrency }, policy))
      .proposals,
  ).toEqual([]);
  expect(life.kept).toHaveLength(concurrency);
}

const lostIn = (proposals: readonly JsonObject[]): readonly unknown[] =>
  proposals.flatMap(({ spent, provenance }) =>
    isObject(provenance ?? null) && Object.hasOwn(provenance as object, 'lost_calls')
      ? [[spent, (provenance as JsonObject)['lost_calls'], (provenance as JsonObject)['lost_charged']]]
      : [],
  );
const CHARGED = [[{ cents: 10 }, 1, { cents: 10 }]];

describe('a lost call is charged, once, where the next drive ends its request', () => {
  const broken = (bound: () => Spent): Port => ({ ...costly(() => soup), bound });
  it.each<[string, Partial<DriveOptions>]>([
    ['without a port', { ports: () => null }],
    ['with a port whose source is not accepted', { ports: () => ({ ...costly(() => soup), source: 'run' }) }],
    ['with a bound that is none', { ports: () => broken(() => ({ cents: -1 })) }],
    [
      'with a bound that throws',
      {
        ports: () =>
          broken(() => {
            throw new Error('down');
          }),
      },
    ],
    ['under a budget that covers nothing', { budget: { limits: { cents: 0 } } }],
    ['with a port that raises', { ports: () => port(() => Promise.reject(new Error('away'))) }],
    [
      'with a port that costs nothing, under a limit',
      { ports: () => port(() => ({ value: null })), budget: { limits: { cents: 100 } } },
    ],
  ])('%s', async (_, given) => {
    const life = newLife();
    await cutOff(life);
    const { proposals } = await driven(life, given);
    expect(lostIn(proposals)).toEqual(CHARGED);
  });

  it.each([1, 3])(
    'after its own deadline, calls that wait among them (concurrency %d)',
    async (concurrency) => {
      const policy = { voters: 3, quorum: 1, attempts: 2 };
      const life = newLife();
      await cutOff(life, policy, 3);
      const { proposals } = await virtually((world) =>
        driven(
          life,
          {
            ports: portsByKind({ ballot: costly(() => soup) }),
            timer: world.timer,
            concurrency,
            deadlines: { run: 0 },
          },
          policy,
        ),
      );
      expect(lostIn(proposals)).toEqual([...CHARGED, ...CHARGED, ...CHARGED]);
      expect(life.kept).toHaveLength(3);
    },
  );

  it('at its deadline while the note is being written: the call is not made, and not charged itself', async () => {
    const life = newLife();
    await cutOff(life);
    const calls: string[] = [];
    const { proposals } = await virtually((world) => {
      const slow: CallNotes = {
        begin: async (...args) => {
          await world.wait('notes', 500);
          return life.notes.begin(...args);
        },
      };
      const ballot: Port = {
        ...costly(() => soup),
        perform: async (_, { key }) => {
          calls.push(key);
          return soup;
        },
      };
      return driven(
        { ...life, notes: slow },
        {
          ports: portsByKind({ ballot }),
          timer: world.timer,
          deadlines: { run: 100 },
          budget: { limits: { cents: 1_000 } },
        },
      );
    });
    expect([calls, lostIn(proposals)]).toEqual([[], CHARGED]);
  });

  it('and in no later one', async () => {
    const life = newLife();
    await cutOff(life);
    await driven(life, { ports: () => port(() => Promise.reject(new Error('away'))), steps: 1 });
    const { end, proposals } = await driven(life, {});
    expect([
      end,
      proposals.filter(({ request_id }) => request_id === '1.0').map(({ spent }) => spent),
    ]).toEqual(['success', [{ cents: 10 }, { cents: 4 }]]);
  });
});

describe('a call that is not made', () => {
  it('is not noted: one that the budget denies, because of what was lost, costs nothing after a kill', async () => {
    const life = newLife();
    await cutOff(life);
    // 2 attempts at 10 are covered; 10 lost beside them are not. The drive ends before the denial is
    // recorded.
    const stopping = new AbortController();
    const notes: CallNotes = {
      begin: async (...args) => {
        const lost = await life.notes.begin(...args);
        stopping.abort();
        return lost;
      },
    };
    const ballot = costly(() => soup);
    await driven(
      { ...life, notes },
      { ports: portsByKind({ ballot }), budget: { limits: { cents: 25 } }, signal: stopping.signal },
    );
    expect([ballot.calls, life.kept]).toEqual([[], [expect.any(String)]]);
    const denied = await driven(life, { ports: portsByKind({ ballot }), budget: { limits: { cents: 25 } } });
    expect([ballot.calls, life.kept.length, lostIn(denied.proposals)]).toEqual([[], 1, CHARGED]);
  });

  it('is not noted after the signal was aborted', async () => {
    const life = newLife();
    const stopping = new AbortController();
    const notes: CallNotes = {
      begin: async (...args) => {
        const lost = await life.notes.begin(...args);
        stopping.abort();
        return lost;
      },
    };
    const ballot = costly(() => soup);
    await driven(
      { ...life, notes },
      { ports: portsByKind({ ballot }), budget: { limits: { cents: 25 } }, signal: stopping.signal },
    );
    expect([ballot.calls, life.kept]).toEqual([[], []]);
  });
});

describe('an answer that no drive records', () => {
  const answer = {
    request_id: '1.0',
    source: 'human',
    proposer: 'ada',
    confidence: null,
    value: { option: 'soup' },
    failure: null,
    at_us: null,
    spent: { cents: 1 },
    cites: [],
    provenance: { desk: 3 },
  };

  it('is charged for the lost calls of its request as well, by withLostCalls', async () => {
    const life = newLife();
    await cutOff(life);
    const { run } = orThrow(openRun(tally, poll({ voters: 1, quorum: 1, attempts: 2 })));
    expect(await withLostCalls(memoryNotes(), run, answer)).toEqual(answer);
    expect(await withLostCalls(life.notes, run, answer)).toEqual({
      ...answer,
      spent: { cents: 11 },
      provenance: { desk: 3, lost_calls: 1, lost_charged: { cents: 10 } },
    });
    expect(life.kept).toHaveLength(1);
  });
});
