/**
 * Callers over HTTP, each known by the token that it sends. Source: gate/G17.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { err, ok, type Result } from '@assay/kernel';
import {
  findRefusal,
  isToken,
  listen,
  listHosts,
  makeUrl,
  parseBearer,
  refuse,
  type ListenError,
  type Listening,
  type Refusal,
  type Routes,
} from '../server/http.js';
import { CONNECTIONS_MAX } from '../server/desk.js';

/** Where to listen, and who is let in: token → principal, each token of at least 16 visible ASCII characters. */
export type Place = {
  readonly host: string;
  readonly port: number;
  readonly tokens: ReadonlyMap<string, string>;
};

/** What callers are answered by. `describe`: the body of a refusal, of JSON-RPC where it is absent. */
export type Answerer = {
  /** The path that its address is told with. */
  readonly path: string;
  readonly routes: Routes;
  readonly answer: (request: IncomingMessage, response: ServerResponse, principal: string) => Promise<void>;
  readonly describe?: (refusal: Refusal) => object;
  /** Ends what is under way. */
  readonly settle: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
};

/**
 * Serves callers until it is closed: then no more are taken, and `settle` is waited for before the connections end.
 * Errors: `token`, `listen`.
 */
export async function serveCallers(
  { host, port, tokens }: Place,
  { path, routes, answer, describe, settle, onError }: Answerer,
): Promise<Result<ListenError, Listening>> {
  if (tokens.size === 0 || ![...tokens.keys()].every(isToken)) return err({ code: 'token' });
  // By digest, so that how long a look-up takes says nothing of a token.
  const principals = new Map([...tokens].map(([token, principal]) => [digest(token), principal]));
  let hosts: readonly string[] | null = [];
  const http = createServer({ headersTimeout: 10_000 }, (request, response) => {
    const principal = principals.get(digest(parseBearer(request.headers.authorization)));
    const refusal = findRefusal(request, { hosts, token: null }, routes);
    if (refusal !== null || principal === undefined) {
      const told = refusal ?? { status: 401, code: 'token' };
      return refuse(response, told, describe?.(told));
    }
    answer(request, response, principal).catch((error: unknown) => {
      onError(error);
      response.destroy();
    });
  });
  http.maxConnections = CONNECTIONS_MAX;
  const listening = await listen(http, host, port);
  if (listening._tag === 'Left') return listening;
  hosts = listHosts(host, listening.right);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => http.close(resolve));
    await settle();
    http.closeAllConnections();
    await closed;
  };
  return ok({ url: makeUrl(host, listening.right, path), close });
}

function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
