/** The GitHub Action: its steps run in a repository with a base branch, `gh` in its place. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { runSteps } from '../scripts/action/steps.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs', 'guides', 'change-a-policy.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'assay-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const POLICY = { orders: 10, returns: 30, needed: 25 };
let made = 0;
let work = '';
/** A repository whose base branch has twenty recorded runs; the work is on a branch of its own. */
beforeEach(() => {
  made += 1;
  work = join(folder, String(made));
  const origin = `${work}-origin`;
  mkdirSync(origin);
  const inOrigin = (command: string, ...args: readonly string[]): unknown =>
    execFileSync(command, args, { cwd: origin, stdio: 'pipe' });
  symlinkSync(join(ROOT, 'node_modules'), join(origin, 'node_modules'));
  for (const name of ['refunds.mjs', 'record.mjs'])
    writeFileSync(
      join(origin, name),
      new RegExp(`\`\`\`js file=${name}\\n([^]*?)\`\`\``).exec(GUIDE)?.[1] ?? '',
    );
  writeFileSync(join(origin, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(origin, 'policy.json'), JSON.stringify(POLICY));
  writeFileSync(join(origin, '.gitignore'), 'node_modules\n.assay\nbin\n');
  inOrigin(process.execPath, 'record.mjs');
  inOrigin('git', 'init', '-q', '-b', 'main');
  inOrigin('git', 'add', '-A');
  inOrigin('git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'base');
  execFileSync('git', ['clone', '-q', origin, work]);
  symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  mkdirSync(join(work, 'bin'));
  writeFileSync(
    join(work, 'bin', 'gh'),
    '#!/bin/sh\necho "$@" >> gh.log\ncat "$(echo "$@" | sed "s/.*--body-file //")" >> gh.log\n',
  );
  chmodSync(join(work, 'bin', 'gh'), 0o755);
});

function run(more: Readonly<Record<string, string>> = {}): ReturnType<typeof runSteps> {
  const inputs = {
    ledgers: 'golden',
    machine: 'refunds.mjs',
    policy: 'policy.json',
    assay: `node ${join(ROOT, 'packages/cli/bin/assay.mjs')}`,
    ...more,
  };
  const env = { PATH: `${join(work, 'bin')}:${process.env['PATH'] ?? ''}` };
  return runSteps(work, inputs, { base_ref: 'main', token: 't', event: { number: '7' } }, env);
}
const codes = (steps: ReturnType<typeof run>): readonly unknown[] => steps.map(({ code }) => code);

test('a branch that changes nothing passes, and says so', () => {
  const steps = run();
  expect([codes(steps), steps.at(-1)?.output]).toEqual([[0, 0, 0, 0, 0, 0], '']);
  const comment = readFileSync(join(work, 'gh.log'), 'utf8');
  expect(comment).toContain('pr comment 7 --edit-last');
  expect(comment).toContain('20 runs, 40 decisions: 20 same');
});

test('a changed policy fails with what flips, until it is accepted', () => {
  writeFileSync(join(work, 'policy.json'), JSON.stringify({ ...POLICY, returns: 40 }));
  const steps = run();
  expect(codes(steps)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(steps[2]?.output).toMatch(
    /^::error file=golden\/08\.ledger\.jsonl,line=\d+,title=assay impact flipped::/m,
  );
  expect(readFileSync(join(work, 'gh.log'), 'utf8')).toContain('**flipped**');
  const report = execFileSync(
    process.execPath,
    [
      join(ROOT, 'packages/cli/bin/assay.mjs'),
      'impact',
      'golden',
      '--policy',
      'policy.json',
      '--machine',
      'refunds.mjs',
      '--json',
    ],
    { cwd: work },
  );
  writeFileSync(join(work, 'accepted.json'), report);
  expect(codes(run({ 'expect-policy': 'accepted.json' }))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a changed machine fails; the recorded runs are verified with the one of the base branch', () => {
  const path = join(work, 'refunds.mjs');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('score < policy.needed', 'score <= policy.needed + 5'),
  );
  const steps = run({ comment: 'false' });
  expect(codes(steps)).toEqual([0, 0, 0, 0, 1]);
  expect(steps[3]?.output).toContain('2 flipped, 18 same');
});

test('a forged run, and a folder without one, end it', () => {
  const path = join(work, 'golden', '03.ledger.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"orders":', '"orders":1'));
  expect(codes(run()).slice(0, 2)).toEqual([0, 123]);
  expect(codes(run({ ledgers: 'bin' }))).toEqual([0, 2]);
});
