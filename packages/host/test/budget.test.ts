/**
 * Budgets: reserved before a call for all its attempts, settled after it, refused where the reserve does not
 * cover.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isObject, orThrow, type Json, type JsonObject, type Request, type Spent } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  folderNotes,
  memoryNotes,
  memoryStore,
  PortError,
  portsByKind,
  type DriveOptions,
  type CallNotes,
  type Port,
  type PortAnswer,
  type PortCall,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { AT_ONCE, payloads, poll, port } from './tools.js';

const soup = (cents?: number): PortAnswer => ({
  value: { option: 'soup' },
  ...(cents === undefined ? {} : { spent: { cents } }),
});
const wrong = (cents?: number): PortAnswer => ({ ...soup(cents), value: { option: 'pizza' } });

/** A port whose attempts cost at most `bound`. */
function costly(
  answer: (request: Request, call: PortCall) => PortAnswer | Promise<PortAnswer>,
  bound: Spent = { cents: 10 },
): ReturnType<typeof port> & Port {
  return { ...port(answer), bound: () => bound };
}

type Told = { readonly end: string; readonly proposals: readonly JsonObject[] };

async function drivenIn(
  runs: MemoryRuns,
  ballot: Port,
  given: Partial<DriveOptions>,
  policy: Parameters<typeof poll>[0] = { voters: 1, quorum: 1, attempts: 3 },
): Promise<Told> {
  const store = memoryStore(runs);
  const { end } = orThrow(
    await drive(tally, poll(policy), { store, ports: portsByKind({ ballot }), retry: AT_ONCE, ...given }),
  );
  const proposals = (await payloads(store, 'proposal')).filter(
    (payload): payload is JsonObject => isObject(payload) && payload['proposer'] === 'test',
  );
  return { end, proposals };
}

const driven = (
  ballot: Port,
  given: Partial<DriveOptions>,
  policy?: Parameters<typeof poll>[0],
): Promise<Told> => drivenIn(new Map(), ballot, given, policy);

const spentIn = (proposals: readonly JsonObject[]): readonly (Json | undefined)[] =>
  proposals.map(({ spent }) => spent);

describe('a budget', () => {
  it('reserves attempts left × bound, and refuses what it does not cover, naming the figures', async () => {
    const ballot = costly(() => soup(4));
    const { proposals } = await driven(ballot, { budget: { limits: { cents: 29 } } });
    expect(ballot.calls).toEqual([]);
    expect(proposals[0]?.['failure']).toEqual({
      code: 'denied',
      final: true,
      detail: { code: 'budget', unit: 'cents', limit: 29, spent: 0, reserved: 0, needed: 30 },
    });
    expect(
      (
        await driven(
          costly(() => soup(4)),
          { budget: { limits: { cents: 30 } } },
        )
      ).proposals.map(({ value }) => value),
    ).toEqual([{ option: 'soup' }]);
  });

  it('settles what an attempt cost: what is left is there for the next request', async () => {
    const ballot = costly(() => soup(4));
    const { proposals } = await driven(
      ballot,
      { budget: { limits: { cents: 38 } } },
      { voters: 3, quorum: 1, attempts: 3 },
    );
    expect(spentIn(proposals)).toEqual([{ cents: 4 }, { cents: 4 }, { cents: 4 }]);
    const tight = await driven(
      costly(() => soup(4)),
      { budget: { limits: { cents: 37 } } },
      { voters: 3, quorum: 1, attempts: 3 },
    );
    expect(
      tight.proposals.map(({ failure }) =>
        isObject(failure ?? null) ? (failure as JsonObject)['detail'] : null,
      ),
    ).toEqual([null, null, { code: 'budget', unit: 'cents', limit: 37, spent: 8, reserved: 0, needed: 30 }]);
  });

  it('counts the reserves of calls under way', async () => {
    const { proposals } = await driven(
      costly(() => soup(4)),
      { budget: { limits: { cents: 59 } }, concurrency: 2, order: 'turn' },
      { voters: 2, quorum: 1, attempts: 3 },
    );
    expect(
      proposals.map(({ failure }) =>
        isObject(failure ?? null) ? ((failure as JsonObject)['detail'] as JsonObject)['reserved'] : null,
      ),
    ).toEqual([null, 30]);
  });

  it('covers every attempt that it let begin', async () => {
    const ballot = costly((_, { key }) => (key.endsWith('/2') ? soup(10) : wrong(10)));
    const { proposals, end } = await driven(ballot, { budget: { limits: { cents: 30 } } });
    expect([end, spentIn(proposals)]).toEqual(['success', [{ cents: 10 }, { cents: 10 }, { cents: 10 }]]);
  });

  it('charges the bound for what a call did not tell, in units that have a limit, and says so', async () => {
    const ballot = costly(() => ({ ...soup(), spent: { tokens: 3 } }), { cents: 10, tokens: 99 });
    const { proposals } = await driven(ballot, { budget: { limits: { cents: 100 } } });
    expect([proposals[0]?.['spent'], proposals[0]?.['provenance']]).toEqual([
      { tokens: 3, cents: 10 },
      { untold_charged: { cents: 10 } },
    ]);
    expect(
      (
        await driven(
          costly(() => soup()),
          {},
        )
      ).proposals[0]?.['spent'],
    ).toEqual({});
  });

  it('charges nothing for a failure that is not charged, the bound for one that is and does not tell', async () => {
    for (const [failureClass, spent] of [
      ['server_error', {}],
      ['refused', {}],
      ['dns', {}],
      ['timeout', { cents: 10 }],
      ['malformed', { cents: 10 }],
    ] as const) {
      const { proposals } = await driven(
        costly(() => Promise.reject(new PortError(failureClass))),
        { budget: { limits: { cents: 100 } } },
        { voters: 1, quorum: 1, attempts: 1 },
      );
      expect([failureClass, proposals[0]?.['spent']]).toEqual([failureClass, spent]);
    }
  });

  it.each([
    [{ cents: Number.NaN }, 'bound.cents', 'NaN'],
    [{ cents: -5 }, 'bound.cents', '-5'],
    [{ cents: 1.5 }, 'bound.cents', '1.5'],
    [{ cents: '9' }, 'bound.cents', '"9"'],
    [{ cents: 2 ** 53 }, 'bound.cents', '9007199254740992'],
    [{ cent: 5 }, 'bound.cents', 'undefined'],
    [{}, 'bound.cents', 'undefined'],
    [{ cents: 1, 'US cents': 1 }, 'bound.US cents', '1'],
    ['10', 'bound', '"10"'],
  ] as const)(
    'a bound %o is no bound: its port is not asked, and the record says why',
    async (bound, field, got) => {
      const [ballot, told]: [ReturnType<typeof costly>, unknown[]] = [
        costly(() => soup(1), bound as never),
        [],
      ];
      const store = memoryStore();
      orThrow(
        await drive(tally, poll({ voters: 2, quorum: 1 }), {
          store,
          ports: portsByKind({ ballot }),
          budget: { limits: { cents: 3 } },
          onEvent: (event) => {
            if (event.type === 'port_error') told.push(event.error);
          },
        }),
      );
      expect(ballot.calls).toEqual([]);
      expect((await payloads(store, 'proposal'))[0]).toMatchObject({
        source: 'rule',
        proposer: 'host',
        failure: { code: 'unavailable', final: true, detail: { code: 'port', field, got } },
        spent: {},
      });
      expect(String(told[0])).toBe(
        `RangeError: the port for ballot (source rule) was not asked: ${field}: expected a whole ` +
          `number from 0 for each unit that has a limit, got ${got}`,
      );
    },
  );

  it('a bound that throws is no bound, and is asked for only under limits or notes', async () => {
    const failing = {
      ...port(() => soup(1)),
      bound: (): Spent => {
        throw new Error('down');
      },
    };
    const { end, proposals } = await driven(failing, { budget: { limits: { cents: 3 } } });
    expect([end, failing.calls, proposals]).toEqual(['refused', [], []]);
    const store = memoryStore();
    orThrow(
      await drive(tally, poll(), {
        store,
        ports: portsByKind({ ballot: failing }),
        budget: { limits: { cents: 3 } },
      }),
    );
    expect((await payloads(store, 'proposal'))[0]).toMatchObject({
      failure: { detail: { code: 'port', field: 'bound', got: 'an error' } },
    });
    expect((await driven({ ...failing, ...port(() => soup(1)) }, {})).end).toBe('success');
  });

  it('a port without a bound costs nothing; what it told counts towards the limit', async () => {
    const free = port(() => soup());
    expect((await driven(free, { budget: { limits: { cents: 0 } } })).end).toBe('success');
    const runs: MemoryRuns = new Map();
    const policy = { voters: 10, quorum: 1, attempts: 1 };
    const liar = port(() => soup(1));
    // Two lives: what was told is read from the ledger.
    await drivenIn(runs, liar, { budget: { limits: { cents: 3 } }, steps: 2 }, policy);
    const { proposals } = await drivenIn(runs, liar, { budget: { limits: { cents: 3 } } }, policy);
    expect([
      liar.calls.length,
      proposals.reduce((sum, { spent }) => sum + Number((spent as JsonObject)['cents'] ?? 0), 0),
    ]).toEqual([3, 3]);
    expect(proposals[3]).toMatchObject({
      failure: {
        code: 'denied',
        final: true,
        detail: { code: 'budget', unit: 'cents', limit: 3, spent: 3, reserved: 0, needed: 1 },
      },
    });
  });

  it('a bound near the greatest number is refused by the budget, in figures that can be recorded', async () => {
    const { proposals } = await driven(
      costly(() => soup(1), { cents: Number.MAX_SAFE_INTEGER }),
      { budget: { limits: { cents: 30 } } },
    );
    expect(proposals[0]?.['failure']).toMatchObject({
      code: 'denied',
      detail: { code: 'budget', needed: Number.MAX_SAFE_INTEGER },
    });
  });

  it('holds in a unit that bears the name of what every object has, and charges a lost call in it', async () => {
    for (const unit of ['constructor', 'valueof', 'tostring']) {
      const ballot = costly(() => ({ value: { option: 'soup' }, spent: { [unit]: 4 } }), { [unit]: 4 });
      const { proposals } = await driven(
        ballot,
        { budget: { limits: { [unit]: 5 } } },
        { voters: 3, quorum: 1, attempts: 1 },
      );
      expect([unit, ballot.calls.length, proposals[1]?.['failure']]).toEqual([
        unit,
        1,
        {
          code: 'denied',
          final: true,
          detail: { code: 'budget', unit, limit: 5, spent: 4, reserved: 0, needed: 4 },
        },
      ]);
      const lost: CallNotes = { begin: async () => Promise.resolve([{ [unit]: 3 }]) };
      const charged = await driven(
        costly(() => soup(), { [unit]: 4 }),
        { budget: { limits: { [unit]: 50 }, notes: lost } },
        { voters: 1, quorum: 1, attempts: 1 },
      );
      expect([unit, spentIn(charged.proposals)]).toEqual([unit, [{ [unit]: 7 }]]);
    }
  });

  it('needs whole numbers', async () => {
    for (const cents of [-1, 0.5, Number.NaN])
      await expect(
        driven(
          costly(() => soup()),
          { budget: { limits: { cents } } },
        ),
      ).rejects.toThrow(RangeError);
  });
});

describe('a call that was begun and never recorded', () => {
  it.each([1, 2])(
    'is charged at its bound when it is made again, once: %i lives were cut short',
    async (lives) => {
      const [runs, kept]: [MemoryRuns, string[]] = [new Map(), []];
      const budget = { limits: {}, notes: memoryNotes(kept) };
      for (let life = 0; life < lives; life += 1) {
        const stopping = new AbortController();
        const open = costly(() => {
          stopping.abort();
          return new Promise<PortAnswer>(() => undefined);
        });
        const { end, proposals } = await drivenIn(runs, open, { signal: stopping.signal, budget });
        expect([end, proposals]).toEqual(['interrupted', []]);
      }
      const { end, proposals } = await drivenIn(
        runs,
        costly((_, { key }) => (key.endsWith('/0') ? wrong(4) : soup(4))),
        { budget },
      );
      expect([end, spentIn(proposals)]).toEqual(['success', [{ cents: 4 + 10 * lives }, { cents: 4 }]]);
      expect(proposals.map(({ provenance }) => provenance)).toEqual([
        { lost_calls: lives, lost_charged: { cents: 10 * lives } },
        {},
      ]);
    },
  );

  it('is reserved for once: what it is charged is not held back any longer once that is recorded', async () => {
    const [runs, notes]: [MemoryRuns, CallNotes] = [new Map(), memoryNotes()];
    const stopping = new AbortController();
    const open = costly(() => {
      stopping.abort();
      return new Promise<PortAnswer>(() => undefined);
    });
    const policy = { voters: 2, quorum: 1, attempts: 3 };
    await drivenIn(
      runs,
      open,
      { signal: stopping.signal, budget: { limits: { cents: 100 }, notes } },
      policy,
    );
    // The first attempt: 10 lost and 10 of its own. Then 20 are held for its other two, and the second
    // request needs 30.
    const { proposals } = await drivenIn(
      runs,
      costly((_, { key }) => (key.endsWith('/0') ? wrong(10) : soup(10))),
      { budget: { limits: { cents: 70 }, notes } },
      policy,
    );
    expect(proposals.slice(0, 2).map(({ spent, failure }) => [spent, failure])).toEqual([
      [{ cents: 20 }, null],
      [{ cents: 10 }, null],
    ]);
  });

  it('is not made where it cannot be noted: the drive ends', async () => {
    const ballot = costly(() => soup(1));
    const notes = { begin: () => Promise.reject(new Error('disk full')) };
    await expect(driven(ballot, { budget: { limits: {}, notes } })).rejects.toThrow('disk full');
    for (const count of [NaN, 1, undefined, [{ cents: NaN }], [{ cents: -1 }], [{ cents: 0.5 }], [null]])
      await expect(
        driven(ballot, {
          budget: { limits: { cents: 100 }, notes: { begin: () => Promise.resolve(count as never) } },
        }),
      ).rejects.toThrow('budget.notes.begin: expected a list of the bounds that were noted before');
    expect(ballot.calls).toEqual([]);
  });
});

describe('notes in a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-notes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are read and not written where nothing is called, and no folder is made for them', async () => {
    const [own, notes] = [join(folder, 'read'), folderNotes(join(folder, 'read'))];
    expect([await notes.begin('run', 'key', null), existsSync(own)]).toEqual([[], false]);
    await notes.begin('run', 'key', { cents: 5 });
    const text = readFileSync(join(own, 'run.calls'), 'utf8');
    expect([
      await notes.begin('run', 'key', null),
      readFileSync(join(own, 'run.calls'), 'utf8'),
      text,
    ]).toEqual([[{ cents: 5 }], text, 'key {"cents":5}\n']);
  });

  it.each([
    'key {"cents":-1}',
    'key {"cents":"9"}',
    'key {"cents":0.5}',
    'key []',
    'key {',
    'key',
    '',
    'key {"cents":9} ',
  ])('with a line %j that is no note are damaged: what its call cost is not known', async (line) => {
    writeFileSync(join(folder, 'odd.calls'), `key2 {"cents":9}\n${line}\nkey {"cents":1}\n`);
    await expect(folderNotes(folder).begin('odd', 'key', { cents: 1 })).rejects.toMatchObject({
      name: 'CallNotesError',
      fault: { code: 'notes', reason: 'damaged', path: join(folder, 'odd.calls'), line: 2 },
    });
    const store = memoryStore();
    orThrow(await drive(tally, poll({}, 'odd'), { store, ports: () => null, signal: AbortSignal.abort() }));
    expect(
      await drive(tally, poll({}, 'odd'), {
        store,
        ports: portsByKind({ ballot: costly(() => soup(1)) }),
        budget: { limits: {}, notes: folderNotes(folder) },
      }),
    ).toMatchObject({ left: { code: 'notes', reason: 'damaged', line: 2 } });
  });

  it('that cannot be written are an error of the drive, and no call is made', async () => {
    const taken = join(folder, 'taken');
    writeFileSync(taken, 'a file');
    for (const place of [taken, join(taken, 'below')]) {
      const ballot = costly(() => soup(1));
      const store = memoryStore();
      orThrow(await drive(tally, poll(), { store, ports: () => null, signal: AbortSignal.abort() }));
      expect(
        await drive(tally, poll(), {
          store,
          ports: portsByKind({ ballot }),
          budget: { limits: {}, notes: folderNotes(place) },
        }),
      ).toMatchObject({ left: { code: 'notes', reason: 'unavailable', errno: 'ENOTDIR' } });
      expect([ballot.calls, await payloads(store, 'proposal')]).toEqual([[], []]);
    }
  });

  it('leave out a line that a crash cut: its call was never begun', async () => {
    const notes = folderNotes(folder);
    await notes.begin('torn', 'key', { cents: 1 });
    await notes.begin('torn', 'key', { cents: 2 });
    const path = join(folder, 'torn.calls');
    truncateSync(path, 'key {"cents":1}\nkey {"ce'.length);
    expect(await notes.begin('torn', 'key', { cents: 3 })).toEqual([{ cents: 1 }]);
    expect(readFileSync(path, 'utf8')).toBe('key {"cents":1}\nkey {"ce~\nkey {"cents":3}\n');
    expect(await notes.begin('torn', 'key', null)).toEqual([{ cents: 1 }, { cents: 3 }]);
    writeFileSync(path, 'key {"cents":1}');
    expect(await notes.begin('torn', 'key', null)).toEqual([]);
  });

  it('take run ids alone for names of files', async () => {
    await expect(folderNotes(folder).begin('../x', 'key', null)).rejects.toThrow(RangeError);
  });
});
