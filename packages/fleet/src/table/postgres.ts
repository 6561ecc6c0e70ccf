/** The state of a fleet in PostgreSQL: a statement for each step, so that each is one transaction. */
import { DURABLE, type PostgresStore } from '@assay/store-postgres';
import { RUN_STATES, type RunState } from '../types.js';
import { FEEDABLE, makeFleetTables, UNDER_WAY } from './schema.js';
import { DEATHS_MAX, FEEDER_LEASE_MS, type Hold, type RunEntry, type Table, WINDOW } from './table.js';

type Row = { readonly [column: string]: string | null };

/** The server's time, the same all through a statement. */
const NOW = '(extract(epoch FROM statement_timestamp()) * 1000000)::bigint';

/** The table of the fleet beside a store's ledgers. */
export function postgresTable(store: PostgresStore): Table {
  const schema = `${store.schema}_fleet`;
  const [meta, runs, open, answers, workers] = ['meta', 'runs', 'open', 'answers', 'workers'].map(
    (table) => `"${schema}".${table}`,
  );
  const { ask } = store;
  let making: Promise<void> | null = null;
  /** What was not made yet holds nothing; a reader makes nothing. */
  const read: typeof ask = (text, values) =>
    ask(text, values).catch((error: unknown) => {
      if (ABSENT.has(String(Reflect.get(error as object, 'code')))) return [];
      throw error;
    });

  /** The update that takes up a run, for ids and a lease as SQL. `limit`: what else a queued run needs. */
  const claiming = (run: string, ticket: string, worker: string, lease: string, limit: string): string => {
    const deaths = `(deaths + CASE WHEN state = 'driving' AND holder <> ${worker} THEN 1 ELSE 0 END)`;
    const isPoison = `${deaths} >= ${DEATHS_MAX}`;
    const isAgain = `state = 'driving' AND holder = ${worker} AND ticket = ${ticket}`;
    return `UPDATE ${runs} AS r SET state = CASE WHEN ${isPoison} THEN 'failed' ELSE 'driving' END,
        fault = CASE WHEN ${isPoison} THEN 'poison' END, deaths = ${deaths},
        segments = segments + CASE WHEN ${isAgain} THEN 0 ELSE 1 END, ticket = ${ticket}, offered_at = NULL,
        wake_at = NULL, holder = CASE WHEN ${isPoison} THEN NULL ELSE ${worker} END,
        held_until = CASE WHEN ${isPoison} THEN NULL ELSE ${NOW} + ${lease} * 1000 END, changed_at = ${NOW}
      WHERE run = ${run} AND NOT held AND coalesce(wake_at, 0) <= ${NOW}
        AND (state = 'queued' ${limit} OR state = 'driving' AND (ticket = ${ticket} OR held_until < ${NOW}))`;
  };

  const claim = async (hold: Hold, leaseMs: number, tenantLimit: number | null): Promise<Row | undefined> => {
    if (tenantLimit === null)
      return (
        await ask(`${claiming('$1', '$2', '$3', '$4::bigint', '')} RETURNING ${CLAIMED}`, [
          ...own(hold),
          leaseMs,
        ])
      )[0];
    // Claims for a tenant come one after the other, and each counts what the one before left: a statement of its own
    // sees that. Several statements in one text take no parameters; ids hold no quotes.
    const [run = '', ticket = '', worker = ''] = own(hold).map(quote);
    const driven = `(SELECT count(*) FROM ${runs} AS d WHERE d.tenant = r.tenant AND d.state = 'driving')`;
    await ask(`BEGIN ISOLATION LEVEL READ COMMITTED;
      SELECT pg_advisory_xact_lock(hashtextextended('assay-fleet ${schema} ' || tenant, 0))
        FROM ${runs} WHERE run = ${run};
      ${claiming(run, ticket, worker, String(leaseMs), `AND ${driven} < ${tenantLimit}`)};
      UPDATE ${runs} SET offered_at = NULL, wake_at = ${NOW} + ${REFUSED_MS * 1_000}
        WHERE run = ${run} AND state = 'queued' AND NOT held AND wake_at IS NULL; COMMIT`);
    return (await ask(`SELECT ${CLAIMED} FROM ${runs} WHERE ${OWN}`, own(hold)))[0];
  };

  const makeEntry = (row: Row): RunEntry => ({
    run: text(row['run']),
    machine: text(row['machine']),
    version: Number(row['version']),
    state: readState(row['state']),
    held: row['held'] === 't',
    tenant: text(row['tenant']),
    priority: Number(row['priority']),
    holder: row['holder'] ?? null,
    changed: Number(row['changed_at']),
    segments: Number(row['segments']),
    outcome: row['outcome'] ?? null,
    count: orNull(row['count']),
    hash: row['hash'] ?? null,
    fault: row['fault'] ?? null,
    open: JSON.parse(row['open'] ?? '[]') as RunEntry['open'],
  });

  return {
    make: () => {
      making ??= makeFleetTables(store, schema);
      making.catch(() => (making = null));
      return making;
    },

    submit: async (given) => {
      const { token, runs: ids, geneses, machine, version, tenant, priority, at, maxQueued } = given;
      const [row] = await ask(
        `WITH given AS (SELECT * FROM unnest(${list('$2')}, ${list('$3')}) AS g(run, genesis)),
          there AS (SELECT r.run, r.ticket = $1 AS own,
              r.genesis = g.genesis AND r.machine = $4 AND r.version = $5::bigint AS same
            FROM given g JOIN ${runs} r ON r.run = g.run),
          queued AS (SELECT count(*) AS n FROM ${runs} WHERE state = 'queued'),
          added AS (INSERT INTO ${runs}
              (run, genesis, machine, version, tenant, priority, state, ticket, wake_at, changed_at)
            SELECT run, genesis, $4, $5::bigint, $6, $7::integer, 'queued', $1, $8::bigint, ${NOW} FROM given
            WHERE ${DURABLE} AND NOT EXISTS (SELECT FROM there WHERE NOT same) AND (SELECT n FROM queued)
              + (SELECT count(*) FROM given) - (SELECT count(*) FROM there) <= $9::bigint
            ON CONFLICT DO NOTHING RETURNING run)
        SELECT (SELECT count(*) FROM added) + (SELECT count(*) FROM there WHERE own) AS submitted,
          (SELECT count(*) FROM there WHERE same AND NOT own) AS known,
          (SELECT min(run) FROM there WHERE NOT same) AS other, n AS queued FROM queued`,
        [token, lines(ids), lines(geneses), machine, version, tenant, priority, at, maxQueued],
      );
      return {
        submitted: Number(row?.['submitted']),
        known: Number(row?.['known']),
        other: row?.['other'] ?? null,
        queued: Number(row?.['queued']),
      };
    },

    feed: async (feeder, tenantLimit) => {
      const [row] = await ask(
        `WITH RECURSIVE lease AS (UPDATE ${meta} SET feeder = $1, feeder_until = ${NOW} + $2::bigint
            WHERE feeder_until < ${NOW} OR feeder = $1 AND feeder_until < ${NOW} + $2::bigint / 2 RETURNING 1),
          me AS (SELECT FROM ${meta} WHERE feeder = $1 AND feeder_until >= ${NOW} UNION ALL SELECT FROM lease),
          served AS (SELECT s.name, sum(concurrency) AS slots
            FROM ${workers}, unnest(${list('serves')}) AS s(name)
            WHERE at + lease_ms * 1000 >= ${NOW} GROUP BY s.name),
          busy AS (SELECT tenant, machine, version, count(*) AS n, count(*) FILTER (WHERE state = 'queued') AS offered
            FROM ${runs} WHERE ${UNDER_WAY} GROUP BY tenant, machine, version),
          queues AS (SELECT * FROM (SELECT substring(name FROM '^(.*)@') COLLATE "C" AS machine,
              substring(name FROM '@(.*)$')::bigint AS version, ${WINDOW} * slots - coalesce((SELECT sum(offered)
                FROM busy b WHERE b.machine || '@' || b.version = s.name), 0) AS room
            FROM served s WHERE EXISTS (SELECT FROM me)) AS q WHERE room > 0),
          tenants AS (
            SELECT q.machine, q.version, (SELECT min(tenant) FROM ${runs} r
              WHERE r.machine = q.machine AND r.version = q.version AND ${FEEDABLE}) AS tenant FROM queues q
            UNION ALL
            SELECT t.machine, t.version, (SELECT min(tenant) FROM ${runs} r WHERE r.machine = t.machine
              AND r.version = t.version AND r.tenant > t.tenant AND ${FEEDABLE}) FROM tenants t
            WHERE t.tenant IS NOT NULL),
          next AS (SELECT q.room, q.machine, q.version, c.*, coalesce(b.n, 0)
              + row_number() OVER (PARTITION BY q.machine, q.version, t.tenant ORDER BY priority DESC, seq) AS turn,
              coalesce((SELECT sum(n) FROM busy WHERE busy.tenant = t.tenant), 0)
              + row_number() OVER (PARTITION BY t.tenant ORDER BY priority DESC, seq) AS fill
            FROM tenants t JOIN queues q USING (machine, version)
              LEFT JOIN busy b ON b.tenant = t.tenant AND b.machine = q.machine AND b.version = q.version,
              LATERAL (SELECT run, priority, seq, segments FROM ${runs} r WHERE r.machine = t.machine
                AND r.version = t.version AND r.tenant = t.tenant AND ${FEEDABLE}
                ORDER BY priority DESC, seq LIMIT q.room) AS c),
          ranked AS (SELECT *, row_number() OVER (PARTITION BY machine, version ORDER BY priority DESC, turn, seq)
              AS place FROM next WHERE fill <= coalesce($3::bigint, fill))
        SELECT (SELECT count(*) FROM me) AS feeds, (SELECT json_agg(json_build_array(run, machine, version, segments)
            ORDER BY place) FROM ranked WHERE place <= room) AS offers`,
        [feeder, FEEDER_LEASE_MS * 1_000, tenantLimit],
      );
      if (row?.['feeds'] === '0') return null;
      const offers = JSON.parse(row?.['offers'] ?? '[]') as readonly [string, string, number, number][];
      return offers.map(([run, machine, version, segments]) => ({ run, machine, version, segments }));
    },

    markOffered: async (offers) => {
      await ask(
        `UPDATE ${runs} r SET offered_at = ${NOW} FROM unnest(${list('$1')}, ${list('$2')}) AS g(run, segments)
          WHERE r.run = g.run AND r.segments = g.segments::bigint AND ${FEEDABLE}`,
        [lines(offers.map(({ run }) => run)), lines(offers.map(({ segments }) => segments))],
      );
    },

    claim: async (hold, leaseMs, tenantLimit) => {
      const row = await claim(hold, leaseMs, tenantLimit);
      if (row?.['state'] !== 'driving') return null;
      return {
        genesis: text(row['genesis']),
        machine: text(row['machine']),
        version: Number(row['version']),
        tenant: text(row['tenant']),
        answers: Number(row['answers']),
        segments: Number(row['segments']),
      };
    },

    park: async (hold, seen, entries, wakeAt) => {
      const [row] = await ask(
        `WITH me AS (UPDATE ${runs} SET deaths = 0, changed_at = ${NOW},
            state = CASE WHEN answers = $4::bigint THEN 'waiting' ELSE state END,
            wake_at = CASE WHEN answers = $4::bigint THEN $5::bigint END,
            holder = CASE WHEN answers = $4::bigint THEN NULL ELSE holder END,
            held_until = CASE WHEN answers = $4::bigint THEN NULL ELSE held_until END
            WHERE ${OWN} RETURNING run, state, answers),
          given AS (SELECT me.run, g.* FROM me, unnest(${['$6', '$7', '$8', '$9', '$10', '$11'].map(list).join(', ')})
            AS g(request, attempt, kind, accepts, body, until)),
          gone AS (DELETE FROM ${open} o USING me WHERE o.run = me.run
            AND o.request NOT IN (SELECT request FROM given)),
          put AS (INSERT INTO ${open} (run, request, attempt, kind, accepts, body, until)
            SELECT run, request, attempt::bigint, kind, accepts, body, nullif(until, '')::bigint FROM given
            ON CONFLICT (run, request) DO UPDATE SET attempt = excluded.attempt, until = excluded.until)
        SELECT state, answers FROM me`,
        [
          ...own(hold),
          seen,
          wakeAt,
          lines(entries.map(({ request }) => request)),
          lines(entries.map(({ attempt }) => attempt)),
          lines(entries.map(({ kind }) => kind)),
          lines(entries.map(({ accepts }) => accepts.join(' '))),
          lines(entries.map(({ body }) => body)),
          lines(entries.map(({ until }) => until)),
        ],
      );
      if (row === undefined) return null;
      return {
        state: row['state'] === 'waiting' ? 'waiting' : 'driving',
        answers: Number(row['answers']),
      };
    },

    release: async (hold, delayMs) =>
      (
        await ask(
          `UPDATE ${runs} SET state = 'queued', deaths = 0, ${LEFT}, wake_at = CASE WHEN $4::bigint > 0
              THEN ${NOW} + $4::bigint * 1000 END WHERE ${OWN} RETURNING 1`,
          [...own(hold), delayMs],
        )
      ).length === 1,

    close: async (run, { outcome, count, hash }) => {
      await ask(
        `WITH me AS (UPDATE ${runs} SET state = 'closed', outcome = $2, count = $3::bigint, hash = $4, fault = NULL,
            wake_at = NULL, ${LEFT} WHERE run = $1 AND state <> 'closed' RETURNING run),
          asked AS (DELETE FROM ${open} WHERE run IN (SELECT run FROM me))
        DELETE FROM ${answers} WHERE run IN (SELECT run FROM me)`,
        [run, outcome, count, hash],
      );
    },

    fail: async (hold, fault) =>
      (
        await ask(`UPDATE ${runs} SET state = 'failed', fault = $4, ${LEFT} WHERE ${OWN} RETURNING 1`, [
          ...own(hold),
          fault,
        ])
      ).length === 1,

    beat: async ({ id, host, pid, serves, concurrency, engine, leaseMs }, holds) => {
      const [row] = await ask(
        `WITH me AS (INSERT INTO ${workers} (id, host, pid, serves, concurrency, engine, lease_ms, at)
            VALUES ($1, $2, $3::bigint, $4, $5::bigint, $6, $7::bigint, ${NOW})
            ON CONFLICT (id) DO UPDATE SET at = excluded.at),
          mine AS (UPDATE ${runs} r SET held_until = ${NOW} + $7::bigint * 1000
            FROM unnest(${list('$8')}, ${list('$9')}) AS g(run, ticket)
            WHERE r.run = g.run AND r.ticket = g.ticket AND r.holder = $1 AND r.state = 'driving'
            RETURNING r.run, r.held)
        SELECT ${NOW} AS now, (SELECT string_agg(run, chr(10)) FROM mine) AS own,
          (SELECT string_agg(run, chr(10)) FROM mine WHERE held) AS held`,
        [
          id,
          host,
          pid,
          lines(serves),
          concurrency,
          engine,
          leaseMs,
          lines(holds.map(({ run }) => run)),
          lines(holds.map(({ ticket }) => ticket)),
        ],
      );
      return { now: Number(row?.['now']), own: split(row?.['own']), held: split(row?.['held']) };
    },

    sweep: async (serves, idleMs) => {
      const some = (where: string): string =>
        `run IN (SELECT run FROM ${runs} WHERE ${where} LIMIT ${SWEPT_MAX} FOR UPDATE SKIP LOCKED) AND ${where}`;
      await ask(
        `WITH due AS (UPDATE ${runs} SET state = 'queued', wake_at = NULL, offered_at = NULL, changed_at = ${NOW}
            WHERE ${some(`wake_at <= ${NOW} AND state IN ('waiting', 'queued')`)}),
          over AS (UPDATE ${runs} SET deaths = deaths + 1, ${LEFT},
            state = CASE WHEN deaths + 1 >= ${DEATHS_MAX} THEN 'failed' ELSE 'queued' END,
            fault = CASE WHEN deaths + 1 >= ${DEATHS_MAX} THEN 'poison' END
            WHERE ${some(`state = 'driving' AND held_until < ${NOW}`)})
        UPDATE ${runs} SET offered_at = NULL WHERE ${some(
          `state = 'queued' AND offered_at < ${NOW} - $2::bigint * 1000 AND machine || '@' || version = ANY(${list('$1')})`,
        )}`,
        [lines(serves), idleMs],
      );
    },

    listDead: async () =>
      (await ask(`SELECT id FROM ${workers} WHERE at + lease_ms * 1000 < ${NOW}`)).map(({ id }) => text(id)),

    removeWorkers: async (ids) => {
      await ask(`DELETE FROM ${workers} WHERE id = ANY(${list('$1')})`, [lines(ids)]);
    },

    listUnserved: async () =>
      (
        await read(
          `SELECT DISTINCT machine || '@' || version AS name FROM ${runs} WHERE ${FEEDABLE}
            EXCEPT SELECT unnest(${list('serves')}) FROM ${workers} WHERE at + lease_ms * 1000 >= ${NOW} ORDER BY name`,
        )
      ).map(({ name }) => text(name)),

    answer: async ({ run, request, value, by, token }) => {
      const [row] = await read(
        `WITH asked AS (SELECT run, request, attempt, 'human' = ANY(string_to_array(accepts, ' ')) AS accepts
            FROM ${open} WHERE run = $1 AND request = $2),
          given AS (INSERT INTO ${answers} (run, request, attempt, value, by, token, at)
            SELECT run, request, attempt, $3, $4, $5, ${NOW} FROM asked WHERE accepts AND ${DURABLE}
            ON CONFLICT DO NOTHING RETURNING run),
          up AS (UPDATE ${runs} SET answers = answers + 1,
            state = CASE WHEN state = 'waiting' THEN 'queued' ELSE state END,
            wake_at = CASE WHEN state = 'waiting' THEN NULL ELSE wake_at END,
            offered_at = CASE WHEN state = 'waiting' THEN NULL ELSE offered_at END,
            changed_at = CASE WHEN state = 'waiting' THEN ${NOW} ELSE changed_at END
            WHERE run IN (SELECT run FROM given))
        SELECT a.run AS asked, a.accepts, EXISTS (SELECT FROM given) OR EXISTS (SELECT FROM ${answers} g
            WHERE g.run = a.run AND g.request = a.request AND g.attempt = a.attempt AND g.token = $5) AS taken
          FROM ${runs} r LEFT JOIN asked a ON true WHERE r.run = $1`,
        [run, request, value, by, token],
      );
      if (row === undefined) return 'unknown_run';
      if (row['asked'] === null) return 'closed_request';
      if (row['accepts'] !== 't') return 'source';
      return row['taken'] === 't' ? null : 'answered';
    },

    findAnswer: async (run, request, attempt) => {
      const [row] = await ask(
        `SELECT value, by, at FROM ${answers} WHERE run = $1 AND request = $2 AND attempt = $3::bigint`,
        [run, request, attempt],
      );
      return row === undefined
        ? null
        : { value: text(row['value']), by: text(row['by']), at: Number(row['at']) };
    },

    hold: async (run) => {
      const [row] = await read(
        `WITH me AS (UPDATE ${runs} SET held = true, offered_at = NULL WHERE run = $1
            AND state NOT IN ('closed', 'failed'))
        SELECT state FROM ${runs} WHERE run = $1`,
        [run],
      );
      return row === undefined ? null : readState(row['state']);
    },

    retry: async (run) => {
      const [row] = await read(
        `WITH me AS (UPDATE ${runs} SET held = false, changed_at = ${NOW}, deaths = 0, fault = NULL,
            offered_at = CASE WHEN state = 'driving' THEN offered_at END,
            state = CASE WHEN state = 'failed' THEN 'queued' ELSE state END
            WHERE run = $1 AND (state = 'failed' OR held))
        SELECT state, held FROM ${runs} WHERE run = $1`,
        [run],
      );
      return row === undefined ? null : { state: readState(row['state']), held: row['held'] === 't' };
    },

    list: async ({ state, tenant, run, after, limit }) => {
      const only = run === null ? '' : 'AND r.run = $5';
      const rows = await read(
        `SELECT p.*, (SELECT json_agg(json_build_object('request', request, 'kind', kind, 'until', until)
              ORDER BY request) FROM ${open} o WHERE o.run = p.run AND p.state <> 'failed') AS open
          FROM unnest(${list('$1')}) AS s(state), LATERAL (SELECT run, machine, version, r.state, held, tenant, priority,
              holder, changed_at, segments, outcome, count, hash, fault FROM ${runs} r WHERE r.state = s.state
              ${tenant === null ? 'AND $2::text IS NULL' : 'AND r.tenant = $2'} AND r.run > $3 ${only}
              ORDER BY r.run LIMIT $4::bigint) AS p
          ORDER BY p.run LIMIT $4::bigint`,
        [lines(state === null ? RUN_STATES : [state]), tenant, after, limit, ...(run === null ? [] : [run])],
      );
      return rows.map(makeEntry);
    },

    countStates: async (tenant) => {
      const rows = await read(
        `SELECT state, count(*) AS n FROM ${runs} ${tenant === null ? 'WHERE $1::text IS NULL' : 'WHERE tenant = $1'}
          GROUP BY state`,
        [tenant],
      );
      const counts = new Map(rows.map(({ state, n }) => [state, Number(n)]));
      const count = (state: RunState): number => counts.get(state) ?? 0;
      return {
        queued: count('queued'),
        driving: count('driving'),
        waiting: count('waiting'),
        closed: count('closed'),
        failed: count('failed'),
      };
    },

    listWorkers: async () =>
      (await read(`SELECT * FROM ${workers} WHERE at + lease_ms * 1000 >= ${NOW} ORDER BY id`)).map(
        (row) => ({
          id: text(row['id']),
          host: text(row['host']),
          pid: Number(row['pid']),
          serves: split(row['serves']),
          concurrency: Number(row['concurrency']),
          engine: text(row['engine']),
          leaseMs: Number(row['lease_ms']),
          at: Number(row['at']),
        }),
      ),
  };
}

/** $1 run, $2 ticket, $3 worker: the run is in these hands. */
const OWN = `run = $1 AND ticket = $2 AND holder = $3 AND state = 'driving'`;
const LEFT = `holder = NULL, held_until = NULL, offered_at = NULL, changed_at = ${NOW}`;
const CLAIMED = 'state, genesis, machine, version, tenant, answers, segments';
/** invalid_schema_name, undefined_table. */
const ABSENT: ReadonlySet<string> = new Set(['3F000', '42P01']);
/** Rows that one sweep takes of each kind. */
const SWEPT_MAX = 1_000;
/** After so long a run whose tenant had its fill is offered again. */
const REFUSED_MS = 200;

function own({ run, ticket, worker }: Hold): readonly string[] {
  return [run, ticket, worker];
}

/** An id as SQL; those of runs, tickets and workers hold nothing that needs an escape. */
function quote(id: string): string {
  if (!/^[\w.~-]+$/.test(id)) throw new RangeError('fleet: an id is [A-Za-z0-9_.~-]+');
  return `'${id}'`;
}

/** Lists go as lines: what is in them has no line ends. */
function lines(items: readonly (string | number | null)[]): string {
  return items.map((item) => item ?? '').join('\n');
}

function list(value: string): string {
  return `string_to_array(${value}, chr(10))`;
}

function split(value: string | null | undefined): readonly string[] {
  return value === null || value === undefined || value === '' ? [] : value.split('\n');
}

function text(value: string | null | undefined): string {
  return value ?? '';
}

function orNull(value: string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function readState(value: string | null | undefined): RunState {
  return RUN_STATES.find((state) => state === value) ?? 'failed';
}
