/** A named pipe where a file is named: read to its end, waited for, and let go of by a signal. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { assay, BIN, POLL, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const waiting = new Set<ChildProcess>();
afterEach(() => {
  for (const child of waiting) child.kill('SIGKILL');
  waiting.clear();
});

function newPipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

function started(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
  waiting.add(child);
  return child;
}

/** A writer that says nothing: succeeds as soon as somebody reads. */
function writerOf(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

async function endedBy(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  child.kill(signal);
  const [code] = (await once(child, 'close')) as readonly unknown[];
  return code;
}

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test('is read once, to its end, by the machine that its ledger names', async () => {
    const path = newPipe('ledger');
    const [ended] = await Promise.all([assay(['verify', path]), writeFile(path, readFileSync(POLL))]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('rederivation') });
    const [refused] = await Promise.all([assay(['verify', path]), writeFile(path, 'no ledger\n')]);
    expect(refused.code).toBe(3);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'whose writer says nothing: %s ends the command, exit 128 and its number',
    async (signal) => {
      const path = newPipe(`silent-${signal}`);
      const child = started('verify', path);
      let writer: number | null = null;
      await expect.poll(() => (writer = writerOf(path)), { timeout: 20_000 }).not.toBeNull();
      expect(await endedBy(child, signal)).toBe(128 + system.signals[signal]);
      if (writer !== null) closeSync(writer);
    },
  );

  test.runIf(process.platform === 'linux')(
    'that nobody writes to yet: SIGTERM ends the command too',
    async () => {
      const path = newPipe('nobody');
      const child = started('verify', path);
      const isOpen = (): boolean =>
        readdirSync(`/proc/${child.pid}/fd`).some((name) => {
          try {
            return readlinkSync(`/proc/${child.pid}/fd/${name}`) === path;
          } catch {
            return false;
          }
        });
      await expect.poll(isOpen, { timeout: 20_000 }).toBe(true);
      expect(await endedBy(child, 'SIGTERM')).toBe(143);
    },
  );
});
