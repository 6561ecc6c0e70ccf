/**
 * The command by scenario: text files in `scenarios/`, each one transcript in a folder of its own.
 *
 * `# NAME` begins a scenario. `+ FILE TEXT` writes a file (`\n` is a line end), `+ FOLDER/` makes a folder, `$ assay …`
 * calls the command in this process; `<$ TEXT` before it is its standard input. Below a call stand `exit N`, texts that
 * its output holds in this order, `! TEXT` that it does not hold, and `file PATH`, which is there afterwards. `exit 2`
 * comes with a remedy and no stack trace.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { assay, ROOT, temporaryFolder, type Ended } from './lib/assay.ts';

const FOLDER = fileURLToPath(new URL('scenarios/', import.meta.url));
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
  for (const line of lines) {
    if (line.startsWith('+ ')) write(folder, line.slice(2));
    else if (line.startsWith('<$ ')) input = unescaped(line.slice(3));
    else if (/^\$ assay(?: |$)/.test(line)) {
      ended = await assay(argumentsIn(line.slice('$ assay'.length)), { cwd: folder, input });
      rest = `${ended.stdout}\n${ended.stderr}`;
      input = '';
    } else if (/^exit \d+$/.test(line)) {
      expect(ended, line).toMatchObject({ code: Number(line.slice(5)) });
      if (line === 'exit 2') expectProblem(ended);
    } else if (line.startsWith('file ')) expect(existsSync(join(folder, line.slice(5))), line).toBe(true);
    else if (line.startsWith('! ')) expect(rest, line).not.toContain(line.slice(2));
    else {
      expect(rest).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
  }
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
