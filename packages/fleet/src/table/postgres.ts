/** The state of a fleet in PostgreSQL: a statement for each step, so that each is one transaction. */
import { batched, DURABLE, type PostgresStore } from '@assay/store-postgres';
import { feeding } from './feed.js';
import { peopleSteps } from './people.js';
import { ALIVE, lines, list, makePlace, NOW, own, OWN, REMADE, type Row, split, text } from './place.js';
import { makeFleetTables } from './schema.js';
import { DEATHS_MAX, type Hold, type Table } from './table.js';

/** The table of the fleet beside a store's ledgers. */
export function postgresTable(store: PostgresStore): Table {
  const place = makePlace(store);
  const { ask, schema, runs, open, answers, workers } = place;
  let making: Promise<void> | null = null;

  /** The update that takes up runs, for rows `(run, ticket, worker, lease)`. `limit`: what else a queued run needs. */
  const claiming = (rows: string, limit: string): string => {
    const deaths = `(deaths + CASE WHEN state = 'driving' AND holder <> g.worker THEN 1 ELSE 0 END)`;
    const isPoison = `${deaths} >= ${DEATHS_MAX}`;
    const isAgain = `state = 'driving' AND holder = g.worker AND r.ticket = g.ticket`;
    return `UPDATE ${runs} AS r SET state = CASE WHEN ${isPoison} THEN 'failed' ELSE 'driving' END,
        fault = CASE WHEN ${isPoison} THEN 'poison' END, deaths = ${deaths},
        segments = segments + CASE WHEN ${isAgain} THEN 0 ELSE 1 END, ticket = g.ticket, offered_at = NULL,
        wake_at = NULL, holder = CASE WHEN ${isPoison} THEN NULL ELSE g.worker END,
        held_until = CASE WHEN ${isPoison} THEN NULL ELSE ${NOW} + g.lease::bigint * 1000 END, changed_at = ${NOW}
      FROM ${rows} AS g(run, ticket, worker, lease)
      WHERE r.run = g.run AND NOT held AND coalesce(wake_at, 0) <= ${NOW} AND ${REMADE}
        AND (state = 'queued' ${limit} OR state = 'driving' AND (r.ticket = g.ticket OR held_until < ${NOW}))`;
  };
  const toClaim = `unnest(${['$1', '$2', '$3', '$4'].map(list).join(', ')})`;
  const claimOne = batched(async (given: readonly (readonly [Hold, number])[]) => {
    const rows = await ask(`${claiming(toClaim, '')} RETURNING r.ticket, ${CLAIMED}`, [
      lines(given.map(([{ run }]) => run)),
      lines(given.map(([{ ticket }]) => ticket)),
      lines(given.map(([{ worker }]) => worker)),
      lines(given.map(([, leaseMs]) => leaseMs)),
    ]);
    return given.map(([{ ticket }]) => rows.find((row) => row['ticket'] === ticket));
  });

  const claim = async (hold: Hold, leaseMs: number, tenantLimit: number | null): Promise<Row | undefined> => {
    if (tenantLimit === null) return claimOne([hold, leaseMs]);
    // Claims for a tenant come one after the other, and each counts what the one before left: a statement of its own
    // sees that. Several statements in one text take no parameters; ids hold no quotes.
    const [run = '', ticket = '', worker = ''] = own(hold).map(quote);
    const driven = `(SELECT count(*) FROM ${runs} AS d WHERE d.tenant = r.tenant AND d.state = 'driving')`;
    await ask(`BEGIN ISOLATION LEVEL READ COMMITTED;
      SELECT pg_advisory_xact_lock(hashtextextended('assay-fleet ${schema} ' || tenant, 0))
        FROM ${runs} WHERE run = ${run};
      ${claiming(`(VALUES (${run}, ${ticket}, ${worker}, ${leaseMs}))`, `AND ${driven} < ${tenantLimit}`)};
      UPDATE ${runs} SET offered_at = NULL, wake_at = ${NOW} + ${REFUSED_MS * 1_000}
        WHERE run = ${run} AND state = 'queued' AND NOT held AND wake_at IS NULL; COMMIT`);
    return (await ask(`SELECT ${CLAIMED} FROM ${runs} WHERE ${OWN}`, own(hold)))[0];
  };
  type End = { readonly outcome: string; readonly count: number; readonly hash: string };
  const closeOne = batched(async (given: readonly (readonly [string, End])[]) => {
    await ask(
      `WITH given AS (SELECT * FROM unnest(${['$1', '$2', '$3', '$4'].map(list).join(', ')})
          AS g(run, outcome, count, hash)),
        me AS (UPDATE ${runs} r SET state = 'closed', outcome = given.outcome, count = given.count::bigint,
          hash = given.hash, fault = NULL, wake_at = NULL, ${LEFT} FROM given
          WHERE r.run = given.run AND state <> 'closed' AND ${REMADE} RETURNING r.run),
        asked AS (DELETE FROM ${open} WHERE run IN (SELECT run FROM me))
      DELETE FROM ${answers} WHERE run IN (SELECT run FROM me)`,
      [
        lines(given.map(([run]) => run)),
        lines(given.map(([, { outcome }]) => outcome)),
        lines(given.map(([, { count }]) => count)),
        lines(given.map(([, { hash }]) => hash)),
      ],
    );
    return given.map(() => undefined);
  });

  return {
    ...feeding(place),
    ...peopleSteps(place),
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
            WHERE ${OWN} AND ${REMADE} RETURNING run, state, answers),
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
              THEN ${NOW} + $4::bigint * 1000 END WHERE ${OWN} AND ${REMADE} RETURNING 1`,
          [...own(hold), delayMs],
        )
      ).length === 1,

    close: (run, end) => closeOne([run, end]),

    fail: async (hold, fault) =>
      (
        await ask(
          `UPDATE ${runs} SET state = 'failed', fault = $4, ${LEFT} WHERE ${OWN} AND ${REMADE} RETURNING 1`,
          [...own(hold), fault],
        )
      ).length === 1,

    beat: async ({ id, host, pid, serves, concurrency, engine, leaseMs }, holds) => {
      const [row] = await ask(
        `WITH me AS (INSERT INTO ${workers} (id, host, pid, serves, concurrency, engine, lease_ms, at)
            VALUES ($1, $2, $3::bigint, $4, $5::bigint, $6, $7::bigint, ${NOW})
            ON CONFLICT (id) DO UPDATE SET at = excluded.at),
          mine AS (UPDATE ${runs} r SET held_until = ${NOW} + $7::bigint * 1000
            FROM unnest(${list('$8')}, ${list('$9')}) AS g(run, ticket)
            WHERE r.run = g.run AND r.ticket = g.ticket AND r.holder = $1 AND r.state = 'driving' AND ${REMADE}
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
          over AS (UPDATE ${runs} SET deaths = deaths + 1, ${LEFT}, wake_at = CASE WHEN deaths > 0
              THEN ${NOW} + (random() * ${APART_MS * 1_000} * 2 ^ deaths)::bigint END,
            state = CASE WHEN deaths + 1 >= ${DEATHS_MAX} THEN 'failed' ELSE 'queued' END,
            fault = CASE WHEN deaths + 1 >= ${DEATHS_MAX} THEN 'poison' END
            WHERE ${some(`state = 'driving' AND held_until < ${NOW}`)})
        UPDATE ${runs} SET offered_at = NULL WHERE ${some(
          `state = 'queued' AND (offered_at < ${NOW} - $2::bigint * 1000
            AND machine || '@' || version = ANY(${list('$1')}) OR offered_at IS NOT NULL AND NOT EXISTS (
              SELECT FROM ${workers} AS w WHERE w.at + w.lease_ms * 1000 >= ${NOW}
                AND machine || '@' || version = ANY(${list('w.serves')})))`,
        )}`,
        [lines(serves), idleMs],
      );
    },

    listDead: async () =>
      (await ask(`SELECT id FROM ${workers} WHERE NOT (${ALIVE})`)).map(({ id }) => text(id)),

    removeWorkers: async (ids) => {
      await ask(`DELETE FROM ${workers} WHERE id = ANY(${list('$1')})`, [lines(ids)]);
    },
  };
}

/** What a run loses when a worker leaves it. */
const LEFT = `holder = NULL, held_until = NULL, offered_at = NULL, changed_at = ${NOW}`;
const CLAIMED = 'state, genesis, machine, version, tenant, answers, segments';
/**
 * Runs that lost a worker twice are offered again within twice so long, then four times, and not all at once: one of
 * them may be what workers die of.
 */
const APART_MS = 2_000;
/** Rows that one sweep takes of each kind. */
const SWEPT_MAX = 1_000;
/** After so long a run whose tenant had its fill is offered again. */
const REFUSED_MS = 200;

/** An id as SQL; those of runs, tickets and workers hold nothing that needs an escape. */
function quote(id: string): string {
  if (!/^[\w.~-]+$/.test(id)) throw new RangeError('fleet: an id is [A-Za-z0-9_.~-]+');
  return `'${id}'`;
}
