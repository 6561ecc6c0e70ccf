/** What goes into the engine next. */
import { FEEDABLE, UNDER_WAY } from './schema.js';
import { ALIVE, lines, list, NOW, type Place, REMADE } from './place.js';
import { FEEDER_LEASE_MS, type Table, WINDOW } from './table.js';

/** The feeder's steps in PostgreSQL. */
export function feeding({ ask, meta, runs, workers }: Place): Pick<Table, 'feed' | 'markOffered'> {
  return {
    feed: async (feeder, tenantLimit) => {
      const [row] = await ask(
        `WITH RECURSIVE lease AS (UPDATE ${meta} SET feeder = $1, feeder_until = ${NOW} + $2::bigint
            WHERE feeder_until < ${NOW} OR feeder = $1 AND feeder_until < ${NOW} + $2::bigint / 2
            AND ${REMADE} RETURNING 1),
          me AS (SELECT FROM ${meta} WHERE feeder = $1 AND feeder_until >= ${NOW} UNION ALL SELECT FROM lease),
          served AS (SELECT s.name, sum(concurrency) AS slots
            FROM ${workers}, unnest(${list('serves')}) AS s(name)
            WHERE ${ALIVE} GROUP BY s.name),
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
          WHERE r.run = g.run AND r.segments = g.segments::bigint AND ${FEEDABLE} AND ${REMADE}`,
        [lines(offers.map(({ run }) => run)), lines(offers.map(({ segments }) => segments))],
      );
    },
  };
}
