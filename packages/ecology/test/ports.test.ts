/** The ports of a world: minds that are asked, what is outside, secrets, memory, recordings. */
import { drive, Later, memoryBlobs, memoryStore, PortError, type Blobs, type Port } from '@assay/host';
import { orThrow, type EvidenceRecord, type Json, type Request } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { ecology, resolveConfig, type EcologyState } from '../src/index.js';
import {
  commitSecret,
  makeMindRecording,
  openPorts,
  parseMindRecording,
  parseVault,
  watchWorld,
  WORLD_TASKS,
  type MindRecording,
  type WorldPorts,
} from '../src/shell/index.js';
import { getAccount } from '../src/world/state.js';
import { encode } from '../src/world/state.js';
import { PLAIN } from '../tools/world.js';

const THINGS = [
  { ...PLAIN, id: 'gpt', content: { model: 'small' } },
  { ...PLAIN, id: 'web', content: { mcp: { server: 'web', tool: 'search' } } },
  { ...PLAIN, id: 'notes', content: { memory: 'texts' } },
];

/** Holds an answer back until a record has been heard that holds a text, some times over. */
class Gate {
  private rest: number;
  private readonly text: string;
  private open: () => void = () => undefined;
  private readonly opened: Promise<void> = new Promise((resolve) => {
    this.open = resolve;
  });

  constructor(text: string, times: number = 1) {
    this.text = text;
    this.rest = times;
  }

  readonly hear = (record: string): void => {
    this.rest -= record.split(this.text).length - 1;
    if (this.rest <= 0) this.open();
  };

  async give<T>(value: T): Promise<T> {
    await this.opened;
    return value;
  }
}

/** What every answer of a mind here is: a list for each thought of each agent. */
type Minds = { readonly [agent: string]: readonly (readonly Json[] | Promise<readonly Json[]>)[] };

type Played = {
  readonly state: EcologyState;
  readonly records: readonly EvidenceRecord[];
  readonly errors: readonly unknown[];
};

async function play(
  minds: Minds | Port,
  more: Omit<WorldPorts, 'watched' | 'mind'> & { readonly gates?: readonly Gate[] } = {},
): Promise<Played> {
  const initial = ['ann', 'bob'];
  const policy = orThrow(
    resolveConfig({
      agents: { initial, asked: initial },
      resources: { models: { small: { call_uusd: 5 } } },
    }),
  );
  const watched = watchWorld(ecology);
  const mind = 'perform' in minds ? (minds as Port) : scripted(minds as Minds, watched.count);
  const ports = openPorts({ ...more, watched, mind });
  const records: EvidenceRecord[] = [];
  const errors: unknown[] = [];
  const driven = orThrow(
    await drive(
      watched.machine,
      { run_id: 'w', ts_base: 'T', policy, input: { artifacts: THINGS }, engine: null } as never,
      {
        store: memoryStore(),
        ports,
        concurrency: 8,
        steps: 40,
        retry: { baseMs: 1, capMs: 2 },
        onEvent: (event) => {
          if (event.type === 'append')
            for (const record of event.records) {
              records.push(record);
              for (const gate of more.gates ?? []) gate.hear(JSON.stringify(record.payload));
            }
          if (event.type === 'port_error') errors.push(event.error);
        },
      },
    ),
  );
  return { state: driven.run.state, records, errors };
}

function scripted(minds: Minds, count: (name: string) => number): Port {
  return {
    source: 'synthetic',
    proposer: 'fixture:test',
    perform: async ({ body }) => {
      const { agent } = body as { agent: string };
      const actions = await minds[agent]?.[count(`act ${agent}`)];
      if (actions === undefined) throw new Later();
      return { value: { actions }, spent: { input_tokens: 10, output_tokens: 5 } };
    },
  };
}

const begin = (target: string, body: Json, more: object = {}): Json => ({
  op: 'invoke',
  id: 'genesis_calls_api',
  method: 'begin',
  args: { target, body, ...more },
});

const answering = (value: Json, source: Port['source'] = 'live_model'): Port => ({
  source,
  proposer: 'llm:test/small',
  perform: () => Promise.resolve({ value, spent: { input_tokens: 3, output_tokens: 2 } }),
});

describe('a mind that is asked', () => {
  const [act] = WORLD_TASKS;
  const read = (answer: Json): Json => {
    const said = act?.read(answer, { agent: 'ann', shown: {} }, (() => undefined) as never);
    return said?._tag === 'Right' ? said.right.value : (said?.left.code ?? null);
  };

  it('answers a list of actions, and nothing else', () => {
    const noop = { op: 'noop' };
    expect(read({ actions: [noop], why: 'rest' })).toEqual({ actions: [noop] });
    expect(read({ agent: 'ann', actions: [noop] })).toEqual({ actions: [noop] });
    expect(read({ agent: 'bob', actions: [noop] })).toBe('other_agent');
    expect(read({ actions: Array.from({ length: 10_000 }, () => noop) })).toBe('too_many_actions');
    expect(read({ actions: [] })).toBe('too_many_actions');
    expect(read('I would rather talk')).toBe('shape');
  });

  it('that answers prose fails for good each time, is charged, and frozen in the end', async () => {
    const prose: Port = {
      source: 'live_model',
      proposer: 'llm:test/prose',
      perform: ({ body }) => {
        if ((body as { agent: string }).agent === 'bob') return Promise.reject(new Later());
        const failure = { code: 'malformed', final: false, detail: { code: 'json' } } as const;
        return Promise.resolve({ failure, spent: { input_tokens: 100, output_tokens: 10 } });
      },
    };
    const { state, records } = await play(prose);
    const said = records.filter(({ kind }) => kind === 'proposal').map(({ payload }) => payload);
    expect(said).toMatchObject([
      { failure: { code: 'malformed', final: true }, provenance: { seen_decision: 0 } },
    ]);
    expect(getAccount(state, 'ann').amounts.llm_budget).toBe(5_000_000 - 450);
    expect(getAccount(state, 'ann').life?.crashes).toBe(1);
  });
});

describe('a metered call', () => {
  it('of a model is sent what the agent wrote, which no record holds; its result lies beside the ledger', async () => {
    const blobs = memoryBlobs();
    const seen: Json[] = [];
    const model: Port = {
      ...answering('It is a lemon.'),
      perform: (request: Request) => {
        seen.push(request.body);
        return Promise.resolve({ value: 'It is a lemon.', spent: { input_tokens: 3, output_tokens: 2 } });
      },
    };
    const first = [
      begin('gpt', 'What is yellow?', { max_output: 20 }),
      begin('gpt', 'Why?', { max_output: 20 }),
    ];
    const outside = { model: (name: string) => (name === 'small' ? model : null) };
    const { state, records } = await play({ ann: [first] }, { outside, blobs });
    expect(seen).toEqual([{ shown: 'What is yellow?' }, { shown: 'Why?' }]);
    const ended = state.calls.get('ann.0')?.ended;
    expect(ended).toMatchObject({ how: 'done', size: 14, result: 'It is a lemon.', tokens: 5 });
    expect(new TextDecoder().decode((await blobs.find(ended?.digest as never)) ?? undefined)).toBe(
      'It is a lemon.',
    );
    expect(JSON.stringify(records)).not.toContain('What is yellow?');
  });

  it('that times out is charged its bound, one that is refused nothing', async () => {
    const failing = (failureClass: 'timeout' | 'refused'): Port => ({
      ...answering(null),
      bound: () => ({ input_tokens: 9, output_tokens: 20 }),
      perform: () => Promise.reject(new PortError(failureClass)),
    });
    const spentBy = async (port: Port): Promise<number> => {
      const act = [begin('gpt', 'Yellow???', { max_output: 20 })];
      const { state } = await play({ ann: [act] }, { outside: { model: () => port } });
      expect(state.calls.get('ann.0')?.ended?.how).toBe('failed');
      return state.calls.get('ann.0')?.ended?.uusd ?? -1;
    };
    expect(await spentBy(failing('refused'))).toBe(0);
    expect(await spentBy(failing('timeout'))).toBe(3 * (27 + 300));
  });

  it('of a memory stores and finds texts by their words', async () => {
    const store = (text: string): Json => begin('notes', { store: text });
    const recall = begin('notes', { recall: 'yelow fruit', limit: 2 });
    const gate = new Gate('"t":"came"', 2);
    const { state } = await play(
      { ann: [[store('a lemon is a yellow fruit'), store('bob owes me ten')], gate.give([recall])] },
      { gates: [gate] },
    );
    const result = state.calls.get('ann.2')?.ended?.result as { found: { text: string }[] };
    expect(result.found.map(({ text }) => text)).toEqual(['a lemon is a yellow fruit']);
  });

  it('without its body, or of a thing that nobody serves, ends or waits', async () => {
    const args = { target: 'gpt', digest: 'ab'.repeat(32), input_bound: 1 };
    const lost = { op: 'invoke', id: 'genesis_calls_api', method: 'begin', args };
    const outside = { model: () => answering('x') };
    const { state } = await play({ ann: [[lost, begin('web', {})]] }, { outside });
    expect(state.calls.get('ann.0')?.ended).toMatchObject({ how: 'failed', why: 'denied' });
    expect(state.calls.get('ann.1')?.ended).toBe(null);
  });
});

describe('a secret', () => {
  const vault = orThrow(parseVault({ salt: 'pepper and salt', secrets: { KEY: 'swordfish-4711' } }));
  const NEVER = ['swordfish-4711', 'pepper and salt', Buffer.from('swordfish-4711').toString('base64')];

  it('ecology/redaction (L24): reaches the tool by its handle, and no record, state or error holds it', async () => {
    const sent: Json[] = [];
    const tool: Port = {
      source: 'tool',
      proposer: 'mcp:web/search',
      perform: ({ body }) => {
        sent.push(body);
        // A server that sends the key back, and one that puts it into its error.
        if (sent.length === 2) {
          const long = 'x'.repeat(9_000);
          return Promise.resolve({ value: { echo: [{ token: 'SWORDFISH-4711' }], long } });
        }
        if (sent.length === 3)
          return Promise.reject(new PortError('denied', { provenance: { said: 'bad key swordfish-4711' } }));
        return Promise.resolve({ value: { found: 3 } });
      },
    };
    const ask = (agent: string): Json => begin('web', { q: 'lemons', key: 'secret:KEY', note: agent });
    const capability = { op: 'invoke', id: 'genesis_capabilities_api', method: 'request' };
    const request = { ...capability, args: { capability: 'web', reason: 'to search' } };
    const secret = { name: 'KEY', commitment: commitSecret(vault, 'KEY') };
    const provision = {
      op: 'provision',
      agent_id: 'ann',
      capability: 'web',
      approve: true,
      secret,
      rationale: 'yes',
    };
    const [blobs, kept]: [Blobs, string[]] = [memoryBlobs(), []];
    const [asked, held] = [new Gate('"t":"wants"'), new Gate('"y":"approved"')];
    let isDone = false;
    const operator: Port = {
      source: 'human',
      proposer: 'human',
      perform: async () => {
        if (isDone) throw new Later();
        await asked.give(null);
        isDone = true;
        return { value: provision };
      },
    };
    const { state, records, errors } = await play(
      { ann: [[request], held.give([ask('1'), ask('2'), ask('3')])], bob: [held.give([ask('bob')])] },
      {
        gates: [asked, held],
        vault,
        blobs: { ...blobs, put: (bytes) => (kept.push(new TextDecoder().decode(bytes)), blobs.put(bytes)) },
        outside: { tool: () => tool },
        others: ({ kind }) => (kind === 'operator' ? operator : null),
      },
    );
    expect(state.secrets.get('ann KEY')).toBe(secret.commitment);
    expect(sent).toHaveLength(3);
    expect(sent[0]).toEqual({ q: 'lemons', key: 'swordfish-4711', note: '1' });
    // Whoever does not hold the handle has nothing filled in.
    expect(state.calls.get('bob.0')?.ended).toMatchObject({ how: 'failed', why: 'denied' });
    const ends = ['ann.0', 'ann.1', 'ann.2'].map((id) => state.calls.get(id)?.ended?.how);
    expect(ends.toSorted()).toEqual(['done', 'failed', 'failed']);
    const told = errors.map((error) =>
      error instanceof Error ? [error.message, error.stack, { ...error }] : null,
    );
    const bytes = JSON.stringify([records, encode(state), told, kept]).toLowerCase();
    expect(errors).toHaveLength(1);
    expect(NEVER.filter((text) => bytes.includes(text.toLowerCase()))).toEqual([]);
  });

  it('is a vault of names and texts that are long enough', () => {
    expect(parseVault({ salt: 'short', secrets: {} })).toMatchObject({ left: { path: '/salt' } });
    expect(parseVault({ salt: 'long enough', secrets: { A: 'short' } })).toMatchObject({
      left: { path: '/secrets/A' },
    });
    expect(commitSecret(vault, 'OTHER')).toBe(null);
    expect(commitSecret({ ...vault, salt: 'other salt' }, 'KEY')).not.toBe(commitSecret(vault, 'KEY'));
  });
});

describe('a score', () => {
  it('is what a script says of the work that won', async () => {
    const bid = {
      op: 'invoke',
      id: 'genesis_mint_api',
      method: 'bid',
      args: { artifact_id: 'poem', amount: 10 },
    };
    const create = {
      op: 'invoke',
      id: 'genesis_store_api',
      method: 'create',
      args: { id: 'poem', content: 'O lemon' },
    };
    let now = 1_000_000_000;
    const clock: Port = {
      source: 'clock',
      proposer: 'clock',
      perform: () =>
        now > 9e9 ? Promise.reject(new Later()) : Promise.resolve({ value: {}, at_us: (now += 4e9) }),
    };
    const scorer: WorldPorts['scorer'] = ({ content }) => (content === 'O lemon' ? 80 : null);
    const { state } = await play(
      { ann: [[create, bid]] },
      { scorer, others: ({ kind }) => (kind === 'clock' ? clock : null) },
    );
    expect(state.minted.sorted()).toEqual([['mint', 8_000]]);
    expect(getAccount(state, 'ann').amounts.scrip).toBe(108_000);
  });
});

describe('a recording', () => {
  it('of a run serves it again, says of whom it is, and waits where it ends', async () => {
    const noop = [{ op: 'noop' }];
    const provenance = {
      provider: 'test',
      model: 'small',
      date: '2026-01-01',
      raw_response_hash: 'ab'.repeat(32),
    };
    let asked = 0;
    const model: Port = {
      source: 'live_model',
      proposer: 'llm:test/small',
      perform: () => {
        asked += 1;
        if (asked > 4) return Promise.reject(new Later());
        return Promise.resolve({ value: { actions: noop }, spent: { output_tokens: asked }, provenance });
      },
    };
    const first = await play(model);
    const recorded = orThrow(parseMindRecording(makeMindRecording(first.records, 'llm:test/small')));
    const again = await play({}, { recording: recorded });
    const spoken = (records: readonly EvidenceRecord[]): Json =>
      records
        .filter(({ kind }) => kind === 'proposal')
        .map(({ payload }) => (payload as { spent: Json }).spent);
    expect(spoken(again.records)).toHaveLength(4);
    expect(again.records.find(({ kind }) => kind === 'proposal')?.payload).toMatchObject({
      source: 'recorded_model',
    });
    expect(encode(again.state)).toEqual(encode(first.state));
  });

  it('by hand never passes for a model', () => {
    const answers = { 'act ann': [{ value: { actions: [{ op: 'noop' }] } }] };
    const by = (name: string): MindRecording | string => {
      const read = parseMindRecording({ format: 'assay-mind/0', by: name, answers });
      return read._tag === 'Right' ? read.right : read.left.path;
    };
    expect(by('fixture:hand')).toMatchObject({ by: 'fixture:hand' });
    expect(by('llm:openai/gpt')).toBe('/answers/act ann/0/provenance');
  });
});
