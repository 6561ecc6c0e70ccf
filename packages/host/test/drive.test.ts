import { describe, expect, it } from 'vitest';
import {
  advance,
  isObject,
  openRequests,
  openRun,
  orThrow,
  validateRun,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import { tally } from '@assay/testing';
import { drive, memoryStore, portsByKind, type DriveOptions, type Ports, type Store } from '../src/index.ts';
import { INVITATION_ATTEMPTS_MAX } from '../src/drive-options.ts';
import { AT_ONCE, ledgerText, payloads, poll, port, textOf } from './tools.js';

const soup = port(() => ({ value: { option: 'soup' } }));
const voting: Ports = portsByKind({ ballot: soup });

/**
 * The answers to the first ballot: the invitation, for which there is no port, is served before it is asked
 * again.
 */
const ballots = async (store: Store): Promise<readonly Json[]> =>
  (await payloads(store, 'proposal')).filter(
    (proposal) => isObject(proposal) && proposal['request_id'] === '1.0',
  );

async function driven(
  options: Partial<DriveOptions> = {},
  genesis = poll(),
): Promise<{
  readonly store: Store;
  readonly result: Awaited<ReturnType<typeof drive<unknown, unknown, never, never>>>;
}> {
  const store = options.store ?? memoryStore();
  const result = await drive(tally, genesis, { store, ports: voting, retry: AT_ONCE, ...options });
  return { store, result: result as never };
}

describe('a run that is driven', () => {
  it('ends as its machine decides, and its ledger is the one the kernel writes for these answers', async () => {
    const { store, result } = await driven();
    expect(orThrow(result)).toMatchObject({ end: 'success', completed: 0, head: { run_id: 'poll-1' } });
    let step = orThrow(openRun(tally, poll()));
    const records: EvidenceRecord[] = [...step.records];
    while (step.run.outcome === null) {
      const request_id = openRequests(step.run)[0]?.id ?? '';
      step = orThrow(
        advance(step.run, {
          request_id,
          source: 'rule',
          proposer: 'test',
          confidence: null,
          value: { option: 'soup' },
          failure: null,
          at_us: null,
          spent: {},
          cites: [],
          provenance: {},
        }),
      );
      records.push(...step.records);
    }
    expect(await ledgerText(store)).toBe(textOf(records));
    expect(validateRun(records)._tag).toBe('Right');
  });

  it('is asked one request at a time, lowest id first, each only once its record is durable', async () => {
    const store = memoryStore();
    const seen: string[] = [];
    let busy = 0;
    const ballot = port(async (request) => {
      busy += 1;
      const isDurable = (await ledgerText(store)).includes(`"id":"${request.id}"`);
      seen.push(`${request.id} ${isDurable} ${busy}`);
      busy -= 1;
      return { value: { option: 'salad' } };
    });
    const genesis = poll({ voters: 12, quorum: 1 });
    await driven({ store, ports: portsByKind({ ballot }) }, genesis);
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `1.${index} true 1`));
  });

  it('records what a port brings with it, under its own name', async () => {
    const cite = { run_id: 'other', count: 3, hash: 'a'.repeat(64) };
    const brought = {
      value: { option: 'soup' },
      confidence: 0.25,
      at_us: 17,
      spent: { tokens: 5 },
      cites: [cite],
      provenance: { model: 'm' },
    };
    const bound = { source: 'live_model', proposer: 'vendor/model:1' } as const;
    const { store } = await driven({ ports: portsByKind({ ballot: port(() => brought as never, bound) }) });
    expect((await payloads(store, 'proposal'))[0]).toMatchObject({
      request_id: '1.0',
      failure: null,
      ...bound,
      ...brought,
    });
  });

  it('a port can not speak under another source, name or request', async () => {
    const { store } = await driven({
      ports: portsByKind({
        ballot: port(
          () =>
            ({ value: { option: 'soup' }, source: 'human', proposer: 'someone', request_id: '1.1' }) as never,
        ),
      }),
    });
    expect(await payloads(store, 'proposal')).toMatchObject([
      { request_id: '1.0', source: 'rule', proposer: 'test' },
      { request_id: '1.1' },
      { request_id: '1.2' },
    ]);
  });

  it('a rejected answer is asked again under a key of its own, up to the last attempt', async () => {
    const ballot = port((_, { key }) => ({ value: { option: key.endsWith('/2') ? 'soup' : 'nothing' } }));
    const { store, result } = await driven(
      { ports: portsByKind({ ballot }) },
      poll({ voters: 2, quorum: 1 }),
    );
    const genesis = orThrow(result).run.genesisRecord.record_hash;
    expect(ballot.calls.map(({ key }) => key)).toEqual(
      [0, 1, 2].flatMap((used) => ['1.0', '1.1'].map((id) => `${genesis}/${id}/${used}`)),
    );
    expect(await payloads(store, 'rejection')).toHaveLength(4);
  });

  it('tells of each group once it is durable', async () => {
    const store = memoryStore();
    let told = '';
    await driven({
      store,
      onEvent: (event) => {
        if (event.type !== 'append') return;
        const { records, head } = event;
        told += textOf(records);
        expect(head.hash).toBe(records.at(-1)?.record_hash);
      },
    });
    expect(told).toBe(await ledgerText(store));
  });
});

describe('a request that nobody answers well', () => {
  it('without a port gets a final failure in the name of the host', async () => {
    const { store, result } = await driven({ ports: () => null });
    expect(orThrow(result).end).toBe('refused');
    expect(await payloads(store, 'proposal')).toEqual(
      [0, 1, 2].map((index) =>
        expect.objectContaining({
          request_id: `1.${index}`,
          source: 'rule',
          proposer: 'host',
          value: null,
          confidence: null,
          failure: { code: 'unavailable', final: true, detail: null },
        }),
      ),
    );
    expect(await payloads(store, 'rejection')).toEqual([]);
  });

  it('a kind named like a property of every object has no port unless one is given', () => {
    const request = { id: '1.0', kind: 'constructor', body: null, accepts: ['rule' as const], attempts: 1 };
    expect(portsByKind({})(request)).toBeNull();
    expect(portsByKind({ constructor: soup })(request)).toBe(soup);
  });

  it('by a port that throws gets the failure unavailable; only the host hears the reason', async () => {
    const told: unknown[] = [];
    const throwing = {
      ...soup,
      perform: () => {
        throw new Error('secret 1');
      },
    };
    for (const ballot of [throwing, port(() => Promise.reject(new Error('secret 2')))]) {
      const { store } = await driven(
        {
          ports: portsByKind({ ballot }),
          onEvent: (event) => {
            if (event.type === 'port_error') told.push([event.request.id, String(event.error)]);
          },
        },
        poll({ voters: 1, quorum: 1, attempts: 2 }),
      );
      expect(await ballots(store)).toMatchObject(
        [0, 1].map(() => ({ value: null, failure: { code: 'unavailable', final: false, detail: null } })),
      );
      expect(await payloads(store, 'rejection')).toEqual([{ code: 'unavailable', detail: null }]);
      expect(await ledgerText(store)).not.toContain('secret');
    }
    expect(told).toEqual([1, 1, 2, 2].map((which) => ['1.0', `Error: secret ${which}`]));
  });

  it('a failure that a port reports is recorded as it says', async () => {
    const failure = { code: 'timeout', final: true, detail: { after_ms: 9 } } as const;
    const { store } = await driven({ ports: portsByKind({ ballot: port(() => ({ failure })) }) });
    expect((await payloads(store, 'proposal'))[0]).toMatchObject({
      source: 'rule',
      proposer: 'test',
      value: null,
      failure,
    });
  });
});

describe('requests beside one that is rejected again and again', () => {
  /** The poll, its standing invitation first. */
  const invitingFirst: typeof tally = {
    ...tally,
    open: (genesis, context) => {
      const opened = tally.open(genesis, context);
      if (opened._tag === 'Left') return opened;
      const { state, decision } = opened.right;
      const [last, ...others] = [...(decision.asks ?? [])].reverse();
      const renamed = (id: string): string => {
        const [sequence, index] = id.split('.');
        return `${sequence}.${(Number(index) + 1) % (others.length + 1)}`;
      };
      const events = decision.events.map((event) =>
        'id' in event ? { ...event, id: renamed(event.id) } : event,
      );
      return {
        _tag: 'Right',
        right: {
          state,
          decision: {
            ...decision,
            events,
            asks: [...(last === undefined ? [] : [last]), ...others.reverse()],
          },
        },
      };
    },
  };
  const throwing = (): ReturnType<typeof port> =>
    port(() => Promise.reject(new Error('down')), { source: 'human' });

  it('a standing invitation that comes first and fails lets the others pass', async () => {
    const store = memoryStore();
    const notice = throwing();
    const ballot = port(({ id }, { key }) => ({
      value: { option: id === '1.1' && key.endsWith('/0') ? 'nothing' : 'soup' },
    }));
    const result = orThrow(
      await drive(invitingFirst, poll(), { store, ports: portsByKind({ ballot, notice }), retry: AT_ONCE }),
    );
    expect(result.end).toBe('success');
    // The invitation, all ballots, and only then both that were rejected, once more.
    expect(notice.calls.map(({ id }) => id)).toEqual(['1.0', '1.0']);
    expect(ballot.calls.map(({ id }) => id)).toEqual(['1.1', '1.2', '1.3', '1.1']);
    expect(await payloads(store, 'rejection')).toHaveLength(3);
  });

  it('it is asked three times, or as often as the caller says, and is left open', async () => {
    const store = memoryStore();
    const silent = port(() => ({ value: { note: 17 } }), { source: 'human' });
    const asking = async (invitationAttempts?: number): Promise<unknown> => {
      const only: typeof tally = {
        ...invitingFirst,
        open: (genesis, context) => {
          const opened = tally.open(genesis, context);
          if (opened._tag === 'Left') return opened;
          const { state, decision } = opened.right;
          const asks = (decision.asks ?? []).slice(-1);
          return {
            _tag: 'Right',
            right: { state, decision: { events: decision.events.filter(({ t }) => t === 'posed'), asks } },
          };
        },
      };
      const { end, run } = orThrow(
        await drive(only, poll(), {
          store,
          ports: portsByKind({ notice: silent }),
          retry: AT_ONCE,
          ...(invitationAttempts === undefined ? {} : { invitationAttempts }),
        }),
      );
      return [end, run.open.size, silent.calls.length, (await payloads(store, 'rejection')).length];
    };
    expect(await asking()).toEqual(['paused', 1, INVITATION_ATTEMPTS_MAX, INVITATION_ATTEMPTS_MAX]);
    expect(await asking()).toEqual(['paused', 1, INVITATION_ATTEMPTS_MAX, INVITATION_ATTEMPTS_MAX]);
    expect(await asking(5)).toEqual(['paused', 1, 5, 5]);
    expect(INVITATION_ATTEMPTS_MAX).toBe(3);
  });

  it('killed anywhere and driven again, the ledger is the same', async () => {
    const ports = (): Ports =>
      portsByKind({
        notice: throwing(),
        ballot: port((_, { key }) => ({ value: { option: key.endsWith('/2') ? 'soup' : 'nothing' } })),
      });
    const whole = memoryStore();
    orThrow(
      await drive(invitingFirst, poll({ voters: 2 }), { store: whole, ports: ports(), retry: AT_ONCE }),
    );
    for (let steps = 1; steps < 9; steps += 1) {
      const store = memoryStore();
      orThrow(
        await drive(invitingFirst, poll({ voters: 2 }), { store, ports: ports(), retry: AT_ONCE, steps }),
      );
      orThrow(await drive(invitingFirst, poll({ voters: 2 }), { store, ports: ports(), retry: AT_ONCE }));
      expect(await ledgerText(store)).toBe(await ledgerText(whole));
    }
  });

  it('a port whose source a request does not accept is no port for it, and is not asked', async () => {
    const tool = port(() => ({ value: { option: 'soup' } }), { source: 'tool' });
    const { store, result } = await driven({ ports: portsByKind({ ballot: tool }) });
    expect(orThrow(result).end).toBe('refused');
    expect(tool.calls).toEqual([]);
    expect((await payloads(store, 'proposal'))[0]).toMatchObject({
      proposer: 'host',
      failure: { code: 'unavailable', final: true, detail: null },
    });
  });
});

describe('an answer that can not be recorded', () => {
  const malformedBy = async (answer: unknown): Promise<Json> => {
    const { store } = await driven(
      {
        ports: portsByKind({ ballot: port(() => answer as never, { source: 'live_model', proposer: 'm' }) }),
      },
      poll({ voters: 1, quorum: 1, attempts: 1 }),
    );
    const recorded = await payloads(store, 'proposal');
    expect(recorded).toHaveLength(1);
    return recorded[0] ?? null;
  };
  const failure = (code: string, path: string, text: string): object => ({
    request_id: '1.0',
    source: 'live_model',
    proposer: 'm',
    confidence: null,
    value: null,
    failure: { code: 'malformed', final: false, detail: { code, path, text } },
    cites: [],
    provenance: {},
  });

  it("becomes the failure malformed with the kernel's code and path", async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const cases: readonly (readonly [unknown, string, string])[] = [
      [{ value: undefined }, 'inadmissible', '/value'],
      [{ value: { n: NaN } }, 'inadmissible', '/value/n'],
      [{ value: cyclic }, 'inadmissible', '/value/self'],
      [{ value: new Date(0) }, 'inadmissible', '/value'],
      [{ value: { $sealed: 'no' } }, 'inadmissible', '/value'],
      [
        {
          get value() {
            throw new Error('called');
          },
        },
        'inadmissible',
        '/value',
      ],
      [{ value: 1, confidence: 1.5 }, 'proposal_shape', '/confidence'],
      [{ value: 1, provenance: [] }, 'proposal_shape', '/provenance'],
      [{ value: 1, extra: 1 }, 'proposal_shape', ''],
      [{ value: 1, failure: { code: 'timeout', final: false, detail: null } }, 'proposal_shape', '/value'],
      [{ value: 1, spent: { tokens: -1 } }, 'proposal_shape', '/spent/tokens'],
      [null, 'proposal_shape', ''],
      [17, 'proposal_shape', ''],
      [undefined, 'inadmissible', ''],
      [() => 1, 'inadmissible', ''],
    ];
    for (const [answer, code, path] of cases)
      expect({ answer, recorded: await malformedBy(answer) }).toEqual({
        answer,
        recorded: expect.objectContaining({ ...failure(code, path, ''), at_us: null, spent: {} }),
      });
  });

  it('keeps its text, replaced where ill-formed and cut at a code point', async () => {
    expect(await malformedBy({ value: 'a\ud800b' })).toMatchObject(
      failure('inadmissible', '/value', 'a\ufffdb'),
    );
    expect(await malformedBy('plain text')).toMatchObject(failure('proposal_shape', '', 'plain text'));
    const long = `x${'😀'.repeat(9_000)}\ud800`;
    const cut = `x${'😀'.repeat(8_191)}`;
    expect(cut.length).toBe(16_383);
    expect(await malformedBy({ value: long })).toMatchObject(failure('inadmissible', '/value', cut));
    expect(await malformedBy({ value: `${'😀'.repeat(8_192)}y\ud800` })).toMatchObject(
      failure('inadmissible', '/value', '😀'.repeat(8_192)),
    );
  });

  it('keeps the beginning of a long path', async () => {
    const key = 'k'.repeat(900);
    expect(await malformedBy({ value: { [key]: { [key]: NaN } } })).toMatchObject(
      failure('inadmissible', `/value/${key}/${key}`.slice(0, 1_024), ''),
    );
  });

  it('keeps cost and time where they are well-formed, and only there', async () => {
    expect(await malformedBy({ value: NaN, spent: { tokens: 7, ms: 0 }, at_us: 5 })).toMatchObject({
      spent: { tokens: 7, ms: 0 },
      at_us: 5,
    });
    for (const [spent, at_us] of [
      [{ tokens: 1.5 }, 1.5],
      [{ 'Not a unit': 1 }, -1],
      [[1], '5'],
      [null, NaN],
      [{ tokens: 2 ** 60 }, 2 ** 60],
    ]) {
      expect(await malformedBy({ value: NaN, spent, at_us })).toMatchObject({ spent: {}, at_us: null });
    }
  });

  it('is what throws when it is looked at: a Proxy, a revoked one, a getter, anywhere in it', async () => {
    const trap = (): never => {
      throw new Error('trapped');
    };
    const handler = {
      get: (_: object, key: PropertyKey) => (key === 'then' ? undefined : trap()),
      ownKeys: trap,
      getOwnPropertyDescriptor: trap,
      getPrototypeOf: trap,
    };
    const { proxy: dead, revoke } = Proxy.revocable({}, {});
    revoke();
    const getter = Object.defineProperty({}, 'option', { enumerable: true, get: trap });
    for (const answer of [
      new Proxy({}, handler),
      { value: dead },
      { value: { option: new Proxy({}, handler) } },
      { value: getter },
      { value: 1, provenance: dead },
      Object.defineProperty({}, 'value', { get: trap }),
    ]) {
      const { store, result } = await driven(
        { ports: portsByKind({ ballot: port(() => answer as never) }) },
        poll({ voters: 1, quorum: 1, attempts: 2 }),
      );
      expect(orThrow(result).end).toBe('refused');
      expect(
        (await ballots(store)).map((proposal) => (proposal as { readonly failure: Json }).failure),
      ).toMatchObject(
        [0, 1].map(() => ({ code: 'malformed', final: false, detail: { code: 'inadmissible' } })),
      );
    }
    // Its cost is kept where that can be read.
    const { store } = await driven(
      { ports: portsByKind({ ballot: port(() => ({ value: dead as never, spent: { tokens: 4 } })) }) },
      poll({ voters: 1, quorum: 1, attempts: 1 }),
    );
    expect(await ballots(store)).toMatchObject([{ failure: { code: 'malformed' }, spent: { tokens: 4 } }]);
  });

  it('is copied as it comes: what its port makes of it while it is held is not recorded', async () => {
    const answer = { value: { option: 'soup' }, spent: { tokens: 1 } };
    const ballot = port(async ({ id }) => {
      if (id === '1.1') return answer;
      // The first answer comes after the second, which is held until then.
      await new Promise((resolve) => setTimeout(resolve, 20));
      Object.assign(answer.value, { option: 'salad' });
      answer.spent.tokens = 50;
      return { value: { option: 'soup' } };
    });
    const { store } = await driven(
      { ports: portsByKind({ ballot }), concurrency: 2, order: 'turn' },
      poll({ voters: 2, quorum: 1 }),
    );
    expect(await payloads(store, 'proposal')).toMatchObject([
      { request_id: '1.0' },
      { request_id: '1.1', value: { option: 'soup' }, spent: { tokens: 1 } },
    ]);
  });

  it('drops a cost whose sum leaves the safe integers', async () => {
    let calls = 0;
    const ballot = port(() =>
      (calls += 1) === 1
        ? { value: null, spent: { tokens: Number.MAX_SAFE_INTEGER } }
        : { value: { option: 'soup' }, spent: { tokens: 1 } },
    );
    const { store } = await driven(
      { ports: portsByKind({ ballot }) },
      poll({ voters: 1, quorum: 1, attempts: 2 }),
    );
    expect(await ballots(store)).toMatchObject([
      { failure: null, spent: { tokens: Number.MAX_SAFE_INTEGER } },
      {
        failure: { code: 'malformed', detail: { code: 'proposal_shape', path: '/spent/tokens', text: '' } },
        spent: {},
      },
    ]);
  });
});

describe('a run that can not be driven', () => {
  it('is rejected by its machine: nothing is stored', async () => {
    const { store, result } = await driven({}, poll({ quorum: 9 }));
    expect(result).toEqual({
      _tag: 'Left',
      left: { code: 'rejected', rejection: { code: 'bad_policy', detail: { field: 'quorum' } } },
    });
    expect(orThrow(await store.list())).toEqual([]);
  });

  it('is not there, has a closed store or another genesis', async () => {
    const store = memoryStore();
    expect(await drive(tally, 'none', { store, ports: voting })).toEqual({
      _tag: 'Left',
      left: { code: 'store', error: { code: 'not_found', run_id: 'none' } },
    });
    await driven({ store });
    const before = await ledgerText(store);
    expect((await driven({ store }, poll({ voters: 4 }))).result).toEqual({
      _tag: 'Left',
      left: { code: 'exists', run_id: 'poll-1' },
    });
    expect(await ledgerText(store)).toBe(before);
    await store.close();
    expect((await driven({ store })).result).toEqual({
      _tag: 'Left',
      left: { code: 'store', error: { code: 'closed' } },
    });
  });

  it('has a ledger that does not hold or that this machine does not derive', async () => {
    const { store } = await driven();
    const lines = (await ledgerText(store)).trimEnd().split('\n');
    const reading = (text: readonly string[]): Store => ({
      ...store,
      read: async function* () {
        for (const line of text) yield new TextEncoder().encode(line);
      },
    });
    const loaded = async (text: readonly string[], machine = tally): Promise<unknown> =>
      drive(machine, 'poll-1', { store: reading(text), ports: voting });
    expect(await loaded(lines.map((line, index) => (index === 2 ? ` ${line}` : line)))).toEqual({
      _tag: 'Left',
      left: { code: 'line', record: 2, reason: 'encoding' },
    });
    expect(await loaded(lines.map((line, index) => (index === 2 ? '{}' : line)))).toEqual({
      _tag: 'Left',
      left: { code: 'line', record: 2, reason: 'shape' },
    });
    expect(
      await loaded(lines.map((line, index) => (index === 2 ? line.replace('soup', 'soap') : line))),
    ).toMatchObject({
      left: { code: 'ledger', failed: { check: 'integrity', code: 'payload_hash', record: 2 } },
    });
    expect(await loaded(lines, { ...tally, version: 2 })).toMatchObject({
      left: { code: 'ledger', failed: { code: 'unknown_machine', record: 0 } },
    });
    expect(await loaded(lines, { ...tally, encode: () => null })).toMatchObject({
      left: { code: 'ledger', failed: { check: 'rederivation', code: 'differs', record: 1 } },
    });
  });
});
