/** `--proposer human`: a person at a terminal, and nobody at one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '@assay/cli';
import { describe, expect, test } from 'vitest';
import type { ExitCode } from '../src/problems/problem.js';
import { lineReader } from '../src/call/person.ts';
import { assay, temporaryFolder } from './lib/assay.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs at least 6 months.\u001b[2J Delete them then.';
const READING = [
  'Keep audit logs at least 6 months',
  'must',
  'log.age >= 6 months',
  '',
  '',
  '',
  '',
  '',
  '',
  'six-months',
  'no',
  'yes',
];

/** Calls the command with a person who types some lines, then is gone. */
async function typed(
  args: readonly string[],
  lines: readonly string[],
): Promise<{ readonly code: ExitCode; readonly out: string; readonly err: string }> {
  const left = [...lines];
  let [out, err] = ['', ''];
  const code = await main(args, {
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    env: {},
    readLine: () => Promise.resolve(left.shift() ?? null),
  });
  return { code, out, err };
}

describe('a person', () => {
  test('is shown the request, every character of it, and answers under the source human', async () => {
    const to = join(folder, 'answered');
    const { code, out, err } = await typed(
      ['run', REQUEST, '--proposer', 'human', '--pin', 'region=EU', '-o', to],
      READING,
    );
    expect(code).toBe(0);
    expect(err).toContain('  | Keep audit logs at least 6 months.');
    expect(err).not.toContain('\u001b[2J');
    expect(err).toContain('must region = EU');
    expect(err).toContain('propose this, yes or no > ');
    expect(out).toMatch(/"human" +human +1$/m);
    expect(readFileSync(join(to, 'run.ledger.jsonl'), 'utf8')).toContain('"proposer":"human"');
    expect((await assay(['verify', join(to, 'run.ledger.jsonl')])).code).toBe(0);
  });

  test('is one proposer among several, and is not asked again about a run that is over', async () => {
    const [to, store] = [join(folder, 'twice'), `file:${join(folder, 'store')}`];
    const args = ['run', REQUEST, '--proposer', 'rules', '--proposer', 'human', '-o', to, '--store', store];
    expect((await typed(args, READING)).code).toBe(0);
    const again = await typed(args, READING);
    expect([again.code, again.err]).toEqual([0, '']);
  });

  test('may give up: the run is refused, exit 1; also with --quiet and --json there is a dialogue', async () => {
    expect((await typed(['run', REQUEST, '--proposer', 'human'], [':quit'])).code).toBe(1);
    const { code, out, err } = await typed(['run', REQUEST, '--proposer', 'human', '--json', '--quiet'], []);
    expect([code, (JSON.parse(out) as { readonly status: string }).status]).toEqual([1, 'refused']);
    expect(err).toContain('words of the request');
  });
});

describe('nobody', () => {
  test('at a terminal: exit 2 at once, with a remedy, and nothing is asked', async () => {
    const { code, stdout, stderr } = await assay(['run', REQUEST, '--proposer', 'human'], {
      input: 'Keep audit logs\n',
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^assay: no_terminal: .*\n {2}place .*--proposer human\n {2}remedy .*recorded:FILE/,
    );
    expect(stderr).not.toContain('words of the request');
  });

  test('can answer on standard input that is the request', async () => {
    const { code, err } = await typed(['run', '-', '--proposer', 'human'], READING);
    expect([code, err]).toEqual([2, expect.stringMatching(/^assay: stdin: /)]);
  });
});

describe('lines of a terminal', () => {
  test('come one for each call, also when several were pasted; after the end there are none', async () => {
    const input = new PassThrough();
    const read = lineReader(input);
    input.write('one\ntwo\nthr');
    expect([await read(), await read()]).toEqual(['one', 'two']);
    const third = read();
    input.end('ee');
    expect([await third, await read(), await read()]).toEqual(['three', null, null]);
  });
});
