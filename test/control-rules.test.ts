/** The rules of docs/guides/control.md: each has its place in the code, and the test that the page names for it. `scripts/rules.mjs` takes them out. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

type Removal = { readonly rule: string; readonly path: string; readonly from: string; readonly to: string; readonly test: string };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { REMOVED } = (await import('../scripts/rules/removed.mjs')) as { readonly REMOVED: readonly Removal[] };
const lines = readFileSync(join(ROOT, 'docs/guides/control.md'), 'utf8').split('\n');
const at = lines.indexOf('| rule | source | test |');
const rows = lines.slice(at + 2, lines.findIndex((line, index) => index > at && !line.startsWith('|'))).map((line) => line.slice(2, -2).split(' | '));

describe('each rule of the page', () => {
  it('is taken out in one way at least, and nothing is taken out that the page does not list', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(([rule = '']) => !REMOVED.some((removal) => rule.startsWith(removal.rule))).map(([rule]) => rule)).toEqual([]);
    expect(REMOVED.filter((removal) => rows.filter(([rule = '']) => rule.startsWith(removal.rule)).length !== 1)).toEqual([]);
  });

  it.each(REMOVED)('$rule: stands once in $path, and the page names $test', ({ from, path, rule, test, to }) => {
    const found = readFileSync(join(ROOT, path), 'utf8').split(from);
    expect([found.length, from === to]).toEqual([2, false]);
    expect(existsSync(join(ROOT, test))).toBe(true);
    const named = rows.find(([listed = '']) => listed.startsWith(rule))?.[2] ?? '';
    expect(named).toMatch(test.endsWith('/goldens.test.ts') ? /golden/ : new RegExp(basename(test).replaceAll('.', '\\.')));
  });
});

describe('scripts/rules.mjs', () => {
  it('counts the rules that it tried; where no rule begins with the word it tried none, and that is exit 1', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'rules.mjs'), 'no rule begins so'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, 'rules: 0 of 0 not noticed\n']);
  });
});
