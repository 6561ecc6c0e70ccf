/**
 * Who holds a lock, and whether that process still lives.
 *
 * A process id alone names nobody: ids are used again. So an owner is a process id with the time that
 * process started, on a host, since a boot, in a process namespace (a container sees other ids).
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readErrno } from '../files/index.js';

/**
 * A process. Empty text where the system does not say; `host` holds only `[A-Za-z0-9._-]`, other characters
 * read `_`.
 */
export type Owner = {
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
  readonly namespace: string;
  readonly host: string;
};

/** What the lock asks of the system: who am I, and does that one live. */
export type Processes = {
  readonly self: () => Owner;
  /** False only where the owner is known to be dead. */
  readonly isAlive: (owner: Owner) => boolean;
};

/** The machine's own processes. */
export const nodeProcesses: Processes = {
  self: () => ({
    pid: process.pid,
    start: readStart('self')?.start ?? '',
    boot: bootId(),
    namespace: namespaceId(),
    host: hostname()
      .replaceAll(/[^A-Za-z0-9._-]/g, '_')
      .slice(0, 64),
  }),
  isAlive(owner) {
    const self = nodeProcesses.self();
    // Elsewhere: nothing can be known, so nothing is taken.
    if (owner.host !== self.host) return true;
    if (owner.boot !== '' && self.boot !== '' && owner.boot !== self.boot) return false;
    if (owner.namespace !== self.namespace) return true;
    return isRunning(owner);
  },
};

/**
 * True where an owner that is not dead is known to live: a process of this system, by its id and start.
 * Elsewhere nothing is known of it.
 */
export function isKnownToLive({ boot, host, namespace, start }: Owner, self: Owner): boolean {
  return (
    start !== '' && boot !== '' && boot === self.boot && host === self.host && namespace === self.namespace
  );
}

/** A file name that says who holds a lock; each call gives another one. */
export function renderToken(owner: Owner): string {
  return [
    owner.pid,
    owner.start,
    owner.boot,
    owner.namespace,
    randomBytes(8).toString('hex'),
    owner.host,
  ].join(',');
}

/** Reads the name of a lock's file, null where it is none of ours. */
export function parseToken(name: string): Owner | null {
  const parts = TOKEN.exec(name);
  if (parts === null) return null;
  const [, pid = '', start = '', boot = '', namespace = '', host = ''] = parts;
  return { pid: Number(pid), start, boot, namespace, host };
}

/**
 * An owner in words, as `self` sees it: `this process`, or which process, where, and since which start of
 * that machine.
 */
export function describeOwner(owner: Owner | null, self: Owner): string {
  if (
    owner !== null &&
    owner.pid === self.pid &&
    owner.start === self.start &&
    owner.boot === self.boot &&
    owner.namespace === self.namespace &&
    owner.host === self.host
  )
    return 'this process';
  return owner === null
    ? 'an unknown owner'
    : `process ${owner.pid} on ${owner.host}${owner.boot === '' ? '' : `, boot ${owner.boot}`}`;
}

const TOKEN = /^([0-9]{1,10}),([0-9]*),([0-9a-f-]*),([0-9]*),[0-9a-f]{16},([A-Za-z0-9._-]{0,64})$/;

function isRunning(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    if (readErrno(error) === 'ESRCH') return false;
  }
  const now = readStart(String(owner.pid));
  if (now === null) return true;
  // A zombie has let go of everything; only its parent has not noticed.
  return !now.isZombie && (owner.start === '' || now.start === owner.start);
}

/**
 * Start time (in ticks since boot) and state of a process, from Linux's `/proc/<pid>/stat`; null elsewhere.
 */
function readStart(pid: string): { readonly start: string; readonly isZombie: boolean } | null {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, and may hold spaces and brackets of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = fields[19];
  return start === undefined || !/^[0-9]+$/.test(start)
    ? null
    : { start, isZombie: fields[0] === 'Z' || fields[0] === 'X' };
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim();
}

function namespaceId(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/[^0-9]/g, '');
  } catch {
    return '';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
