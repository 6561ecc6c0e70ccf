/**
 * The tables of a fleet in PostgreSQL, in the schema `NAME_fleet` beside the ledgers of `NAME`:
 *
 * ```text
 * meta     format, version; feeder, feeder_until: which worker feeds the engine
 * runs     a run, its genesis, where it stands
 * open     what a waiting run waits for
 * answers  what people answered, until the run is closed
 * workers  who is alive
 * ```
 *
 * Times are microseconds since 1970 by the server's clock. Nothing here is evidence: the ledger is.
 */
import type { PostgresStore } from '@assay/store-postgres';

/** The version of these tables. */
export const FLEET_VERSION = 1;
const FORMAT = 'assay-fleet';

/** Columns by table: name, type, and what else. Ids sort by their bytes. */
const TABLES: { readonly [table: string]: readonly (readonly [string, string, string])[] } = {
  meta: [
    ['format', 'text', 'NOT NULL'],
    ['version', 'integer', 'NOT NULL'],
    ['feeder', 'text', ''],
    ['feeder_until', 'bigint', 'NOT NULL DEFAULT 0'],
  ],
  runs: [
    ['run', 'text', 'COLLATE "C" PRIMARY KEY'],
    ['seq', 'bigint', 'NOT NULL GENERATED ALWAYS AS IDENTITY'],
    ['genesis', 'text', 'NOT NULL'],
    ['machine', 'text', 'COLLATE "C" NOT NULL'],
    ['version', 'bigint', 'NOT NULL'],
    ['tenant', 'text', 'COLLATE "C" NOT NULL'],
    ['priority', 'integer', 'NOT NULL'],
    ['state', 'text', 'COLLATE "C" NOT NULL'],
    ['held', 'boolean', 'NOT NULL DEFAULT false'],
    ['ticket', 'text', 'NOT NULL'],
    ['segments', 'bigint', 'NOT NULL DEFAULT 0'],
    ['answers', 'bigint', 'NOT NULL DEFAULT 0'],
    ['answered', 'text', ''],
    ['deaths', 'integer', 'NOT NULL DEFAULT 0'],
    ['wake_at', 'bigint', ''],
    ['offered_at', 'bigint', ''],
    ['holder', 'text', ''],
    ['held_until', 'bigint', ''],
    ['outcome', 'text', ''],
    ['count', 'bigint', ''],
    ['hash', 'text', ''],
    ['fault', 'text', ''],
    ['changed_at', 'bigint', 'NOT NULL'],
  ],
  open: [
    ['run', 'text', 'COLLATE "C" NOT NULL'],
    ['request', 'text', 'COLLATE "C" NOT NULL'],
    ['attempt', 'bigint', 'NOT NULL'],
    ['kind', 'text', 'NOT NULL'],
    ['accepts', 'text', 'NOT NULL'],
    ['body', 'text', 'NOT NULL'],
    ['until', 'bigint', ''],
  ],
  answers: [
    ['run', 'text', 'COLLATE "C" NOT NULL'],
    ['request', 'text', 'COLLATE "C" NOT NULL'],
    ['attempt', 'bigint', 'NOT NULL'],
    ['value', 'text', 'NOT NULL'],
    ['by', 'text', 'NOT NULL'],
    ['token', 'text', 'NOT NULL'],
    ['at', 'bigint', 'NOT NULL'],
  ],
  workers: [
    ['id', 'text', 'PRIMARY KEY'],
    ['host', 'text', 'NOT NULL'],
    ['pid', 'bigint', 'NOT NULL'],
    ['serves', 'text', 'NOT NULL'],
    ['concurrency', 'bigint', 'NOT NULL'],
    ['engine', 'text', 'NOT NULL'],
    ['lease_ms', 'bigint', 'NOT NULL'],
    ['at', 'bigint', 'NOT NULL'],
  ],
};

/** Keys of more than one column. */
const KEYS: { readonly [table: string]: string } = {
  open: ', PRIMARY KEY (run, request)',
  answers: ', PRIMARY KEY (run, request, attempt)',
};

/** Of `runs`: may be offered now. */
export const FEEDABLE = `state = 'queued' AND offered_at IS NULL AND wake_at IS NULL AND NOT held`;
/** Of `runs`: in the engine, or in a worker's hands. */
export const UNDER_WAY = `(state = 'driving' OR state = 'queued' AND offered_at IS NOT NULL)`;

const INDEXES: readonly string[] = [
  'runs_by_state ON RUNS (state, run)',
  'runs_by_tenant ON RUNS (tenant, state, run)',
  `runs_feedable ON RUNS (machine, version, tenant, priority DESC, seq) WHERE ${FEEDABLE}`,
  `runs_under_way ON RUNS (tenant, machine, version) WHERE ${UNDER_WAY}`,
  'runs_due ON RUNS (wake_at) WHERE wake_at IS NOT NULL',
];

/** Raised for tables that are not this version's. */
export class FleetSchemaError extends Error {
  override readonly name = 'FleetSchemaError';
  readonly code = 'fleet_schema';
  readonly detail: 'foreign' | 'version';
  readonly found: number | null;
  readonly expected: number = FLEET_VERSION;
  constructor(detail: 'foreign' | 'version', found: number | null) {
    super(`fleet: ${detail}`);
    this.detail = detail;
    this.found = found;
  }
}

/**
 * Whether the tables are there. Raises {@link FleetSchemaError} where something else is: other columns, or what may
 * change what is written, such as triggers and policies.
 */
export async function inspectFleet(store: PostgresStore, schema: string): Promise<boolean> {
  const [found] = await store.ask(
    `SELECT
      (SELECT string_agg(format('%s.%s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod)), chr(10))
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped)
        AS columns,
      (SELECT count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND (c.relkind <> 'r' OR
          c.relpersistence <> 'p' OR c.relrowsecurity OR
          EXISTS (SELECT FROM pg_catalog.pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal) OR
          EXISTS (SELECT FROM pg_catalog.pg_rewrite WHERE ev_class = c.oid))) AS meddling`,
    [schema],
  );
  const columns = new Set(found?.['columns']?.split('\n') ?? []);
  if (columns.size === 0) return false;
  if (!columns.has('meta.format text') || !columns.has('meta.version integer'))
    throw new FleetSchemaError('foreign', null);
  const rows = await store.ask(`SELECT format, version FROM "${schema}".meta`);
  if (rows.length !== 1 || rows[0]?.['format'] !== FORMAT) throw new FleetSchemaError('foreign', null);
  const version = Number(rows[0]['version']);
  if (version !== FLEET_VERSION) throw new FleetSchemaError('version', version);
  const expected = Object.entries(TABLES).flatMap(([table, list]) =>
    list.map(([name, type]) => `${table}.${name} ${type}`),
  );
  if (
    found?.['meddling'] !== '0' ||
    expected.length !== columns.size ||
    !expected.every((column) => columns.has(column))
  )
    throw new FleetSchemaError('foreign', version);
  return true;
}

/** Makes the tables if they are missing. Concurrent workers wait for each other. */
export async function makeFleetTables(store: PostgresStore, schema: string): Promise<void> {
  if (await inspectFleet(store, schema)) return;
  const [there] = await store.ask('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
  const tables = Object.entries(TABLES).map(
    ([table, columns]) =>
      `CREATE TABLE IF NOT EXISTS "${schema}".${table} (${columns
        .map(([name, type, rest]) => `${name} ${type} ${rest}`)
        .join(', ')}${KEYS[table] ?? ''});`,
  );
  const indexes = INDEXES.map(
    (index) => `CREATE INDEX IF NOT EXISTS ${index.replace('RUNS', `"${schema}".runs`)};`,
  );
  await store.ask(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('assay-fleet ${schema}', 0));
    ${there === undefined ? `CREATE SCHEMA IF NOT EXISTS "${schema}";` : ''}
    ${tables.join('\n')}
    ${indexes.join('\n')}
    INSERT INTO "${schema}".meta (format, version) SELECT '${FORMAT}', ${FLEET_VERSION}
      WHERE NOT EXISTS (SELECT FROM "${schema}".meta); COMMIT`);
  // Another process may have made other tables first.
  await inspectFleet(store, schema);
}
