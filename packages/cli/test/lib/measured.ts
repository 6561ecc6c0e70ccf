/**
 * What a call of the command takes, so that other work on the machine hardly counts: CPU time instead of wall
 * time, and what is loaded.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { assay, type Ended } from './assay.ts';

const SPENT = join(import.meta.dirname, 'spent.cjs');
const LOADED = pathToFileURL(join(import.meta.dirname, 'loaded.mjs')).href;

/**
 * Milliseconds of CPU, all threads together. The command waits for nothing but files, so on an idle machine
 * it takes no longer.
 */
async function cpuOf(
  call: (env: Readonly<Record<string, string>>) => Promise<unknown>,
  folder: string,
): Promise<number> {
  const file = join(folder, 'spent');
  rmSync(file, { force: true });
  await call({ NODE_OPTIONS: `--require=${SPENT}`, ASSAY_SPENT: file });
  return Number(readFileSync(file, 'utf8'));
}

/** The same of a Node that does nothing. */
function bareCpu(folder: string): Promise<number> {
  return cpuOf(
    (env) => promisify(execFile)(process.execPath, ['-e', '0'], { env: { ...process.env, ...env } }),
    folder,
  );
}

/**
 * Null once one of at most five calls takes less CPU than so many milliseconds, or than so many times a bare Node on a
 * slow machine; else what each took.
 */
export async function findOverrun(
  call: (env: Readonly<Record<string, string>>) => Promise<unknown>,
  folder: string,
  milliseconds: number,
  bareTimes: number,
): Promise<readonly number[] | null> {
  const spent: number[] = [];
  while (spent.length < 5) {
    const limit = bareTimes * (await bareCpu(folder));
    const took = await cpuOf(call, folder);
    if (took < Math.max(milliseconds, limit)) return null;
    spent.push(took);
  }
  return spent;
}

/** A call with the files it loads as modules, each once; Node's own are left out. */
export async function loading(
  args: readonly string[],
  folder: string,
): Promise<Ended & { readonly loaded: readonly string[] }> {
  const file = join(folder, 'loaded');
  rmSync(file, { force: true });
  const ended = await assay(args, { env: { NODE_OPTIONS: `--import=${LOADED}`, ASSAY_LOADED: file } });
  const urls = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return { ...ended, loaded: [...new Set(urls)].filter((url) => url.startsWith('file:')) };
}
