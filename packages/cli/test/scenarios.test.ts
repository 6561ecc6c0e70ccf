/**
 * The command by scenario: text files in `scenarios/`, each one transcript in a folder of its own.
 *
 * `# NAME` begins a scenario. `$ assay …` calls the command in this process, `$ NAME=VALUE assay …` with a variable of the
 * environment, and `> FILE` at its end keeps in a file what it printed; `$ROOT` is the repository, `$OUT` what the call
 * before printed, and `<$ TEXT` above the call is its standard input.
 *
 * Before a call: `+ FILE TEXT` writes a file (`\n` is a line end), `+ FOLDER/` makes a folder, `= TO FROM` copies a file
 * or a folder, `- PATH` removes one, `~ FILE /OLD/NEW/` replaces each OLD in a file, whatever the mark is that stands in
 * the place of `/`, and `cut FILE N` keeps its first N lines.
 *
 * Below a call: `exit N`, texts that its output holds in this order, `! TEXT` that it does not hold, `file PATH` and
 * `no file PATH` for what is there afterwards (`file PATH TEXT`: with this text in it), `same PATH PATH` for two files
 * with the same bytes, and `schema NAME` for the published schema that its document fits. `exit 2` comes with a remedy
 * and no stack trace.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Json } from '@assay/kernel';
import { PUBLISHED } from '@assay/kernel/schemas';
import { CONTROLLER_PUBLISHED } from '@assay/controller/schemas';
import { PLANNER_PUBLISHED } from '@assay/planner/schemas';
import { assay, ROOT, temporaryFolder, type Ended } from './lib/assay.ts';

const FOLDER = fileURLToPath(new URL('scenarios/', import.meta.url));
const SCHEMAS = [...PUBLISHED, ...CONTROLLER_PUBLISHED, ...PLANNER_PUBLISHED];
const CALL = /^\$ ((?:[A-Z_]+=\S+ )*)assay(?: (.*?))?(?: > (\S+))?$/;
const EXITS = [0, 1, 2, 3, 4, 5, 6];

type Scenario = { readonly name: string; readonly lines: readonly string[] };

for (const file of readdirSync(FOLDER).toSorted()) {
  describe(file.replace('.txt', ''), () => {
    const folder = temporaryFolder();
    for (const { name, lines } of parseScenarios(readFileSync(join(FOLDER, file), 'utf8')))
      test(name, () => play(lines, folder));
  });
}

test('each exit code that a call in this process can have stands in a scenario', () => {
  const all = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
  const shown = EXITS.filter((code) => all.some((text) => text.includes(`\nexit ${code}\n`)));
  expect(shown).toEqual(EXITS);
});

function parseScenarios(text: string): readonly Scenario[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n');
      return { name, lines: lines.filter((line) => line !== '') };
    });
}

async function play(lines: readonly string[], folder: string): Promise<void> {
  let ended: Ended = { code: null, stdout: '', stderr: '' };
  let input = '';
  let rest = '';
  const at = (path: string): string => join(folder, path);
  const bytes = (path: string): string => readFileSync(at(path), 'latin1');
  for (const line of lines) {
    const [word = '', first = '', second = ''] = line.split(' ');
    if (line.startsWith('+ ')) write(folder, line.slice(2));
    else if (word === '=')
      cpSync(resolve(folder, second.replace('$ROOT', ROOT)), at(first), { recursive: true });
    else if (word === '-') rmSync(at(first), { recursive: true });
    else if (word === '~') {
      const change = line.slice('~ '.length + first.length + 1);
      const [, old = '', next = ''] = change.split(change[0] ?? '/');
      const text = readFileSync(at(first), 'utf8');
      expect(text.includes(old), line).toBe(true);
      writeFileSync(at(first), text.replaceAll(old, unescaped(next)));
    } else if (word === 'cut') {
      const kept = readFileSync(at(first), 'utf8').split('\n').slice(0, Number(second));
      writeFileSync(at(first), `${kept.join('\n')}\n`);
    } else if (line.startsWith('<$ ')) input = unescaped(line.slice(3));
    else if (CALL.test(line)) {
      const [, before = '', typed = '', kept] = CALL.exec(line) ?? [];
      const words = argumentsIn(typed).map((each) => each.replace('$OUT', ended.stdout.trim()));
      const env = Object.fromEntries(argumentsIn(before).map((each) => each.split('=')));
      ended = await assay(words, { cwd: folder, input, env });
      if (kept !== undefined) writeFileSync(at(kept), ended.stdout);
      rest = `${ended.stdout}\n${ended.stderr}`;
      input = '';
    } else if (/^exit \d+$/.test(line)) {
      expect(ended, line).toMatchObject({ code: Number(first) });
      if (line === 'exit 2') expectProblem(ended);
    } else if (word === 'file') {
      const text = line.slice('file '.length + first.length + 1);
      if (text === '') expect(existsSync(at(first)), line).toBe(true);
      else expect(readFileSync(at(first), 'utf8')).toContain(text);
    } else if (line.startsWith('no file ')) expect(existsSync(at(second)), line).toBe(false);
    else if (word === 'same') expect(bytes(first), line).toBe(bytes(second));
    else if (word === 'schema') expectFit(first, ended.stdout);
    else if (line.startsWith('! ')) expect(rest, line).not.toContain(line.slice(2));
    else {
      expect(rest).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
  }
}

/** The document is what the schema of this name says, and a key more is not. */
function expectFit(name: string, text: string): void {
  const [, , shape = () => 'no such schema'] = SCHEMAS.find(([published]) => published === name) ?? [];
  const document = JSON.parse(text) as { readonly [key: string]: Json };
  expect([shape(document), shape({ ...document, further: 1 })]).toEqual([null, expect.any(String)]);
}

/** Wrong use is said with what to do, and without a stack trace. */
function expectProblem({ stdout, stderr }: Ended): void {
  expect(`${stdout}${stderr}`).toMatch(/^ {2}remedy {2}\S|"remedy": ?"/m);
  expect(stderr).not.toMatch(/^\s+at /m);
}

function write(folder: string, line: string): void {
  const [, name = '', text = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
  const path = join(folder, name);
  mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
  if (!name.endsWith('/')) writeFileSync(path, unescaped(text));
}

function unescaped(text: string): string {
  return text.replaceAll(String.raw`\n`, '\n');
}

/** Words, also in double or single quotes; `$ROOT` is the repository. */
function argumentsIn(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    (double ?? single ?? plain ?? '').replaceAll('$ROOT', ROOT.replace(/\/$/, '')),
  );
}
