/**
 * The statements of the store, for one schema.
 *
 * ```text
 * meta     format text  version int                  one row: ('assay-store', 1)
 * runs     run text     count bigint   hash text     where each ledger ends: its head
 * records  run text     seq bigint     text text     one canonical line each, without its 0A
 * ```
 *
 * `records.text` is the evidence. `runs` repeats what its last line says, so that one row decides who may
 * append; what it says is compared with that line before a store goes on from it. Never `jsonb`, which is
 * another spelling of the value.
 */
import { createHash } from 'node:crypto';

/** The version of these tables. */
export const SCHEMA_VERSION = 1;
/** What `meta.format` says. */
export const SCHEMA_FORMAT = 'assay-store';

/**
 * The most lines of a group with a statement of its own: more are rare, and each connection keeps what it was
 * asked.
 */
export const GROUP_MAX = 8;

/** A statement that the server may keep, and the name it keeps it by. */
type KeptStatement = { readonly name: string; readonly text: string };

/** Statements by what they do; `$n` are their parameters. */
export type Statements = {
  /**
   * $1 schema. One row: `schemas` (0 or 1), `columns` (of all its tables, `table.column type`, one a line),
   * `tables` (ours, one a line: name, kind, persistence, how many things could change what is written or show
   * something else, the primary key).
   */
  readonly inspect: string;
  /** One row for each row of meta: `format`, `version`. */
  readonly version: string;
  /**
   * Makes the tables, and the schema where it is missing; nothing where they are there. `ROLLBACK`: and takes
   * it back.
   */
  readonly create: (makesSchema: boolean, end: 'COMMIT' | 'ROLLBACK') => string;
  /** Does what an append does, for a name that is no run id, and takes it back. */
  readonly attempt: string;
  /** $1 run, $2 count, $3 hash, $4 first sequence, $5 lines. As many rows as lines, or none. */
  readonly begin: KeptStatement;
  /**
   * For a group of one line, of two … of {@link GROUP_MAX}: $1 run, $2 count, $3 hash, $4 first sequence, $5
   * hash before, $6 and on a line each. As many rows as lines, or none.
   */
  readonly extend: readonly KeptStatement[];
  /** The same for a group of any length: $6 lines. */
  readonly extendLong: KeptStatement;
  /**
   * $1 run. One row: `count`, `hash`, `first`, `first_text`, `last`, `last_text`; null where there is none.
   */
  readonly ends: KeptStatement;
  /** $1 run. One row: `count`, `first`, `first_text`. */
  readonly start: string;
  /** $1 run, $2 sequence, $3 text. One row where this line is stored there. */
  readonly holds: string;
  /**
   * $1 run, $2 from, $3 to (not read). Rows `seq`, `text`: at most 512, and no more after the first 1 MiB.
   */
  readonly page: string;
  /** $1 run: from it on, $2: so many at most, null for all. Rows `run`: also of records whose run is not in runs. */
  readonly list: string;
  /** $1 run, null for all together. Row `count`. */
  readonly count: string;
};

/** The statements for a schema; its name needs no escapes (see `isSchemaName`). */
export function statementsFor(schema: string): Statements {
  const [meta, runs, records] = ['meta', 'runs', 'records'].map((table) => `"${schema}".${table}`);
  const edge = (order: 'ASC' | 'DESC', name: string): string =>
    `LEFT JOIN LATERAL (SELECT seq, text FROM ${records} WHERE run = $1 ORDER BY seq ` +
    `${order} LIMIT 1) AS ${name} ON true`;
  return {
    inspect:
      `SELECT (SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1) AS schemas,
      (SELECT string_agg(format('%s.%s %s', c.relname, a.attname, format_type(a.atttypid, ` +
      `a.atttypmod)), chr(10) ORDER BY c.relname, a.attnum)
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN ` +
      `pg_catalog.pg_attribute a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT ` +
      `a.attisdropped) AS columns,
      (SELECT string_agg(concat_ws(' ', c.relname, c.relkind, c.relpersistence, ${MEDDLING}, (SELECT ` +
      `pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint WHERE conrelid = c.oid AND contype = ` +
      `'p')), chr(10) ORDER BY c.relname)
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE ` +
      `n.nspname = $1 AND c.relname IN ('meta', 'runs', 'records')) AS tables`,
    version: `SELECT format, version FROM ${meta}`,
    // Room in each page of runs: its rows are replaced again and again, and then without their index.
    // The lock: two stores that both find nothing. Read committed: the second must see what the first made.
    create: (makesSchema, end) =>
      `BEGIN ISOLATION LEVEL READ COMMITTED;
      SELECT pg_advisory_xact_lock(hashtextextended('assay-store ${schema}', 0));
      ${makesSchema ? `CREATE SCHEMA IF NOT EXISTS "${schema}";` : ''}
      CREATE TABLE IF NOT EXISTS ${meta} (format text NOT NULL, version integer NOT NULL);
      CREATE TABLE IF NOT EXISTS ${runs} (run text COLLATE "C" PRIMARY KEY, count bigint NOT NULL, hash ` +
      `text NOT NULL) WITH (fillfactor = 50);
      CREATE TABLE IF NOT EXISTS ${records} (run text COLLATE "C" NOT NULL, seq bigint NOT NULL, text ` +
      `text NOT NULL, PRIMARY KEY (run, seq));
      INSERT INTO ${meta} (format, version) SELECT '${SCHEMA_FORMAT}', ${SCHEMA_VERSION} WHERE NOT ` +
      `EXISTS (SELECT FROM ${meta});
      ${end}`,
    attempt:
      `BEGIN; INSERT INTO ${runs} (run, count, hash) VALUES ('~try', 1, ''); UPDATE ${runs} SET ` +
      `count = 2 WHERE run = '~try';
      INSERT INTO ${records} (run, seq, text) VALUES ('~try', 0, ''); ROLLBACK`,
    begin: kept(
      `WITH head AS (
        INSERT INTO ${runs} (run, count, hash) SELECT $1, $2::bigint, $3 WHERE ${DURABLE} ON CONFLICT ` +
        `DO NOTHING RETURNING run
      ) ${insertLines(records ?? '', '$5')}`,
    ),
    extend: Array.from({ length: GROUP_MAX }, (_, more) =>
      kept(`${moveHead(runs ?? '')} ${insertRows(records ?? '', 1 + more)}`),
    ),
    extendLong: kept(`${moveHead(runs ?? '')} ${insertLines(records ?? '', '$6')}`),
    ends: kept(
      `SELECT r.count, r.hash, first.seq AS first, first.text AS first_text, last.seq AS last, ` +
        `last.text AS last_text
      FROM (SELECT) AS one LEFT JOIN ${runs} r ON r.run = $1 ${edge('ASC', 'first')} ${edge('DESC', 'last')}`,
    ),
    start:
      'SELECT r.count, first.seq AS first, first.text AS first_text FROM (SELECT) AS one LEFT ' +
      `JOIN ${runs} r ON r.run = $1 ${edge('ASC', 'first')}`,
    holds: `SELECT FROM ${records} WHERE run = $1 AND seq = $2::bigint AND text = $3`,
    page:
      `SELECT seq, text FROM (
        SELECT seq, text, sum(octet_length(text)) OVER (ORDER BY seq) - octet_length(text) AS before FROM (
          SELECT seq, text FROM ${records} WHERE run = $1 AND seq >= $2::bigint AND seq < $3::bigint ` +
      `ORDER BY seq LIMIT 512
        ) AS rows
      ) AS sized WHERE before < 1048576 ORDER BY seq`,
    // From run to run by the key, past the records of each.
    list:
      `WITH RECURSIVE each AS (
        SELECT min(run) AS run FROM ${records} WHERE run >= $1 UNION ALL SELECT (SELECT min(run) FROM ` +
      `${records} WHERE run > each.run) FROM each WHERE run IS NOT NULL
      ) (SELECT run FROM ${runs} WHERE run >= $1 ORDER BY run LIMIT $2::bigint) UNION (SELECT run FROM each ` +
      `WHERE run IS NOT NULL LIMIT $2::bigint) ORDER BY run LIMIT $2::bigint`,
    count: `SELECT sum(count) AS count FROM ${runs} WHERE run = $1 OR $1 IS NULL`,
  };
}

/**
 * Named by its text: behind a pooler a connection to the server is shared with other stores, also those of
 * another schema or another version of this package, and what one of them keeps there must be what every
 * other means by that name.
 */
export function kept(text: string): KeptStatement {
  return { name: `assay_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`, text };
}

/**
 * Of a table `c`: what could change what is written, run code of others when it is, or refuse it. Triggers
 * that are not the server's own, rules, row-level security, keys that point elsewhere (their changes come
 * along), tables that inherit, checks and other constraints; indexes but the key and plain ones over short
 * columns.
 */
const MEDDLING =
  `(SELECT count(*) FROM pg_catalog.pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)
        + (SELECT count(*) FROM pg_catalog.pg_rewrite WHERE ev_class = c.oid)
        + (SELECT count(*) FROM pg_catalog.pg_constraint WHERE conrelid = c.oid AND contype NOT IN ('p', 'n'))
        + (SELECT count(*) FROM pg_catalog.pg_inherits WHERE c.oid IN (inhrelid, inhparent))
        + (SELECT count(*) FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND NOT i.indisprimary ` +
  `AND (i.indisunique OR i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
            OR EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ` +
  `ANY (i.indkey) AND c.relname = 'records' AND a.attname = 'text')
            OR EXISTS (SELECT FROM pg_catalog.pg_opclass o WHERE o.oid = ANY (i.indclass) AND ` +
  `o.opcnamespace <> 'pg_catalog'::regnamespace)))
        + c.relrowsecurity::int`;

/**
 * True, and a cause. A role or database may have switched off waiting for the log: what `append` returned for
 * would not be durable. Set for this transaction alone, so that it also holds behind a pooler; a stronger
 * level stays.
 */
export const DURABLE =
  `CASE current_setting('synchronous_commit') WHEN 'off' THEN ` +
  `set_config('synchronous_commit', 'on', true) = 'on' ELSE true END`;

/** One row, `head`, where the run ends as the writer believes, and its new end from now on. */
function moveHead(runs: string): string {
  return (
    `WITH head AS (
        UPDATE ${runs} SET count = $2::bigint, hash = $3 WHERE run = $1 AND count = $4::bigint AND hash ` +
    `= $5 AND ${DURABLE} RETURNING run
      )`
  );
}

/** The lines of a group, taken apart at their line ends: canonical text holds none. */
function insertLines(records: string, lines: string): string {
  return (
    `INSERT INTO ${records} (run, seq, text) SELECT head.run, $4::bigint + line.place - 1, ` +
    `line.text FROM head, unnest(string_to_array(${lines}, chr(10))) WITH ORDINALITY AS ` +
    'line(text, place)'
  );
}

/**
 * The same of so many lines, each a parameter: no function gives rows, and whether there is a head is asked
 * once and not joined.
 */
function insertRows(records: string, lines: number): string {
  const rows = Array.from({ length: lines }, (_, line) => `($1, $4::bigint + ${line}, $${6 + line})`);
  return (
    `INSERT INTO ${records} (run, seq, text) SELECT run, seq, text FROM (VALUES ` +
    `${rows.join(', ')}) AS line(run, seq, text) WHERE EXISTS (SELECT FROM head)`
  );
}
