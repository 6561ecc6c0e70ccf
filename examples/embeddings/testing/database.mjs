/**
 * A database of its own for a test, on the server that the tests use.
 *
 * @module
 */
import { after } from 'node:test';
import pg from 'pg';
import { server } from './needs.mjs';

let made = 0;

/** Makes an empty database: its address, and what drops it. */
export async function makeDatabase() {
  made += 1;
  const name = `assay_example_${process.pid}_${made}`;
  await sql(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => sql(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** The address of an empty database that is dropped after the tests. */
export async function freshDatabase() {
  const { url, drop } = await makeDatabase();
  after(drop);
  return url;
}

/** Runs one statement in a session of its own; its rows. */
export async function sql(url, text, values = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
