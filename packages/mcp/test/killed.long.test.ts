/**
 * Killed with kill -9 while a call to a server is open, and driven again: one answer is accepted, under one
 * key, and the ledger holds.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '@assay/kernel';
import { requireVerified } from './tools/driving.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-mcp-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => fileURLToPath(new URL(`tools/${name}`, import.meta.url));
const log = join(folder, 'calls');
const calls = (): readonly string[] =>
  existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];

function live(): {
  readonly kill: () => boolean;
  readonly ended: Promise<{ readonly signal: NodeJS.Signals | null; readonly said: string }>;
} {
  const child = spawn(
    process.execPath,
    [path('asking.mjs'), join(folder, 'runs'), path('slow-server.mjs'), log],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  return {
    kill: () => child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.on('close', (_, signal) => resolve({ signal, said }))),
  };
}

test('one answer is accepted, under one key, and the ledger verifies', async () => {
  const first = live();
  while (calls().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill();
  expect(await first.ended).toEqual({ signal: 'SIGKILL', said: '' });

  expect(await live().ended).toEqual({ signal: null, said: 'success\n' });
  const text = readFileSync(join(folder, 'runs', 'run.ledger.jsonl'), 'utf8');
  requireVerified(text);
  const proposals = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const { kind, payload } = JSON.parse(line) as { readonly kind: string; readonly payload: JsonObject };
      return kind === 'proposal' ? [payload['value']] : [];
    });
  expect(proposals).toEqual([{ text: 'one, call 1' }, { text: 'two, call 3' }]);
  const [one, lost, again] = calls();
  expect([calls().length, lost === again, one === again]).toEqual([3, true, false]);

  // Driven once more it is over: nothing is called.
  expect((await live().ended).said).toBe('success\n');
  expect(calls()).toHaveLength(3);
});
