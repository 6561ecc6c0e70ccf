/**
 * The command, called in this process through its own entry, or in a process of its own.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The forgeries of the repository. */
export const FORGERIES = join(ROOT, 'golden-fixtures', 'forgeries');
/** A sound, closed ledger. */
export const POLL = join(FORGERIES, 'twin-poll', 'ledger.jsonl');

/** The command, as it is installed. */
export const BIN = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url));
const GUARD = fileURLToPath(new URL('no-sockets.cjs', import.meta.url));

/** How a call ended. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
/**
 * What a call is given besides its arguments. `input`: standard input; closed at once without. `mayConnect`:
 * sockets are allowed.
 */
export type Given = {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly heapMiB?: number;
  readonly mayConnect?: boolean;
};

/**
 * The arguments of a command line: words between blanks. What is interpolated is part of a word, whatever it holds; a
 * list is so many words.
 */
export function argv(
  texts: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): readonly string[] {
  const found: string[] = [];
  let word: string | null = null;
  for (const [index, text] of texts.entries()) {
    for (const [place, part] of text.split(' ').entries()) {
      if (place > 0 && word !== null) found.push(word);
      if (place > 0) word = null;
      if (part !== '') word = (word ?? '') + part;
    }
    const value = values[index];
    if (typeof value === 'string') word = (word ?? '') + value;
    else found.push(...(value ?? []));
  }
  return word === null ? found : [...found, word];
}

/**
 * Calls `assay` in this process, one call after the other: the working folder, the environment and standard
 * input are the process's.
 */
export function assay(args: readonly string[], given: Given = {}): Promise<Ended> {
  // Options of the runtime need a runtime of their own.
  if (given.heapMiB !== undefined || given.env?.['NODE_OPTIONS'] !== undefined) return spawned(args, given);
  const ended = last.then(() => called(args, given));
  last = ended.catch(() => undefined);
  return ended;
}

let last: Promise<unknown> = Promise.resolve();

async function called(args: readonly string[], { input, env = {}, cwd = ROOT }: Given): Promise<Ended> {
  const { main } = await import('@assay/cli');
  const read = { stdout: '', stderr: '' };
  const before = {
    env: process.env,
    cwd: process.cwd(),
    stdin: Object.getOwnPropertyDescriptor(process, 'stdin'),
  };
  const bytes = typeof input === 'string' ? Buffer.from(input) : (input ?? null);
  process.env = { ...inherited(), ...env };
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    value: Readable.from(bytes === null ? [] : [bytes]),
  });
  try {
    const out = { write: (text: string) => (read.stdout += text) };
    const err = { write: (text: string) => (read.stderr += text) };
    return { code: await main(args, { out, err, env: process.env }), ...read };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
    if (before.stdin !== undefined) Object.defineProperty(process, 'stdin', before.stdin);
  }
}

function inherited(): NodeJS.ProcessEnv {
  const {
    CI: _ci,
    GITHUB_ACTIONS: _gh,
    GITHUB_STEP_SUMMARY: _sum,
    NODE_OPTIONS: _node,
    FORCE_COLOR: _color,
    NO_COLOR: _plain,
    ...kept
  } = process.env;
  return kept;
}

/** Calls `assay` in a process of its own, with a guard that ends it if it opens a socket. */
export function spawned(
  args: readonly string[],
  { input, env = {}, cwd = ROOT, heapMiB, mayConnect = false }: Given = {},
): Promise<Ended> {
  const flags = [
    ...(mayConnect ? [] : [`--require=${GUARD}`]),
    ...(heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]),
  ];
  const child = spawn(process.execPath, [...flags, BIN, ...args], {
    cwd,
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const read = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (read.stderr += text));
  // A command that ends before it has read its input closes the pipe; that is no fault of the test.
  child.stdin.on('error', () => undefined).end(input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...read }));
  });
}

/** The environment of a call where a package is not installed. */
export function lackingPackage(name: string): { readonly NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=${new URL('absent.mjs', import.meta.url).href}?${name}` };
}

/** The one JSON document of a call with `--json`. */
export async function document(
  args: readonly string[],
  given: Given = {},
): Promise<{ readonly code: number | null; readonly json: Readonly<Record<string, unknown>> }> {
  const { code, stdout } = await assay([...args, '--json'], given);
  const json = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  return { code, json };
}

/** Names in a folder of results, sorted, without the claim of its run. */
export function resultsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name !== '.assay-run')
    .sort();
}

/** A folder for the tests of one file, removed at their end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
