/**
 * A memory as tables of a SQLite database: a projection, made from the ledger and from nothing else. It may
 * be deleted at any time and is made again; nothing is decided from it and nothing hashed in it.
 *
 * `megrams` has one row for each Megram, `tags` one for each tag, `keys` the ordered keys of 003 (`m|…`,
 * `x|…`, `l|…`, `r|…`), `meta` the head of the ledger it was made of. Source: 003 §R5 "Storage"; dec-M16.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PersistentMap, type Head, type Json } from '@assay/kernel';
import {
  chained,
  encodeKey,
  parseMemoryPolicy,
  rawOf,
  tagsOf,
  type Megram,
  type MemoryPolicy,
  type Shelf,
  type Tag,
} from '@assay/controller/memory';
import { findDriver, SqliteFailure, type Connection, type Row } from '@assay/store-sqlite';
import { temporaryBeside } from '@assay/host/files';
import { moveInto } from '../files/write.js';
import { storeProblem } from '../inputs/store.js';
import { misuse } from '../problem.js';
import type { ReadMemory } from './stored-memory.js';

/** What an index holds: the memory at a head. */
export type Indexed = {
  readonly head: Head;
  readonly clock_us: number;
  readonly policy: MemoryPolicy;
  readonly shelf: Shelf;
};

/** The version of the tables. An index of another version is made again. */
export const INDEX_VERSION = 1;
const INDEX_FORMAT = 'assay-memory-index';

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tags (tag TEXT PRIMARY KEY, space TEXT NOT NULL, entity TEXT NOT NULL, used_to INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE megrams (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, space TEXT NOT NULL, entity TEXT NOT NULL, level TEXT NOT NULL, state TEXT NOT NULL, content TEXT NOT NULL,
  f_ppm INTEGER NOT NULL, sigma_ppm INTEGER NOT NULL, k_ppm_per_day INTEGER NOT NULL, created_at_us INTEGER NOT NULL, last_recalled_at_us INTEGER, sequence INTEGER NOT NULL, megram TEXT NOT NULL);
CREATE INDEX megrams_by_tag ON megrams (space, entity, place);
CREATE TABLE keys (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** Writes the index of a memory whole: under another name first, and then in its place. Raises `Stop`. */
export async function writeIndex(
  path: string,
  { head, run }: Pick<ReadMemory, 'head' | 'run'>,
): Promise<void> {
  const driver = await findDriver();
  if (driver._tag === 'Left') throw storeProblem(driver.left, path);
  const target = resolve(path);
  // What is there is replaced only where it is an index: a slip of the pen shall cost nobody a database.
  if (existsSync(target) && (await withIndex(target, () => true)) === null)
    throw misuse(
      'exists',
      'there is a file of this name, and it is no index of a memory',
      path,
      'name another file',
    );
  const temporary = temporaryBeside(dirname(target));
  const db = opened(() => driver.right.open(temporary), path);
  try {
    db.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;');
    db.exec(TABLES);
    db.exec('BEGIN');
    fill(db, head, run.state);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  await moveInto(temporary, target);
}

function fill(
  db: Connection,
  head: Head,
  {
    clock_us,
    policy,
    shelf,
  }: { readonly clock_us: number; readonly policy: MemoryPolicy; readonly shelf: Shelf },
): void {
  const meta = {
    format: INDEX_FORMAT,
    version: INDEX_VERSION,
    run_id: head.run_id,
    count: head.count,
    hash: head.hash,
    clock_us,
    policy: JSON.stringify(policy),
  };
  for (const [key, value] of Object.entries(meta))
    db.rows('INSERT INTO meta VALUES (?, ?)', key, String(value));
  let place = 0;
  for (const tag of tagsOf(shelf)) {
    db.rows(
      'INSERT INTO tags VALUES (?, ?, ?, ?)',
      JSON.stringify([tag.space, tag.entity]),
      shown(tag.space),
      shown(tag.entity),
      tag.used_to,
    );
    for (const megram of [...tag.rules, ...rawOf(tag)]) {
      const {
        content,
        created_at_us,
        entity,
        f_ppm,
        id,
        k_ppm_per_day,
        last_recalled_at_us,
        level,
        sequence,
        sigma_ppm,
        space,
        state,
      } = megram;
      place += 1;
      db.rows(
        INSERT_MEGRAM,
        place,
        id,
        shown(space),
        shown(entity),
        level,
        state,
        shown(content),
        f_ppm,
        sigma_ppm,
        k_ppm_per_day,
        created_at_us,
        last_recalled_at_us,
        sequence,
        JSON.stringify(megram),
      );
      for (const [key, value] of keysOf(megram)) db.rows('INSERT INTO keys VALUES (?, ?)', shown(key), value);
    }
  }
}

const INSERT_MEGRAM = 'INSERT INTO megrams VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/**
 * A text as a column holds it. Drivers end a text at U+0000, so that is shown by its symbol; the columns of
 * JSON have the text itself.
 */
function shown(text: string): string {
  return text.replaceAll('\u0000', '\u2400');
}

/** The ordered keys of one Megram, with what stands under each. */
export function keysOf(megram: Megram): readonly (readonly [key: string, value: string])[] {
  const { entity, id, last_recalled_at_us, level, space } = megram;
  const recalled =
    last_recalled_at_us === null
      ? []
      : [[encodeKey({ t: 'recall', id }), String(last_recalled_at_us)] as const];
  return [
    [encodeKey({ t: 'megram', id }), JSON.stringify(megram)],
    [encodeKey({ t: 'tag', space, entity, id }), ''],
    [encodeKey({ t: 'level', level, id }), ''],
    ...recalled,
  ];
}

/**
 * What an index holds; null where there is no file, or one that is no index of this version. Changes nothing.
 */
export async function readIndex(path: string): Promise<Indexed | null> {
  return withIndex(path, (db, meta) => {
    const policy = parseMemoryPolicy(JSON.parse(meta.get('policy') ?? 'null') as Json);
    if (meta.get('version') !== String(INDEX_VERSION) || policy._tag === 'Left') return null;
    const head = {
      run_id: meta.get('run_id') ?? '',
      count: Number(meta.get('count')),
      hash: (meta.get('hash') ?? '') as Head['hash'],
    };
    return { head, clock_us: Number(meta.get('clock_us')), policy: policy.right, shelf: shelfOf(db) };
  });
}

/** Looks into an index of any version. Null where there is none, and where it cannot be read. */
async function withIndex<T>(
  path: string,
  look: (db: Connection, meta: ReadonlyMap<string, string>) => T | null,
): Promise<T | null> {
  if (!existsSync(path)) return null;
  const driver = await findDriver();
  if (driver._tag === 'Left') throw storeProblem(driver.left, path);
  let db: Connection | null = null;
  try {
    // Read only: nothing of a database that may be somebody else's is touched.
    db = driver.right.open(`${pathToFileURL(resolve(path)).href}?mode=ro`);
    const meta = new Map(
      db.rows('SELECT key, value FROM meta').map((row) => [textOf(row, 'key'), textOf(row, 'value')]),
    );
    return meta.get('format') === INDEX_FORMAT ? look(db, meta) : null;
  } catch (error) {
    // Somebody else's file, or one that is torn: whoever needs an index makes another.
    if (error instanceof SqliteFailure || error instanceof SyntaxError) return null;
    throw error;
  } finally {
    db?.close();
  }
}

function shelfOf(db: Connection): Shelf {
  const found = new Map<string, Megram[]>();
  for (const row of db.rows('SELECT megram FROM megrams ORDER BY place')) {
    const megram = JSON.parse(textOf(row, 'megram')) as Megram;
    const tag = JSON.stringify([megram.space, megram.entity]);
    const megrams = found.get(tag) ?? [];
    megrams.push(megram);
    found.set(tag, megrams);
  }
  const spaces = new Map<string, PersistentMap<Tag>>();
  for (const row of db.rows('SELECT tag, used_to FROM tags')) {
    const [space, entity] = JSON.parse(textOf(row, 'tag')) as readonly [string, string];
    const megrams = found.get(textOf(row, 'tag')) ?? [];
    const raw = megrams.filter(({ level }) => level !== 'C');
    const tag: Tag = {
      space,
      entity,
      used_to: Number(row['used_to']),
      rules: megrams.filter(({ level }) => level === 'C'),
      raw: chained(raw),
      count: raw.length,
    };
    spaces.set(space, (spaces.get(space) ?? PersistentMap.empty<Tag>()).set(entity, tag));
  }
  return PersistentMap.from(spaces);
}

function textOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : String(value);
}

function opened(open: () => Connection, path: string): Connection {
  try {
    return open();
  } catch (error) {
    if (error instanceof SqliteFailure)
      throw misuse(
        'index',
        'no index can be written here',
        path,
        'name a file in a folder that can be written to',
      );
    throw error;
  }
}
