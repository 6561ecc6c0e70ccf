/**
 * The tools and resources of a server, asked by a client of the official SDK, which checks each answer
 * against the schema that is listed.
 */
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GenesisInput, Json } from '@assay/kernel';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { drive, memoryNotes, memoryStore, type Port, type Ports } from '@assay/host';
import { tally } from '@assay/testing';
import { rulesPort } from '@assay/proposers';
import { findJsonSchema } from '@assay/kernel/schemas';
import { callApart, serveStdio, type Desk } from '../src/index.ts';
import { ANSWER_BYTES_MAX, CALLS_MAX } from '../src/server/desk.ts';
import { makeTools } from '../src/server/server.ts';
import { LITERAL, REQUEST } from '../../models/test/tools/synthetic.ts';
import { beside, desk, type Asking, type Loose } from './tools/desk.ts';

let own: Desk;
let ask: Asking;

/** A run of the intent machine, with one model in it, that somebody else begins. */
const begunElsewhere = (run_id: string): GenesisInput => ({
  run_id,
  ts_base: 't',
  policy: { ...defaultPolicy, proposers: ['llm'] },
  input: { seed_text: REQUEST, pin: null },
});
/** The store, whose records read otherwise. */
const forged = (store: Desk['store'], change: (line: string) => string): Desk['store'] => ({
  ...store,
  read: async function* (id, from) {
    for await (const line of store.read(id, from))
      yield Buffer.from(change(Buffer.from(line).toString('utf8')), 'utf8');
  },
});
/** A model that is asked and never answers; asking it stops the run. */
const unheard = (stopping: AbortController): Port => ({
  source: 'live_model',
  proposer: 'model',
  perform: () => {
    stopping.abort();
    return new Promise(() => undefined);
  },
});

beforeEach(async () => {
  own = desk({ allowAnswer: true });
  ask = await beside(own);
});

describe('what is offered', () => {
  const OFFERED = ['run', 'verify', 'show', 'store_list', 'whatif', 'impact', 'check', 'audit'];

  test('each tool with its schemas, and hints that are true of it, in 12 kB', async () => {
    const { tools } = await ask.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...OFFERED.slice(0, 1), 'answer', ...OFFERED.slice(1)]);
    for (const { name, annotations } of tools)
      expect([name, annotations]).toMatchObject([
        name,
        {
          readOnlyHint: name !== 'run' && name !== 'answer',
          idempotentHint: name !== 'answer',
          destructiveHint: false,
          openWorldHint: false,
        },
      ]);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(12_000);
    for (const { name, inputSchema } of tools) {
      expect([inputSchema.type, inputSchema['additionalProperties']]).toEqual(['object', false]);
      expect((await ask.schemaOf(name))['type']).toBe('object');
    }
    expect(await ask.schemaOf('verify')).toEqual(findJsonSchema('verify'));
    expect(await ask.schemaOf('store_list')).toEqual(findJsonSchema('runs'));
    expect((await ask.schemaOf('show'))['anyOf']).toContainEqual(findJsonSchema('record'));
  });

  test('without the flag there is no answer, no slot for the client, and no word of either', async () => {
    const plain = await beside(desk());
    const { tools } = await plain.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(OFFERED);
    const told = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
    expect(JSON.stringify(told)).not.toMatch(/open slot|"client"/);
    expect((await plain.call('answer', { run_id: 'r', request_id: '1.0', answer: {} })).error).toMatchObject({
      code: 'unknown_tool',
      place: 'answer',
    });
    expect((await plain.call('run', { request: REQUEST, proposers: ['client'] })).error?.code).toBe(
      'bad_arguments',
    );
  });

  test('a desk may do its calls elsewhere, whatever they are given', async () => {
    const asked: (readonly [string, unknown])[] = [];
    const apart = desk();
    const served = await beside(
      desk({
        apart: (name, args, { signal }) => {
          asked.push([name, args]);
          return callApart(apart, name, args, { client: null, signal });
        },
      }),
    );
    expect((await served.call('store_list')).json).toMatchObject({ runs: [] });
    expect((await served.call('verify', { run_id: 'none' })).error).toMatchObject({ code: 'no_run' });
    expect((await served.call('run', { request: REQUEST })).isError).toBe(false);
    expect(asked).toEqual([
      ['store_list', {}],
      ['verify', { run_id: 'none' }],
      ['run', { request: REQUEST }],
    ]);
  });

  test('a desk without proposers is a RangeError', () => {
    expect(() => makeTools(desk({ proposers: new Map() }))).toThrow(RangeError);
  });
});

describe('run', () => {
  test('decides a request and stores it; the same call is the same run, decided once', async () => {
    const first = await ask.call('run', { request: REQUEST, pins: { region: 'EU' } });
    expect(first.json).toMatchObject({
      run_id: expect.stringMatching(/^run-[0-9a-f]{12}$/),
      status: 'success',
      reasons: [],
      files: [],
      open_requests: [],
      artifacts: { blueprint: expect.anything(), verification_pack: expect.anything() },
    });
    const again = await ask.call('run', { request: REQUEST, pins: { region: 'EU' } });
    expect(again.text).toBe(first.text);
    const other = await ask.call('run', { request: REQUEST });
    expect(other.json['run_id']).not.toBe(first.json['run_id']);
    expect((await ask.call('store_list')).json['runs']).toHaveLength(2);
  });

  test('a refusal is an answer, not an error', async () => {
    const { isError, json } = await ask.call('run', { request: ' ' });
    expect([isError, json['status'], json['reasons']]).toEqual([false, 'refused', ['empty_seed']]);
  });

  test.each<[string, object, string, string]>([
    ['nothing', {}, 'bad_arguments', '/request'],
    ['no text', { request: 7 }, 'bad_arguments', '/request'],
    ['more than is known', { request: 'x', policy: {} }, 'bad_arguments', ''],
    [
      'a proposer that is not offered',
      { request: 'x', proposers: ['recorded:/etc/passwd'] },
      'bad_arguments',
      '/proposers/0',
    ],
    [
      'a command as a proposer',
      { request: 'x', proposers: ['mcp:sh -c id'] },
      'bad_arguments',
      '/proposers/0',
    ],
    ['a proposer twice', { request: 'x', proposers: ['rules', 'rules'] }, 'bad_arguments', 'rules'],
    ['a pin that is none', { request: 'x', pins: { 'Not A Key': 1 } }, 'bad_pin', 'Not A Key'],
    [
      'a pin that a schema would drop',
      { request: 'x', pins: JSON.parse('{"__proto__":{"a":1}}') as object },
      'bad_arguments',
      '/pins/__proto__',
    ],
    ['too much text', { request: 'a'.repeat(1_048_577) }, 'too_large', '/request'],
  ])('%s is a result with a code, and nothing is stored', async (_, given, code, place) => {
    const { error, text } = await ask.call('run', given);
    expect([error?.code, error?.place]).toEqual([code, place]);
    expect(Object.keys(error ?? {})).toEqual(['code', 'message', 'place', 'remedy']);
    expect(text).not.toMatch(/\bat .*\(|\.ts:\d|\.js:\d/);
    expect(await own.store.list()).toMatchObject({ right: [] });
  });

  test('arguments cannot name who answers, from where, or under which source', async () => {
    for (const more of [{ source: 'human' }, { store: 'file:/' }, { run_id: '../x' }])
      expect((await ask.call('run', { request: REQUEST, ...more })).error?.code).toBe('bad_arguments');
  });
});

describe('check', () => {
  test('judges a plan, and refuses what is none by its code and element', async () => {
    const task = { id: 'a', minutes: 1, confidence: 500_000, amounts: { cost: 5 } };
    const plan = { plan: 1, rows: [{ id: 'cost', op: '<', cap: 5 }], tasks: [task] };
    const { json } = await ask.call('check', { plan });
    expect(json).toMatchObject({
      status: 'UNSAT',
      repair: { label: 'none' },
      raise: { joint: { caps: [{ by: 1 }] } },
    });
    const ring = { ...plan, tasks: [{ ...task, after: ['a'] }] };
    expect((await ask.call('check', { plan: ring })).error).toMatchObject({
      code: 'bad_plan',
      message: 'a: these tasks wait for each other: a (cycle)',
    });
    expect((await ask.call('check', { plan: { ...plan, gold: 1 } })).error?.code).toBe('bad_plan');
  });
});

describe('verify, store_list, show', () => {
  test('a run decided through the server is verified through it, against the head it gave', async () => {
    const {
      json: { run_id, head_line, head },
    } = await ask.call('run', { request: REQUEST });
    const { json } = await ask.call('verify', {
      run_id,
      head: head_line,
      expect: ['machine=intent@1', `run=${run_id}`],
    });
    const [{ checks, file }] = json['results'];
    expect([
      file,
      checks.integrity.verdict,
      checks.rederivation.verdict,
      checks.completeness.verdict,
    ]).toEqual([`assay://runs/${run_id}/ledger`, 'held', 'held', 'held']);
    expect(
      (await ask.call('verify', { run_id, hash_only: true })).json['results'][0].checks.rederivation.verdict,
    ).toBe('not_checked');
    const wrong = await ask.call('verify', { run_id, head: head_line.replace(head.hash, 'f'.repeat(64)) });
    expect([wrong.isError, wrong.json['results'][0].checks.completeness.verdict]).toEqual([false, 'failed']);
    for (const [given, code] of [
      [{ head: 'no head' }, 'head_line'],
      [{ expect: ['x=y'] }, 'expectation'],
    ] as const)
      expect((await ask.call('verify', { run_id, ...given })).error?.code).toBe(code);
  });

  test('records one by one, and the runs page by page', async () => {
    const ids: string[] = [];
    for (const request of ['Keep logs for 1 day.', 'Keep logs for 2 days.', 'Keep logs for 3 days.'])
      ids.push((await ask.call('run', { request })).json['run_id']);
    ids.sort();
    const first = await ask.call('store_list', { limit: 2 });
    expect(first.json).toMatchObject({
      store: 'memory',
      runs: [{ run_id: ids[0], machine: 'intent@1', outcome: 'success', fault: null }, { run_id: ids[1] }],
    });
    expect(
      (await ask.call('store_list', { limit: 2, after: ids[1] })).json['runs'].map(
        ({ run_id }: { readonly run_id: string }) => run_id,
      ),
    ).toEqual([ids[2]]);
    const { json } = await ask.call('show', { run_id: ids[0], record: 0 });
    expect(json).toMatchObject({ kind: 'genesis', parent: null, payload: { run_id: ids[0] } });
    expect((await ask.call('show', { run_id: ids[0], record: 1_000_000 })).error?.code).toBe('no_record');
    expect((await ask.call('show', { run_id: ids[0], record: -1 })).error?.code).toBe('bad_arguments');
    expect((await ask.call('store_list', { limit: 1_000 })).error?.code).toBe('bad_arguments');
  });

  test.each(['../x', '..%2fx', '/etc/passwd', 'a/b', 'CON', 'x'.repeat(128) + '/', '\u0000', 'run\u202e'])(
    'the hostile id %j is told of, escaped, and no store is asked',
    async (run_id) => {
      const asked: string[] = [];
      const none = memoryStore();
      const spying = await beside(
        desk({
          allowAnswer: true,
          store: {
            ...none,
            read: (id, from) => {
              asked.push(id);
              return none.read(id, from);
            },
            head: (id) => {
              asked.push(id);
              return none.head(id);
            },
          },
        }),
      );
      for (const [name, given] of [
        ['verify', { run_id }],
        ['show', { run_id, record: 0 }],
        ['answer', { run_id, request_id: '1.0', answer: {} }],
      ] as const) {
        const { error, text } = await spying.call(name, given);
        expect(['run_id', 'bad_arguments']).toContain(error?.code);
        expect(text).toMatch(/^[ -~]*$/);
      }
      await expect(spying.client.readResource({ uri: `assay://runs/${run_id}/ledger` })).rejects.toThrow(
        /uri/,
      );
      expect(asked).toEqual([]);
    },
  );

  test('an unknown run, and an unknown tool', async () => {
    for (const [name, given] of [
      ['verify', {}],
      ['show', {}],
      ['show', { record: 0 }],
    ] as const)
      expect((await ask.call(name, { run_id: 'nobody', ...given })).error).toMatchObject({
        code: 'no_run',
        place: 'nobody',
      });
    expect((await ask.call('rm', { path: '/' })).error?.code).toBe('unknown_tool');
    expect((await ask.call('get_record', { run_id: 'nobody' })).error).toMatchObject({
      code: 'unknown_tool',
      remedy: 'it is called show now',
    });
  });
});

describe('answer', () => {
  const begun = async (): Promise<{
    readonly run_id: string;
    readonly request_id: string;
    readonly ask: Json;
  }> => {
    const { json } = await ask.call('run', { request: REQUEST, proposers: ['client'] });
    expect([json['status'], json['open_requests'].length]).toEqual(['open', 1]);
    const [{ request_id, slot, ask: asked, answer_by, how, form }] = json['open_requests'];
    expect([slot, answer_by, typeof how, form.type]).toEqual(['client', 'answer', 'string', 'object']);
    return { run_id: json['run_id'], request_id, ask: asked };
  };
  const ANSWER = { readings: [LITERAL], confidence: null };
  const proposalsIn = async (run_id: string): Promise<readonly Loose[]> => {
    const {
      contents: [ledger],
    } = await ask.client.readResource({ uri: `assay://runs/${run_id}/ledger` });
    return String((ledger as { readonly text: string }).text)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'proposal')
      .map(({ payload }) => payload);
  };

  test(
    'a slot of the client stays open, and its answer decides the run; it is recorded as a ' +
      "model's, never a person's",
    async () => {
      const { run_id, request_id, ask: asked } = await begun();
      expect(asked).toEqual({ request: REQUEST, pins: [], reading_count_max: 8 });
      const { json } = await ask.call('answer', { run_id, request_id, answer: ANSWER });
      expect(json).toMatchObject({ run_id, status: 'success', rejection: null, open_requests: [] });
      expect(await proposalsIn(run_id)).toMatchObject([
        {
          source: 'live_model',
          proposer: 'mcp:client',
          failure: null,
          provenance: {
            provider: 'mcp-client',
            model: 'test-client 9.9',
            raw_response: JSON.stringify(ANSWER),
          },
        },
      ]);
      const { json: verified } = await ask.call('verify', { run_id, head: json['head_line'] });
      expect(verified['results'][0].checks.rederivation.verdict).toBe('held');
      expect((await ask.call('run', { request: REQUEST, proposers: ['client'] })).json['status']).toBe(
        'success',
      );
    },
  );

  test(
    'an answer that says it comes from a person, or that quotes what is not there, is ' +
      'evidence and nothing more',
    async () => {
      const { run_id, request_id } = await begun();
      const lie = await ask.call('answer', {
        run_id,
        request_id,
        answer: { ...ANSWER, source: 'human', approved: true },
      });
      expect(lie.json).toMatchObject({
        status: 'open',
        rejection: { code: 'malformed', detail: { code: 'schema' } },
      });
      const invented = { ...LITERAL, commits: [{ ...LITERAL.commits[0], quote: 'words that nobody wrote' }] };
      const second = await ask.call('answer', {
        run_id,
        request_id,
        answer: { readings: [invented], confidence: null },
      });
      expect(second.json).toMatchObject({ status: 'refused', open_requests: [] });
      const proposals = await proposalsIn(run_id);
      expect(proposals.map(({ source, failure }) => [source, failure.code])).toEqual([
        ['live_model', 'malformed'],
        ['live_model', 'malformed'],
      ]);
      expect(proposals[0].provenance.raw_response).toContain('human');
    },
  );

  test("beside the rules: they answer, and the client's slot stays open", async () => {
    const { json } = await ask.call('run', { request: REQUEST, proposers: ['rules', 'client'] });
    expect([
      json['status'],
      json['open_requests'].map(({ slot }: { readonly slot: string }) => slot),
    ]).toEqual(['open', ['client']]);
    expect(await proposalsIn(json['run_id'])).toMatchObject([{ source: 'rule' }]);
    // Called again it is taken up where it stands, and does not wait for anybody.
    expect((await ask.call('run', { request: REQUEST, proposers: ['rules', 'client'] })).json).toEqual(json);
    const { json: done } = await ask.call('answer', {
      run_id: json['run_id'],
      request_id: json['open_requests'][0].request_id,
      answer: ANSWER,
    });
    expect(done['status']).toBe('success');
  });

  test.each([
    ['one model', ['llm', 'client']],
    ['two models', ['llm', 'llm-2', 'client']],
  ])(
    'beside %s: once the client has answered, what is still open of the models is asked to its end',
    async (_, proposers) => {
      const store = memoryStore();
      const stopping = new AbortController();
      const asked: string[] = [];
      let isLive = false;
      // The first attempt of each fails, and the other takes its time: neither is to be given up.
      const model = (name: string): Port => ({
        source: 'live_model',
        proposer: name,
        perform: async (request, { key, signal }) => {
          if (!isLive) return unheard(stopping).perform(request, { key, signal });
          asked.push(`${name} ${key.at(-1) ?? ''}`);
          await new Promise((resolve) => setTimeout(resolve, name === 'llm' ? 0 : 150));
          return signal.aborted || key.endsWith('/0')
            ? { failure: { code: 'malformed', final: false, detail: null } }
            : rulesPort.perform(request, { key, signal });
        },
      });
      const served = await beside(
        desk({
          store,
          allowAnswer: true,
          proposers: new Map<string, Ports>([
            ['llm', () => model('llm')],
            ['llm-2', () => model('llm-2')],
          ]),
        }),
      );
      const first = new AbortController();
      stopping.signal.addEventListener('abort', () => first.abort());
      await served.client
        .callTool({ name: 'run', arguments: { request: REQUEST, proposers } }, undefined, {
          signal: first.signal,
        })
        .catch(() => null);
      const [{ run_id }] = (await served.call('store_list')).json['runs'];
      const open = async (): Promise<Loose> =>
        served.call('answer', { run_id, request_id: `1.${proposers.length - 1}`, answer: ANSWER });
      for (let tries = 0; (await open()).isError && tries < 20; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      isLive = true;
      const { json } = await served.call('run', { request: REQUEST, proposers });
      expect([json['status'], json['open_requests'], [...asked].sort()]).toEqual([
        'success',
        [],
        proposers.slice(0, -1).flatMap((name) => [`${name} 0`, `${name} 1`]),
      ]);
    },
  );

  test('what is not open is told of, and nothing is recorded', async () => {
    const { run_id, request_id } = await begun();
    const before = await own.store.head(run_id);
    expect((await ask.call('answer', { run_id, request_id: '9.9', answer: ANSWER })).error?.code).toBe(
      'not_open',
    );
    expect((await ask.call('answer', { run_id, request_id })).error?.code).toBe('bad_arguments');
    expect((await ask.call('answer', { run_id: 'nobody', request_id, answer: ANSWER })).error?.code).toBe(
      'no_run',
    );
    expect(await own.store.head(run_id)).toEqual(before);
    await ask.call('answer', { run_id, request_id, answer: ANSWER });
    expect((await ask.call('answer', { run_id, request_id, answer: ANSWER })).error?.code).toBe('run_closed');
  });

  test('an open request of a run that somebody else began is answered too', async () => {
    const options = { store: own.store, ports: () => rulesPort, signal: AbortSignal.abort() };
    await drive(intent, begunElsewhere('begun'), options);
    const { json } = await ask.call('answer', { run_id: 'begun', request_id: '1.0', answer: ANSWER });
    expect([json['status'], await proposalsIn('begun')]).toMatchObject([
      'success',
      [{ source: 'live_model', proposer: 'mcp:client' }],
    ]);
  });

  test('an answer by answer is charged for the calls that a kill cut off, once', async () => {
    const [store, notes] = [memoryStore(), memoryNotes()];
    const stopping = new AbortController();
    const model: Port = { ...unheard(stopping), bound: () => ({ usd_micros: 100 }) };
    await drive(intent, begunElsewhere('cut'), {
      store,
      ports: () => model,
      signal: stopping.signal,
      budget: { limits: {}, notes },
    });
    ask = await beside(desk({ store, allowAnswer: true, drive: { budget: { limits: {}, notes } } }));
    const lie = await ask.call('answer', { run_id: 'cut', request_id: '1.0', answer: { approved: true } });
    expect(lie.json['status']).toBe('open');
    expect(
      (await ask.call('answer', { run_id: 'cut', request_id: '1.0', answer: ANSWER })).json['status'],
    ).toBe('success');
    expect(
      (await proposalsIn('cut')).map(({ spent, provenance }) => [
        spent,
        provenance.lost_calls,
        provenance.lost_charged,
      ]),
    ).toEqual([
      [{ usd_micros: 100 }, 1, { usd_micros: 100 }],
      [{}, undefined, undefined],
    ]);
  });

  test("another machine's run is left alone", async () => {
    const genesis = {
      run_id: 'poll',
      ts_base: 't',
      policy: { voters: 1, quorum: 1, attempts: 1 },
      input: { question: 'Lunch?', options: ['soup', 'rice'] },
    };
    await drive(tally, genesis, { store: own.store, ports: () => rulesPort, signal: AbortSignal.abort() });
    const before = await own.store.head('poll');
    expect(
      (await ask.call('answer', { run_id: 'poll', request_id: '1.0', answer: ANSWER })).error?.code,
    ).toBe('other_machine');
    expect(await own.store.head('poll')).toEqual(before);
  });

  test('two at once: one is accepted, the other is told', async () => {
    const { run_id, request_id } = await begun();
    const both = await Promise.all([
      ask.call('answer', { run_id, request_id, answer: ANSWER }),
      ask.call('answer', { run_id, request_id, answer: ANSWER }),
    ]);
    expect(both.map(({ error }) => error?.code ?? 'accepted').sort()).toEqual([
      'accepted',
      expect.stringMatching(/^(?:store_stale|store_locked|run_closed)$/),
    ]);
    expect(await proposalsIn(run_id)).toHaveLength(1);
  });
});

describe('resources', () => {
  test('ledgers, records and results: listed, by template, byte for byte', async () => {
    const {
      json: { run_id, head },
    } = await ask.call('run', { request: REQUEST });
    const { resources } = await ask.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      `assay://runs/${run_id}/ledger`,
      `assay://runs/${run_id}/artifacts/blueprint`,
      `assay://runs/${run_id}/artifacts/verification_pack`,
    ]);
    expect(
      (await ask.client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ).toEqual([
      'assay://runs/{run_id}/ledger',
      'assay://runs/{run_id}/records/{sequence}',
      'assay://runs/{run_id}/artifacts/{name}',
      'assay://tools/{tool}/{schema}',
    ]);
    const text = async (uri: string): Promise<string> =>
      (await ask.client.readResource({ uri })).contents
        .map((each) => ('text' in each ? each.text : ''))
        .join('');
    const lines: string[] = [];
    for await (const line of own.store.read(run_id)) lines.push(`${Buffer.from(line).toString('utf8')}\n`);
    expect(await text(`assay://runs/${run_id}/ledger`)).toBe(lines.join(''));
    expect(`${await text(`assay://runs/${run_id}/records/${head.count - 1}`)}\n`).toBe(lines.at(-1));
    expect(JSON.parse(await text(`assay://runs/${run_id}/artifacts/blueprint`))).toMatchObject({
      format: expect.stringMatching(/^assay-blueprint/),
    });
  });

  test('page by page', async () => {
    for (let day = 1; day <= 101; day += 1) await ask.call('run', { request: `Keep logs for ${day} days.` });
    const first = await ask.client.listResources();
    const ledgers = ({ resources }: typeof first): number =>
      resources.filter(({ uri }) => uri.endsWith('/ledger')).length;
    expect([ledgers(first), typeof first.nextCursor]).toEqual([100, 'string']);
    const second = await ask.client.listResources({ cursor: first.nextCursor });
    expect([ledgers(second), second.nextCursor]).toEqual([1, undefined]);
    await expect(ask.client.listResources({ cursor: '../x' })).rejects.toMatchObject({
      data: { code: 'cursor' },
    });
  });

  test.each([
    ['assay://runs/nobody/ledger', 'no_run'],
    ['assay://runs/nobody/artifacts/blueprint', 'no_run'],
    ['assay://runs/nobody/records/0', 'no_run'],
    ['assay://runs/../ledger', 'uri'],
    ['assay://runs/nobody/ledger/1', 'uri'],
    ['assay://runs/nobody', 'uri'],
    ['file:///etc/passwd', 'uri'],
  ])('%s is an error of the protocol with the code %s', async (uri, code) => {
    await expect(ask.client.readResource({ uri })).rejects.toMatchObject({ code: -32_002, data: { code } });
  });
});

describe('trouble', () => {
  test('what throws is told to the desk and not to the client', async () => {
    const told: unknown[] = [];
    const broken = await beside(
      desk({
        store: {
          ...memoryStore(),
          list: () => {
            throw new Error('the canary flew');
          },
        },
        onDefect: (error) => told.push(error),
      }),
    );
    const { error, text } = await broken.call('store_list');
    expect([error?.code, text.includes('canary'), told]).toEqual([
      'internal_error',
      false,
      [expect.objectContaining({ message: 'the canary flew' })],
    ]);
  });

  test('a store that refuses is a result with its code', async () => {
    const store = memoryStore();
    await store.close();
    const closed = await beside(desk({ store }));
    expect((await closed.call('store_list')).error?.code).toBe('store_closed');
    expect((await closed.call('run', { request: REQUEST })).error?.code).toBe('store_closed');
  });

  test('whatif and impact decide stored runs again, and change nothing', async () => {
    const { json } = await ask.call('run', { request: REQUEST });
    const before = (await ask.call('store_list')).text;
    const set = [{ path: 'policy.min_score', value: 1 }];
    const without = ['rule'];
    const one = await ask.call('whatif', { run_id: json['run_id'], without });
    expect(one.json).toMatchObject({
      counts: { flipped: 1 },
      runs: [
        {
          class: 'flipped',
          would_be: { outcome: 'refused' },
          flip: { because: { was: expect.any(String) } },
        },
      ],
    });
    expect((await ask.call('impact', { without })).json).toEqual(one.json);
    expect((await ask.call('impact', { set, run_ids: [json['run_id']] })).json['counts']).toMatchObject({
      same: 1,
    });
    expect((await ask.call('impact', {})).error?.code).toBe('bad_arguments');
    expect((await ask.call('whatif', { run_id: 'nobody', set })).error?.code).toBe('no_run');
    const odd = await ask.call('impact', { set: [{ path: 'policy.nothing', value: 1 }] });
    expect(odd.json).toMatchObject({ runs: [{ class: 'not_usable', code: 'unknown_setting' }] });
    expect((await ask.call('store_list')).text).toBe(before);
  });

  test('a ledger that does not hold is never explained, only judged', async () => {
    const {
      json: { run_id },
    } = await ask.call('run', { request: REQUEST });
    const judged = await beside(
      desk({
        store: forged(own.store, (line) => line.replace('Keep audit', 'Burn audit')),
        allowAnswer: true,
        viewable: () => {
          throw new Error('asked');
        },
      }),
    );
    expect((await judged.call('show', { run_id })).error?.code).toBe('integrity');
    expect((await judged.call('answer', { run_id, request_id: '1.0', answer: {} })).error?.code).toBe(
      'store_ledger',
    );
    expect((await judged.call('verify', { run_id })).json['results'][0].checks.integrity.verdict).toBe(
      'failed',
    );
    expect((await judged.call('store_list')).json['runs'][0].fault).not.toBeNull();
  });

  test(
    'a record whose payload is none of its kind is shown as it is stored, so that what ' +
      'verify found can be looked at',
    async () => {
      const {
        json: { run_id },
      } = await ask.call('run', { request: REQUEST });
      for (const payload of ['[]', '{}', 'null', '{"events":[{"t":null}]}']) {
        const odd = forged(own.store, (line) =>
          line.replace(/"payload":\{.*\},"payload_hash"/, `"payload":${payload},"payload_hash"`),
        );
        const judged = await beside(desk({ store: odd }));
        expect((await judged.call('show', { run_id, record: 1 })).json).toMatchObject({
          kind: 'decision',
          payload: JSON.parse(payload) as object,
        });
        expect((await judged.call('verify', { run_id })).json['results'][0].checks.integrity.verdict).toBe(
          'failed',
        );
      }
    },
  );

  test('words of a request that a terminal would act on are shown as escapes, and mean the same', async () => {
    const { text, json } = await ask.call('run', { request: 'Keep logs\u001b[2J for 90 days.\u202e \u200b' });
    expect(text).toMatch(/^[ -~]*$/);
    expect(
      (await ask.call('show', { run_id: json['run_id'], record: 0 })).json['payload'].input.seed_text,
    ).toContain('\u001b[2J');
  });

  test('more calls at once than are worked on are busy', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = await beside(
      desk({
        proposers: new Map<string, Ports>([
          [
            'rules',
            () => ({
              ...rulesPort,
              perform: async (request, call) => {
                await held;
                return rulesPort.perform(request, call);
              },
            }),
          ],
        ]),
      }),
    );
    const many = Array.from({ length: CALLS_MAX + 1 }, (_, index) =>
      slow.call('run', { request: `Keep logs for ${index} days.` }),
    );
    expect((await many.at(-1))?.error?.code).toBe('busy');
    release();
    expect((await Promise.all(many)).filter(({ isError }) => isError)).toHaveLength(1);
  });

  test('a call that its client gives up stops between two records', async () => {
    const never = await beside(
      desk({
        store: own.store,
        proposers: new Map<string, Ports>([
          ['rules', () => ({ ...rulesPort, perform: () => new Promise(() => undefined) })],
        ]),
      }),
    );
    const controller = new AbortController();
    const given = never.client.callTool({ name: 'run', arguments: { request: REQUEST } }, undefined, {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 300);
    await expect(given).rejects.toThrow(/abort/i);
    // Taken up by another server over the same store.
    expect((await ask.call('run', { request: REQUEST })).json['status']).toBe('success');
  });
});

describe('on streams', () => {
  const lines = (...messages: readonly (object | string)[]): string =>
    messages
      .map(
        (message) =>
          `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      )
      .join('');
  const INITIALIZE = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
  };

  test(
    'what is under way when the client closes its end is still answered; garbage is told of, ' +
      'a few times',
    async () => {
      // A busy machine may need longer for the call than the second that it is given.
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      const told: string[] = [];
      const serving = serveStdio(desk(), {
        stdin,
        stdout,
        signal: new AbortController().signal,
        tell: (line) => told.push(line),
      });
      stdin.end(
        lines(INITIALIZE, ...Array<string>(100).fill('no message'), {
          id: 2,
          method: 'tools/call',
          params: { name: 'run', arguments: { request: REQUEST } },
        }),
      );
      expect(await serving).toBe('closed');
      const answers = String(stdout.read())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly id: number });
      expect([answers.map(({ id }) => id), told.length]).toEqual([[1, 2], 20]);
    },
  );

  test('bad parameters are −32602, what is no request −32600; null for an optional argument is none', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const serving = serveStdio(desk(), { stdin, stdout, signal: new AbortController().signal });
    const call = (id: number, params: unknown): object => ({ id, method: 'tools/call', params });
    const args = '{"name":"run","arguments":{"request":"x","__proto__":{"a":1}}}';
    stdin.end(
      lines(
        INITIALIZE,
        call(2, 'text'),
        call(3, {}),
        call(4, { name: 'run', arguments: 'text' }),
        { id: 5, method: 'resources/read', params: { uri: 7 } },
        `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":${args}}`,
        call(7, { name: 'store_list', arguments: { cursor: null, limit: null } }),
        call(8, { name: 'store_list', arguments: null }),
        { id: 9, method: 5 },
        { id: 10 },
        '[{"jsonrpc":"2.0","id":11,"method":"ping"}]',
        { id: 12, error: 'no answer of ours' },
      ),
    );
    await serving;
    const answers = new Map(
      String(stdout.read())
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { id, error, result } = JSON.parse(line) as Loose;
          return [id, error?.code ?? result];
        }),
    );
    expect([2, 3, 4, 5].map((id) => answers.get(id))).toEqual([-32_602, -32_602, -32_602, -32_602]);
    expect(answers.get(6)).toMatchObject({ isError: true });
    expect(JSON.stringify(answers.get(6))).toContain('bad_arguments');
    for (const id of [7, 8]) expect(answers.get(id)).toMatchObject({ structuredContent: { runs: [] } });
    expect([9, 10, null, 12].map((id) => answers.get(id))).toEqual([-32_600, -32_600, -32_600, undefined]);
  });

  test('the signal ends it; so does a message without end', async () => {
    const controller = new AbortController();
    const stopped = serveStdio(desk(), {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      signal: controller.signal,
    });
    controller.abort();
    expect(await stopped).toBe('stopped');
    const stdin = new PassThrough();
    const endless = serveStdio(desk(), {
      stdin,
      stdout: new PassThrough(),
      signal: new AbortController().signal,
    });
    for (let sent = 0; sent <= ANSWER_BYTES_MAX; sent += 65_536) stdin.write('x'.repeat(65_536));
    expect(await endless).toBe('too_large');
  });
});
