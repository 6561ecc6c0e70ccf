/**
 * Ways out of a workspace, by name: what is planted beside the canary, what is called (confirmed, all tools
 * allowed), and how the call must end.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCode } from '../../src/refusal.js';
import type { World } from './world.ts';

/** Input of a call, or how it is made for a world. */
type Asked = object | string | null | ((world: World) => object | string);
/** One way. `code`: null for a call that ends well because what it names is only a strange name inside. */
export type Escape = [
  name: string,
  tool: string,
  input: Asked,
  code: ToolCode | null,
  plant?: (world: World) => void,
];

const link =
  (target: string | ((world: World) => string), path: string) =>
  (world: World): void => {
    symlinkSync(typeof target === 'string' ? target : target(world), join(world.root, path));
  };
const canary = (world: World): string => world.canary;
const above = (world: World): string => world.beside;
const file =
  (path: string) =>
  (world: World): void =>
    void world.put(path, 'inside\n');
const fifo =
  (path: string) =>
  (world: World): void =>
    void execFileSync('mkfifo', [join(world.root, path)]);
const all =
  (...plants: readonly ((world: World) => void)[]) =>
  (world: World): void =>
    plants.forEach((plant) => plant(world));
/** A second name inside for the file outside. */
const named = (world: World): void => linkSync(world.canary, join(world.root, 'h'));
const write = (path: string): object => ({ path, content: 'written\n' });
/** Git's own folder, or what names it, in the spellings that file systems may take for it. */
const GIT: readonly Escape[] = [
  ...[
    '.git/config',
    '.GIT/config',
    'sub/.git',
    '.g\u200cit/config',
    'GIT~1/config',
    '.git. /x',
    '.git::$DATA',
  ].map((path): Escape => [`add to ${path}`, 'append_file', write(path), 'leaves_workspace']),
  ...['write_file', 'read_file', 'make_dir', 'remove_file'].map(
    (tool): Escape => [
      `${tool} in .git`,
      tool,
      tool === 'write_file' ? write('.git/x') : '.git/x',
      'leaves_workspace',
      file('.git/x'),
    ],
  ),
  [
    'add through a link to .git',
    'append_file',
    write('l/config'),
    'leaves_workspace',
    all(file('.git/config'), link('.git', 'l')),
  ],
  [
    'move into .git',
    'move_file',
    { from: 'a.txt', to: '.git/hooks/post-checkout' },
    'leaves_workspace',
    all(file('a.txt'), file('.git/config')),
  ],
  [
    'move out of .git',
    'move_file',
    { from: '.git/config', to: 'a.txt' },
    'leaves_workspace',
    file('.git/config'),
  ],
  ['search .git', 'find_files', { under: '.git' }, 'leaves_workspace', file('.git/x')],
];

const PATHS: readonly Escape[] = [
  ['read a path upward', 'read_file', '../canary.txt', 'parent_segment'],
  ['read a path down and up again', 'read_file', 'a/../../canary.txt', 'parent_segment', file('a/b.txt')],
  ['write a path upward', 'write_file', write('../canary.txt'), 'parent_segment'],
  ['append to a path upward', 'append_file', write('./.././canary.txt'), 'parent_segment'],
  ['remove a path upward', 'remove_file', '..//canary.txt', 'parent_segment'],
  ['make a folder above', 'make_dir', '../made', 'parent_segment'],
  ['move in from above', 'move_file', { from: '../canary.txt', to: 'mine.txt' }, 'parent_segment'],
  ['move out', 'move_file', { from: 'a.txt', to: '../canary.txt' }, 'parent_segment', file('a.txt')],
  ['read an absolute path', 'read_file', canary, 'absolute_path'],
  ['write an absolute path', 'write_file', (world: World) => write(world.canary), 'absolute_path'],
  [
    'read an absolute path with two slashes',
    'read_file',
    (world: World) => `/${world.canary}`,
    'absolute_path',
  ],
  ['the home folder', 'read_file', '~/.profile', 'absolute_path'],
  ['the own process', 'read_file', '/proc/self/environ', 'absolute_path'],
  ['a NUL that cuts the path', 'read_file', 'a.txt\0/../../canary.txt', 'bad_path'],
  ['an empty path', 'read_file', '', 'bad_path'],
  ['a lone surrogate', 'read_file', 'a\ud800.txt', 'bad_input'],
  ['a path of 5,000 bytes', 'write_file', write('d/'.repeat(2_500) + 'x'), 'path_too_long'],
  ['a name of 256 bytes', 'write_file', write('é'.repeat(128)), 'path_too_long'],
  ['dots that are no dots (U+2024)', 'read_file', '\u2024\u2024/canary.txt', 'not_found'],
  ['a slash that is no slash (U+2215)', 'read_file', '..\u2215canary.txt', 'not_found'],
  ['a percent-encoded way up', 'read_file', '%2e%2e/canary.txt', 'not_found'],
  ['backslashes', 'read_file', '..\\canary.txt', 'not_found'],
  ['a name with a line end', 'read_file', 'a\nb.txt', null, file('a\nb.txt')],
  ['a file that is not a folder', 'read_file', 'a.txt/b', 'not_a_folder', file('a.txt')],
];

const LINKS: readonly Escape[] = [
  ['read a link to a file outside', 'read_file', 'l', 'leaves_workspace', link(canary, 'l')],
  ['read a link that goes up', 'read_file', 'l', 'leaves_workspace', link('../canary.txt', 'l')],
  [
    'read through a link to a folder outside',
    'read_file',
    'l/canary.txt',
    'leaves_workspace',
    link(above, 'l'),
  ],
  [
    'write through a link to a folder outside',
    'write_file',
    write('l/new.txt'),
    'leaves_workspace',
    link(above, 'l'),
  ],
  ['make a folder through a link', 'make_dir', 'l/made', 'leaves_workspace', link('..', 'l')],
  ['write onto a link', 'write_file', write('l'), 'symlink', link(canary, 'l')],
  ['write onto a link to nothing outside', 'write_file', write('l'), 'symlink', link('../new.txt', 'l')],
  ['append to a link', 'append_file', write('l'), 'symlink', link(canary, 'l')],
  ['remove through a link', 'remove_file', 'l/canary.txt', 'leaves_workspace', link('..', 'l')],
  ['move a link', 'move_file', { from: 'l', to: 'm' }, 'symlink', link(canary, 'l')],
  [
    'move onto a link',
    'move_file',
    { from: 'a.txt', to: 'l' },
    'symlink',
    all(file('a.txt'), link(canary, 'l')),
  ],
  [
    'a link by way of the workspace and up',
    'read_file',
    'l',
    'leaves_workspace',
    (world) => symlinkSync(`${world.root}/../canary.txt`, join(world.root, 'l')),
  ],
  [
    'a link to a folder whose name begins like the workspace',
    'read_file',
    'l/x',
    'leaves_workspace',
    (world) => (mkdirSync(`${world.root}-other`), symlinkSync(`${world.root}-other`, join(world.root, 'l'))),
  ],
  [
    'two links, the second of which leads out',
    'read_file',
    'l/canary.txt',
    'leaves_workspace',
    all(link('m', 'l'), link('..', 'm')),
  ],
  ['a link to itself', 'read_file', 'l', 'symlink_loop', link('l', 'l')],
  ['a link into the own descriptors', 'read_file', 'l/0', 'leaves_workspace', link('/proc/self/fd', 'l')],
  [
    'search below a link',
    'find_files',
    { under: 'l', contains: 'canary' },
    'leaves_workspace',
    link(above, 'l'),
  ],
  ['search comes by a link', 'find_files', { contains: 'canary: nobody' }, null, link(above, 'l')],
  ['a pattern goes through a link', 'glob', 'l/*', null, link(above, 'l')],
  ['a pattern upward', 'glob', '../*', 'parent_segment'],
  ['an absolute pattern', 'glob', '/etc/*', 'absolute_path'],
  ['braces in a pattern', 'glob', '{..,a}/*', 'bad_pattern'],
  ['append to a file with a name outside', 'append_file', write('h'), 'hard_linked', named],
  [
    'replace a file with a name outside: the name inside gets a file of its own',
    'write_file',
    write('h'),
    null,
    named,
  ],
  ['remove a file with a name outside: the name inside goes', 'remove_file', 'h', null, named],
];

const DEVICES: readonly Escape[] = [
  ['read a FIFO', 'read_file', 'p', 'not_a_file', fifo('p')],
  ['append to a FIFO', 'append_file', write('p'), 'not_a_file', fifo('p')],
  ['write onto a FIFO', 'write_file', write('p'), 'not_a_file', fifo('p')],
  ['a FIFO as a folder', 'read_file', 'p/x', 'not_a_folder', fifo('p')],
  ['search comes by a FIFO', 'find_files', { contains: 'x' }, null, fifo('p')],
  ['a link to a device', 'read_file', 'z', 'leaves_workspace', link('/dev/zero', 'z')],
];

const FORMS: readonly Escape[] = [
  ['no input', 'read_file', null, 'bad_input'],
  ['a list', 'read_file', ['a'], 'bad_input'],
  ['a key too many', 'read_file', { path: 'a', mode: 'w' }, 'bad_input'],
  ['a prototype', 'read_file', JSON.parse('{"__proto__":{"path":"a"}}'), 'bad_input'],
  ['an object that is none', 'read_file', new Date(0), 'bad_input'],
  [
    'a getter',
    'read_file',
    {
      get path() {
        return '../canary.txt';
      },
    },
    'bad_input',
  ],
  ['a function', 'read_file', () => 'a', 'bad_input'],
  ['a number for a path', 'make_dir', { path: 7 }, 'bad_input'],
  ['a tool that is none', 'toString', 'a', 'unknown_tool'],
  ['a tool of 10,000 characters', 'x'.repeat(10_000), 'a', 'unknown_tool'],
];

/** All of them. */
export const ESCAPES: readonly Escape[] = [...GIT, ...PATHS, ...LINKS, ...DEVICES, ...FORMS];
