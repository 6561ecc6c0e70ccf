/**
 * Each command of the shell with each option and many ways of naming files, while somebody exchanges names
 * and links: whatever has bytes keeps them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { COMMAND_NAMES } from '../src/index.ts';
import type { CommandName } from '../src/commands.js';
import { COMMANDS, type OptionKind } from '../src/commands.ts';
import { splitLine } from '../src/shell/words.ts';
import { makeWorld, type World } from './tools/world.ts';

/**
 * Makes `x.txt` by turns a name of a file outside, one of a file inside, and a link to each; and exchanges
 * `b.txt` and `c.txt`.
 */
const EXCHANGER = `
  const fs = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  process.chdir(root);
  for (let round = 0; ; round += 1) {
    for (const make of [fs.linkSync, fs.symlinkSync]) {
      for (const file of [outside, 'a.txt']) {
        make(file, 'new');
        fs.renameSync('new', 'x.txt');
      }
    }
    for (const [from, to] of [['b.txt', 'new'], ['c.txt', 'b.txt'], ['new', 'c.txt']]) fs.renameSync(from, to);
    if (round === 0) process.stdout.write('ready');
    if (round % 20 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }`;

/** Ways of telling a command, with its options, what to read. */
const READING: readonly ((command: string) => string)[] = [
  (command) => `${command} [ax].txt`,
  (command) => `${command} *.txt`,
  (command) => `${command} a.txt x.txt`,
  (command) => `cat a.txt | ${command} - x*`,
  (command) => `${command} -- * d/*`,
  (command) => `${command} h.txt [b]*`,
  (command) => `sort -u *.txt | ${command} d/*.txt`,
  (command) => `${command} ?.txt | uniq [bc].txt`,
];
const TEXTS: Partial<Record<CommandName, string>> = { cut: '-f 1', grep: 'b', tr: 'b x' };
const VALUES: Readonly<Record<OptionKind, string>> = {
  flag: '',
  count: '1',
  signed_count: '-1',
  list: '1',
  key: '1',
  text: 'a',
};
/** What writes with some command, or might. */
const FOREIGN = [
  '-o x.txt',
  '-ox.txt',
  '-o',
  '--output=x.txt',
  '--out x.txt',
  '-T .',
  '-i',
  '-w x.txt',
  '-f x.txt',
  '+1',
  '--files0-from=a.txt',
  '--compress-program=tee',
  '-5',
  '-x --',
  '-y',
  '',
];

const OPTIONS: readonly (readonly string[])[] = COMMAND_NAMES.map((name) => {
  const { short, long } = COMMANDS[name];
  const kinds = ['flag', 'count', 'signed_count', 'list', 'key', 'text'] as const;
  const letters = kinds.flatMap((kind) =>
    Array.from(short[kind] ?? '', (letter) => `-${letter} ${VALUES[kind]}`),
  );
  const words = kinds.flatMap((kind) =>
    (long[kind] ?? []).map((word) => `--${word}${kind === 'flag' ? '' : '='}${VALUES[kind]}`),
  );
  return [...letters, ...words, ...FOREIGN];
});

/**
 * Every command with every way, then so with the next option, until each has had them all: {@link ALL} lines;
 * from there on each option with another one.
 */
function lineAt(index: number): string {
  const which = index % COMMAND_NAMES.length;
  const name = COMMAND_NAMES[which] ?? 'cat';
  const options = OPTIONS[which] ?? [];
  const turn = Math.floor(index / COMMAND_NAMES.length);
  const way = turn % READING.length;
  const round = Math.floor(turn / READING.length) + way * 5;
  const beside = Math.floor(index / ALL);
  const said = [
    options[round % options.length],
    beside === 0 ? '' : options[(round + beside) % options.length],
    TEXTS[name],
  ];
  return READING[way]?.([name, ...said].join(' ')) ?? name;
}

const ONCE = COMMAND_NAMES.length * READING.length;
const ALL = ONCE * Math.max(...OPTIONS.map(({ length }) => length));
const RUNS = Number(process.env['ASSAY_LAW_RUNS'] ?? ONCE);

/** The same words as a line says them, split elsewhere. */
function splitElsewhere(line: string): unknown {
  return {
    pipeline: orThrow(splitLine(line)).map((words) =>
      words.map(({ text, glob }) => (glob === null ? text : { glob })),
    ),
  };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());
}

function identityOf(path: string): string {
  const { dev, ino } = lstatSync(path);
  return `${dev}:${ino}`;
}

/** What an open file is, by whatever name it goes now: its bytes, and when it was written. */
function stateOf(fd: number): string {
  const { size, mtimeMs } = fstatSync(fd);
  const bytes = Buffer.alloc(size);
  readSync(fd, bytes, 0, size, 0);
  return JSON.stringify([mtimeMs, bytes.toString('utf8')]);
}

describe(
  'effector/shell-writes-nothing: whatever command is told whatever option and pattern, ' +
    'while somebody exchanges names and links',
  () => {
    let world: World;
    beforeEach(async () => {
      world = await makeWorld({ wallMs: 5_000 });
      for (const name of ['a.txt', 'b.txt', 'c.txt', '-o', '-', 'd/a.txt', 'd/b c.txt'])
        world.put(name, `${name}\nx\nx\n`);
      linkSync(world.canary, join(world.root, 'h.txt'));
      symlinkSync(world.canary, join(world.root, 'l.txt'));
    });
    afterEach(() => world.remove());

    it(`no byte of any file changes, and no file comes to be, in ${RUNS} calls`, async () => {
      const files = filesIn(world.beside);
      const identities = new Set(files.map(identityOf));
      const held = files.map((path) => {
        utimesSync(path, 1, 1);
        const fd = openSync(path, 'r');
        return { path, fd, state: stateOf(fd) };
      });
      const exchanger = spawn(process.execPath, ['-e', EXCHANGER, world.root, world.canary], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(exchanger.stdout, 'data');
      const ends = new Map<string, number>();
      try {
        for (let index = 0; index < RUNS; index += 1) {
          const line = lineAt(index);
          const { code } = await world.call('shell', index % 2 === 0 ? line : splitElsewhere(line), {
            confirmed: true,
          });
          ends.set(code ?? 'ok', (ends.get(code ?? 'ok') ?? 0) + 1);
          expect(
            held.filter(({ fd, state }) => stateOf(fd) !== state).map(({ path }) => path),
            line,
          ).toEqual([]);
        }
        expect(exchanger.exitCode, 'the one who exchanges went on to the end').toBe(null);
      } finally {
        exchanger.kill('SIGKILL');
        if (exchanger.exitCode === null) await once(exchanger, 'exit');
        for (const { fd } of held) closeSync(fd);
      }
      expect(new Set(filesIn(world.beside).map(identityOf))).toEqual(identities);
      if (RUNS < ONCE) return;
      expect(ends.get('ok'), 'calls that came through').toBeGreaterThan(RUNS / 10);
      if (RUNS > ONCE) console.warn(`effector: ${RUNS} calls: ${JSON.stringify(Object.fromEntries(ends))}`);
    }, 3_600_000);
  },
);
