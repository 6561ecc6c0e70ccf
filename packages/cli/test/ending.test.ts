/** The end of the process, where a thread of it waits in the system for what never comes. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryStore } from '@assay/host';
import { defaultPolicy, intent } from '@assay/kernel/intent';
import { describe, expect, test } from 'vitest';
import { driveMachine } from '../src/start/drive-machine.ts';
import { heedSignals, leaveSignals } from '../src/terminal/signals.ts';
import { BIN, POLL, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();

/**
 * A thread that opens a pipe nobody writes into; what is said when the command listens to signals, and when
 * it ends.
 */
const PRELOAD = `const fs = require('node:fs');
fs.open(PIPE, 'r', () => undefined);
const timer = setInterval(() => {
  if (process.listenerCount('SIGTERM') === 0) return;
  clearInterval(timer);
  fs.writeSync(2, 'listening\\n');
}, 10);
process.on('exit', () => fs.writeSync(2, 'ending\\n'));
`;

/** The exit code of a signal, as a shell shows it. */
const numberOf = (signal: 'SIGINT' | 'SIGTERM'): number => 128 + constants.signals[signal];

function lines(stream: Readable): AsyncIterator<string> {
  return createInterface({ input: stream })[Symbol.asyncIterator]();
}

describe.skipIf(process.platform === 'win32')('a command whose process waits for a thread', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is ended by %s', async (signal) => {
    const pipe = join(folder, `pipe-${signal}`);
    execFileSync('mkfifo', [pipe]);
    const preload = join(folder, `preload-${signal}.cjs`);
    writeFileSync(preload, PRELOAD.replace('PIPE', JSON.stringify(pipe)));
    const child = spawn(process.execPath, [`--require=${preload}`, BIN, 'verify', '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    const said = lines(child.stderr);
    try {
      expect((await said.next()).value).toBe('listening');
      child.kill(signal);
      expect((await said.next()).value).toBe('ending');
      // The command is over, and its process goes on waiting.
      expect(await Promise.race([ended, sleep(500, 'waits')])).toBe('waits');
      child.kill(signal);
      expect(await Promise.race([ended, sleep(10_000, 'waits')])).toEqual([null, signal]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe.skipIf(process.platform === 'win32')('a command that decides without end', () => {
  const tally = new URL('../../testing/dist/machines/tally.js', import.meta.url).href;
  const [module, busy] = [join(folder, 'endless.mjs'), join(folder, 'busy')];
  writeFileSync(
    module,
    `import { writeFileSync } from 'node:fs';
import { tally } from ${JSON.stringify(tally)};
export const machines = [{ ...tally, decide() { for (writeFileSync(${JSON.stringify(busy)}, ''); ; ); } }];`,
  );

  // One that decides in a thread, and one that decides in its own.
  test.each([
    ['SIGTERM', 'verify'],
    ['SIGINT', 'show'],
  ] as const)('is ended by %s within a second: %s', async (signal, command) => {
    rmSync(busy, { force: true });
    const child = spawn(process.execPath, [BIN, command, POLL, '--machine', module], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    try {
      while (!existsSync(busy)) await sleep(20);
      child.kill(signal);
      const [code, by] = (await Promise.race([ended, sleep(1_000, ['goes on'])])) as readonly unknown[];
      expect(code ?? (by === signal ? numberOf(signal) : by)).toBe(numberOf(signal));
    } finally {
      child.kill('SIGKILL');
    }
  });

  // Two seconds at most; its line tells that an answer is there.
  test('nor does one wait for the answer at hand: world', async () => {
    const [world, code] = [join(folder, 'burn.json'), join(folder, 'burn.js')];
    writeFileSync(code, 'function check_permission(q) { now(); for (;;); }');
    const config = {
      agents: { initial: ['ada'] },
      contracts: { max_fuel: 100_000_000, base_check_fuel: 100_000_000 },
    };
    const artifacts = [
      { id: 'burn', code_file: 'burn.js' },
      { id: 'x', content: 1, access_contract_id: 'burn' },
    ];
    writeFileSync(world, JSON.stringify({ engine: 'sandbox', config, artifacts }));
    const child = spawn(process.execPath, [BIN, 'world', 'apply', world, '-'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    const said = lines(child.stdout);
    const read = JSON.stringify(['ada', { op: 'read', id: 'x' }]);
    try {
      child.stdin.write('{"agent":"ada","action":{"op":"noop"}}\n');
      expect((await said.next()).value).toContain('noop');
      child.stdin.write(`{"turn":[${Array.from({ length: 20 }, () => read).join()}]}\n`);
      await sleep(200);
      child.kill('SIGTERM');
      expect(await Promise.race([ended, sleep(1_000, 'goes on')])).toEqual([null, 'SIGTERM']);
      expect((await said.next()).done).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

test('signals are left to the system while any machine decides that is driven', async () => {
  const found: number[] = [];
  const look = <T>(given: T): T => {
    found.push(process.listenerCount('SIGTERM'));
    return given;
  };
  const machine = {
    ...intent,
    open: (...given: Parameters<typeof intent.open>) => look(intent.open(...given)),
    decide: (...given: Parameters<typeof intent.decide>) => look(intent.decide(...given)),
  };
  const policy = { ...defaultPolicy, proposers: ['a'] };
  const identity = { run_id: 'r', ts_base: 'T' };
  const start = { ...identity, policy, input: { seed_text: 'Keep the logs.', pin: null } };
  const before = process.listeners('SIGTERM');
  heedSignals(() => undefined);
  try {
    const ports = () => ({
      source: 'synthetic' as const,
      proposer: 'fixture:a',
      perform: () => Promise.resolve({ value: [] }),
    });
    const where = { start, identity, kept: { store: memoryStore() } };
    await driveMachine(machine, where, { ports, place: '' }).catch(() => undefined);
  } finally {
    leaveSignals();
    for (const one of before) process.on('SIGTERM', one);
  }
  expect(found).toEqual([0, 0]);
});
