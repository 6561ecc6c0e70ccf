/**
 * Runs commands one behind the other: each in a process group of its own, without an interpreter, an inherited environment
 * or an open input, within bounds.
 *
 * @module
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallContext } from '../call.js';
import { aborted, overtime } from '../watch.js';
import type { Refusal, TruncatedCode } from '../refusal.js';
import { CHILD_ENVIRONMENT } from './means.js';

/** One command that may run: its file and its words. `answers`: exit codes that are no error. */
export type Stage = { readonly name: string; readonly file: string; readonly words: readonly string[]; readonly answers: readonly number[] };

/** What came out of the last command; `stop`: why it did not come to its own end; `faults`: what went wrong in which command. */
export type Ran = { readonly output: Uint8Array; readonly stop: Refusal | TruncatedCode | null; readonly faults: readonly string[] };

const COMPLAINT_BYTES = 2_048;
type Child = ChildProcessByStdio<Writable, Readable, Readable>;
type Running = { readonly stage: Stage; readonly child: Child; readonly ended: Promise<string | null> };

/** Runs the stages in `folder`, an address of the workspace's own folder. */
export async function runStages(context: CallContext, folder: string, stages: readonly Stage[]): Promise<Ran> {
  let stop: Refusal | TruncatedCode | null = null;
  const running = stages.map((stage, index) => start(context, folder, stage, index === stages.length - 1));
  const end = (why: Refusal | TruncatedCode): void => {
    stop ??= why;
    for (const { child } of running) killGroup(child);
  };
  const onAbort = (): void => end(aborted());
  const timer = setTimeout(() => end(overtime(context.limits.wallMs)), context.watch.leftMs());
  context.watch.signal?.addEventListener('abort', onAbort, { once: true });
  if (context.watch.signal?.aborted === true) onAbort();
  try {
    const joined = running.slice(1).map(({ child }, index) => join(running[index]?.child, child));
    running[0]?.child.stdin.end();
    const output = await collect(running.at(-1)?.child, context.limits.outputBytes, () => end('output_limit'));
    const faults = await Promise.all(running.map(({ ended }) => ended));
    await Promise.all(joined);
    return { output, stop, faults: faults.filter((fault) => fault !== null) };
  } finally {
    clearTimeout(timer);
    context.watch.signal?.removeEventListener('abort', onAbort);
  }
}

function start(context: CallContext, folder: string, stage: Stage, isLast: boolean): Running {
  const [file, ...words] = [...context.shell.isolation, ...boundsOf(context), stage.file, ...stage.words];
  const child = spawn(file ?? stage.file, words, { cwd: folder, env: CHILD_ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'], detached: true, shell: false });
  return { stage, child, ended: endOf(stage, child, isLast) };
}

/** No file may grow by a child, so none is written whatever an option would do. */
function boundsOf({ shell, limits }: CallContext): readonly string[] {
  if (shell.bounding === null) return [];
  return [shell.bounding, `--as=${limits.memoryBytes}`, `--cpu=${limits.cpuSeconds}`, '--fsize=0', '--core=0', '--nproc=1', '--nofile=64', '--'];
}

/** What went wrong, in one text; null where the command came to its end. A command whose reader has left has done its part. */
function endOf(stage: Stage, child: Child, isLast: boolean): Promise<string | null> {
  const complaints: Uint8Array[] = [];
  let room = COMPLAINT_BYTES;
  child.stderr.on('data', (piece: Uint8Array) => {
    const kept = piece.subarray(0, room);
    room -= kept.length;
    complaints.push(kept);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`${stage.name}: could not be started (${error.message})`));
    child.on('close', (code, signal) => {
      if ((signal === 'SIGPIPE' && !isLast) || (code !== null && stage.answers.includes(code))) resolve(null);
      else resolve(`${stage.name}: ${signal ?? `exit ${code}`}\n${Buffer.concat(complaints).toString('utf8')}`);
    });
  });
}

/** From one command to the next. That either ends early is seen in how it ended. */
async function join(from: Child | undefined, to: Child): Promise<void> {
  if (from === undefined) return;
  try {
    await pipeline(from.stdout, to.stdin);
  } catch {
    from.stdout.destroy();
  }
}

async function collect(child: Child | undefined, most: number, overflow: () => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let room = most;
  if (child === undefined) return new Uint8Array();
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (piece: Uint8Array) => {
      pieces.push(piece.subarray(0, room));
      if (piece.length > room) overflow();
      room -= Math.min(room, piece.length);
    });
    child.stdout.on('close', () => resolve());
    child.on('error', () => resolve());
  });
  return Buffer.concat(pieces);
}

/** The whole group: what the command may have started too. */
function killGroup(child: Child): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
