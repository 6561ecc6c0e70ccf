import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** One life of a process: killed after so many durable groups; its exit code, null where it was killed. */
function live(path: string, groups: number): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let seen = 0;
    child.stdout.on('data', (data: Buffer) => {
      seen += data.toString().split('\n').length - 1;
      if (seen >= groups) child.kill('SIGKILL');
    });
    child.on('close', (code) => resolve(code));
  });
}

const ledger = (path: string): Promise<string> => readFile(join(path, 'poll-1.ledger.jsonl'), 'utf8');

describe('a process that drives over files', { timeout: 300_000 }, () => {
  it('killed with kill -9 again and again, ends in the bytes of one that was not', async () => {
    const whole = join(folder, 'whole');
    expect(await live(whole, Infinity)).toBe(0);
    const path = join(folder, 'killed');
    const lives: (number | null)[] = [];
    for (let life = 0; lives.at(-1) !== 0 && life < 30; life += 1) lives.push(await live(path, 3 + life));
    expect(lives.filter((code) => code === null).length).toBeGreaterThan(2);
    expect(lives.at(-1)).toBe(0);
    expect(await ledger(path)).toBe(await ledger(whole));
  });

  it('beside another one: the first holds the run, the second is told, and takes over where the first was killed', async () => {
    const path = join(folder, 'two');
    const first = live(path, 6);
    const codes: (number | null)[] = [];
    for (let tries = 0; codes.at(-1) !== 0 && tries < 60; tries += 1) codes.push(await live(path, Infinity));
    expect([0, 3, null]).toContain(await first);
    expect(codes.slice(0, -1).every((code) => code === 3)).toBe(true);
    expect(await ledger(path)).toBe(await ledger(join(folder, 'whole')));
  });
});
