/**
 * Runs one program: in a process group of its own, without an interpreter, an environment or an input,
 * within bounds, and tied to this process where the system can do that. The tool `run_check`: one of the
 * commands that the person who started the run has declared, word for word. Source: dec-K82.
 */
import * as z from 'zod';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { constants, promises as fs } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { readErrno } from '@assay/host/files';
import {
  type CallContext,
  type Means,
  type Sum,
  sumUpTo,
  type Whole,
  done,
  ended,
  type Ended,
  toolForm,
  type ToolForm,
  plainInput,
} from '../calls/call.js';
import { aborted, overtime } from '../limits.js';
import { type Refusal, type TruncatedCode, denied, failed } from '../refusal.js';
import { err, ok } from '@assay/kernel';
import { withSpot } from '../workspace/descend.js';
import { insidePath } from '../workspace/path.js';

/** Where programs that hold others are looked for; the caller's own search path has no say. */
const FOLDERS: readonly string[] = ['/usr/bin', '/bin'];

/** Tries what this machine has. A program inside `root`, the workspace, is not used. */
export async function findMeans(root: string): Promise<Means> {
  return {
    isolation: await findWords(await programAt(root, 'unshare'), NETWORKS),
    tying: await findWords(await programAt(root, 'setpriv'), [['--pdeathsig', 'KILL']]),
    bounding: await findWords(await programAt(root, 'prlimit'), [['--core=0']]),
  };
}

/**
 * Where the caller's own search path has a program; a name with a slash stands for itself, from the workspace.
 * Null where it is not there.
 */
export async function programOnPath(program: string): Promise<string | null> {
  if (program === '') return null;
  if (program.includes('/')) return program;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    if ((await pathOfProgram(join(folder, program))) !== null) return join(folder, program);
  }
  return null;
}

async function programAt(root: string, name: string): Promise<string | null> {
  for (const folder of FOLDERS) {
    const real = await pathOfProgram(join(folder, name));
    if (real !== null && !real.startsWith(`${root}/`)) return join(folder, name);
  }
  return null;
}

/** The path without links of a file that may be executed; null where there is none. */
async function pathOfProgram(file: string): Promise<string | null> {
  try {
    await fs.access(file, constants.X_OK);
    return await fs.realpath(file);
  } catch (error) {
    if (readErrno(error) === null) throw error;
    return null;
  }
}

/** A network of one's own: as an administrator, as oneself, as a seeming administrator. */
const NETWORKS: readonly (readonly string[])[] = [
  ['--net'],
  ['--user', '--map-current-user', '--net'],
  ['--user', '--map-root-user', '--net'],
];

/** The program with the first of these options that works here, to stand before the words of another. */
async function findWords(
  program: string | null,
  options: readonly (readonly string[])[],
): Promise<readonly string[]> {
  if (program === null) return [];
  for (const some of options)
    if (await works(program, [...some, '--', program, '--version'])) return [program, ...some, '--'];
  return [];
}

/** Trials that ended well, by user: a network of one's own takes the system long, so each is made once a process. */
const worked = new Set<string>();
const TRIAL_MS = 5_000;

async function works(program: string, args: readonly string[]): Promise<boolean> {
  const trial = JSON.stringify([process.geteuid?.(), program, ...args]);
  if (worked.has(trial)) return true;
  const isWell = await new Promise<boolean>((resolve) => {
    const child = spawn(program, args, {
      stdio: 'ignore',
      env: {},
      timeout: TRIAL_MS,
      killSignal: 'SIGKILL',
    });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
  if (isWell) worked.add(trial);
  return isWell;
}

/** A program that did not end with exit 0. `how`: by which signal or exit. */
export type Fault = { readonly how: string; readonly message: string };

/** What came out, of which `output` is kept. `stop`: why it did not come to its own end. */
export type Ran = {
  readonly output: Uint8Array;
  readonly whole: Whole;
  readonly stop: Refusal | TruncatedCode | null;
  readonly fault: Fault | null;
};

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs a program and its words in `folder`. `bounds`: options of `prlimit`. */
export async function runProgram(
  context: CallContext,
  folder: string,
  words: readonly string[],
  bounds: readonly string[],
): Promise<Ran> {
  const { limits, watch, means } = context;
  const { checkMs, outputBytes, wholeBytes } = limits;
  const [prlimit, ...core] = means.bounding;
  const bounding = prlimit === undefined ? [] : [prlimit, ...bounds, ...core];
  const [file = '', ...rest] = [...means.isolation, ...means.tying, ...bounding, ...words];
  const child = spawn(file, rest, {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  });
  let stop: Refusal | TruncatedCode | null = null;
  const end = (why: Refusal | TruncatedCode): void => {
    stop ??= why;
    halt(child);
  };
  const onAbort = (): void => end(aborted());
  // What is kept is read in any case.
  const sum = sumUpTo(Math.max(outputBytes, wholeBytes));
  const onTime = (): void => {
    if (sum.bytes() <= outputBytes) end(overtime(checkMs));
    else {
      sum.leave();
      end('output_limit');
    }
  };
  const timer = setTimeout(onTime, watch.leftMs());
  watch.signal?.addEventListener('abort', onAbort, { once: true });
  if (watch.signal?.aborted === true) onAbort();
  try {
    const [output, fault] = await Promise.all([
      collect(child, outputBytes, sum, () => end('output_limit')),
      awaitEnd(child),
    ]);
    return { output, whole: sum.whole(), stop, fault };
  } finally {
    clearTimeout(timer);
    watch.signal?.removeEventListener('abort', onAbort);
  }
}

const COMPLAINT_BYTES = 2_048;

/** What went wrong; null where it ended with exit 0. */
function awaitEnd(child: Child): Promise<Fault | null> {
  const complaints: Uint8Array[] = [];
  let room = COMPLAINT_BYTES;
  child.stderr.on('data', (piece: Uint8Array) => {
    const kept = piece.subarray(0, room);
    room -= kept.length;
    complaints.push(kept);
  });
  return new Promise((resolve) => {
    child.on('error', ({ message }) =>
      resolve({ how: 'signal none', message: `could not be started (${message})` }),
    );
    child.on('close', (code, signal) => {
      const complaint = Buffer.concat(complaints).toString('utf8');
      const how = code === null ? `signal ${signal ?? 'none'}` : `exit ${code}`;
      resolve(code === 0 ? null : { how, message: `${signal ?? `exit ${code}`}\n${complaint}` });
    });
  });
}

/** What comes out: the first `most` bytes are kept, all are summed up. */
async function collect(child: Child, most: number, sum: Sum, overflow: () => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let room = most;
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
  for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
  // The number of a program that has ended may be somebody else's by now.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (readErrno(error) !== 'ESRCH') throw error;
  }
}

/** A name of a check, as constraints name it. */
export const CHECK_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const Input = z.strictObject({ name: z.string() });

/**
 * Reads `"unit"` or `{name}`. Runs exactly the declared words in the workspace: no shell, an empty environment,
 * a network of its own where the system allows, within bounds of its own. Exit 0 is `ok`; another is `exit`,
 * and `why` says which. A name that was not declared is `not_allowed`.
 */
export const RUN_CHECK: ToolForm = toolForm(Input, 'name', ({ name }) =>
  CHECK_NAME.test(name)
    ? ok({
        input: plainInput('name', name),
        about: { sought: [], follow: false, say: () => name },
        act: (context) => act(context, name),
      })
    : err(denied('bad_input', 'at /name: no name of a check')),
);

async function act(context: CallContext, name: string): Promise<Ended> {
  const words = context.checks.get(name);
  if (words === undefined) return ended(denied('not_allowed', `${name} is not declared`));
  const { limits } = context;
  const bounds = [
    `--as=${limits.checkMemoryBytes}`,
    `--cpu=${limits.checkCpuSeconds}:${limits.checkCpuSeconds + 1}`,
    `--fsize=${limits.checkFileBytes}`,
  ];
  const ran = await withSpot(
    context.workspace,
    insidePath([]),
    { make: false, follow: true },
    async ({ folder }) => ok(await runProgram(context, folder.address, words, bounds)),
  );
  if (ran._tag === 'Left') return ended(ran.left);
  const { output, whole, stop, fault } = ran.right;
  if (typeof stop === 'string') return { ...done(output), status: 'truncated', code: 'output_limit', whole };
  if (stop !== null) return ended(stop, { before: output });
  if (fault === null) return { ...done(output), whole: whole.bytes > output.length ? whole : null };
  return { ...ended(failed('exit', fault.message), { before: output }), why: fault.how };
}
