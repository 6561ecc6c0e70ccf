/** What a database server said, or why it was not reached, in words. */
import type { StoreError } from '@assay/host';
import { commandLine, show } from '../terminal/shown.js';
import { misuse, unreachable, type Remedy, type Stop } from './problem.js';
import { describeOperation } from './store-problem.js';

/**
 * What is said of one condition. `code`: where it is for the person to correct (exit 2), not for the server
 * (exit 5).
 */
type Said = {
  readonly message: string;
  readonly remedy: string | ((place: string) => Remedy);
  readonly code?: string;
};

const UNREACHED = 'check the host, the port and that the server is running';
const LOGIN: Said = {
  code: 'store_login',
  message: 'the server does not accept this user or password',
  remedy: 'check the user in the address, and the password in PGPASSWORD, .pgpass or the address',
};
const NO_ANSWER: Said = { message: 'the server ended the connection', remedy: UNREACHED };
const OTHERS: Said = {
  message: 'an added index or check of the database rejects this record',
  remedy: (place) =>
    show`remove it, then try again; ${commandLine(['assay', 'store', 'check', place])} names it`,
};

/** Five characters: conditions of PostgreSQL (its manual, appendix A); names: of the system. */
const CONDITIONS: { readonly [errno: string]: Said } = {
  '3D000': {
    code: 'store_database',
    message: 'the server has no such database',
    remedy: (place) =>
      show`create it there (${commandLine(['createdb', '--', databaseIn(place)])}), or name another`,
  },
  '28P01': LOGIN,
  '28000': LOGIN,
  '42501': {
    message: 'this user has no permission',
    remedy: 'grant the rights that docs/guides/stores.md lists',
  },
  '42P01': {
    message: 'the tables of the store are missing',
    remedy: 'try again, or restore the database',
  },
  '25006': {
    message: 'the database is read-only',
    remedy: 'give the address of the primary server, or another user',
  },
  '53100': { message: 'the disk of the server is full', remedy: 'free some space there, then try again' },
  '53300': {
    message: 'the server has no connection left',
    remedy: 'wait, or raise the connection limit',
  },
  '57P03': { message: 'the server is starting up or shutting down', remedy: 'try again in a moment' },
  '57P01': { message: 'the server was shut down', remedy: 'try again when it is back' },
  '40001': { message: 'other transactions conflicted repeatedly', remedy: 'run it again' },
  '23505': OTHERS,
  '23514': OTHERS,
  '22P05': {
    message: 'the encoding of the database is not UTF8',
    remedy: 'use a database with ENCODING UTF8',
  },
  '08001': {
    message: 'the server and this address disagree about encryption',
    remedy: 'remove sslmode from the address, or enable TLS on the server',
  },
  CHANNEL_BINDING: {
    message: 'the server does not bind the login to the encrypted connection',
    remedy: 'remove channel_binding=require from the address, or use scram-sha-256 over TLS on the server',
  },
  EPROTO: {
    message: 'this server does not speak PostgreSQL',
    remedy: 'check host and port: another service may listen there',
  },
  EPROTONOSUPPORT: {
    message: 'the server requires an unsupported login method, such as Kerberos, GSSAPI or SSPI',
    remedy: 'allow a password for this user (scram-sha-256 in pg_hba.conf)',
  },
  ECONNREFUSED: { message: 'no server is listening there', remedy: UNREACHED },
  ENOTFOUND: { message: 'no such host', remedy: UNREACHED },
  EAI_AGAIN: { message: 'the host name could not be looked up', remedy: UNREACHED },
  EHOSTUNREACH: { message: 'this host is unreachable', remedy: UNREACHED },
  ENETUNREACH: { message: 'this host is unreachable', remedy: UNREACHED },
  ETIMEDOUT: { message: 'the server does not answer', remedy: UNREACHED },
  ECONNRESET: NO_ANSWER,
  EPIPE: NO_ANSWER,
};

/** The problem where a server is behind it; null for any other medium. */
export function serverProblem(
  { errno, operation }: Extract<StoreError, { code: 'unavailable' }>,
  place: string,
): Stop | null {
  // Names of TLS: UNABLE_TO_VERIFY_LEAF_SIGNATURE, DEPTH_ZERO_SELF_SIGNED_CERT, ERR_TLS_CERT_ALTNAME_INVALID,
  // CERT_HAS_EXPIRED …
  const said: Said | undefined = /CERT|SIGNATURE/.test(errno)
    ? {
        message: 'the server certificate is not trusted',
        remedy: 'name its authority in NODE_EXTRA_CA_CERTS, or give sslmode=require to skip the check',
      }
    : CONDITIONS[errno];
  if (said !== undefined) {
    const remedy = typeof said.remedy === 'string' ? said.remedy : said.remedy(place);
    return said.code === undefined
      ? unreachable('store_unavailable', `${said.message} (${errno})`, place, remedy)
      : misuse(said.code, `${said.message} (${errno})`, place, remedy);
  }
  // Two digits or a digit and a letter: a class of conditions. No name of the system begins so.
  if (!/^[0-9][0-9A-Z]{4}$|^(?:F0|HV|P0|XX)[0-9A-Z]{3}$/.test(errno)) return null;
  return unreachable(
    'store_unavailable',
    `the server refused to ${describeOperation(operation)} (${errno})`,
    place,
    `see the server log for condition ${errno}`,
  );
}

/** The database that an address names; NAME where it names none, or one that cannot be read. */
function databaseIn(place: string): string {
  const [, path = ''] = /^[^:]*:\/\/[^/?#]*\/([^?#]*)/.exec(place) ?? [];
  try {
    return decodeURIComponent(path) || 'NAME';
  } catch {
    return 'NAME';
  }
}
