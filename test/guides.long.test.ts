/**
 * README and guides as a reader uses them: their files are written, their commands run in order in an empty
 * folder, and what they print is compared with what the page shows.
 *
 * The first word of a fence is its language, the rest says what is done with it:
 * - `sh`: run; `exit=N` where it must end with another code than 0; `skip="why"` where it can not run here;
 *   `needs=NAME` where it takes what only `npm run check:examples` has: the framework of that folder of
 *   `examples/embeddings`, or `postgres`, a database of its own at `$DATABASE`. Such fences are run there, the
 *   others here.
 * - `text output` behind it: what it prints. `…` stands for anything in a line, a line of `…` for any lines.
 * - `file=NAME`, any language: written to that file first. `shows=PATH`: is that file of this repository.
 *
 * `ASSAY_DOCS=write ASSAY_NIGHTLY=true npx vitest run test/guides.test.ts` puts what was printed into the
 * pages, hashes and times as `…`; look at the difference. Outputs with a line of `…` were shortened by hand
 * and are left alone.
 */
import { execFile } from 'node:child_process';
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
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAILURE_CODES, SOURCES } from '@assay/kernel';
import { describe, expect, test } from 'vitest';
import { freshDatabase, server } from './lib/database.ts';
import { hasLoopback } from './lib/loopback.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDES = join('docs', 'guides');
/** The ledger that the page on audits looks at. */
const AUDITED = join('packages', 'controller', 'test', 'audit', 'golden');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, GUIDES))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(GUIDES, name)),
];
/** Pages that start a server on this machine. */
const SERVED = ['models.md', 'world.md'].map((name) => join(GUIDES, name));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A fenced block: its first line in the page, its info string taken apart, its text. */
type Block = {
  readonly line: number;
  readonly language: string;
  readonly marks: ReadonlyMap<string, string>;
  readonly text: string;
};
/** How far a command is, which it says only where it takes seconds. */
const PROGRESS = /^assay: \d+ of \d+ .*\n/gm;

type Ran = { readonly code: number; readonly printed: string };

describe('pages that are run', () => {
  const pages = PAGES.filter((page) => isDue(page) && blocksOf(read(page)).some(isRunHere));
  test.concurrent.for(pages)('%s', async (page, { expect: own, skip }) => {
    skip(!hasLoopback && SERVED.includes(page), 'starts a server of its own');
    const folder = workplace();
    const blocks = blocksOf(read(page));
    const needs = new Set(blocks.filter(isRunHere).flatMap(needsOf));
    const database = needs.has('postgres') ? await freshDatabase() : null;
    try {
      const written: { readonly block: Block; readonly printed: string }[] = [];
      for (const [index, block] of blocks.entries()) {
        writeFile(folder, block);
        if (!isRunHere(block)) continue;
        const { code, printed } = await run(
          folder,
          block.text,
          database === null ? {} : { DATABASE: database.url },
        );
        own(`exit ${code}\n${code === exitOf(block) ? '' : printed}`, `${page}:${block.line}`).toBe(
          `exit ${exitOf(block)}\n`,
        );
        const output = blocks[index + 1];
        if (output?.marks.has('output') !== true || patternOf(output.text).test(printed)) continue;
        if (process.env['ASSAY_DOCS'] === 'write' && !/^…$/m.test(output.text))
          written.push({ block: output, printed });
        else
          own(
            printed,
            `${page}:${output.line}: other output than shown (ASSAY_DOCS=write puts it into the page)`,
          ).toBe(output.text);
      }
      for (const { block, printed } of written.reverse()) replaceBlock(page, block, printed);
    } finally {
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('only these blocks are not run, each for a reason the page gives', () => {
  const skipped = PAGES.flatMap((page) =>
    blocksOf(read(page)).flatMap(({ marks }) =>
      marks.has('skip') ? [`${page}: ${marks.get('skip') ?? ''}`] : [],
    ),
  );
  expect(skipped).toEqual([
    'README.md: this clone is installed and built',
    'README.md: each installs, builds and tests this clone: CI runs both',
    'README.md: packs this clone, and installs it elsewhere',
    'docs/guides/control.md: needs a key or a local server',
    'docs/guides/gate.md: the run is held by a gate that is live',
    'docs/guides/gate.md: a server that runs until it is stopped',
    'docs/guides/intent.md: asks at a terminal',
    'docs/guides/look.md: serves until Ctrl-C',
    'docs/guides/mcp.md: installs from a registry',
    'docs/guides/models.md: needs a key or a local server',
    'docs/guides/models.md: needs a key or a local server',
    'docs/guides/plan.md: needs a model',
    'docs/guides/stores.md: needs a server',
    'docs/guides/test-in-ci.md: installs from a registry',
  ]);
});

test('only these pages have blocks that are run elsewhere, by npm run check:examples', () => {
  const needing = PAGES.flatMap((page) => {
    const needs = new Set(blocksOf(read(page)).flatMap(needsOf));
    return needs.size === 0 ? [] : [`${page}: ${[...needs].join(', ')}`];
  });
  expect(needing).toEqual([
    'docs/guides/embed.md: ai-sdk, langgraph, xstate, dbos, postgres, temporal',
    'docs/guides/fleet.md: postgres',
  ]);
});

test('code that a page shows is the file that it names', () => {
  const shown = PAGES.flatMap((page) =>
    blocksOf(read(page)).flatMap(({ marks, text }) =>
      marks.has('shows') ? [{ page, path: marks.get('shows') ?? '', text }] : [],
    ),
  );
  expect(shown.length).toBeGreaterThan(0);
  for (const { page, path, text } of shown) expect(text, `${page}: ${path}`).toBe(read(path));
});

test('every fence says what it is', () => {
  const kinds = ['sh', 'text', 'js', 'ts', 'json', 'yaml'];
  expect(
    PAGES.flatMap((page) =>
      blocksOf(read(page)).flatMap(({ language, line }) =>
        kinds.includes(language) ? [] : [`${page}:${line} "${language}"`],
      ),
    ),
  ).toEqual([]);
});

test('the workflow of the tutorial runs only what the tutorial runs before it, and npm ci', () => {
  const blocks = blocksOf(read(join(GUIDES, 'test-in-ci.md')));
  const [workflow] = blocks.filter(({ language }) => language === 'yaml');
  const steps = [...(workflow?.text ?? '').matchAll(/^ +- run: (?:npx --no-install )?(.*)$/gm)].map(
    ([, command]) => command,
  );
  const commands = new Set(
    blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n')),
  );
  expect(steps.length).toBeGreaterThanOrEqual(3);
  expect(steps.filter((step) => step !== 'npm ci' && !commands.has(step ?? ''))).toEqual([]);
});

test('the page of the intent artifacts names every key and every word of their schemas', () => {
  const page = read(join('docs', 'formats', 'intent.md'));
  const schemas = ['blueprint', 'verification-pack', 'refusal-report'].map(
    (name) => JSON.parse(read(join('schemas', `${name}.schema.json`))) as unknown,
  );
  const words = new Set(schemas.flatMap(wordsOf));
  expect(words.size).toBeGreaterThan(100);
  // Sources and failure codes are those of every proposal.
  const elsewhere = new Set<string>([...SOURCES, ...FAILURE_CODES]);
  expect([...words].filter((word) => !elsewhere.has(word) && !page.includes(word))).toEqual([]);
});

describe('examples/embeddings/own-loop', () => {
  const folder = join('examples', 'embeddings', 'own-loop');

  test('holds its own tests', async () => {
    const { code, printed } = await run(join(ROOT, folder), 'node --test --test-reporter=tap loop.test.mjs');
    expect(code, printed).toBe(0);
    expect(printed).toContain('# pass 3');
  });
});

/**
 * A folder as after `npm install`: with the packages, and `npx` finding what is installed, without asking a
 * registry.
 */
function workplace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-guides-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['.bin', '@assay', '@modelcontextprotocol', 'fast-check', 'vitest', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // For what a page does with a clone of this repository: `assay/…`.
  mkdirSync(join(folder, 'assay'));
  for (const name of ['independent', 'examples']) symlinkSync(join(ROOT, name), join(folder, 'assay', name));
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  // Not all packages: a page that calls vitest would find their tests.
  mkdirSync(join(folder, 'assay', dirname(AUDITED)), { recursive: true });
  symlinkSync(join(ROOT, AUDITED), join(folder, 'assay', AUDITED));
  mkdirSync(join(folder, '.npx'));
  writeFileSync(
    join(folder, '.npx', 'npx'),
    '#!/bin/sh\n[ "$1" = --no-install ] && shift\nname=$1; shift\nexec "$(dirname "$0")/../node_modules/.bin/$name" "$@"\n',
  );
  chmodSync(join(folder, '.npx', 'npx'), 0o755);
  return folder;
}

/** What a block takes beside the packages. */
const needsOf = ({ marks }: Block): readonly string[] => marks.get('needs')?.split(',') ?? [];

/** Whether a block is run, and here: what needs something is run where it is installed. */
function isRunHere(block: Block): boolean {
  if (block.language !== 'sh' || block.marks.has('skip')) return false;
  const needs = needsOf(block);
  return process.env['ASSAY_EXAMPLES'] === 'true'
    ? needs.length > 0 && !(needs.includes('postgres') && server === null)
    : needs.length === 0;
}

/** A process for each command takes its time, so at each commit the README alone is run. */
function isDue(page: string): boolean {
  return (
    page === 'README.md' ||
    process.env['ASSAY_NIGHTLY'] === 'true' ||
    process.env['ASSAY_EXAMPLES'] === 'true'
  );
}

function run(folder: string, commands: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const path = ['.npx', 'node_modules/.bin']
    .map((name) => join(folder, name))
    .concat(dirname(process.execPath), process.env['PATH'] ?? '')
    .join(delimiter);
  const options = {
    cwd: folder,
    env: { PATH: path, HOME: folder, NO_COLOR: '1', LANG: 'C.UTF-8', ...more },
    timeout: 60_000,
    maxBuffer: 16_777_216,
  };
  return new Promise((resolve) => {
    const child = execFile('bash', ['-e', '-c', `exec 2>&1\n${commands}`], options, (error, printed) =>
      resolve({
        code: error === null ? 0 : (child.exitCode ?? -1),
        printed: printed.replaceAll(PROGRESS, ''),
      }),
    );
  });
}

function writeFile(folder: string, { marks, text }: Block): void {
  const name = marks.get('file');
  if (name === undefined) return;
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function exitOf({ marks }: Block): number {
  return Number(marks.get('exit') ?? 0);
}

function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = page.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const info = /^```(.*)$/.exec(lines[at] ?? '')?.[1];
    if (info === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    const [language = ''] = info.split(' ');
    const marks = new Map(
      [...info.slice(language.length).matchAll(/(\w+)(?:=(?:"([^"]*)"|(\S+)))?/g)].map(
        ([, key = '', quoted, bare]) => [key, quoted ?? bare ?? ''],
      ),
    );
    blocks.push({
      line: at + 1,
      language,
      marks,
      text: lines
        .slice(at + 1, end)
        .map((line) => `${line}\n`)
        .join(''),
    });
    at = end;
  }
  return blocks;
}

/** What a shown output stands for. */
function patternOf(shown: string): RegExp {
  const lines = shown
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '(?:.*\\n)*'
        : `${line
            .trimEnd()
            .split('…')
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*')}[ \\t]*\\n`,
    );
  return new RegExp(`^${lines.join('')}\\n*$`);
}

/** Keys of the objects a schema describes, and the words of its closed sets. */
function wordsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties')
      return [...Object.keys(value as object), ...Object.values(value as object).flatMap(wordsOf)];
    if (key === 'enum') return (value as readonly unknown[]).filter((word) => typeof word === 'string');
    return key === 'const' && typeof value === 'string' ? [value] : wordsOf(value);
  });
}

function replaceBlock(page: string, { line, text }: Block, printed: string): void {
  const lines = read(page).split('\n');
  const shown = printed
    .trimEnd()
    .replaceAll(/\b[0-9a-f]{64}\b/g, '…')
    .replaceAll(/\brun-[0-9a-f]{12}-[0-9a-f]{12}\b/g, 'run-…')
    .replaceAll(/^\d+\.\d+ s$/gm, '… s');
  lines.splice(line, text.split('\n').length - 1, ...shown.split('\n').map((each) => each.trimEnd()));
  writeFileSync(join(ROOT, page), lines.join('\n'));
}
