import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Kills of a driving process, at least: as many as `ASSAY_KILLS` says, else 5. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 5);
const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * One life of a process: its exit code, null where it was killed, and how it is. `onGroup`: told how many
 * groups are durable.
 */
function begin(
  path: string,
  paceMs: number,
  onGroup: (groups: number) => void = () => undefined,
): { readonly ended: Promise<number | null>; readonly kill: () => void } {
  const child = spawn(process.execPath, [CHILD, path, String(paceMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = 0;
  child.stdout.on('data', (data: Buffer) => {
    seen += data.toString().split('\n').length - 1;
    onGroup(seen);
  });
  return {
    ended: new Promise((resolve) => child.on('close', (code) => resolve(code))),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** One life of a process: killed after so many durable groups; its exit code, null where it was killed. */
function live(path: string, groups: number): Promise<number | null> {
  const life = begin(path, 0, (seen) => {
    if (seen >= groups) life.kill();
  });
  return life.ended;
}

const ledger = (path: string): Promise<string> => readFile(join(path, 'poll-1.ledger.jsonl'), 'utf8');

describe('a process that drives over files', { timeout: 300_000 * Math.max(1, KILLS / 50) }, () => {
  it('killed with kill -9 again and again, ends in the bytes of one that was not', async () => {
    const whole = join(folder, 'whole');
    expect(await live(whole, Infinity)).toBe(0);
    let kills = 0;
    for (let run = 0; kills < KILLS; run += 1) {
      const path = join(folder, `killed-${run}`);
      const lives: (number | null)[] = [];
      // Each run is killed at other groups; a life that gets nowhere is followed by a longer one.
      for (let life = 0; lives.at(-1) !== 0 && life < 30; life += 1)
        lives.push(await live(path, 1 + (run % 5) + life));
      const killed = lives.filter((code) => code === null).length;
      expect([run, killed > 0, lives.at(-1), await ledger(path)]).toEqual([
        run,
        true,
        0,
        await ledger(whole),
      ]);
      kills += killed;
    }
    process.stdout.write(`a driving process was killed ${kills} times\n`);
  });

  it('beside another one: the second is refused, and takes over once the first is killed', async () => {
    const whole = await ledger(join(folder, 'whole'));
    for (let paceMs = 500; ; paceMs *= 2) {
      const path = join(folder, `two-${paceMs}`);
      const first = await new Promise<ReturnType<typeof begin>>((resolve) => {
        const life = begin(path, paceMs, (groups) => {
          if (groups > 2) resolve(life);
        });
      });
      const second = await live(path, Infinity);
      first.kill();
      const killed = await first.ended;
      // The machine was so busy that the first had ended before the second came: again, at half the pace.
      if (killed !== null && paceMs < 10_000) continue;
      expect([killed, second]).toEqual([null, 3]);
      const left = await ledger(path);
      expect(left.length).toBeLessThan(whole.length);
      expect(whole.startsWith(left.slice(0, left.lastIndexOf('\n') + 1))).toBe(true);
      // The dead one's lock is taken over by the next that comes.
      expect([await live(path, Infinity), await ledger(path)]).toEqual([0, whole]);
      return;
    }
  });
});
