/** The server that tests use, and places on it that are removed again. */
import { Client } from 'pg';
import { describe } from 'vitest';
import { orThrow } from '@assay/kernel';
import type { StorePlace } from '@assay/testing/store-contract';
import { openUrl, type PostgresStoreOptions } from '../../src/index.ts';
import { parseAddress, type Address } from '../../src/address.ts';
import type { PostgresStore } from '../../src/postgres-store.ts';
import { CI_SERVER, serverOf } from './server-of.js';

/**
 * Address of the server, null where these tests are not run: elsewhere than under CI they need
 * `ASSAY_TEST_POSTGRES`.
 */
export const server: string | null = serverOf(process.env);

/** For tests that need a server. */
export function describeServer(name: string, body: () => void): void {
  describe.skipIf(server === null)(name, () => {
    body();
  });
}

/** The server's address, with a schema, and perhaps another host or user. */
export function urlOf(
  schema: string,
  changes: { readonly port?: number; readonly user?: string } = {},
): string {
  const url = new URL(server ?? CI_SERVER);
  url.searchParams.set('schema', schema);
  if (changes.port !== undefined) {
    url.hostname = '127.0.0.1';
    url.port = String(changes.port);
  }
  if (changes.user !== undefined) url.username = changes.user;
  return url.href;
}

/** Where the server listens. */
export function serverPlace(): { readonly host: string; readonly port: number } {
  const { host, port }: Address = orThrow(parseAddress(server ?? CI_SERVER));
  return { host: host ?? '127.0.0.1', port: port ?? 5432 };
}

let made = 0;

/** A name no other process uses. */
export function freshName(): string {
  made += 1;
  return `assay_test_${process.pid}_${made}`;
}

/** Runs SQL beside the store, as its own session. */
export async function sql(
  text: string,
  values?: readonly unknown[],
): Promise<readonly { readonly [column: string]: unknown }[]> {
  const client = new Client({ connectionString: new URL(server ?? CI_SERVER).href });
  await client.connect();
  try {
    const { rows } = await client.query<{ [column: string]: unknown }>(
      text,
      values === undefined ? undefined : [...values],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** A place on the server: its schema's name besides. */
export type ServerPlace = Omit<StorePlace, 'open'> & {
  readonly schema: string;
  readonly open: (options?: PostgresStoreOptions) => Promise<PostgresStore>;
};

/** A new place; `user`: a role other than the server's address names. */
export function makePlace(user?: string): ServerPlace {
  const schema = freshName();
  return {
    schema,
    open: async (options) => orThrow(openUrl(urlOf(schema, user === undefined ? {} : { user }), options)),
    remove: async () =>
      void (await sql(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS "${schema}" CASCADE`)),
  };
}

/** Runs a test at a new place, with its store; leaves nothing behind. */
export async function atPlace(
  body: (place: ServerPlace, store: PostgresStore) => Promise<void>,
  options?: PostgresStoreOptions,
): Promise<void> {
  const place = makePlace();
  const store = await place.open(options);
  try {
    await body(place, store);
  } finally {
    await store.close();
    await place.remove();
  }
}

/** Everything stored at a place, to compare. */
export async function evidence(schema: string): Promise<unknown> {
  return sql(
    `SELECT (SELECT jsonb_agg(m ORDER BY m.version) FROM "${schema}".meta m) AS meta, ` +
      `(SELECT jsonb_agg(r ORDER BY r.run) FROM "${schema}".runs r) AS runs, (SELECT ` +
      `jsonb_agg(x ORDER BY x.run, x.seq) FROM "${schema}".records x) AS records`,
  );
}
