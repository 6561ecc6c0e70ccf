/**
 * A goal in words, planned by a model and by a person at the terminal. No model is behind it: every answer is
 * synthetic.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@assay/cli';
import { afterAll, describe, expect, test } from 'vitest';
import { scripted, type Scripted } from '../../models/test/tools/scripted-server.ts';
import { argv, type Ended } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { calledWith, CANARY, envOf, named } from './lib/models.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-plan-models-'));
const servers: Scripted[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const range = (mid: number): object => ({ low: Math.ceil(mid / 2), mid, high: 2 * mid });
const way = (minutes: number, cost: number, confidence: number): object => ({
  minutes: range(minutes),
  amounts: [{ id: 'cost', ...range(cost) }],
  confidence,
  figures: [],
});
/** What a model says to each prompt, by words of its instructions. */
const SAID: readonly (readonly [words: string, answer: object])[] = [
  [
    'list the constraints',
    {
      constraints: [
        {
          id: 'safe',
          title: 'no photo is lost',
          kind: 'rubric',
          unit: '',
          op: null,
          bound: null,
          hard: true,
          removal: 'pictures of years could be gone',
        },
      ],
      questions: ['which date: taken or stored?'],
    },
  ],
  [
    'which tasks a goal consists of',
    {
      tasks: [
        {
          id: 'read',
          title: 'read the date of a photo',
          kind: 'build',
          after: [],
          carries: [],
          ...way(120, 20_000, 0.8),
        },
        {
          id: 'move',
          title: 'rename it',
          kind: 'build',
          after: ['read'],
          carries: ['safe'],
          ...way(240, 40_000, 0.6),
        },
      ],
      artifact: null,
      questions: [],
      why: null,
    },
  ],
  [
    'name other ways',
    {
      approaches: [
        { task: 'move', id: 'copy', method: 'known: copy, then compare', ...way(200, 25_000, 0.7) },
        { task: 'read', id: 'lib', method: 'known: a published reader', ...way(60, 8_000, 0.7) },
      ],
      figures: [],
    },
  ],
  [
    'plan keeps to constraints',
    {
      checks: [{ constraint: 'safe', passed: true, confidence: 0.9, detail: 'move compares', repair: null }],
    },
  ],
];
const answer = (body: unknown): string => {
  const text = JSON.stringify(body);
  return JSON.stringify(SAID.find(([words]) => text.includes(words))?.[1] ?? {});
};
async function serve(): Promise<Scripted> {
  const server = await scripted('compatible', (_, { body }) => ({
    text: answer(body),
    usage: { input: 100, output: 50 },
  }));
  servers.push(server);
  return server;
}
const GOAL = 'a tool that renames photos by their date';

describe.skipIf(!hasLoopback)('a model plans', () => {
  test('constraints, tasks, other ways, and what no arithmetic checks: four calls, and arithmetic decides', async () => {
    const server = await serve();
    const out = join(folder, 'out');
    const args = [
      ...argv`plan ${GOAL} --cap cost=500usd --cap deadline=24h`,
      ...argv`--proposer ${named('compatible', server.url)}`,
    ];
    const { code, stdout } = await calledWith(envOf(server.url), ...args, '-o', out);
    expect(code).toBe(0);
    expect(server.received).toHaveLength(4);
    for (const said of ['cost is $600, $100 over', 'base becomes copy', 'which date: taken or stored?'])
      expect(stdout).toContain(said);
    const ledger = readFileSync(join(out, 'run.ledger.jsonl'), 'utf8');
    expect(ledger).not.toContain(CANARY);
    expect(ledger).toContain('"live_model"');
    expect((await called('verify', join(out, 'run.ledger.jsonl'), '--checks', 'any')).code).toBe(0);
    // Decided again under another cap, no call is made.
    const whatIf = await called('whatif', join(out, 'run.ledger.jsonl'), '--set', 'cap.cost=449usd');
    expect([whatIf.code, server.received.length]).toEqual([0, 4]);
    // Its answers, recorded, plan it again without a model.
    const recorded = join(folder, 'recorded.json');
    expect((await called('record', join(out, 'run.ledger.jsonl'), '-o', recorded)).code).toBe(0);
    const again = await called(...args.slice(0, -1), `recorded:${recorded}`);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('base becomes copy')]);
  });

  test('a call that could cost more than the budget allows is not made', async () => {
    const server = await serve();
    const args = ['plan', GOAL, '--cap', 'cost=500usd', '--proposer', named('compatible', server.url)];
    const ended = await calledWith(envOf(server.url), ...args, '--llm', 'budget.input_tokens=160');
    expect(server.received).toHaveLength(0);
    expect([ended.code, ended.stderr]).toEqual([6, expect.stringContaining('one call may cost 10,')]);
  });

  test('a budget of output bounds the output of each call', async () => {
    const server = await serve();
    const args = ['plan', GOAL, '--cap', 'cost=500usd', '--proposer', named('compatible', server.url)];
    const ended = await calledWith(envOf(server.url), ...args, '--llm', 'budget.output_tokens=60000');
    expect(ended.code).toBe(0);
    expect(server.received.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([
      3_750, 3_750, 3_750, 3_750,
    ]);
  });
});

/** Calls `assay` with a person who types these lines. */
async function typing(lines: readonly string[], ...args: readonly string[]): Promise<Ended> {
  const read = { stdout: '', stderr: '' };
  const left = [...lines];
  const code = await main(args, {
    out: { write: (text) => (read.stdout += text) },
    err: { write: (text) => (read.stderr += text) },
    env: {},
    readLine: () => Promise.resolve(left.shift() ?? null),
  });
  return { code, ...read };
}

describe('a person plans', () => {
  const template = ['cli,size=4,rate=60usd', '--set', `goal=${GOAL}`, '--cap', 'cost=900usd'];

  test('states constraints at the terminal, is told what is no bound, and judges the plan', async () => {
    const lines = [
      'deadline<=40h',
      'gold<many',
      'it never deletes a photo',
      'pictures would be gone',
      '',
      'yes',
    ];
    const { code, stdout, stderr } = await typing(lines, 'plan', ...template, '--proposer', 'human');
    expect([code, stderr]).toEqual([0, expect.stringContaining('"many" is no amount')]);
    expect(stdout).toContain('deadline');
    const refused = await typing([...lines.slice(0, -1), 'no'], 'plan', ...template, '--proposer', 'human');
    expect(refused.code).not.toBe(0);
  });

  test('who stops typing leaves the run waiting', async () => {
    const out = join(folder, 'typed');
    const args = ['plan', ...template, '--proposer', 'human', '-o', out];
    const ended = await typing(['deadline<=40h'], ...args);
    expect([ended.code, ended.stderr]).toEqual([6, expect.stringContaining('extract')]);
    expect((await called('plan', ...template, '--proposer', 'human')).code).toBe(2);
  });
});
