/** `assay check`: the screen, the document, other caps, templates, and plans that are none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow, type Json, type Shape } from '@assay/kernel';
import {
  checkCertificate,
  parsePlan,
  makeQuestion,
  type Bounds,
  type Certificate,
  type Claim,
  type Objective,
} from '@assay/planner/schedule';
import { PLANNER_PUBLISHED } from '@assay/planner/schemas';
import { afterAll, describe, expect, test } from 'vitest';
import { agentPlan, classifierPlan, tradingPlan } from '../../planner/tools/examples.ts';
import { called, calledJson } from './lib/called.ts';

const published = (name: string): Shape => PLANNER_PUBLISHED.find(([known]) => known === name)?.[2] as Shape;

const folder = mkdtempSync(join(tmpdir(), 'assay-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(value: Json | string, ending: string = 'json'): string {
  files += 1;
  const path = join(folder, `${files}.${ending}`);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

describe('a plan that does not fit', () => {
  test('which cap, by how much, why, the repair, why not the cheaper one, and the command that tries it', async () => {
    const path = file(agentPlan());
    const { code, stdout } = await called('check', path);
    expect(code).toBe(0);
    for (const said of [
      'Fits with 1 change',
      'as first planned, cost is 58,500 cents, 8,500 cents over: t8 33,000 cents + t7 9,000 cents',
      'base becomes a',
      't8.b for 40,500 cents: its confidence is 0.35, not 0.55',
      't1, t3, t6, t7, t8, t9 (6 of 9 tasks have no slack)',
      `assay check ${path} --cap 'cost<58501'`,
    ])
      expect(stdout).toContain(said);
    expect((await called('check', path, '--cap', 'cost<58501')).code).toBe(0);
    expect((await called('check', path, '--cap', 'cost<58501')).stdout).toContain('no change is needed');
    expect((await called('check', path, '--cap', 'cost<58500')).stdout).toContain('Fits with 1 change');
  });

  test('no repair: how many combinations there are, the core, and the least raise, which is enough', async () => {
    const path = file(agentPlan(4_000));
    const { stdout } = await called('check', path);
    for (const said of [
      'none among 81 recorded combinations',
      'cost with t8, each at its best',
      'each limit alone, then the smallest raise by share: proven\n  cost  under 27,901 cents: 597.5 % more',
      `--cap 'cost<27901'`,
    ])
      expect(stdout).toContain(said);
    expect(await calledJson('check', path, '--cap', 'cost<27901')).toMatchObject({
      repair: { label: 'exact' },
    });
    expect(await calledJson('check', path, '--cap', 'cost<27900')).toMatchObject({
      repair: { label: 'none' },
    });
  });

  test('the document fits its schema, and each of its certificates proves its claim', async () => {
    for (const plan of [
      agentPlan(),
      agentPlan(50_000, false),
      agentPlan(4_000),
      tradingPlan(),
      classifierPlan(),
    ]) {
      expect(published('plan')(plan as Json)).toBeNull();
      const read = orThrow(parsePlan(plan));
      const document = await calledJson('check', file(plan));
      expect(published('plan-check')(document as Json)).toBeNull();
      const proofs = document['proofs'] as readonly {
        readonly objective: Objective;
        readonly bounds: Bounds;
        readonly part: {
          readonly constraints: readonly string[];
          readonly tasks: readonly string[];
          readonly current: boolean;
        } | null;
        readonly claim: Claim;
        readonly certificate: Certificate;
      }[];
      expect(proofs.length).toBeGreaterThan(0);
      for (const { objective, bounds, part, claim, certificate } of proofs) {
        const about =
          part === null
            ? makeQuestion(read, objective, bounds)
            : makeQuestion(read, objective, bounds, {
                holds: ({ id }) => part.constraints.includes(id),
                keeps: ({ id }) => part.tasks.includes(id),
                isCurrent: part.current,
              });
        expect(checkCertificate(about, claim, certificate)).toBe(true);
      }
    }
  });
});

describe('caps and deadlines', () => {
  const path = file(agentPlan());
  const dollars = file(JSON.stringify(agentPlan()).replaceAll('"cents"', '"USD cents"'));
  const cost = async (...args: readonly string[]): Promise<unknown> => {
    const isDollars = args.some((arg) => /usd|\$/.test(arg));
    const { constraints } = (await calledJson('check', isDollars ? dollars : path, ...args)) as {
      readonly constraints?: readonly { readonly op: string; readonly bound: number }[];
    };
    return constraints?.map(({ op, bound }) => `${op} ${bound}`);
  };

  test.each([
    ['cost=600usd', ['<= 60000', '<= 1440']],
    ['cost<600.5usd', ['< 60050', '<= 1440']],
    ['cost<=$600', ['<= 60000', '<= 1440']],
    ['cost=60000 cents', ['<= 60000', '<= 1440']],
    ['cost=60000', ['<= 60000', '<= 1440']],
  ])('--cap %s', async (given, bounds) => {
    expect(await cost('--cap', given)).toEqual(bounds);
  });

  test.each([
    ['deadline=24h', ['< 50000', '<= 1440']],
    ['deadline<2 days', ['< 50000', '< 2880']],
    ['deadline=900', ['< 50000', '<= 900']],
  ])('--cap %s', async (given, bounds) => {
    expect(await cost('--cap', given)).toEqual(bounds);
  });
});

describe('files', () => {
  test('hostile text acts on no terminal', async () => {
    const hostile = '\u001b[31mred\u202e\nnext';
    const plan = {
      plan: 1,
      goal: hostile,
      rows: [{ id: 'c', unit: hostile, op: '<', cap: 1 }],
      tasks: [
        {
          id: 'a',
          title: hostile,
          minutes: 1,
          confidence: 500_000,
          amounts: { c: 5 },
          alternatives: [{ id: 'b', method: hostile, minutes: 1, confidence: 500_000, amounts: { c: 0 } }],
        },
      ],
    };
    const { stdout } = await called('check', file(plan as Json));
    for (const acts of ['\u001b', '\u202e']) expect(stdout).not.toContain(acts);
    expect(stdout).toContain('base becomes b');
  });
});
