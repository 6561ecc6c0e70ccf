/**
 * Addresses of PostgreSQL stores: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&sslmode=MODE`, also
 * as hosts of databases hand them out.
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
  readonly sslmode: SslMode;
  /** `require`: a login that is not bound to the encrypted connection is refused. Null: not bound. */
  readonly channelBinding: 'prefer' | 'require' | null;
  readonly applicationName: string | null;
  readonly connectTimeoutMs: number | null;
  readonly schema: string;
};

/**
 * `require` encrypts and asks nobody who the server is; `verify-ca` also checks its certificate, `verify-full`
 * its name too.
 */
export type SslMode = (typeof SSL_MODES)[number];

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** The schema where none is named. */
const DEFAULT_SCHEMA = 'assay';

/**
 * Reads an address; Left: what is wrong with it. Words of the address are quoted only where they are known
 * ones, since an odd one may be part of a password. Parameters: `schema`, `sslmode`, `host` (a folder with a
 * socket), `application_name`, `channel_binding`, `connect_timeout` in seconds, and `pgbouncer`, which says what
 * the store finds out by itself. A password stands before the host or in `PGPASSWORD`.
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
    if (REFUSED.has(key)) return err(`the parameter ${key} is not supported: remove it`);
    if (!KNOWN.has(key)) return err(`a parameter is not known: ${[...KNOWN].join(', ')} are`);
    if (searchParams.getAll(key).length > 1) return err('a parameter is given twice');
  }
  const asked = searchParams.get('sslmode') ?? 'disable';
  const sslmode = SSL_MODES.find((mode) => mode === asked);
  if (asked === 'allow' || asked === 'prefer')
    return err(`sslmode=${asked} may end unencrypted: say disable, or require`);
  if (sslmode === undefined) return err(`sslmode is one of ${SSL_MODES.join(', ')}`);
  const binding = searchParams.get('channel_binding') ?? 'disable';
  if (binding !== 'disable' && binding !== 'prefer' && binding !== 'require')
    return err('channel_binding is disable, prefer or require');
  if (binding === 'require' && sslmode === 'disable')
    return err('channel_binding=require needs an encrypted connection: say sslmode=require');
  const seconds = searchParams.get('connect_timeout');
  if (seconds !== null && !/^[1-9][0-9]{0,3}$/.test(seconds))
    return err('connect_timeout is a number of seconds, 1 to 9999');
  const applicationName = searchParams.get('application_name');
  if (applicationName !== null && !/^[\x20-\x7e]{1,63}$/.test(applicationName))
    return err('application_name is 1 to 63 printable ASCII characters');
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
    channelBinding: binding === 'disable' ? null : binding,
    applicationName,
    connectTimeoutMs: seconds === null ? null : Number(seconds) * 1_000,
    schema,
  });
}

/** True for the names a schema of ours may have: those that mean the same with and without quotes. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name) && !name.startsWith('pg_');
}

const EXPECTED = 'expected postgres://USER@HOST:PORT/DATABASE?schema=NAME';
const KNOWN: ReadonlySet<string> = new Set([
  'schema',
  'sslmode',
  'host',
  'application_name',
  'channel_binding',
  'connect_timeout',
  'pgbouncer',
]);
/** Parameters of libpq and of other drivers that addresses bear, and that would change what a connection is. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['user', 'password', 'port', 'dbname', 'passfile', 'service', 'options', 'target_session_attrs'],
  ...['sslcert', 'sslkey', 'sslpassword', 'sslrootcert', 'sslnegotiation', 'gssencmode', 'ssl'],
  ...['connection_limit', 'pool_timeout', 'statement_cache_size', 'uselibpqcompat'],
]);

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
