/**
 * What the tests of the examples do with ledgers and processes.
 *
 * @module
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../../packages/cli/bin/assay.mjs', import.meta.url));
const machine = fileURLToPath(new URL('../refunds/machine.mjs', import.meta.url));

/** An empty folder, removed after the tests. */
export function workplace() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-example-'));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What the command prints. Throws where it ends with another code than 0. */
export function assay(...args) {
  return execFileSync(process.execPath, [command, ...args], { encoding: 'utf8' });
}

/**
 * What `assay verify` says of a ledger: how it ended, and the two verdicts that need nothing from outside.
 * Throws as {@link assay}.
 */
export function verify(path) {
  const [{ outcome, checks }] = JSON.parse(assay('verify', path, '--machine', machine, '--json')).results;
  return `${outcome}, integrity ${checks.integrity.verdict}, rederivation ${checks.rederivation.verdict}`;
}

/** The records of a ledger file. */
export function records(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/**
 * Runs Node until it prints `word`, and kills it there (SIGKILL). Gives what it had printed; throws where it
 * ended by itself.
 */
export function killedAt(word, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let printed = '';
    const read = (text) => {
      printed += text;
      if (printed.includes(word)) child.kill('SIGKILL');
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('close', (code, signal) =>
      signal === 'SIGKILL' ? resolve(printed) : reject(new Error(`ended by itself (${code}):\n${printed}`)),
    );
  });
}
