/**
 * `assay plan --workspace` and `--library`: a plan carried out by an agent whose tasks are runs of their own, a check
 * that fails until it holds, and what plans leave in their library. No model is called.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { argv } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-executed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const task = (id: string, title: string, after: readonly string[] = []): object => ({
  id,
  title,
  after,
  minutes: 1,
  confidence: 900_000,
  amounts: { cost: 10 },
});
const PLAN = {
  plan: 1,
  goal: 'a report about this folder',
  rows: [{ id: 'cost', unit: 'cents', op: '<=', cap: 100 }],
  tasks: [
    task('largest', 'find * largest | names -> Name; write Name to report.md'),
    task('done', 'write "it is done" to done.md', ['largest']),
  ],
};

let made = 0;
/** A folder of its own with a workspace and the plan. */
function place(): { readonly at: (name: string) => string; readonly plan: string; readonly work: string } {
  made += 1;
  const own = join(folder, String(made));
  const at = (name: string): string => join(own, name);
  mkdirSync(at('work'), { recursive: true });
  writeFileSync(at('work/long.txt'), 'a'.repeat(100));
  writeFileSync(at('work/short.txt'), 'a');
  writeFileSync(at('plan.json'), JSON.stringify(PLAN));
  return { at, plan: at('plan.json'), work: at('work') };
}

describe('a plan that is carried out', () => {
  test('each task is a run of its own, the check holds, the parts are assembled, and all of it verifies', async () => {
    const { at, plan, work } = place();
    const out = at('out');
    const args = ['--workspace', work, '--set', 'check.there=test -s done.md', '-o', out];
    const { status, artifacts } = await calledJson('plan', plan, ...args);
    expect(status).toBe('success');
    const [genesis = ''] = readFileSync(at('out/run.ledger.jsonl'), 'utf8').split('\n');
    expect(genesis).toContain('"checks":[{"command":["test","-s","done.md"],"name":"there"}]');
    expect(artifacts).toMatchObject({ report: { nodes: { resolved: 3 } } });
    expect(readFileSync(at('work/report.md'), 'utf8')).toContain('long.txt');
    expect(readdirSync(at('out/assembly')).toSorted()).toEqual(['done.md', 'report.md']);
    expect(readdirSync(out).filter((name) => name.includes('~'))).toHaveLength(2);
    expect((await called('verify', at('out/run.ledger.jsonl'), '--with', out, '--checks', 'any')).code).toBe(
      0,
    );
    const [leaf = ''] = readdirSync(out).filter((name) => name.includes('~'));
    const recorded = readFileSync(join(out, leaf), 'utf8');
    writeFileSync(join(out, leaf), recorded.replace('"confidence":null', '"confidence":1'));
    const edited = await called('verify', at('out/run.ledger.jsonl'), '--with', out, '--checks', 'any');
    expect([edited.code, edited.stdout]).toEqual([3, expect.stringContaining('head_mismatch')]);
    rmSync(join(out, leaf));
    const missing = await called('verify', at('out/run.ledger.jsonl'), '--with', out);
    expect([missing.code, missing.stdout, missing.stderr]).toEqual([
      4,
      expect.stringContaining('no_ledger'),
      expect.stringContaining(leaf.replace('.ledger.jsonl', '')),
    ]);
    const shown = await called('show', at('out/run.ledger.jsonl'));
    expect(shown.stdout).toContain('Solved');
  });

  test('a check that does not hold asks a person, and waits until one answers', async () => {
    const { at, plan, work } = place();
    const args = ['--workspace', work, '--set', 'check.there=test -s sign.txt', '-o', at('out')];
    const waits = await called('plan', plan, ...args);
    expect([waits.code, waits.stderr.split('\n')[0]]).toEqual([
      6,
      expect.stringContaining('the check there failed: exit 1; no tool is left'),
    ]);
    expect((await called('verify', at('out/run.ledger.jsonl'), '--with', at('out'))).code).toBe(0);
    const again = await called(
      ...argv`resume ${at('out')} --workspace ${work} --set ${'check.there=test -s sign.txt'}`,
    );
    expect(again.code).toBe(6);
    expect((await called('resume', at('out'))).code).toBe(2);
    // Its command is recorded: no other is taken for it, and none is taken from the ledger.
    for (const checks of [[], ['--set', 'check.there=true']]) {
      const other = await called('resume', at('out'), '--workspace', work, ...checks);
      expect([other.code, other.stderr]).toEqual([
        2,
        expect.stringContaining("--set 'check.there=test -s sign.txt'"),
      ]);
    }
  });

  test('a run that was cut off before its tasks were recorded goes on by the call that began it', async () => {
    const { at, plan, work } = place();
    const args = ['--workspace', work, '--set', 'check.there=test -s sign.txt'];
    await called('plan', plan, ...args, '-o', at('out'));
    const ledger = at('out/run.ledger.jsonl');
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(ledger, `${lines.slice(0, 2).join('\n')}\n`);
    const resumed = await called(
      ...argv`resume ${at('out')} --workspace ${work} --set ${'check.there=test -s sign.txt'}`,
    );
    expect([resumed.code, resumed.stderr]).toEqual([
      6,
      expect.stringContaining('the command that started this run'),
    ]);
    const again = await called('plan', plan, ...args, '-o', at('out'));
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('the check there failed')]);
  });
});

describe('a library', () => {
  test('is made, read, told once, shown and exported', async () => {
    const { at, plan } = place();
    const library = `file:${at('library')}`;
    const args = ['plan', plan, '--library', library, '-o', at('out')];
    expect((await called(...args)).code).toBe(0);
    const goals = async (): Promise<string> =>
      (await called('show', library, 'worked', '--format', 'csv')).stdout;
    expect(await goals()).toContain(`"${PLAN.goal}","model-0",1,1,`);
    // The next plan reads what this one left, and adds to it.
    expect((await called(...args.slice(0, -1), at('next'))).code).toBe(0);
    expect(await goals()).toContain('"model-0",2,2,');
    const { stdout } = await called('show', library);
    expect(stdout).toContain('1 goals');
    expect(stdout).toMatch(/^head {8}assay-head:1:\d+:[0-9a-f]{64}$/m);
    expect((await called('plan', plan, '--library', at('library'))).code).toBe(2);
  });
});
