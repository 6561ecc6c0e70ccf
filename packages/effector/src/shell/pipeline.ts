/**
 * Runs commands one behind the other: each in a process group of its own, without an interpreter, an
 * inherited environment or an open input, within bounds.
 *
 * @module
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type CallContext, type Sum, sumUpTo, type Whole } from '../calls/call.js';
import { aborted, overtime } from '../limits.js';
import type { Refusal, TruncatedCode } from '../refusal.js';
import { feed, type Input } from './feed.js';
import { CHILD_ENVIRONMENT } from './means.js';

/**
 * One command that may run: its file, its words and its input. `answers`: exit codes that are no error. `own`:
 * bounds and environment in place of those of commands that read.
 */
export type Stage = {
  readonly name: string;
  readonly file: string;
  readonly words: readonly string[];
  readonly input: Input;
  readonly answers: readonly number[];
  readonly own?: {
    readonly bounds: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
};

/** A command that did not come to a good end. `signal`: what killed it; `code`: with what it ended. */
export type Fault = {
  readonly name: string;
  readonly signal: string | null;
  readonly code: number | null;
  readonly message: string;
};

/**
 * What came out of the last command, of which `output` is kept; `stop`: why the pipeline did not come to its
 * own end.
 */
export type Ran = {
  readonly output: Uint8Array;
  readonly whole: Whole;
  readonly stop: Refusal | TruncatedCode | null;
  readonly faults: readonly Fault[];
};

const COMPLAINT_BYTES = 2_048;
type Child = ChildProcessByStdio<Writable, Readable, Readable>;
type Running = { readonly stage: Stage; readonly child: Child; readonly ended: Promise<Fault | null> };

/** Runs the stages in `folder`, an address of the workspace's own folder. */
export async function runStages(
  context: CallContext,
  folder: string,
  stages: readonly Stage[],
): Promise<Ran> {
  let stop: Refusal | TruncatedCode | null = null;
  const running: Running[] = [];
  const end = (why: Refusal | TruncatedCode): void => {
    stop ??= why;
    for (const { child } of running) halt(child);
  };
  const onAbort = (): void => end(aborted());
  const { wallMs, outputBytes, wholeBytes } = context.limits;
  // What is kept is read in any case.
  const sum = sumUpTo(Math.max(outputBytes, wholeBytes));
  const onTime = (): void => {
    if (sum.bytes() <= outputBytes) end(overtime(wallMs));
    else {
      sum.leave();
      end('output_limit');
    }
  };
  const timer = setTimeout(onTime, context.watch.leftMs());
  context.watch.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (const stage of stages)
      running.push(start(context, folder, stage, running.length === stages.length - 1));
    if (context.watch.signal?.aborted === true) onAbort();
    const fed = running.map(async ({ stage, child }, index) => {
      const why = await feed(context, stage.input, running[index - 1]?.child.stdout ?? null, child.stdin);
      if (why !== null) end(why);
    });
    const output = collect(running.at(-1)?.child, outputBytes, sum, () => end('output_limit'));
    const [collected, faults] = await Promise.all([
      output,
      Promise.all(running.map(({ ended }) => ended)),
      ...fed,
    ]);
    return { output: collected, whole: sum.whole(), stop, faults: faults.filter((fault) => fault !== null) };
  } catch (error) {
    // One could not be started: the others have nobody to work for.
    for (const { child } of running) halt(child);
    throw error;
  } finally {
    clearTimeout(timer);
    context.watch.signal?.removeEventListener('abort', onAbort);
  }
}

function start(context: CallContext, folder: string, stage: Stage, isLast: boolean): Running {
  const [file, ...words] = [
    ...context.shell.isolation,
    ...context.shell.tying,
    ...listBounds(context, stage),
    stage.file,
    ...stage.words,
  ];
  const child = spawn(file ?? stage.file, words, {
    cwd: folder,
    env: stage.own?.environment ?? CHILD_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  });
  // Whoever does not read to the end leaves us with a broken pipe, which is seen in how they end.
  child.stdin.on('error', () => undefined);
  return { stage, child, ended: awaitEnd(stage, child, isLast) };
}

/** No file may grow by a child that reads, so none is written whatever an option would do. */
function listBounds({ shell, limits }: CallContext, { own }: Stage): readonly string[] {
  if (shell.bounding === null) return [];
  if (own !== undefined) return [shell.bounding, ...own.bounds, '--'];
  return [
    shell.bounding,
    `--as=${limits.memoryBytes}`,
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    '--fsize=0',
    '--core=0',
    '--nproc=1',
    '--nofile=64',
    '--',
  ];
}

/**
 * What went wrong; null where the command came to its end. A command whose reader has left has done its part.
 */
function awaitEnd(stage: Stage, child: Child, isLast: boolean): Promise<Fault | null> {
  const complaints: Uint8Array[] = [];
  let room = COMPLAINT_BYTES;
  child.stderr.on('data', (piece: Uint8Array) => {
    const kept = piece.subarray(0, room);
    room -= kept.length;
    complaints.push(kept);
  });
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({
        name: stage.name,
        signal: null,
        code: null,
        message: `could not be started (${error.message})`,
      }),
    );
    child.on('close', (code, signal) => {
      const message = `${signal ?? `exit ${code}`}\n${Buffer.concat(complaints).toString('utf8')}`;
      // Our pipes are sockets: where we let go of one with something unread in it, the command may hear of a
      // reset instead of the signal.
      const isLeft =
        !isLast &&
        (signal === 'SIGPIPE' ||
          (child.stdout.destroyed && !child.stdout.readableEnded && LEFT.test(message)));
      if (isLeft || (code !== null && stage.answers.includes(code))) resolve(null);
      else resolve({ name: stage.name, signal, code, message });
    });
  });
}

/** What a command says whose reader has left, in the locale of the children. */
const LEFT = /Connection reset by peer|Broken pipe/;

/** What comes out: the first `most` bytes are kept, all are summed up. */
async function collect(
  child: Child | undefined,
  most: number,
  sum: Sum,
  overflow: () => void,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let room = most;
  if (child === undefined) return new Uint8Array();
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (piece: Uint8Array) => {
      if (room > 0) pieces.push(piece.subarray(0, room));
      room -= Math.min(room, piece.length);
      sum.add(piece);
      if (sum.isOver()) overflow();
    });
    child.stdout.on('close', () => resolve());
    child.on('error', () => resolve());
  });
  return Buffer.concat(pieces);
}

/** Kills the whole group, and lets go of the pipes: nobody waits for what may still hold them. */
function halt(child: Child): void {
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  // The number of a command that has ended may be somebody else's by now.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
