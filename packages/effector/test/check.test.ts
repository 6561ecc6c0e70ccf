/** The tool of declared checks. Source: dec-K82. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow } from '@assay/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { openWorkspace, toolset, type ToolsetOptions } from '../src/index.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-check-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const node = process.execPath;
const checks = {
  good: [node, '-e', 'console.log("all well")'],
  bad: [node, '-e', 'console.log("one"); console.error("two"); process.exit(3)'],
  words: [node, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '$HOME; ls', '*'],
  environment: [node, '-e', 'console.log(JSON.stringify(Object.keys(process.env)))'],
  writes: [node, '-e', 'require("fs").writeFileSync("made.txt", "x".repeat(100000))'],
  network: [node, '-e', 'console.log(Object.keys(require("os").networkInterfaces()).length)'],
  slow: [node, '-e', 'setInterval(() => {}, 1000)'],
  child: [node, '--test', 'it.test.mjs'],
};
const open = async (limits: ToolsetOptions['limits'] = {}, declared: object = checks) =>
  toolset(orThrow(await openWorkspace(root)), { allow: { tools: [], checks: { ...declared } }, limits });
const tools = orThrow(await open());
const run = (input: unknown) => tools.run({ tool: 'run_check', input });

describe('run_check', () => {
  it('exit 0 is ok, another exit is said, with what came out', async () => {
    expect(await run('good')).toMatchObject({ status: 'ok', code: null, output: 'all well\n' });
    const bad = await run({ name: 'bad' });
    expect(bad).toMatchObject({ status: 'error', code: 'exit', why: 'exit 3', target: 'bad' });
    expect(bad.output).toContain('one');
    expect(bad.output).toContain('two');
  });

  it('runs the words as they are declared, without a shell and with an empty environment', async () => {
    expect((await run('words')).output).toBe('["$HOME; ls","*"]\n');
    expect((await run('environment')).output).toBe('[]\n');
  });

  it('may write files and start a test runner', async () => {
    expect((await run('writes')).status).toBe('ok');
    expect(readFileSync(join(root, 'made.txt'), 'utf8')).toHaveLength(100_000);
    writeFileSync(join(root, 'it.test.mjs'), 'import { test } from "node:test"; test("holds", () => {});');
    expect(await run('child')).toMatchObject({ status: 'ok' });
  });

  it('has a network of its own where the system allows', async () => {
    const [tool] = tools.catalogue.filter(({ name }) => name === 'run_check');
    const said = await run('network');
    if (tool?.network === 'isolated') expect(said.output).toBe('0\n');
    else expect(tool?.network).toBe('not_isolated');
  });

  it('is stopped at its own bound of time', async () => {
    const bounded = orThrow(await open({ checkMs: 300 }));
    expect(await bounded.run({ tool: 'run_check', input: 'slow' })).toMatchObject({
      status: 'timeout',
      code: 'wall_time',
    });
  });

  it('what is not declared is denied; a check that cannot be is no policy', async () => {
    expect(await run('other')).toMatchObject({ status: 'denied', code: 'not_allowed' });
    expect(await run('../x')).toMatchObject({ status: 'denied', code: 'bad_input' });
    const none = orThrow(await open({}, {}));
    expect(none.catalogue.some(({ name }) => name === 'run_check')).toBe(false);
    expect((await none.run({ tool: 'run_check', input: 'good' })).status).toBe('denied');
    for (const declared of [{ 'a b': ['true'] }, { unit: [] }, { unit: ['no-such-program-here'] }])
      expect(await open({}, declared)).toMatchObject({ left: { code: 'bad_check' } });
  });
});
