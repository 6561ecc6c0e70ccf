/**
 * Addresses of PostgreSQL stores: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&sslmode=MODE`.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';

/**
 * What an address says. Null: what libpq's variables (`PGUSER`, `PGPASSWORD` …), `.pgpass` or the driver say.
 */
export type Address = {
  readonly host: string | null;
  readonly port: number | null;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string;
  /**
   * `require` encrypts and asks nobody who the server is; `verify-full` also checks its certificate and name.
   */
  readonly sslmode: 'disable' | 'require' | 'verify-full';
  readonly schema: string;
};

/** The schema where none is named. */
const DEFAULT_SCHEMA = 'assay';

/**
 * Reads an address; Left: what is wrong with it, in words that quote nothing of it. Parameters: `schema`,
 * `sslmode`, `host` (a folder with a socket). A password stands before the host or in `PGPASSWORD`, never
 * among the parameters.
 */
export function parseAddress(url: string): Result<string, Address> {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return err(EXPECTED);
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(url);
  const parts = [username, password, pathname.slice(1), hostname].map(decoded);
  const [user, secret, database, name] = parts;
  if (user === undefined || secret === undefined || name === undefined || hash !== '') return err(EXPECTED);
  if (database === undefined || database === '' || database.includes('/'))
    return err('the database is missing: postgres://USER@HOST/DATABASE');
  for (const key of searchParams.keys()) {
    if (!KNOWN.has(key)) return err('a parameter is not known: schema, sslmode and host are');
    if (searchParams.getAll(key).length > 1) return err('a parameter is given twice');
  }
  const sslmode = searchParams.get('sslmode') ?? 'disable';
  if (sslmode !== 'disable' && sslmode !== 'require' && sslmode !== 'verify-full')
    return err('sslmode is disable, require or verify-full');
  const schema = searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!isSchemaName(schema))
    return err('a schema is named [a-z_][a-z0-9_]*, at most 63 characters, not pg_*');
  const folder = searchParams.get('host');
  if (folder !== null && (name !== '' || !folder.startsWith('/')))
    return err('the parameter host is a folder, and stands for the host');
  if (parts.some((part) => part?.includes('\0') === true) || folder?.includes('\0') === true)
    return err(EXPECTED);
  const host = folder ?? name.replace(/^\[(.*)\]$/, '$1');
  return ok({
    host: orNull(host),
    port: port === '' ? null : Number(port),
    user: orNull(user),
    password: orNull(secret),
    database,
    sslmode,
    schema,
  });
}

/** True for the names a schema of ours may have: those that mean the same with and without quotes. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name) && !name.startsWith('pg_');
}

const EXPECTED = 'expected postgres://USER@HOST:PORT/DATABASE?schema=NAME';
const KNOWN: ReadonlySet<string> = new Set(['schema', 'sslmode', 'host']);

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
