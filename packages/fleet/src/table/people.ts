/** What people do and see: answers, runs held back or tried again, lists. */
import { DURABLE } from '@assay/store-postgres';
import {
  ALIVE,
  lines,
  list,
  NOW,
  type Place,
  readNumber,
  readState,
  type Row,
  split,
  text,
} from './place.js';
import { FEEDABLE } from './schema.js';
import { RUN_STATES, type RunEntry, type RunState, type Table } from './table.js';

/** The steps of {@link Table} that people ask for, in PostgreSQL. */
export function peopleSteps({
  ask,
  read,
  runs,
  open,
  answers,
  workers,
}: Place): Pick<
  Table,
  'answer' | 'findAnswer' | 'hold' | 'retry' | 'list' | 'countStates' | 'listWorkers' | 'listUnserved'
> {
  return {
    answer: async ({ run, request, value, by, token }) => {
      const [row] = await read(
        `WITH asked AS (SELECT run, request, attempt, 'human' = ANY(string_to_array(accepts, ' ')) AS accepts
            FROM ${open} WHERE run = $1 AND request = $2),
          given AS (INSERT INTO ${answers} (run, request, attempt, value, by, token, at)
            SELECT run, request, attempt, $3, $4, $5, ${NOW} FROM asked WHERE accepts AND ${DURABLE}
            ON CONFLICT DO NOTHING RETURNING run),
          up AS (UPDATE ${runs} SET answers = answers + 1, answered = $5,
            state = CASE WHEN state = 'waiting' THEN 'queued' ELSE state END,
            wake_at = CASE WHEN state = 'waiting' THEN NULL ELSE wake_at END,
            offered_at = CASE WHEN state = 'waiting' THEN NULL ELSE offered_at END,
            changed_at = CASE WHEN state = 'waiting' THEN ${NOW} ELSE changed_at END
            WHERE run IN (SELECT run FROM given))
        SELECT a.run AS asked, a.accepts, EXISTS (SELECT FROM given) OR r.answered = $5
            OR EXISTS (SELECT FROM ${answers} g WHERE g.run = r.run AND g.token = $5) AS taken
          FROM ${runs} r LEFT JOIN asked a ON true WHERE r.run = $1`,
        [run, request, value, by, token],
      );
      if (row === undefined) return 'unknown_run';
      // Done again after a lost connection, it may find the run a step further.
      if (row['taken'] === 't') return null;
      if (row['asked'] === null) return 'closed_request';
      return row['accepts'] === 't' ? 'answered' : 'source';
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
      // Each state by its index: in the order of the ids alone, those of a rare state would be looked for among all.
      const only = run === null ? '' : 'AND r.run = $5';
      const rows = await read(
        `SELECT p.*, (SELECT json_agg(json_build_object('request', request, 'kind', kind, 'until', until)
            ORDER BY request) FROM ${open} o WHERE o.run = p.run AND p.state <> 'failed') AS open
          FROM unnest(${list('$1')}) AS s(state), LATERAL (SELECT run, machine, version, r.state, held, tenant,
              priority, holder, changed_at, segments, outcome, count, hash, fault FROM ${runs} r WHERE r.state = s.state
              ${tenant === null ? 'AND $2::text IS NULL' : 'AND r.tenant = $2'} AND r.run > $3 ${only}
              ORDER BY ${tenant === null ? '' : 'r.tenant, '}r.state, r.run LIMIT $4::bigint) AS p
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

    listUnserved: async () =>
      (
        await read(
          `SELECT DISTINCT machine || '@' || version AS name FROM ${runs} WHERE ${FEEDABLE}
            EXCEPT SELECT unnest(${list('serves')}) FROM ${workers} WHERE ${ALIVE} ORDER BY name`,
        )
      ).map(({ name }) => text(name)),

    listWorkers: async () =>
      (await read(`SELECT * FROM ${workers} WHERE ${ALIVE} ORDER BY id`)).map((row) => ({
        id: text(row['id']),
        host: text(row['host']),
        pid: Number(row['pid']),
        serves: split(row['serves']),
        concurrency: Number(row['concurrency']),
        engine: text(row['engine']),
        leaseMs: Number(row['lease_ms']),
        at: Number(row['at']),
      })),
  };
}

function makeEntry(row: Row): RunEntry {
  return {
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
    count: readNumber(row['count']),
    hash: row['hash'] ?? null,
    fault: row['fault'] ?? null,
    open: JSON.parse(row['open'] ?? '[]') as RunEntry['open'],
  };
}
