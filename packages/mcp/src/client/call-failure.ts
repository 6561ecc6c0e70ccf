/**
 * From what went wrong in a call to the failure class the host knows. Nothing of the error is passed on but
 * codes: its words are the server's, and may quote a secret.
 *
 * @module
 */
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { classOfError, classOfStatus, type FailureClass } from '@assay/host';
import type { Fault } from './guard.js';

/**
 * What is known of a failed call. `class`: null where it has none, and the call is tried again. `code`: of
 * the protocol or of HTTP; `fault`: why the connection was given up.
 */
export type CallFailure = {
  readonly class: FailureClass | null;
  readonly code: number | null;
  readonly fault: Fault | null;
};

/** What the SDK says of a version that it does not know, before the version. */
const OTHER_VERSION = "Server's protocol version is not supported: ";

/** The version of the protocol that a server answered with, where it is none of the SDK's; else null. */
export function otherVersionIn(error: unknown): string | null {
  return error instanceof Error && error.message.startsWith(OTHER_VERSION)
    ? error.message.slice(OTHER_VERSION.length)
    : null;
}

/** Reads an error. No getter of it is called. */
export function failureIn(error: unknown, fault: Fault | null): CallFailure {
  const code =
    error instanceof McpError || error instanceof StreamableHTTPError ? (error.code ?? null) : null;
  return { class: classOf(error, fault), code, fault };
}

function classOf(error: unknown, fault: Fault | null): FailureClass | null {
  if (fault === 'closed') return 'refused';
  if (fault !== null && fault !== 'aborted') return 'malformed';
  // The SDK has the code of a connection that ended from the range that servers use for errors of their own.
  if (error instanceof McpError && error.code === Number(ErrorCode.ConnectionClosed))
    return error.message.endsWith(': Connection closed') ? 'refused' : 'server_error';
  if (error instanceof McpError) return RPC.get(error.code) ?? 'server_error';
  // Without a status it was an answer of another type than the protocol has; a redirect is not followed.
  if (error instanceof StreamableHTTPError)
    return error.code === undefined || error.code < 0
      ? 'malformed'
      : (classOfStatus(error.code) ?? 'permanent');
  if (otherVersionIn(error) !== null) return 'malformed';
  const name = error instanceof Error ? error.name : '';
  // What the server sent is no JSON, or not of the protocol's shape.
  if (name === 'SyntaxError' || name === 'ZodError' || name === '$ZodError') return 'malformed';
  if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return 'permanent';
  return classOfError(error);
}

const RPC: ReadonlyMap<number, FailureClass> = new Map<number, FailureClass>([
  [ErrorCode.RequestTimeout, 'timeout'],
  [ErrorCode.ParseError, 'permanent'],
  [ErrorCode.InvalidRequest, 'permanent'],
  [ErrorCode.MethodNotFound, 'permanent'],
  [ErrorCode.InvalidParams, 'permanent'],
]);
