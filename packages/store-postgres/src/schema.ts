/** Whether what is in a schema is a store of this version, and making one where there is nothing. */
import { err, ok, type Result } from '@assay/kernel';
import type { StoreError } from '@assay/host';
import type { Asking } from './connections.js';
import { SCHEMA_FORMAT, SCHEMA_VERSION, type Statements } from './statements.js';

/** `ready`: a store of this version. `none`: no schema. `empty`: a schema without tables. */
export type SchemaState = 'ready' | 'none' | 'empty';

/**
 * Looks at a schema and changes nothing. Error: `schema`; `foreign` also where tables of ours are not what we
 * made: temporary or unlogged, without their keys, with other columns, or with triggers, rules, policies,
 * checks or indexes of others by which what is stored need not be what was sent, or need not be stored at
 * all.
 */
export async function inspectSchema(
  asking: Asking,
  schema: string,
  statements: Statements,
): Promise<Result<StoreError, SchemaState>> {
  const found = (await asking.run({ text: statements.inspect, values: [schema] })).rows[0];
  if (found?.['schemas'] !== '1') return ok('none');
  const columns = found['columns']?.split('\n') ?? [];
  if (columns.length === 0) return ok('empty');
  if (!META.every((column) => columns.includes(column))) return foreign(null);
  const { rows } = await asking.run({ text: statements.version });
  const [row] = rows;
  if (rows.length !== 1 || row?.['format'] !== SCHEMA_FORMAT) return foreign(null);
  const version = Number(row['version']);
  if (version > SCHEMA_VERSION)
    return err({ code: 'schema', detail: 'newer', found: version, expected: SCHEMA_VERSION });
  return version === SCHEMA_VERSION && areOurs(columns) && found['tables'] === TABLES
    ? ok('ready')
    : foreign(version);
}

/** Makes the tables where there are none. Error: `schema`. */
export async function ensureSchema(
  asking: Asking,
  schema: string,
  statements: Statements,
): Promise<Result<StoreError, 'ready'>> {
  const before = await inspectSchema(asking, schema, statements);
  if (before._tag === 'Left') return before;
  if (before.right === 'ready') return ok('ready');
  await asking.run({ text: statements.create(before.right === 'none', 'COMMIT') });
  // Somebody else may have been there first, and may have made something else.
  const after = await inspectSchema(asking, schema, statements);
  if (after._tag === 'Left') return after;
  return after.right === 'ready' ? ok('ready') : foreign(null);
}

/** Does what a first append, or a further one, would do, and takes it back. Error: `schema`. */
export async function attemptWriting(
  asking: Asking,
  schema: string,
  statements: Statements,
): Promise<Result<StoreError, null>> {
  const state = await inspectSchema(asking, schema, statements);
  if (state._tag === 'Left') return state;
  await asking.run({
    text:
      state.right === 'ready' ? statements.attempt : statements.create(state.right === 'none', 'ROLLBACK'),
  });
  return ok(null);
}

/** Other columns of our tables would be filled by others, or left empty where they must not be. */
function areOurs(columns: readonly string[]): boolean {
  const ours = columns.filter((column) => /^(?:meta|runs|records)\./.test(column));
  return (
    ours.length === META.length + COLUMNS.length &&
    [...META, ...COLUMNS].every((column) => ours.includes(column))
  );
}

const META: readonly string[] = ['meta.format text', 'meta.version integer'];
const COLUMNS: readonly string[] = [
  'runs.run text',
  'runs.count bigint',
  'runs.hash text',
  'records.run text',
  'records.seq bigint',
  'records.text text',
];
/**
 * Ordinary (r), permanent (p), with nothing (0) that would meddle, and with the keys that keep two writers
 * apart.
 */
const TABLES = 'meta r p 0\nrecords r p 0 PRIMARY KEY (run, seq)\nruns r p 0 PRIMARY KEY (run)';

function foreign(found: number | null): Result<StoreError, never> {
  return err({ code: 'schema', detail: 'foreign', found, expected: SCHEMA_VERSION });
}
