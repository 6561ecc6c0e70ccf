/** Runs of the planner that share a library. Source: 000 §6; dec-K28, dec-K81; specs D.8 E5. */
import { drive, memoryStore, Later, type Port, type Store } from '@assay/host';
import { isObject, type Json, type Request } from '@assay/kernel';
import { defaultPolicy, planner, type Bodies, type PlannerEvent, type Policy } from '@assay/planner';
import { answerReading } from '../../src/library/reading.js';
import { describe, expect, it } from 'vitest';
import {
  capabilityPort,
  createLibrary,
  makeHandOn,
  LIBRARY_RUN,
  libraryPort,
  readLibrary,
} from '../../src/library-shell/index.js';

type Answerer = (request: Request) => Json | Error;
const LIB = { libraryId: LIBRARY_RUN };
const CHECK = {
  id: 'unit',
  type: 'logic',
  domain: 'software',
  title: 'the tests pass',
  scope: 'local',
  hard: true,
  removal: null,
  payload: { t: 'check', name: 'unit' },
} as const;
const tool = (id: string, capabilities: readonly string[]) => ({
  id,
  label: id,
  type: 'digital' as const,
  capabilities,
  bound: {},
  built_by: null,
  composed_of: [],
});
const made = (exit: number, manifest: Json = null): Json => ({
  artifact: { format: 'text', summary: 'made', content: 'made' },
  leaf_kind: 'atomic',
  leaf_reason: '',
  manifest,
  checks: [['unit', exit]],
  figures: [],
});

/** Drives one goal as far as it goes, and hands on what it has for the library. */
async function goal(
  runId: string,
  text: string,
  answer: Answerer,
  library: Store,
  more: Partial<Policy> = {},
  runs: Store = memoryStore(),
  constraints: readonly object[] = [],
  usd = 0,
) {
  const place = { ...LIB, library, run: runs, runId };
  const said: Port = {
    source: 'synthetic',
    proposer: 'fixture:hand',
    perform: (request) => {
      const value = answer(request);
      const isLeaf = request.kind === 'resolve' && isObject(request.body) && request.body['node'] !== 'goal';
      const spent = { spent: isLeaf && usd > 0 ? { usd } : {} };
      return value instanceof Error ? Promise.reject(value) : Promise.resolve({ value, ...spent });
    },
  };
  const table: Readonly<Record<string, Port>> = {
    library: libraryPort(place),
    capability: capabilityPort(place),
    hire: { ...said, source: 'human', proposer: 'human' },
  };
  const policy = {
    ...defaultPolicy,
    mode: 'solve',
    extract: false,
    library: true,
    checks: [{ name: 'unit', command: ['true'] }],
    ...more,
  };
  const input = {
    goal: text,
    modality: 'text',
    constraints: [CHECK, ...constraints],
    suggestions: [],
    strikes: [],
  };
  const events: PlannerEvent[] = [];
  const asked: string[] = [];
  const driven = await drive(
    planner,
    { run_id: runId, ts_base: 'T', policy: policy as unknown as Json, input: input as unknown as Json },
    {
      store: runs,
      ports: ({ kind }) => table[kind] ?? said,
      onEvent: (event) => {
        if (event.type !== 'append') return;
        for (const { kind, payload } of event.records) {
          if (kind !== 'decision') continue;
          const decided = payload as unknown as {
            readonly events: readonly PlannerEvent[];
            readonly requests: readonly Request[];
          };
          events.push(...decided.events);
          asked.push(...decided.requests.map((request) => request.kind));
        }
      },
    },
  );
  if (driven._tag === 'Left') throw new Error(JSON.stringify(driven.left));
  const handed = await makeHandOn(place);
  if (handed._tag === 'Left') throw new Error(handed.left.code);
  const count = (t: string): number => events.filter((event) => event.t === t).length;
  const kinds = events.flatMap((event) => (event.t === 'node' ? [event.kind] : []));
  return {
    end: driven.right.end,
    run: driven.right.run,
    attempts: count('attempt'),
    builds: kinds.filter((kind) => kind === 'build').length,
    hires: asked.filter((kind) => kind === 'hire').length,
    asked,
    handed: handed.right,
  };
}

/** A model that cannot parse, but draws; a person who names a command that parses. Who routes looks at the records. */
const workshop: Answerer = ({ kind, body }) => {
  const asked = body as unknown as Bodies['resolve'] & Bodies['route'];
  if (kind === 'route') {
    const [best] = asked.candidates.toSorted((a, b) => a.record.failures - b.record.failures);
    return { steps: [best?.id ?? ''] };
  }
  if (kind === 'gap')
    return {
      capability: asked.node.endsWith('draw') ? 'draw_chart' : 'parse_html',
      title: 'a tool',
      constraints: [],
      estimate: {},
      rationale: 'it is missing',
    };
  if (kind === 'hire') return { kind: 'command', name: 'html-parser', command: ['parse-html'] };
  if (kind === 'consistency') return { conflicts: [] };
  if (kind === 'assemble') return { artifact: { format: 'text', summary: 'all', content: 'all' } };
  if (asked.node === 'goal') {
    const isLong = asked.goal.includes('chart');
    const task = (id: string, after: readonly string[]) => ({
      id,
      title: id,
      after,
      minutes: 1,
      confidence: 900_000,
    });
    return {
      tasks: [task('parse', []), ...(isLong ? [task('draw', ['parse'])] : [])],
      carries: [[isLong ? 'draw' : 'parse', ['unit']], ...(isLong ? [['parse', ['unit']]] : [])],
      needs: isLong
        ? [
            ['parse', 'parse_html'],
            ['draw', 'draw_chart'],
          ]
        : [],
      measures: [],
      couples: [],
      questions: [],
    };
  }
  if (asked.kind === 'build')
    return made(
      0,
      asked.goal === 'a tool' && asked.node.includes('draw') ? tool('charter', ['draw_chart']) : null,
    );
  return made(asked.resolver === 'model-0' ? 1 : 0);
};

describe('goals that share a library', () => {
  it('000 §6: fewer attempts in the second, no build in the third, one HIRE in all', async () => {
    const library = memoryStore();
    await createLibrary(library, LIBRARY_RUN);
    const limits = { ...defaultPolicy.limits, tries: 2 };
    const first = await goal('g1', 'web pages as a table', workshop, library, { limits });
    const second = await goal('g2', 'web pages as a table and a chart', workshop, library, { limits });
    const third = await goal('g3', 'web pages as a chart', workshop, library, { limits });
    expect([first, second, third].map(({ end }) => end)).toEqual(['success', 'success', 'success']);
    expect([first, second, third].map(({ builds }) => builds)).toEqual([1, 1, 0]);
    expect([first, second, third].map(({ hires }) => hires)).toEqual([1, 0, 0]);
    expect(second.attempts).toBeLessThan(first.attempts);
    expect(third.attempts).toBeLessThan(second.attempts);
    const read = await readLibrary(library, LIBRARY_RUN);
    if (read._tag === 'Left') throw new Error(read.left.code);
    const { state } = read.right.run;
    expect(state.resolvers.get('charter')?.built_by).toBe('model-0');
    const relations = new Set([...state.edges].map(([, { relation }]) => relation));
    expect([...relations].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'built_by',
      'failed_because',
      'failed_on',
      'produced',
      'provides',
      'requires',
      'similar_to',
      'succeeded_on',
      'tried_for',
      'used_constraint',
    ]);
    const { history } = answerReading(state, {
      summary: 'parse',
      signature: [['logic', 'software']],
      capability: null,
      gap: null,
    });
    expect(history).toContain('model-0: 0 succeeded, 2 failed');
  });

  it('what was handed on is not written twice, and a run reads its own writes', async () => {
    const library = memoryStore();
    await createLibrary(library, LIBRARY_RUN);
    const runs = memoryStore();
    const limits = { ...defaultPolicy.limits, tries: 1 };
    const { handed, asked } = await goal('g1', 'web pages as a table', workshop, library, { limits }, runs);
    expect(handed.known).toBeGreaterThan(0);
    expect(asked.filter((kind) => kind === 'library')).toHaveLength(3);
    const again = await makeHandOn({ ...LIB, library, run: runs, runId: 'g1' });
    expect(again).toMatchObject({ right: { taken: 0, rejected: [] } });
  });

  it('a report says by how much estimates of such goals were off; one actual scales nothing', async () => {
    const library = memoryStore();
    await createLibrary(library, LIBRARY_RUN);
    const cap = {
      ...CHECK,
      id: 'cost',
      domain: 'cost',
      scope: 'aggregate',
      payload: { t: 'cap', unit: 'usd', op: '<=', bound: 1_000, margin: null, otherwise: null },
    };
    const costing: Answerer = (request) => {
      const { node } = request.body as unknown as Bodies['resolve'];
      if (request.kind !== 'resolve' || node !== 'goal') return workshop(request);
      const task = { id: 'parse', title: 'parse', after: [], minutes: 1, confidence: 900_000 };
      return {
        tasks: [{ ...task, amounts: { cost: 40 } }],
        carries: [['parse', ['unit']]],
        needs: [['parse', 'parse_html']],
        measures: [],
        couples: [],
        questions: [],
      };
    };
    const parser = { ...tool('html-parser', ['parse_html']), bound: { usd: 90 } };
    const more = { budget: { usd: 500 }, resolvers: [...defaultPolicy.resolvers, parser] };
    const first = await goal('g1', 'web pages as a table', costing, library, more, memoryStore(), [cap], 50);
    const second = await goal(
      'g2',
      'Web pages  as a table',
      costing,
      library,
      more,
      memoryStore(),
      [cap],
      50,
    );
    expect(first.run.state.reading?.off).toEqual([]);
    expect(second.run.state.reading?.off).toEqual([{ row: 'cost', n: 1, median_ppm: 1_250_000 }]);
    expect(second.run.state.plans.get('goal')?.plan.tasks[0]?.approaches[0]?.amounts).toEqual([[40, 40, 40]]);
  });

  it('a request of one run is waited for by another, and answered by what a person delivers', async () => {
    const library = memoryStore();
    await createLibrary(library, LIBRARY_RUN);
    const limits = { ...defaultPolicy.limits, tries: 1, builds: 0 };
    const away: Answerer = (request) => (request.kind === 'hire' ? new Later() : workshop(request));
    const [one, two] = [memoryStore(), memoryStore()];
    const first = await goal('g1', 'web pages as a table', away, library, { limits }, one);
    expect([first.end, first.hires]).toEqual(['waiting', 1]);
    const second = await goal('g2', 'web pages as a table', away, library, { limits }, two);
    expect([second.end, second.hires, second.asked.at(-1)]).toEqual(['waiting', 0, 'capability']);
    const more: Answerer = (request) =>
      request.kind === 'hire' ? { kind: 'command', name: 'p', command: ['p'] } : workshop(request);
    expect((await goal('g1', 'web pages as a table', more, library, { limits }, one)).end).toBe('success');
    expect((await goal('g2', 'web pages as a table', away, library, { limits }, two)).end).toBe('success');
  });

  it.each(['a bridge for walkers over the brook', 'forty pallets to Oslo by Friday', 'tomatoes on a roof'])(
    'a goal that is no software ends in a well-formed HIRE: %s',
    async (text) => {
      const library = memoryStore();
      await createLibrary(library, LIBRARY_RUN);
      const answer: Answerer = ({ kind, body }) => {
        const asked = body as unknown as Bodies['resolve'];
        if (kind === 'hire') return new Later();
        if (kind === 'gap')
          return {
            capability: 'work_by_hand',
            title: 'hands',
            constraints: [],
            estimate: { usd: 1_000 },
            rationale: 'no program does this',
          };
        return {
          tasks: [{ id: 'do', title: asked.goal, after: [], minutes: 600, confidence: 900_000 }],
          carries: [['do', ['unit']]],
          needs: [['do', 'work_by_hand']],
          measures: [],
          couples: [],
          questions: [],
        };
      };
      const { end, run } = await goal('n1', text, answer, library, { budget: { usd: 10 } });
      expect(end).toBe('waiting');
      const [, hire] = [...run.open].find(([, open]) => open.request.kind === 'hire') ?? [];
      expect(hire?.request).toMatchObject({
        accepts: ['human'],
        body: {
          node: 'goal/do',
          goal: text,
          reason: 'no_resolver',
          capability: 'work_by_hand',
          constraints: [{ id: 'unit' }],
          tried: [],
          short: null,
        },
      });
    },
  );
});
