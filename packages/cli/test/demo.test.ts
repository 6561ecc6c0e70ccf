/** `assay demo`: offline, one screen, three attacks that end as announced. */
import { performance } from 'node:perf_hooks';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { assay, document, temporaryFolder } from './lib/assay.ts';

const SCREEN_LINES = 40;

describe('demo', () => {
  test('fits a screen, says what it is, and takes less than two seconds', async () => {
    const cwd = temporaryFolder();
    const timed = async (call: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await call();
      return performance.now() - start;
    };
    const bare = await timed(() => promisify(execFile)(process.execPath, ['-e', '0']));
    const times = [await timed(() => assay(['demo'], { cwd })), await timed(() => assay(['demo'], { cwd }))];
    // On a busy machine a bare Node is slow as well: then ten times that.
    expect(Math.min(...times)).toBeLessThan(Math.max(2_000, bare * 10));
    const { code, stdout, stderr } = await assay(['demo'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(SCREEN_LINES);
    expect(lines[0]).toContain('no model is called');
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
  });

  test('the three attacks end as announced', async () => {
    const { code, json } = await document(['demo'], { cwd: temporaryFolder() });
    expect(code).toBe(0);
    const held = { verdict: 'held' };
    expect(json).toMatchObject({
      status: 'success',
      as_announced: true,
      checks: { integrity: held, rederivation: held, completeness: { verdict: 'not_checked' } },
      attacks: [
        { attack: 'edit', checks: { integrity: { verdict: 'failed', code: 'payload_hash' } } },
        { attack: 'rehash', checks: { integrity: held, rederivation: { verdict: 'failed', code: 'differs' } } },
        { attack: 'rederive', checks: { integrity: held, rederivation: held, completeness: { verdict: 'not_checked' } }, checks_with_head: { completeness: { verdict: 'failed', code: 'head_mismatch' } } },
      ],
    });
  });

  test('what it says to try next works, with the head it printed', async () => {
    const cwd = temporaryFolder();
    const { stdout } = await assay(['demo'], { cwd });
    const commands = stdout.split('\n').flatMap((line) => /npx assay (verify|tamper) (.*)$/.exec(line)?.slice(1) ?? []);
    expect(commands.length).toBe(4);
    expect((await assay(['verify', ...(commands[1] ?? '').split(' ')], { cwd })).code).toBe(0);
    expect((await assay(['tamper', ...(commands[3] ?? '').split(' ')], { cwd })).code).toBe(0);
  });

  test('twice the same bytes; a folder of somebody else is left alone', async () => {
    const cwd = temporaryFolder();
    await assay(['demo'], { cwd });
    const first = readFileSync(join(cwd, 'assay-demo', 'run.ledger.jsonl'));
    await assay(['demo'], { cwd });
    expect(readFileSync(join(cwd, 'assay-demo', 'run.ledger.jsonl'))).toEqual(first);
    expect(readdirSync(cwd)).toEqual(['assay-demo']);
    const other = temporaryFolder();
    mkdirSync(join(other, 'assay-demo'));
    writeFileSync(join(other, 'assay-demo', 'mine.txt'), 'mine');
    expect((await document(['demo'], { cwd: other })).json).toMatchObject({ folder: 'assay-demo-2' });
    expect(readdirSync(join(other, 'assay-demo'))).toEqual(['mine.txt']);
  });

  test.each([
    ['Ship the export within 2 weeks, at most 5 MB per file. No customer names in it.', 'success'],
    ['Make it nice.', 'refused'],
    ['x', 'refused'],
  ])('with the visitor\'s text %j it is the same: %s', async (text, status) => {
    const { code, json } = await document(['demo', text], { cwd: temporaryFolder() });
    expect([code, json['status'], json['as_announced']]).toEqual([0, status, true]);
  });
});

describe('interrupted', () => {
  test('ends with 130 and leaves nothing behind', async () => {
    const cwd = temporaryFolder();
    const bin = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url));
    const child = spawn(process.execPath, [bin, 'run', '-', '-o', 'out', '--verbose'], { cwd, stdio: ['pipe', 'ignore', 'pipe'] });
    // It says that it waits for its standard input, which stays open.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
