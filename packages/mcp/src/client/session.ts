/**
 * One connection for one call: nothing outlives it, neither a process nor what a server remembers.
 *
 * @module
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { cutText } from '@assay/kernel';
import { unusedValidator } from '../unused-validator.js';
import { VERSION } from '../version.js';
import type { Guard } from './guard.js';

/** Milliseconds that a server has to start and to introduce itself. */
const CONNECT_MS = 30_000;

const NAME_UNITS_MAX = 200;

/** What a server says it is. Nobody checks it. */
export type McpServer = { readonly name: string; readonly version: string };

/** A connection that stands. `options`: for its requests. */
export type Session = {
  readonly client: Client;
  readonly server: McpServer;
  readonly options: { readonly timeout: number };
};

/**
 * Connects, does something, and ends the connection; kills the process where that went wrong. Rejects with
 * what went wrong; `guard.fault` says more.
 */
export async function during<A>(
  guard: Guard,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  work: (session: Session) => Promise<A>,
): Promise<A> {
  const abort = (): void => guard.fail('aborted');
  signal.addEventListener('abort', abort, { once: true });
  const client = new Client(
    { name: 'assay', version: VERSION },
    { capabilities: {}, jsonSchemaValidator: unusedValidator },
  );
  try {
    signal.throwIfAborted();
    await client.connect(guard, { timeout: CONNECT_MS });
    const { name = '', version = '' } = client.getServerVersion() ?? {};
    const done = await work({
      client,
      server: { name: cutText(name, NAME_UNITS_MAX), version: cutText(version, NAME_UNITS_MAX) },
      options: { timeout: timeoutMs },
    });
    await guard.close();
    return done;
  } catch (error) {
    guard.fail(null);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
