/**
 * The journal of a store in PostgreSQL, beside its ledgers in the same schema, made when something is noted:
 *
 * ```text
 * calls  token text  id bigint  run text  key text  bound text     a call that was begun; `token` makes a try again harmless
 * done   key text    call bigint  genesis text  id bigint  made text   what came of a call of a tool
 * kept   kind text   name text  bytes bytea                         `output`, `blob`, `snapshot`
 * ```
 */
import { randomUUID } from 'node:crypto';
import { canonicalize, decodeUtf8, orThrow, type Digest, type JsonObject, type Spent } from '@assay/kernel';
import {
  CallNotesError,
  listLacking,
  makeNote,
  nativeSha256,
  readNote,
  type Journal,
  type KeptDoneCalls,
} from '@assay/host';
import { batched, type Ask } from './connections.js';
import type { Answer, Statement } from './session.js';
import { DURABLE } from './statements.js';

/** What a journal needs of its store. `ready`: sees to the schema; raises where it cannot. */
type Place = {
  readonly schema: string;
  readonly ask: Ask;
  readonly ready: () => Promise<void>;
};

/** The journal in a schema. Its promises reject with the server's condition as `code`. */
export function postgresJournal({ schema, ask, ready }: Place): Journal {
  const tables = ['calls', 'done', 'kept'] as const;
  const [calls, done, kept] = tables.map((table) => `"${schema}".${table}`) as [string, string, string];
  let isThere = false;
  /** Asked first: an error would cost the connection, and who may write need not own the tables. */
  const look = async (): Promise<boolean> => {
    if (!isThere) isThere = (await ask('SELECT to_regclass($1) AS kept', [kept]))[0]?.['kept'] !== null;
    return isThere;
  };
  let made: Promise<void> | null = null;
  const make = async (): Promise<void> => {
    await ready();
    if (await look()) return;
    await ask(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('assay-journal ${schema}', 0));
      CREATE TABLE IF NOT EXISTS ${calls} (token text PRIMARY KEY, id bigserial, run text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL, bound text NOT NULL);
      CREATE INDEX IF NOT EXISTS calls_of_run ON ${calls} (run, key);
      CREATE TABLE IF NOT EXISTS ${done} (key text COLLATE "C" NOT NULL, call bigint NOT NULL,
        genesis text COLLATE "C" NOT NULL, id bigserial, made text NOT NULL, PRIMARY KEY (key, call));
      CREATE INDEX IF NOT EXISTS done_of_run ON ${done} (genesis);
      CREATE TABLE IF NOT EXISTS ${kept} (kind text NOT NULL, name text COLLATE "C" NOT NULL, bytes bytea NOT NULL,
        PRIMARY KEY (kind, name)); COMMIT`);
  };
  const write = async (text: string, values: Statement['values']): Promise<Answer['rows']> => {
    made ??= make();
    made.catch(() => (made = null));
    await made;
    return ask(text, values);
  };
  /** What was not made yet holds nothing; a reader makes nothing. */
  const read = async (text: string, values: Statement['values']): Promise<Answer['rows']> => {
    if (!(await look())) return [];
    return ask(text, values).catch((error: unknown) => {
      if (ABSENT.has(String(Reflect.get(error as object, 'code')))) return [];
      throw error;
    });
  };
  /** What forgets all that is noted of a run, or of a genesis, by now. */
  const forgetting = (table: string, column: string): ((name: string) => Promise<() => Promise<void>>) => {
    const findLast = batched(async (names: readonly string[]): Promise<readonly (string | null)[]> => {
      const rows = await read(
        `SELECT ${column} AS name, max(id) AS last FROM ${table} WHERE ${column} = ANY(string_to_array($1, chr(10)))
          GROUP BY ${column}`,
        [names.join('\n')],
      );
      const found = new Map(rows.map(({ name, last }) => [name, last ?? null]));
      return names.map((name) => found.get(name) ?? null);
    });
    return async (name) => {
      const last = await findLast(name);
      return async () => {
        if (last !== null)
          await write(`DELETE FROM ${table} WHERE ${column} = $1 AND id <= $2::bigint`, [name, last]);
      };
    };
  };
  const [forgetCalls, forgetDone] = [forgetting(calls, 'run'), forgetting(done, 'genesis')];
  const keep = async (kind: string, name: string, bytes: Uint8Array): Promise<void> => {
    const text = Buffer.from(bytes).toString('base64');
    await write(
      `INSERT INTO ${kept} (kind, name, bytes) SELECT $1, $2, decode($3, 'base64') WHERE ${DURABLE}
        ON CONFLICT (kind, name) DO UPDATE SET bytes = excluded.bytes`,
      [kind, name, text],
    );
  };
  const find = async (kind: string, name: string): Promise<Buffer | null> => {
    const [row] = await read(
      `SELECT encode(bytes, 'base64') AS bytes FROM ${kept} WHERE kind = $1 AND name = $2`,
      [kind, name],
    );
    return row === undefined ? null : Buffer.from(row['bytes'] ?? '', 'base64');
  };
  const tokens = new Map<string, string>();
  type Call = { readonly run: string; readonly key: string; readonly bound: string; readonly token: string };
  /** Notes calls, but for those whose bound is empty, and gives the bounds noted before under their keys. */
  const noteCalls = batched(async (given: readonly Call[]): Promise<readonly (readonly string[])[]> => {
    const isWriting = given.some(({ bound }) => bound !== '');
    const columns = (['run', 'key', 'bound', 'token'] as const).map((name) =>
      given.map((call) => call[name]).join('\n'),
    );
    const lists = columns.map((_, n) => `string_to_array($${n + 1}, chr(10))`).join(', ');
    const found = await (isWriting ? write : read)(
      `WITH given AS (SELECT * FROM unnest(${lists}) WITH ORDINALITY AS g(run, key, bound, token, n)),
        added AS (INSERT INTO ${calls} (token, run, key, bound) SELECT token, run, key, bound FROM given
          WHERE bound <> '' AND ${DURABLE} ON CONFLICT DO NOTHING)
      SELECT n, c.bound FROM ${calls} c JOIN given USING (run, key) WHERE c.token <> given.token ORDER BY c.id`,
      columns,
    );
    return given.map((_, n) =>
      found.flatMap((row) => (Number(row['n']) === n + 1 ? [row['bound'] ?? ''] : [])),
    );
  });
  const addDone = (key: string, call: number, text: string): Promise<Answer['rows']> =>
    write(
      `INSERT INTO ${done} (key, call, genesis, made) SELECT $1, $2::bigint, $3, $4 WHERE ${DURABLE}
        ON CONFLICT (key, call) DO UPDATE SET made = excluded.made`,
      [key, call, key.slice(0, key.indexOf('/')), text],
    );
  const doneCalls: KeptDoneCalls = {
    anew: forgetDone,
    find: async (key, call) => {
      const [row] = await read(`SELECT made FROM ${done} WHERE key = $1 AND call = $2::bigint`, [key, call]);
      return row === undefined ? null : (JSON.parse(row['made'] ?? '') as JsonObject);
    },
    note: async (key, call, value) => {
      await addDone(key, call, orThrow(decodeUtf8(orThrow(canonicalize(value)))));
    },
  };
  return {
    folder: null,
    calls: {
      begin: (run, key, bound) =>
        noted(schema, async () => {
          const token = randomUUID();
          if (bound !== null) tokens.set(`${run} ${key}`, token);
          for (const oldest of tokens.keys()) if (tokens.size > TOKENS_MAX) tokens.delete(oldest);
          const note = bound === null ? '' : JSON.stringify(bound);
          return (await noteCalls({ run, key, bound: note, token })).map((text) => JSON.parse(text) as Spent);
        }),
      takeBack: (run, key) =>
        noted(schema, async () => {
          const token = tokens.get(`${run} ${key}`) ?? null;
          await write(
            `DELETE FROM ${calls} WHERE token = coalesce($3,
              (SELECT token FROM ${calls} WHERE run = $1 AND key = $2 ORDER BY id DESC LIMIT 1))`,
            [run, key, token],
          );
        }),
      anew: (run) =>
        noted(schema, async () => {
          const forget = await forgetCalls(run);
          return () => noted(schema, forget);
        }),
    },
    done: () => doneCalls,
    outputs: {
      keep: (digest, output) => keep('output', digest, Buffer.from(output, 'utf8')),
      find: async (digest) => (await find('output', digest))?.toString('utf8') ?? null,
    },
    blobs: {
      put: async (bytes) => {
        const digest = nativeSha256(bytes);
        await keep('blob', digest, bytes);
        return digest;
      },
      find: async (digest: Digest) => {
        const bytes = await find('blob', digest);
        return bytes !== null && nativeSha256(bytes) === digest ? bytes : null;
      },
    },
    snapshots: {
      save: (run, bytes) => keep('snapshot', run, bytes),
      load: (run) => find('snapshot', run),
    },
    lines: ({ runId, genesis }) =>
      noted(schema, async () => {
        const begun = await read(`SELECT key, bound FROM ${calls} WHERE run = $1 ORDER BY id`, [runId]);
        const came = await read(`SELECT key, call, made FROM ${done} WHERE genesis = $1 ORDER BY id`, [
          genesis,
        ]);
        return {
          calls: begun.map(({ key, bound }) => makeNote(key ?? '', JSON.parse(bound ?? '') as Spent)),
          done: came.map(({ key, call, made: text }) => `${key} ${call} ${text}`),
        };
      }),
    add: ({ runId, genesis }, lines) =>
      noted(schema, async () => {
        const begun = await read(`SELECT key, bound FROM ${calls} WHERE run = $1 ORDER BY id`, [runId]);
        const own = begun.map(({ key, bound }) => makeNote(key ?? '', JSON.parse(bound ?? '') as Spent));
        for (const line of listLacking(lines.calls, own)) {
          const note = readNote(line);
          if (note === null) continue;
          const call = { run: runId, key: note.key, bound: JSON.stringify(note.bound), token: randomUUID() };
          await noteCalls(call);
        }
        for (const line of lines.done) {
          const [, key, call, text] = /^(\S+) (\d+) (\{.*\})$/.exec(line) ?? [];
          if (key?.startsWith(`${genesis}/`) === true) await addDone(key, Number(call), text ?? '');
        }
      }),
  };
}

/** Failures of notes as {@link CallNotesError}. */
async function noted<A>(schema: string, work: () => Promise<A>): Promise<A> {
  try {
    return await work();
  } catch (error) {
    const errno: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (typeof errno !== 'string') throw error;
    throw new CallNotesError({ code: 'notes', reason: 'unavailable', path: `schema ${schema}`, errno });
  }
}

/** Calls whose tokens are remembered: of an older one the last note is taken back. */
const TOKENS_MAX = 10_000;
/** undefined_table, invalid_schema_name. */
const ABSENT: ReadonlySet<string> = new Set(['42P01', '3F000']);
