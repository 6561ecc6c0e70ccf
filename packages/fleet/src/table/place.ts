/** What the statements of a fleet share: its tables, its time, and how values go to the server and back. */
import type { PostgresStore } from '@assay/store-postgres';
import { type Hold, RUN_STATES, type RunState } from './table.js';

/** A row as the server sent it. */
export type Row = { readonly [column: string]: string | null };

/** The tables of a fleet, by their names as SQL. */
export type Place = {
  readonly ask: PostgresStore['ask'];
  /** As `ask`. What was not made yet holds nothing; a reader makes nothing. */
  readonly read: PostgresStore['ask'];
  readonly schema: string;
} & { readonly [table in 'meta' | 'runs' | 'open' | 'answers' | 'workers']: string };

/** Where the fleet of a store is. */
export function makePlace({ ask, schema: name }: PostgresStore): Place {
  const schema = `${name}_fleet`;
  return {
    ask,
    read: (text, values) =>
      ask(text, values).catch((error: unknown) => {
        if (ABSENT.has(String(Reflect.get(error as object, 'code')))) return [];
        throw error;
      }),
    schema,
    meta: `"${schema}".meta`,
    runs: `"${schema}".runs`,
    open: `"${schema}".open`,
    answers: `"${schema}".answers`,
    workers: `"${schema}".workers`,
  };
}

/** The server's time, the same all through a statement. */
export const NOW = '(extract(epoch FROM statement_timestamp()) * 1000000)::bigint';
/**
 * True: what this transaction did is not waited for. What a server that fails forgets of it is made again: a lease is
 * over, a run is offered twice, a closed one taken up and found closed. Answers and submissions are waited for.
 */
export const REMADE = `set_config('synchronous_commit', 'off', true) = 'off'`;
/** Of a worker: it was heard not long ago. */
export const ALIVE = `at + lease_ms * 1000 >= ${NOW}`;
/** $1 run, $2 ticket, $3 worker: the run is in these hands. */
export const OWN = `run = $1 AND ticket = $2 AND holder = $3 AND state = 'driving'`;
/** invalid_schema_name, undefined_table. */
const ABSENT: ReadonlySet<string> = new Set(['3F000', '42P01']);

/** The values of {@link OWN}. */
export function own({ run, ticket, worker }: Hold): readonly string[] {
  return [run, ticket, worker];
}

/** Lists go as lines: what is in them has no line ends. */
export function lines(items: readonly (string | number | null)[]): string {
  return items.map((item) => item ?? '').join('\n');
}

/** Such a list as SQL. */
export function list(value: string): string {
  return `string_to_array(${value}, chr(10))`;
}

export function split(value: string | null | undefined): readonly string[] {
  return value === null || value === undefined || value === '' ? [] : value.split('\n');
}

export function text(value: string | null | undefined): string {
  return value ?? '';
}

export function readNumber(value: string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function readState(value: string | null | undefined): RunState {
  return RUN_STATES.find((state) => state === value) ?? 'failed';
}
