/** Scripted minds: the same bytes twice, going on where a run was left, and minds that do wrong. */
import { loadRun, memoryStore, type Store } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { ecology, resolveConfig, type AgentView, type EcologyState } from '../src/index.js';
import {
  Builtins,
  playScripted,
  readMinds,
  ResponseLog,
  WorldRun,
  type Bounds,
  type Decided,
  type Draw,
  type ScriptedEnd,
} from '../src/shell/index.js';

const IDS = Array.from({ length: 12 }, (_, at) => `a${at}`);
const NEVER: Bounds = { until_us: null, end_us: null, records: null, steps: null };

/** Pays a neighbour, reads one, or sleeps; looks at what came of its last actions. */
function wander({ balances, responses }: AgentView, draw: Draw): unknown {
  const to = `a${draw(IDS.length)}`;
  if (draw(6) === 0) return { sleep: 1 + draw(5) };
  if (draw(3) === 0 || responses.some(({ success }) => !success)) return [{ op: 'read', id: to }];
  const args = { to, amount: 1 + draw(Math.max(1, balances.scrip)) };
  return [{ op: 'invoke', id: 'genesis_ledger_api', method: 'transfer', args }];
}

async function play(
  exported: { readonly [name: string]: unknown },
  bounds: Partial<Bounds>,
  {
    seed = 7,
    store = memoryStore(),
    deadlineMs = 1_000,
    told,
  }: { seed?: number; store?: Store; deadlineMs?: number; told?: (decided: Decided) => void } = {},
): Promise<{ end: ScriptedEnd; world: WorldRun; lines: string }> {
  const policy = orThrow(
    resolveConfig({ agents: { initial: IDS, scrip: 100 }, mint: { interval_us: 7_000_000 } }),
  );
  const shown = new ResponseLog();
  const hear = (decided: Decided): void => {
    shown.hear(decided);
    told?.(decided);
  };
  const start = { run_id: 'w', ts_base: 'T', policy, input: { artifacts: [] }, engine: null };
  const world = orThrow(await WorldRun.open({ machine: ecology, start: start as never, store, told: hear }));
  const minds = readMinds(exported);
  if (typeof minds === 'string') throw new Error(minds);
  const { end } = orThrow(
    await playScripted(world, { minds, seed, mind: 'test', shown, deadlineMs, ...NEVER, ...bounds }),
  );
  let lines = '';
  for await (const line of store.read('w')) lines += `${new TextDecoder().decode(line)}\n`;
  return { end, world, lines };
}

describe('scripted minds', () => {
  it('write the same bytes twice, and others under another seed', async () => {
    const until_us = 8_000_000;
    const [one, two, other] = await Promise.all(
      [7, 7, 8].map((seed) => play({ mind: wander }, { until_us }, { seed })),
    );
    expect(one?.lines).toBe(two?.lines);
    expect(other?.lines).not.toBe(one?.lines);
    expect(one?.world.state.resolutions).toBe(1);
  });

  it('that change JavaScript itself break no ledger, and leave nothing behind', async () => {
    const spoil = (of: object, key: string, value: unknown): boolean =>
      Reflect.defineProperty(of, key, { value, configurable: true, writable: true });
    const spoilt: typeof wander = (...given) => {
      const said = wander(...given);
      spoil(Object.prototype, 'r', 'disk');
      spoil(Map.prototype, 'get', () => undefined);
      spoil(JSON, 'stringify', () => 'x');
      spoil(globalThis, 'Map', Set);
      return said;
    };
    const store = memoryStore();
    const { world } = await play({ mind: spoilt }, { until_us: 8_000_000 }, { store });
    expect([Object.hasOwn(Object.prototype, 'r'), new Map([[1, 2]]).get(1)]).toEqual([false, 2]);
    expect(orThrow(await loadRun(ecology, 'w', store)).run.count).toBe(world.count);
  });

  it('that change nothing are not accused of it', () => {
    expect(new Builtins().restore()).toEqual([]);
  });

  it('go on where a run was left as if it had not been', async () => {
    const whole = await play({ mind: wander }, { end_us: 8_000_000 });
    const store = memoryStore();
    const ends: ScriptedEnd[] = [];
    for (let at = 0; at < 200 && ends.at(-1) !== 'closed'; at += 1)
      ends.push((await play({ mind: wander }, { end_us: 8_000_000, steps: 1 + (at % 3) }, { store })).end);
    const { lines } = await play({ mind: wander }, { end_us: 8_000_000 }, { store });
    expect(ends.length).toBeGreaterThan(5);
    expect(lines).toBe(whole.lines);
  });

  it('that throw, loop, say what is no list or change their view are recorded, and nobody else is hurt', async () => {
    const minds = {
      a0: () => {
        throw new Error('no');
      },
      a1: () => {
        for (;;);
      },
      a2: () => 'nothing',
      a3: (view: AgentView) => Object.assign(view.balances, { scrip: 1e9 }),
      a4: () => [{ op: 'noop', x: 1n }],
      a5: () => Array.from({ length: 33 }, () => ({ op: 'noop' })),
      a6: () => Promise.resolve([]),
      a7: () => [],
    };
    const { lines, world } = await play({ minds }, { until_us: 1_000_000 }, { deadlineMs: 50 });
    const said = [...lines.matchAll(/\["(a\d)","[0-9a-f]*",(\{[^}]*\})/g)].map(([, agent, action]) => [
      agent,
      action,
    ]);
    expect(Object.fromEntries(said)).toEqual({
      a0: '{"code":"threw","op":"failed"}',
      a1: '{"code":"late","op":"failed"}',
      a2: '{"code":"malformed","op":"failed"}',
      a3: '{"code":"threw","op":"failed"}',
      a4: '{"code":"malformed","op":"failed"}',
      a5: '{"code":"malformed","op":"failed"}',
      a6: '{"code":"malformed","op":"failed"}',
      a7: '{"op":"noop"}',
    });
    expect(world.state.accounts.get('a3')?.amounts.scrip).toBe(100);
  });

  it('are told what is wrong with their module', () => {
    expect(readMinds({})).toBe('it exports neither mind nor minds');
    expect(readMinds({ mind: 3 })).toBe('mind is no function');
    expect(readMinds({ minds: { ann: 3 } })).toBe('minds.ann is no function');
  });
});

describe('ecology/schedule-invariance (L26)', () => {
  // A seed is an order too: who acts first in an instant is drawn from it.
  it.each(Array.from({ length: Number(process.env['ASSAY_ORDERS'] ?? 6) }, (_, at) => at + 100))(
    'in the order of seed %i every law of money holds after each turn',
    async (seed) => {
      const decided: EcologyState[] = [];
      await play(
        { mind: wander },
        { until_us: 15_000_000 },
        { seed, told: ({ after }) => decided.push(after) },
      );
      expect(decided.length).toBeGreaterThan(15);
      for (const { accounts, supply, now_us } of decided) {
        const held = [...accounts].map(([, { amounts }]) => amounts.scrip);
        expect(held.reduce((sum, each) => sum + each, 0)).toBe(supply);
        expect(Math.min(...held)).toBeGreaterThanOrEqual(0);
        expect(now_us).toBeGreaterThan(0);
      }
    },
  );
});
