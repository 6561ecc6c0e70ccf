/**
 * The real command, sent a signal at some moment of its run.
 */
import { spawn } from 'node:child_process';
import { BIN, ROOT } from './assay.ts';

/** How a call ended: by the signal, or with a code. */
export type Signalled = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
};

/**
 * Calls `assay` with `--verbose`, and sends the signal some milliseconds after so many lines of progress were
 * told, while the run goes on.
 */
export function signalled(
  args: readonly string[],
  signal: NodeJS.Signals,
  afterLines: number,
  afterMs: number = 0,
): Promise<Signalled> {
  const { CI: _ci, NODE_OPTIONS: _node, ...env } = process.env;
  const child = spawn(process.execPath, [BIN, ...args, '--verbose'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  let isAimed = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (isAimed || stderr.split('\n').length <= afterLines) return;
    isAimed = true;
    if (afterMs === 0) child.kill(signal);
    else setTimeout(() => child.kill(signal), afterMs);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, ended) => resolve({ code, signal: ended, stderr }));
  });
}

/** Draws numbers below a bound, the same ones for the same seed. Source: mulberry32. */
export function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
