/**
 * Ways out of a workspace, by name: what is planted beside the canary, what is called (confirmed, all tools
 * allowed), and how the call must end.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCode } from '../../src/refusal.js';
import type { World } from './world.ts';

/** One way. `code`: null for a call that ends well because what it names is only a strange name inside. */
export type Escape = {
  readonly name: string;
  readonly plant?: (world: World) => void;
  readonly tool: string;
  readonly input: object | string | null | ((world: World) => object | string);
  readonly code: ToolCode | null;
};

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
  ].map((path) => ({
    name: `add to ${path}`,
    tool: 'append_file',
    input: write(path),
    code: 'leaves_workspace' as const,
  })),
  ...['write_file', 'read_file', 'make_dir', 'remove_file'].map((tool) => ({
    name: `${tool} in .git`,
    plant: file('.git/x'),
    tool,
    input: tool === 'write_file' ? write('.git/x') : '.git/x',
    code: 'leaves_workspace' as const,
  })),
  {
    name: 'add through a link to .git',
    plant: all(file('.git/config'), link('.git', 'l')),
    tool: 'append_file',
    input: write('l/config'),
    code: 'leaves_workspace',
  },
  {
    name: 'move into .git',
    plant: all(file('a.txt'), file('.git/config')),
    tool: 'move_file',
    input: { from: 'a.txt', to: '.git/hooks/post-checkout' },
    code: 'leaves_workspace',
  },
  {
    name: 'move out of .git',
    plant: file('.git/config'),
    tool: 'move_file',
    input: { from: '.git/config', to: 'a.txt' },
    code: 'leaves_workspace',
  },
  {
    name: 'search .git',
    plant: file('.git/x'),
    tool: 'find_files',
    input: { under: '.git' },
    code: 'leaves_workspace',
  },
];

const PATHS: readonly Escape[] = [
  { name: 'read a path upward', tool: 'read_file', input: '../canary.txt', code: 'parent_segment' },
  {
    name: 'read a path down and up again',
    plant: file('a/b.txt'),
    tool: 'read_file',
    input: 'a/../../canary.txt',
    code: 'parent_segment',
  },
  { name: 'write a path upward', tool: 'write_file', input: write('../canary.txt'), code: 'parent_segment' },
  {
    name: 'append to a path upward',
    tool: 'append_file',
    input: write('./.././canary.txt'),
    code: 'parent_segment',
  },
  { name: 'remove a path upward', tool: 'remove_file', input: '..//canary.txt', code: 'parent_segment' },
  { name: 'make a folder above', tool: 'make_dir', input: '../made', code: 'parent_segment' },
  {
    name: 'move in from above',
    tool: 'move_file',
    input: { from: '../canary.txt', to: 'mine.txt' },
    code: 'parent_segment',
  },
  {
    name: 'move out',
    plant: file('a.txt'),
    tool: 'move_file',
    input: { from: 'a.txt', to: '../canary.txt' },
    code: 'parent_segment',
  },
  { name: 'read an absolute path', tool: 'read_file', input: canary, code: 'absolute_path' },
  {
    name: 'write an absolute path',
    tool: 'write_file',
    input: (world: World) => write(world.canary),
    code: 'absolute_path',
  },
  {
    name: 'read an absolute path with two slashes',
    tool: 'read_file',
    input: (world: World) => `/${world.canary}`,
    code: 'absolute_path',
  },
  { name: 'the home folder', tool: 'read_file', input: '~/.profile', code: 'absolute_path' },
  { name: 'the own process', tool: 'read_file', input: '/proc/self/environ', code: 'absolute_path' },
  {
    name: 'a NUL that cuts the path',
    tool: 'read_file',
    input: 'a.txt\0/../../canary.txt',
    code: 'bad_path',
  },
  { name: 'an empty path', tool: 'read_file', input: '', code: 'bad_path' },
  { name: 'a lone surrogate', tool: 'read_file', input: 'a\ud800.txt', code: 'bad_input' },
  {
    name: 'a path of 5,000 bytes',
    tool: 'write_file',
    input: write('d/'.repeat(2_500) + 'x'),
    code: 'path_too_long',
  },
  { name: 'a name of 256 bytes', tool: 'write_file', input: write('é'.repeat(128)), code: 'path_too_long' },
  {
    name: 'dots that are no dots (U+2024)',
    tool: 'read_file',
    input: '\u2024\u2024/canary.txt',
    code: 'not_found',
  },
  {
    name: 'a slash that is no slash (U+2215)',
    tool: 'read_file',
    input: '..\u2215canary.txt',
    code: 'not_found',
  },
  { name: 'a percent-encoded way up', tool: 'read_file', input: '%2e%2e/canary.txt', code: 'not_found' },
  { name: 'backslashes', tool: 'read_file', input: '..\\canary.txt', code: 'not_found' },
  {
    name: 'a name with a line end',
    plant: file('a\nb.txt'),
    tool: 'read_file',
    input: 'a\nb.txt',
    code: null,
  },
  {
    name: 'a file that is not a folder',
    plant: file('a.txt'),
    tool: 'read_file',
    input: 'a.txt/b',
    code: 'not_a_folder',
  },
];

const LINKS: readonly Escape[] = [
  {
    name: 'read a link to a file outside',
    plant: link(canary, 'l'),
    tool: 'read_file',
    input: 'l',
    code: 'leaves_workspace',
  },
  {
    name: 'read a link that goes up',
    plant: link('../canary.txt', 'l'),
    tool: 'read_file',
    input: 'l',
    code: 'leaves_workspace',
  },
  {
    name: 'read through a link to a folder outside',
    plant: link(above, 'l'),
    tool: 'read_file',
    input: 'l/canary.txt',
    code: 'leaves_workspace',
  },
  {
    name: 'write through a link to a folder outside',
    plant: link(above, 'l'),
    tool: 'write_file',
    input: write('l/new.txt'),
    code: 'leaves_workspace',
  },
  {
    name: 'make a folder through a link',
    plant: link('..', 'l'),
    tool: 'make_dir',
    input: 'l/made',
    code: 'leaves_workspace',
  },
  {
    name: 'write onto a link',
    plant: link(canary, 'l'),
    tool: 'write_file',
    input: write('l'),
    code: 'symlink',
  },
  {
    name: 'write onto a link to nothing outside',
    plant: link('../new.txt', 'l'),
    tool: 'write_file',
    input: write('l'),
    code: 'symlink',
  },
  {
    name: 'append to a link',
    plant: link(canary, 'l'),
    tool: 'append_file',
    input: write('l'),
    code: 'symlink',
  },
  {
    name: 'remove through a link',
    plant: link('..', 'l'),
    tool: 'remove_file',
    input: 'l/canary.txt',
    code: 'leaves_workspace',
  },
  {
    name: 'move a link',
    plant: link(canary, 'l'),
    tool: 'move_file',
    input: { from: 'l', to: 'm' },
    code: 'symlink',
  },
  {
    name: 'move onto a link',
    plant: all(file('a.txt'), link(canary, 'l')),
    tool: 'move_file',
    input: { from: 'a.txt', to: 'l' },
    code: 'symlink',
  },
  {
    name: 'a link by way of the workspace and up',
    plant: (world) => symlinkSync(`${world.root}/../canary.txt`, join(world.root, 'l')),
    tool: 'read_file',
    input: 'l',
    code: 'leaves_workspace',
  },
  {
    name: 'a link to a folder whose name begins like the workspace',
    plant: (world) => (
      mkdirSync(`${world.root}-other`), symlinkSync(`${world.root}-other`, join(world.root, 'l'))
    ),
    tool: 'read_file',
    input: 'l/x',
    code: 'leaves_workspace',
  },
  {
    name: 'two links, the second of which leads out',
    plant: all(link('m', 'l'), link('..', 'm')),
    tool: 'read_file',
    input: 'l/canary.txt',
    code: 'leaves_workspace',
  },
  { name: 'a link to itself', plant: link('l', 'l'), tool: 'read_file', input: 'l', code: 'symlink_loop' },
  {
    name: 'a link into the own descriptors',
    plant: link('/proc/self/fd', 'l'),
    tool: 'read_file',
    input: 'l/0',
    code: 'leaves_workspace',
  },
  {
    name: 'search below a link',
    plant: link(above, 'l'),
    tool: 'find_files',
    input: { under: 'l', contains: 'canary' },
    code: 'leaves_workspace',
  },
  {
    name: 'search comes by a link',
    plant: link(above, 'l'),
    tool: 'find_files',
    input: { contains: 'canary: nobody' },
    code: null,
  },
  { name: 'a pattern goes through a link', plant: link(above, 'l'), tool: 'glob', input: 'l/*', code: null },
  { name: 'a pattern upward', tool: 'glob', input: '../*', code: 'parent_segment' },
  { name: 'an absolute pattern', tool: 'glob', input: '/etc/*', code: 'absolute_path' },
  { name: 'braces in a pattern', tool: 'glob', input: '{..,a}/*', code: 'bad_pattern' },
  {
    name: 'append to a file with a name outside',
    plant: (world) => linkSync(world.canary, join(world.root, 'h')),
    tool: 'append_file',
    input: write('h'),
    code: 'hard_linked',
  },
  {
    name: 'replace a file with a name outside: the name inside gets a file of its own',
    plant: (world) => linkSync(world.canary, join(world.root, 'h')),
    tool: 'write_file',
    input: write('h'),
    code: null,
  },
  {
    name: 'remove a file with a name outside: the name inside goes',
    plant: (world) => linkSync(world.canary, join(world.root, 'h')),
    tool: 'remove_file',
    input: 'h',
    code: null,
  },
];

const DEVICES: readonly Escape[] = [
  { name: 'read a FIFO', plant: fifo('p'), tool: 'read_file', input: 'p', code: 'not_a_file' },
  { name: 'append to a FIFO', plant: fifo('p'), tool: 'append_file', input: write('p'), code: 'not_a_file' },
  { name: 'write onto a FIFO', plant: fifo('p'), tool: 'write_file', input: write('p'), code: 'not_a_file' },
  { name: 'a FIFO as a folder', plant: fifo('p'), tool: 'read_file', input: 'p/x', code: 'not_a_folder' },
  {
    name: 'search comes by a FIFO',
    plant: fifo('p'),
    tool: 'find_files',
    input: { contains: 'x' },
    code: null,
  },
  {
    name: 'a link to a device',
    plant: link('/dev/zero', 'z'),
    tool: 'read_file',
    input: 'z',
    code: 'leaves_workspace',
  },
];

const FORMS: readonly Escape[] = [
  { name: 'no input', tool: 'read_file', input: null, code: 'bad_input' },
  { name: 'a list', tool: 'read_file', input: ['a'], code: 'bad_input' },
  { name: 'a key too many', tool: 'read_file', input: { path: 'a', mode: 'w' }, code: 'bad_input' },
  {
    name: 'a prototype',
    tool: 'read_file',
    input: JSON.parse('{"__proto__":{"path":"a"}}'),
    code: 'bad_input',
  },
  { name: 'an object that is none', tool: 'read_file', input: new Date(0), code: 'bad_input' },
  {
    name: 'a getter',
    tool: 'read_file',
    input: {
      get path() {
        return '../canary.txt';
      },
    },
    code: 'bad_input',
  },
  { name: 'a function', tool: 'read_file', input: () => 'a', code: 'bad_input' },
  { name: 'a number for a path', tool: 'make_dir', input: { path: 7 }, code: 'bad_input' },
  { name: 'a tool that is none', tool: 'toString', input: 'a', code: 'unknown_tool' },
  { name: 'a tool of 10,000 characters', tool: 'x'.repeat(10_000), input: 'a', code: 'unknown_tool' },
];

/** All of them. */
export const ESCAPES: readonly Escape[] = [...GIT, ...PATHS, ...LINKS, ...DEVICES, ...FORMS];
