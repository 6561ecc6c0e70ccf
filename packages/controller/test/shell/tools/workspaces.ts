/**
 * Random workspaces: nested folders, names with spaces, quotes, brackets and other scripts, equal sizes and
 * times, empty files, hidden ones.
 */
import fc from 'fast-check';
import type { FileSpec } from './world.ts';

/** Seed of every property here. */
export const SEED = 20_261_122;

const NAMES = [
  'a',
  'b',
  'notes',
  'Größe',
  'файл',
  '日本',
  'two words',
  "it's",
  'say "hi"',
  '[x]',
  '{y}',
  '-dash',
  '$HOME',
  'a;b',
  'x|y',
  '100%',
  '#1',
  '.hidden',
  'ｆｕｌｌ',
  '😀',
  'back\\slash',
];
const EXTENSIONS = ['txt', 'md', 'csv', 'TXT', 'log', ''];
const WORDS = [
  'TODO',
  'done',
  'alpha',
  'beta',
  'größer',
  '1',
  '22',
  '\t',
  '\n',
  '\n\n',
  ' ',
  'to-do',
  'end.',
];

const name = fc.constantFrom(...NAMES);
const folder = fc
  .array(fc.constantFrom('docs', 'src', 'two words', 'Ünder', '.config', 'deep'), { maxLength: 3 })
  .map((names) => names.join('/'));

/** Texts with few distinct sizes, so that there are ties. */
const textContent = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(''));

/** Some files at different paths, up to `max`; no path is a folder of another. */
export function files(max: number): fc.Arbitrary<readonly FileSpec[]> {
  const file = fc.record({
    folder,
    name,
    number: fc.nat({ max: 4 }),
    extension: fc.constantFrom(...EXTENSIONS),
    content: textContent,
    minute: fc.nat({ max: 3 }),
  });
  return fc.array(file, { maxLength: max }).map((drawn) => {
    const byPath = new Map<string, FileSpec>();
    for (const { folder, name, number, extension, content, minute } of drawn) {
      const base = `${name}${number}${extension === '' ? '' : `.${extension}`}`;
      const path = folder === '' ? base : `${folder}/${base}`;
      byPath.set(path, { path, content, minute });
    }
    return [...byPath.values()];
  });
}
