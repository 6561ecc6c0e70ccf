/** `assay plan`: the first plan without a model, what it says when nothing fits, waiting, going on, what if. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json } from '@assay/kernel';
import { askHash } from '@assay/proposers';
import { afterAll, describe, expect, test } from 'vitest';
import { agentPlan } from '../../planner/tools/examples.ts';
import { argv } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-plans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
/** A place of its own. */
function place(name: string): string {
  made += 1;
  mkdirSync(join(folder, String(made)));
  return join(folder, String(made), name);
}
function file(value: Json | string, name: string = 'plan.json'): string {
  const path = place(name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
const ledgerOf = (out: string): string => join(out, 'run.ledger.jsonl');

describe('a plan file', () => {
  test('nothing fits: exit 1, how many combinations, the core, the least raise, and a command that holds', async () => {
    const path = file(agentPlan());
    const out = place('out');
    const { code, stdout } = await called('plan', path, '--cap', 'cost<4000', '-o', out);
    expect(code).toBe(1);
    for (const said of [
      'none among 81 recorded combinations',
      'cost with t8, each at its best',
      'under 27,901 cents: 597.5 % more',
      `assay whatif ${ledgerOf(out)} --set cap.cost=27901`,
    ])
      expect(stdout).toContain(said);
    const whatIf = async (bound: string): Promise<unknown> =>
      (await calledJson('whatif', ledgerOf(out), '--set', `cap.cost=${bound}`))['after'];
    expect(await whatIf('27901')).toMatchObject({ outcome: 'success' });
    expect(await whatIf('27900')).toMatchObject({
      outcome: 'refused',
      because: [
        expect.stringContaining('over'),
        'least raise: cost under 27,901 cents: less than 0.1 % more',
        expect.stringContaining('with'),
      ],
    });
    expect(await whatIf('27901 cents')).toMatchObject({ outcome: 'success' });
  });

  test('an approach that is struck is not taken, and nobody is asked again', async () => {
    const out = place('out');
    await called('plan', file(agentPlan()), '-o', out);
    const struck = await calledJson('whatif', ledgerOf(out), '--set', 'strike=t8.a');
    expect(struck).toMatchObject({ after: { outcome: 'success' }, unknown: [] });
    expect(struck['changed']).toEqual([{ path: 'strike', was: null, would_be: 't8.a' }]);
    const base = await calledJson('whatif', ledgerOf(out), '--set', 'strike=t8.base');
    expect(base).toMatchObject({ after: { outcome: 'success' }, unknown: [] });
    expect(JSON.stringify(base['after'])).not.toContain('t8.base');
    for (const wrong of ['cap.gold=1', 'strike=t8', 'strike=t8.zz'])
      expect((await called('whatif', ledgerOf(out), '--set', wrong)).code).toBe(2);
  });
});

describe('a goal in words', () => {
  const quantity = (id: string, op: string, value: number): Json => ({
    id,
    type: 'logic',
    domain: 'data',
    title: id,
    scope: 'local',
    hard: true,
    removal: null,
    payload: { t: 'quantity', name: 'classes', op, value },
  });
  const cap = {
    id: 'cost',
    type: 'logic',
    domain: 'cost',
    title: 'cost',
    scope: 'aggregate',
    hard: true,
    removal: null,
    payload: { t: 'cap', unit: 'USD cents', op: '<=', bound: 50_000, margin: null, otherwise: null },
  };
  const GOAL = 'a classifier of fifty classes';
  const entry = (kind: string, body: Json, source: string, value: Json): Json => ({
    ask_hash: askHash({ kind, body }),
    ask: { kind, body },
    proposal: {
      source,
      proposer: source === 'human' ? 'human' : 'fixture:hand',
      confidence: null,
      value,
      failure: null,
      provenance: {},
    },
  });
  const recording = (...entries: readonly Json[]): string =>
    file({ format: 'assay-recorded/0', entries } as Json, 'recording.json');
  const extract: Json = { goal: GOAL, modality: 'text', constraints: [cap], suggestions: [], conflicts: [] };
  const fifty = quantity('fifty', '=', 50);
  const sixteen = quantity('sixteen', '<=', 16);

  test('waits where only a person can settle a contradiction, and goes on with the answer', async () => {
    const first = recording(
      entry('extract', extract, 'synthetic', { constraints: [fifty, sixteen], drop: [], questions: [] }),
    );
    const out = place('out');
    const waits = await called(
      ...argv`plan ${GOAL} --cap cost=500usd --proposer recorded:${first} -o ${out}`,
    );
    expect([waits.code, waits.stderr]).toEqual([6, expect.stringContaining('contradict each other')]);
    expect(waits.stderr).toContain(`assay resume ${out} --proposer recorded:${first}`);
    const conflict: Json = {
      goal: GOAL,
      modality: 'text',
      constraints: [fifty, sixteen],
      suggestions: [],
      conflicts: [['fifty', 'sixteen']],
    };
    const settled = recording(
      entry('extract', conflict, 'human', { constraints: [], drop: ['fifty'], questions: [] }),
    );
    const after = await called('resume', out, '--proposer', `recorded:${settled}`);
    // Nobody was recorded who says the tasks: a person is asked for a tool, and the run waits again.
    expect([after.code, after.stderr]).toEqual([
      6,
      expect.stringContaining('no tool is left that does decompose'),
    ]);
  });
});

describe('what is drawn of a plan', () => {
  const hostile = '\u001b[31mx\u202e"]; click n0 "javascript:1"\n```\n\'); DROP TABLE nodes; --';
  const plan = {
    plan: 1,
    goal: hostile,
    rows: [{ id: 'cost', unit: '=2+3', op: '<=', cap: 900 }],
    tasks: [
      { id: 'a', title: hostile, minutes: 60, confidence: 900_000, amounts: { cost: 500 } },
      { id: 'b', title: '=cmd()', after: ['a'], minutes: 2_000, confidence: 900_000, amounts: { cost: 400 } },
    ],
  } as Json;

  test('a screen, diagrams and a table hold hostile titles and obey none', async () => {
    const out = place('out');
    expect((await called('plan', file(plan), '-o', out)).code).toBe(0);
    const shown = async (...args: readonly string[]): Promise<string> =>
      (await called('show', ledgerOf(out), ...args)).stdout;
    for (const format of ['text', 'mermaid', 'csv']) {
      const text = await shown('--format', format);
      for (const acts of ['\u001b', '\u202e']) expect(text).not.toContain(acts);
    }
    expect(await shown()).toMatch(/ b +#{30,}$/m);
    const mermaid = await shown('--format', 'mermaid');
    expect(mermaid).not.toMatch(/^\s*click/m);
    expect(mermaid.match(/^```/gm)).toHaveLength(2);
    expect(mermaid).toContain('#98; :crit, 2001-01-01 01:00, 2000m');
    const csv = await shown('--format', 'csv');
    expect(csv.split('\n')[0]).toContain('"task","title","how","cost","so far","starts","takes"');
    expect(csv).toContain(`"b","'=cmd()",,"400 =2+3","900 =2+3",60,2000,0,900000`);
  });
});

test('100,000 tasks are refused with their code', async () => {
  const tasks = Array.from({ length: 100_000 }, (_, at) => ({
    id: `t${at}`,
    minutes: 1,
    confidence: 500_000,
  }));
  const { code, stderr } = await called('plan', file({ plan: 1, tasks } as Json));
  expect([code, stderr]).toEqual([2, expect.stringContaining('inadmissible')]);
});
