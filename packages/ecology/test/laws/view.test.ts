/** What pictures and statements say is what the world has. */
import { orThrow, runView, type DerivedRecord } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { makeAudit } from '../../src/view/auditor.js';
import { computeGini } from '../../src/view/course.js';
import { fold, settled, start, type EcologyFold } from '../../src/view/fold.js';
import { formatScrip, makeStatement } from '../../src/view/index.js';
import { computeKpis } from '../../src/view/kpis.js';
import { freshEngine } from '../../tools/engine.js';
import { player, scripts } from '../../tools/script.js';
import { GUARD, tools, World } from '../../tools/world.js';
import { EMPTY_ACCOUNT } from '../../src/world/state.js';

const engine = freshEngine();
const play = player(engine);

function foldAll({ records }: World): EcologyFold {
  const [, ...rest] = records as DerivedRecord[];
  return settled(rest.reduce((seen, record, at) => fold(seen, record, at + 1), start(genesisOf(records))));
}

function genesisOf(records: World['records']): Parameters<typeof start>[0] {
  return orThrow(runView(records)).genesis;
}

describe('a world that is seen', () => {
  it('ecology/statement-adds-up', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { world, first } = play(script);
        const [, ...rest] = world.records as DerivedRecord[];
        for (const [id, { amounts: closing }] of world.state.accounts) {
          const opening = (first.accounts.get(id) ?? EMPTY_ACCOUNT).amounts;
          const stated = makeStatement(genesisOf(world.records), rest, id, { opening, closing });
          expect(stated.filter(({ adds_up }) => !adds_up)).toEqual([]);
          // What is not stated did not move.
          for (const key of Object.keys(closing) as (keyof typeof closing)[])
            if (!stated.some(({ resource }) => resource === key)) expect(closing[key]).toBe(opening[key]);
          for (const { entries } of stated) expect(entries.filter(({ why }) => why === '')).toEqual([]);
        }
      }),
      { seed: LAW_SEED, numRuns: draws(100) },
    );
  });

  it('ecology/view-equals-state', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { world, decisions } = play(script);
        const { course, tallies, done, refused } = foldAll(world);
        const { state } = world;
        for (const [id, amount] of tallies.scrip) expect([id, amount]).toEqual([id, world.scrip(id)]);
        expect(course.supply).toBe(state.supply);
        const lives = [...state.accounts].flatMap(([, { life }]) => (life === null ? [] : [life]));
        expect(course.counts).toEqual({
          asleep: lives.filter(({ sleep }) => sleep !== null).length,
          blocked: lives.filter(({ blocked }) => blocked !== null).length,
          frozen: lives.filter(({ frozen }) => frozen !== '').length,
        });
        const ends = decisions.flatMap(({ events }) => events.map(({ event }) => event.t));
        expect([done, refused]).toEqual(['did', 'no'].map((t) => ends.filter((one) => one === t).length));
      }),
      { seed: LAW_SEED, numRuns: draws(300) },
    );
  });

  it('inequality of known amounts', () => {
    expect([[], [0, 0], [5, 5, 5]].map(computeGini)).toEqual([0, 0, 0]);
    expect(computeGini([0, 0, 0, 8])).toBe(750_000);
    expect(computeGini([1, 3])).toBe(250_000);
    expect([0, 5, 1_000, 20_050, -500].map(formatScrip)).toEqual(['0', '0.005', '1', '20.05', '-0.5']);
  });
});

describe('figures of a small world', () => {
  const code = { code: 'function run() { return 1; }' };
  const toll = `function check_permission(q) {
    return { allowed: true, charges: q.action === 'invoke' ? [{ to: 'ann', amount: 5 }] : [] };
  }`;
  const made = [
    { id: 'toll', owner: 'ann', content: { code: toll }, interface: GUARD, can_execute: true },
    {
      id: 'tool',
      owner: 'ann',
      content: code,
      interface: tools('go'),
      can_execute: true,
      access_contract_id: 'toll',
    },
  ];

  it('who paid whom, who used whose work, what was refused', () => {
    const world = new World(engine, { agents: { initial: ['ann', 'bob', 'cid', 'dan'] } }, made);
    for (const agent of ['bob', 'cid', 'dan', 'bob']) world.invoke(agent, 'tool', 'go', {}, 5);
    world.invoke('bob', 'tool', 'go');
    const { tallies, ...seen } = foldAll(world);
    expect(tallies.paid.get('bob ann tool.go')).toMatchObject({ times: 2, amount: 10 });
    expect(tallies.agents.get('ann')).toMatchObject({ earned: 20, done: 0 });
    expect(tallies.agents.get('bob')).toMatchObject({ spent: 10, done: 2, refused: 1 });
    expect(tallies.invokes.sorted()).toEqual([
      ['bob tool', { times: 2 }],
      ['cid tool', { times: 1 }],
      ['dan tool', { times: 1 }],
    ]);
    expect(tallies.refused.sorted().map(([, one]) => one)).toMatchObject([
      { agent: 'bob', code: 'INSUFFICIENT_FUNDS', times: 1 },
    ]);
    const { json } = makeAudit({ tallies, ...seen }, world.state);
    expect(json).toMatchObject({
      health: 'healthy',
      because: '0 of 4 are broke or stuck, and 20.0 % of actions were refused',
      kpis: [
        { kpi: 'capital density', value: '4', cause: 'the most: bob used tool, 2 times' },
        { kpi: 'resource velocity', cause: 'the most: bob paid 0.01 to ann for tool.go' },
        { kpi: 'recovery rate', value: 'none' },
        { kpi: 'specialization', value: 'none' },
      ],
      movers: [{ id: 'ann', change: '+0.02' }, { id: 'cid' }, { id: 'dan' }, { id: 'bob', change: '-0.01' }],
      stuck: [],
    });
    expect(computeKpis({ tallies, ...seen }, world.state)).toMatchObject({
      capital_density: 4,
      widely_used: 1_000_000,
      resource_velocity: 50,
      recovery_rate: null,
      denied: 200_000,
      escrow_fill: null,
    });
  });
});
