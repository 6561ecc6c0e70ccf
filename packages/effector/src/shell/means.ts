/**
 * What this machine has for running commands: where they are, and what can hold them.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { constants, promises as fs } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { readErrno } from '@assay/host/files';
import type { Workspace } from '../workspace/open.js';
import { COMMAND_NAMES, type CommandName } from '../commands.js';
import { NO_SHELL, type ShellMeans } from '../catalogue.js';

/** Where commands are looked for; the caller's own search path has no say. */
const COMMAND_FOLDERS: readonly string[] = Object.freeze(['/usr/bin', '/bin']);

/**
 * The whole environment of a child: nothing of the caller's. What would spill into a temporary file finds no
 * folder for it.
 */
export const CHILD_ENVIRONMENT: Readonly<Record<string, string>> = Object.freeze({
  PATH: COMMAND_FOLDERS.join(':'),
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC0',
  TMPDIR: '/dev/null',
});

/**
 * Looks for the commands, and tries what can hold them. A command inside the workspace, or one box of many
 * commands, is not used. `hasChecks`: there are declared checks to be held, too.
 */
export async function findMeans(
  workspace: Workspace,
  allowed: readonly CommandName[],
  hasChecks = false,
): Promise<ShellMeans> {
  const commands = new Map<CommandName, string>();
  for (const name of COMMAND_NAMES) {
    const file = allowed.includes(name) ? await programAt(workspace, name) : null;
    if (file !== null) commands.set(name, file);
  }
  if (commands.size === 0 && !hasChecks) return NO_SHELL;
  const isolation = await findIsolation(await programAt(workspace, 'unshare'));
  const tying = await findTying(await programAt(workspace, 'setpriv'));
  return {
    commands,
    isolation,
    tying,
    bounding: await programAt(workspace, 'prlimit'),
    network: isolation.length === 0 ? 'not_isolated' : 'isolated',
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
    try {
      await fs.access(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch (error) {
      if (readErrno(error) === null) throw error;
    }
  }
  return null;
}

async function programAt(workspace: Workspace, name: string): Promise<string | null> {
  for (const folder of COMMAND_FOLDERS) {
    const file = join(folder, name);
    try {
      await fs.access(file, constants.X_OK);
      const real = await fs.realpath(file);
      // A box of many commands has options of its own, and its recursive searches follow links.
      if (!real.startsWith(`${workspace.root}/`) && !/^(?:busybox|toybox)/.test(basename(real))) return file;
    } catch (error) {
      if (readErrno(error) === null) throw error;
    }
  }
  return null;
}

/**
 * The first way of having a network of one's own that works here: as an administrator, as oneself, as a
 * seeming administrator.
 */
async function findIsolation(unshare: string | null): Promise<readonly string[]> {
  if (unshare === null) return [];
  for (const options of [
    ['--net'],
    ['--user', '--map-current-user', '--net'],
    ['--user', '--map-root-user', '--net'],
  ]) {
    if (await ends(unshare, [...options, '--', unshare, '--version'])) return [unshare, ...options, '--'];
  }
  return [];
}

/**
 * The signal outlives what is started in a child's place; what is set before a new user comes is forgotten,
 * so this stands behind the isolation.
 */
async function findTying(setpriv: string | null): Promise<readonly string[]> {
  if (setpriv === null) return [];
  const words = ['--pdeathsig', 'KILL', '--'];
  return (await ends(setpriv, [...words, setpriv, '--version'])) ? [setpriv, ...words] : [];
}

async function ends(program: string, args: readonly string[]): Promise<boolean> {
  const trial = JSON.stringify([process.geteuid?.(), program, ...args]);
  if (ended.has(trial)) return true;
  const isWell = await new Promise<boolean>((resolve) => {
    const child = spawn(program, args, {
      stdio: 'ignore',
      env: CHILD_ENVIRONMENT,
      timeout: TRIAL_MS,
      killSignal: 'SIGKILL',
    });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
  if (isWell) ended.add(trial);
  return isWell;
}

/** Trials that ended well, by user: a network of one's own takes the system long, so each is made once a process. */
const ended = new Set<string>();

const TRIAL_MS = 5_000;
