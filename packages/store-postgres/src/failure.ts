/** What an error of the driver means for the statement that met it. */

/**
 * Why a statement failed. `conflict`: the server undid it because of another transaction, and asks to try
 * again. `lost`: the connection broke while it ran: it was carried out or not. `unreached`: no connection was
 * made, nothing was sent. `refused`: the server said no, and did nothing.
 *
 * `errno`: the system's name (`ECONNREFUSED`, `ETIMEDOUT` …), or the five characters of PostgreSQL's own
 * condition (`53100`: disk full). Never a message: those may quote what should not be shown.
 */
export type Failure = {
  readonly kind: 'conflict' | 'lost' | 'unreached' | 'refused';
  readonly errno: string;
};

/** A {@link Failure} on its way through code that awaits statements. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** Why. */
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(`${failure.kind} (${failure.errno})`);
    this.failure = failure;
  }
}

/** What went wrong while connecting. */
export function connectFailure(error: unknown): Failure {
  return { kind: 'unreached', errno: readCode(error) ?? said(error) };
}

/** What went wrong with a statement that was sent. */
export function statementFailure(error: unknown): Failure {
  const state = readCode(error);
  if (state === null) return { kind: 'lost', errno: said(error) };
  if (CONFLICTS.has(state)) return { kind: 'conflict', errno: state };
  // A condition of the server is the end of a statement, unless it is the end of the session as well.
  const isOver = isCondition(state) && !state.startsWith('08') && !SHUTDOWNS.has(state);
  return { kind: isOver ? 'refused' : 'lost', errno: state };
}

/** What the driver threw over what it was sent, as an error of the connection. */
export function unreadable(cause: unknown): Error {
  const isLogin = cause instanceof Error && cause.message.startsWith('Unknown authentication');
  const code = isLogin ? 'EPROTONOSUPPORT' : 'EPROTO';
  return Object.assign(new Error('the driver cannot read what was sent', { cause }), { code });
}

/** serialization_failure, deadlock_detected. Source: PostgreSQL manual, appendix A. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);
/**
 * admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout, and the same of
 * a transaction.
 */
const SHUTDOWNS: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03']);

function isCondition(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code);
}

function readCode(error: unknown): string | null {
  return error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[A-Z0-9_]{1,64}$/.test(error.code)
    ? error.code
    : null;
}

/**
 * The driver reports some failures of a connection by message only, as a plain Error. Errors of another kind
 * are about what the server sent: a message it does not know, or one that it did not foresee then.
 */
function said(error: unknown): string {
  if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype) return 'EPROTO';
  if (/time(?:out|d out)/i.test(error.message)) return 'ETIMEDOUT';
  if (error.message.startsWith('SASL')) return saslErrno(error.message);
  // sqlclient_unable_to_establish_sqlconnection: the two sides do not agree about encryption.
  if (error.message.includes('SSL')) return '08001';
  return 'ECONNRESET';
}

function saslErrno(message: string): string {
  // No password for a server that wants one, or a server that does not know it either.
  if (/password|signature does not match|server returned error/.test(message)) return '28P01';
  return /Only mechanism|iteration count/.test(message) ? 'EPROTONOSUPPORT' : 'EPROTO';
}
