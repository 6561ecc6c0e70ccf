/**
 * A database of its own for a page that is run, on the server that the tests use.
 *
 * @module
 */
import { Client } from 'pg';

/** As everywhere: `ASSAY_TEST_POSTGRES`, and under CI the server that is there; null elsewhere. */
export const server: string | null =
  process.env['ASSAY_TEST_POSTGRES'] ||
  (process.env['CI'] === 'true' ? 'postgres://postgres@127.0.0.1:5432/test' : null);

let made = 0;

/** Makes an empty database. Needs a server. */
export async function freshDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  if (server === null) throw new Error('no server: ASSAY_TEST_POSTGRES names one');
  made += 1;
  const name = `assay_page_${process.pid}_${made}`;
  await sql(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const base = server;
  return { url: url.href, drop: () => sql(base, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function sql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
