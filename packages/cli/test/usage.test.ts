/** Wrong use, help, exit codes and the way problems are told. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { worst, type ExitCode } from '../src/problems/problem.js';
import { BIN, FORGERIES, POLL, ROOT, assay, document, spawned, temporaryFolder } from './lib/assay.ts';
import { findOverrun } from './lib/measured.ts';

/** Every command, as the help lists them; a name that is none where the list is not found. */
const COMMANDS = (await assay(['--help'])).stdout
  .split('Commands:\n')[1]
  ?.match(/^ {2}[a-z]+/gm)
  ?.map((name) => name.trim())
  .filter((name) => name !== 'help') ?? ['none'];

describe('the start', () => {
  const folder = temporaryFolder();
  const asVersion = (version: string): string =>
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`;
  cpSync(BIN, join(folder, 'bin', 'assay.mjs'));
  test.each([
    [
      'an old Node',
      ['--import', asVersion('18.20.8'), BIN],
      'Node 20.19 or newer is needed; this is 18.20.8',
    ],
    ['a checkout before its first build', [join(folder, 'bin', 'assay.mjs')], 'not built yet: npm run build'],
  ])('%s: one line, exit 2', (_, args, said) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args, 'doctor'], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([2, '', `assay: ${said}\n`]);
  });
});

describe('help', () => {
  test.each(COMMANDS)('%s --help', async (command) => {
    const { code, stdout } = await assay([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`assay ${command}`);
    expect(stdout).toContain('--json');
  });

  test(
    'comes in under 200 ms of CPU, the whole process (one of five; on a slow machine, ' +
      'four times a bare Node)',
    async () => {
      const folder = temporaryFolder();
      expect(await findOverrun((env) => assay(['--help'], { env }), folder, 200, 4)).toBeNull();
    },
  );
});

describe('wrong use is exit 2, with a code, a place and a remedy', () => {
  test.each([
    [['verify', POLL, '--machine', 'package.json'], 'machine_file', '.mjs'],
    [['show', process.execPath], 'not_a_ledger', 'ledger'],
  ])('assay %j: %s', async (args, code, remedy) => {
    const { code: exit, stdout, stderr } = await spawned(args);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^assay: ${code}: .+`));
    expect(stderr).toContain(remedy);
    expect(stderr).toMatch(/^ {2}remedy {2}\S/m);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('with --json the same is one document on stdout', async () => {
    const { code, json } = await document(['verify', 'no-such-file']);
    expect(code).toBe(2);
    expect(json).toEqual({
      error: {
        code: 'missing_file',
        message: expect.any(String),
        place: 'no-such-file',
        remedy: expect.any(String),
      },
    });
  });

  test('a stack trace is shown with --verbose only', async () => {
    expect((await assay(['verify', 'no-such-file'])).stderr).not.toContain('    at ');
    expect((await assay(['verify', 'no-such-file', '--verbose'])).stderr).toContain('    at ');
  });
});

describe('exit codes', () => {
  test('of several the one that counts: 70, 130, 2, 5, 3, 1, 4, 0', () => {
    const order: readonly ExitCode[] = [70, 130, 2, 5, 3, 1, 4, 0];
    for (const [place, code] of order.entries()) expect(worst(order.slice(place).reverse())).toBe(code);
    expect(worst([])).toBe(0);
  });
});

describe('output', () => {
  test('has no colour where nobody looks, and none with NO_COLOR where colour is forced', async () => {
    const escape = '\u001b[';
    expect((await assay(['verify', POLL])).stdout).not.toContain(escape);
    expect((await assay(['verify', POLL], { env: { FORCE_COLOR: '1' } })).stdout).toContain(escape);
    expect(
      (await assay(['verify', POLL], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout,
    ).not.toContain(escape);
  });

  test('--quiet prints nothing on success; a head line is printed all the same', async () => {
    expect(await assay(['verify', POLL, '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await assay(['head', POLL, '--quiet'])).stdout).toMatch(/^assay-head:1:15:[0-9a-f]{64}\n$/);
  });

  test('--quiet leaves one line of each failed verdict', async () => {
    const forged = join(FORGERIES, 'decision-rehashed', 'ledger.jsonl');
    const { code, stdout } = await assay(['verify', forged, POLL, '--expect', 'run=other', '--quiet']);
    expect(code).toBe(3);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(`${forged}: rederivation failed: differs (record 5)`);
    expect(lines.every((line) => / failed: \w/.test(line))).toBe(true);
    expect(lines.some((line) => line.startsWith(`${POLL}: `))).toBe(true);
  });

  test.each([
    ['verify', POLL],
    ['head', POLL],
    ['show', POLL],
    ['diff', POLL, POLL],
    ['doctor'],
    ['test', `${ROOT}/golden-fixtures/forgeries/twin-open`],
  ])('assay %s … --json is one document and nothing else', async (...args) => {
    const { code, stdout, stderr } = await assay([...args, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(typeof JSON.parse(stdout)).toBe('object');
  });
});
