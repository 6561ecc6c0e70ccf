/**
 * Stores by address, one of each kind, each place new and removed at the end; and what they hold, as bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { parseEnvelope, orThrow, type EvidenceRecord, type Head } from '@assay/kernel';
import { freshName, server, sql, urlOf } from '../../../store-postgres/test/tools/server.js';
import { openStore } from '../../src/files/store.ts';

/** A kind of store: a new place each time it is asked for one. `mayConnect`: it needs a socket. */
export type Kind = { readonly kind: string; readonly mayConnect: boolean; readonly fresh: () => string };

/**
 * Every kind that can be tested here: PostgreSQL under CI, and where `ASSAY_TEST_POSTGRES` names a server.
 */
export function kindsOfStores(folder: string): readonly Kind[] {
  let made = 0;
  const next = (): string => join(folder, `place-${(made += 1)}`);
  const schema = freshSchemas();
  return [
    { kind: 'file', mayConnect: false, fresh: () => `file:${next()}` },
    { kind: 'sqlite', mayConnect: false, fresh: () => `sqlite:${next()}.db` },
    ...(server === null ? [] : [{ kind: 'postgres', mayConnect: true, fresh: () => urlOf(schema()) }]),
  ];
}

/** Names of schemas that are not there yet; what is made of them is removed at the end of the file. */
export function freshSchemas(): () => string {
  const schemas: string[] = [];
  afterAll(async () => {
    for (const schema of schemas)
      await sql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  });
  return () => {
    const schema = freshName();
    schemas.push(schema);
    return schema;
  };
}

/** Statements that make a sound store in a schema `s` one that is refused, and what it then is. */
export const SPOILED_SCHEMAS = [
  ["somebody else's tables", 'ALTER TABLE s.meta RENAME TO theirs', 'not a store'],
  [
    'a rule that writes nothing',
    'CREATE RULE nothing AS ON INSERT TO s.records DO INSTEAD NOTHING',
    'were changed',
  ],
  ['records without their key', 'ALTER TABLE s.records DROP CONSTRAINT records_pkey', 'were changed'],
  ['records that a crash empties', 'ALTER TABLE s.records SET UNLOGGED', 'were changed'],
  ['a schema of no version', 'UPDATE s.meta SET version = 0', 'not a store'],
  ['a newer schema', 'UPDATE s.meta SET version = 2', 'version 2'],
] as const;

/** The ledger of a stored run as the file it would be; null where there is none. */
export async function bytesIn(url: string, runId: string): Promise<string | null> {
  const store = await openStore(url);
  try {
    if (orThrow(await store.head(runId)) === null) return null;
    const lines: string[] = [];
    for await (const line of store.read(runId)) lines.push(`${Buffer.from(line).toString('utf8')}\n`);
    return lines.join('');
  } finally {
    await store.close();
  }
}

/** Stores a ledger, or a beginning of one, whatever its records say. */
export async function storeLedger(url: string, runId: string, text: string): Promise<void> {
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): EvidenceRecord => orThrow(parseEnvelope(JSON.parse(line))));
  const store = await openStore(url);
  const none: Head | null = null;
  orThrow(await store.append(runId, none, records));
  await store.close();
}

/** Writes a ledger into a folder as a file store has it, whatever it says, and gives the store's address. */
export function folderWith(folder: string, runId: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${runId}.ledger.jsonl`), text);
  return `file:${folder}`;
}

/** The first records of a ledger. */
export function firstRecords(text: string, count: number): string {
  return text
    .split('\n')
    .slice(0, count)
    .map((line) => `${line}\n`)
    .join('');
}
