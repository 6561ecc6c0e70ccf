/** The GitHub Action: its steps run in a repository with a base branch, `gh` in its place. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { runSteps } from '../scripts/action/steps.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs', 'guides', 'change-a-policy.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'assay-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Stands in for gh: the comments of one pull request are files in the folder `comments`, of this user or, named
 * `other-…`, of somebody else; with the file `read-only` the token of a fork.
 */
const GH = `#!/bin/bash
mkdir -p comments
case "$1 $2" in
  'pr view') marker=$(sed 's/.*startswith."\\(.*\\)".*/\\1/' <<< "$7")
    for one in comments/own-*; do head -n 1 "$one" | grep -qxF -e "$marker" && echo "url#issuecomment-\${one#comments/own-}"; done; exit 0 ;;
esac
[ -e read-only ] && { echo 'Resource not accessible by integration' >&2; exit 1; }
case "$1 $2" in
  'pr comment') cp "$5" "comments/own-$(ls comments | wc -l)" ;;
  'api --silent') [ "$4" = PATCH ] && cp "\${7#body=@}" "comments/own-\${5##*/}" ;;
esac
`;

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
  writeFileSync(join(origin, '.gitignore'), 'node_modules\n.assay\nbin\ncomments\n');
  inOrigin(process.execPath, 'record.mjs');
  inOrigin('git', 'init', '-q', '-b', 'main');
  inOrigin('git', 'add', '-A');
  inOrigin('git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'base');
  execFileSync('git', ['clone', '-q', origin, work]);
  symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  mkdirSync(join(work, 'bin'));
  writeFileSync(join(work, 'bin', 'gh'), GH);
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

/** The comments, and what each says. */
function comments(): readonly (readonly [name: string, text: string])[] {
  const path = join(work, 'comments');
  return readdirSync(path)
    .toSorted()
    .map((name) => [
      name,
      readFileSync(join(path, name), 'utf8').replaceAll(/&#(\d+);/g, (_, code) =>
        String.fromCharCode(Number(code)),
      ),
    ]);
}

test('a branch that changes nothing passes, and says so', () => {
  const steps = run();
  expect([codes(steps), steps.at(-1)?.output]).toEqual([[0, 0, 0, 0, 0, 0], '']);
  expect(comments()).toMatchObject([['own-0', expect.stringContaining('20 runs, 40 decisions: 20 same')]]);
});

test('a changed policy fails with what flips, until it is accepted', () => {
  writeFileSync(join(work, 'policy.json'), JSON.stringify({ ...POLICY, returns: 40 }));
  const steps = run();
  expect(codes(steps)).toEqual([0, 0, 0, 0, 0, 1]);
  expect(steps[2]?.output).toMatch(
    /^::error file=golden\/08\.ledger\.jsonl,line=\d+,title=assay impact flipped::/m,
  );
  const [[, text]] = comments() as [[string, string]];
  expect(text).toMatch(/impact: policy policy.json; the code is unchanged[^]*impact: code refunds.mjs/);
  expect(text).toMatch(/\| golden\/08[^|]*\| \*\*flipped\*\* \|[^|]*\|[^|]*30 → 10[^|]*rests on crm/);
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

test('the action writes over its own comment alone; each use has its own', () => {
  mkdirSync(join(work, 'comments'));
  writeFileSync(join(work, 'comments', 'own-0'), 'coverage 91 %, by another workflow\n');
  run();
  run();
  expect(comments().map(([name]) => name)).toEqual(['own-0', 'own-1']);
  expect(comments()[0]?.[1]).toContain('coverage');
  run({ machine: '', ledgers: '.' });
  expect(comments()).toHaveLength(3);
});

test('a token that may only read is a warning', () => {
  writeFileSync(join(work, 'read-only'), '');
  const steps = run();
  expect(codes(steps)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(steps[4]?.output).toMatch(/^::warning title=assay::the comment was not written/m);
});

test('runs of the base branch, which lie in a hidden folder, are not counted', () => {
  run({ ledgers: '.' });
  expect(comments()[0]?.[1]).toContain('20 runs, 40 decisions: 20 same');
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

test('a forged run keeps its exit code, and the comment says which; a folder without one ends it', () => {
  const path = join(work, 'golden', '03.ledger.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"orders":', '"orders":1'));
  expect(run().at(-1)?.code).toBe(3);
  expect(comments()[0]?.[1]).toMatch(/does not hold[^]*golden\/03\.ledger\.jsonl/);
  expect(codes(run({ ledgers: 'bin' }))).toEqual([0, 2]);
});
