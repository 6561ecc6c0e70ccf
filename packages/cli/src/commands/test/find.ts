/**
 * Fixtures and forgeries below a folder.
 *
 * @module
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readErrno } from '@assay/host/files';
import { misuse } from '../../problems/problem.js';
import { requireFile } from '../verify/kept-outside.js';

/**
 * What a folder holds: a golden fixture, a forgery (or its twin), or a run that is just replayed. `missing`: a
 * file without which nothing can be tested.
 */
export type Found = {
  readonly kind: 'fixture' | 'forgery' | 'run';
  readonly name: string;
  readonly folder: string;
  readonly ledger: string;
  readonly missing: string | null;
};

const DEPTH_MAX = 8;
const FILES = ['ledger.jsonl', 'expected.json', 'fixture.json'] as const;

/**
 * Everything to test below a folder, in the order of names. Raises `Stop`: `missing_file`, `no_fixtures`,
 * `unreadable`.
 */
export function findFixtures(folder: string): readonly Found[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw misuse(
      'missing_file',
      'the folder does not exist',
      folder,
      'name a folder of fixtures, or of what assay run wrote',
    );
  const found = findIn(folder, '.', 0);
  if (found.length === 0)
    throw misuse(
      'no_fixtures',
      'this folder has no fixtures',
      folder,
      'a fixture is a folder with ledger.jsonl and expected.json; a run ends in .ledger.jsonl',
    );
  return found;
}

function findIn(folder: string, name: string, depth: number): readonly Found[] {
  const at = (file: string): string => join(folder, file);
  const held = FILES.filter((file) => existsSync(at(file)));
  // A fixture that lost a file is one all the same: left out, it would pass.
  if (held.includes('expected.json') || held.includes('fixture.json')) {
    for (const file of held) requireFile(at(file));
    const missing = (['ledger.jsonl', 'expected.json'] as const).find((file) => !held.includes(file));
    return [
      {
        kind: held.includes('fixture.json') ? 'fixture' : 'forgery',
        name,
        folder,
        ledger: at('ledger.jsonl'),
        missing: missing ?? null,
      },
    ];
  }
  const entries = listEntries(folder);
  const runs = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ledger.jsonl'))
    .map(
      (entry): Found => ({
        kind: 'run',
        name: join(name, entry.name),
        folder,
        ledger: at(entry.name),
        missing: null,
      }),
    );
  const inner =
    depth === DEPTH_MAX
      ? []
      : entries
          .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
          .flatMap((entry) => findIn(at(entry.name), join(name, entry.name), depth + 1));
  return [...runs, ...inner];
}

function listEntries(folder: string): ReturnType<typeof sorted> {
  try {
    return sorted(folder);
  } catch (error) {
    const errno = readErrno(error);
    if (errno === null) throw error;
    throw misuse('unreadable', `this folder cannot be read (${errno})`, folder, 'check its permissions');
  }
}

function sorted(
  folder: string,
): readonly { readonly name: string; readonly isFile: () => boolean; readonly isDirectory: () => boolean }[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
