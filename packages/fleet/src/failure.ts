/** What an engine or a store threw, as a code. */
import type { FleetError } from './types.js';
import { FleetSchemaError } from './table/schema.js';

/** The system's or the server's name of why something failed. Never its message, which may quote a secret. */
export function readErrno(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'EIO';
}

/** Why the table could not do what was asked. */
export function tableError(error: unknown): FleetError {
  if (error instanceof FleetSchemaError) {
    const { code, detail, found, expected } = error;
    return { code, detail, found, expected };
  }
  if (typeof error === 'object' && error !== null && 'code' in error)
    return { code: 'unavailable', run_id: null, operation: 'fleet', errno: readErrno(error) };
  throw error;
}
