/**
 * The machines this command can run again: its own, and those of a module the user names.
 *
 * @module
 */
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isName, replayable, type Machine, type Replayable } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { misuse } from '../problem.js';

const PEEK_BYTES = 65_536;
const METHODS = ['open', 'parse', 'decide', 'evolve', 'encode', 'decode'] as const;

/**
 * `intent`, the `controller`, the `memory` and the worked example `tally` where one of the files may be its
 * ledger, and the machines of `modules`, which win over ours of the same name and version. A module is code
 * of the user's and is run: nobody else's file names one.
 */
export async function machinesFor(
  modules: readonly string[],
  files: readonly string[],
): Promise<readonly Replayable[]> {
  const own = await Promise.all(modules.map(machinesOf));
  const { intent } = await import('@assay/kernel/intent');
  const tally = (await mayName('tally', files))
    ? [replayable((await import('@assay/testing/tally')).tally, { sha256: nativeSha256 })]
    : [];
  const controller = (await mayName('controller', files))
    ? [replayable((await import('@assay/controller')).controller, { sha256: nativeSha256 })]
    : [];
  const memory = (await mayName('memory', files))
    ? [replayable((await import('@assay/controller/memory')).memory, { sha256: nativeSha256 })]
    : [];
  return [...own.flat(), replayable(intent, { sha256: nativeSha256 }), ...tally, ...controller, ...memory];
}

/**
 * True where the first line of one of the files may name this machine: a machine is loaded only where it may
 * be needed.
 */
async function mayName(machine: string, files: readonly string[]): Promise<boolean> {
  return (await Promise.all(files.map((path) => mayNameIn(path, machine)))).includes(true);
}

/** True where the first line of a file may name a machine, and where it cannot be looked at beforehand. */
async function mayNameIn(path: string, machine: string): Promise<boolean> {
  if (path === '-') return true;
  try {
    // A pipe gives each byte once, and who writes to it would find it closed.
    if (!(await stat(path)).isFile()) return true;
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEK_BYTES), 0, PEEK_BYTES, 0);
      const start = buffer.subarray(0, bytesRead);
      // Behind a long input or base the machine's name lies beyond what was looked at.
      return start.includes(`"name":"${machine}"`) || (bytesRead === PEEK_BYTES && !start.includes('\n'));
    } finally {
      await handle.close();
    }
  } catch {
    // Whoever reads the file says what is wrong with it.
    return false;
  }
}

async function machinesOf(path: string): Promise<readonly Replayable[]> {
  const loaded = await load(path);
  const list: unknown = 'machines' in loaded ? loaded.machines : undefined;
  if (!Array.isArray(list) || list.length === 0)
    throw misuse(
      'machine_file',
      'this module exports no list of machines',
      path,
      'write export const machines = [yourMachine];',
    );
  return list.map((item: unknown, index) => {
    if (!isMachine(item))
      throw misuse(
        'machine_file',
        `item ${index} of its machines is no machine: it needs a name, a version and ${METHODS.join(', ')}`,
        path,
        'see docs/formats and the worked example tally',
      );
    return replayable(item, { sha256: nativeSha256 });
  });
}

async function load(path: string): Promise<object> {
  try {
    const module: unknown = await import(pathToFileURL(resolve(path)).href);
    if (typeof module === 'object' && module !== null) return module;
  } catch (error) {
    throw misuse(
      'machine_file',
      `this module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      path,
      'give an ES module (.mjs) that exports machines',
    );
  }
  throw misuse('machine_file', 'this is no module', path, 'give an ES module (.mjs) that exports machines');
}

function isMachine(item: unknown): item is Machine<unknown, unknown> {
  if (typeof item !== 'object' || item === null) return false;
  const fields = new Map<string, unknown>(Object.entries(item));
  const version = fields.get('version');
  const name = fields.get('name');
  const isNamed =
    typeof name === 'string' && isName(name) && Number.isSafeInteger(version) && Number(version) >= 0;
  return isNamed && METHODS.every((method) => typeof Reflect.get(item, method) === 'function');
}
