/**
 * Who is let in over HTTP. A page in a browser can send requests to this machine, under a name that it makes
 * point here: so the names in `Host` and `Origin` must be this server's own.
 *
 * @module
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * What a request must hold. `hosts`: one of these in `Host`, and in `Origin` where there is one; null for any
 * `Host` and no `Origin`, where a token is asked for that no page has. `token`: null where none is asked for.
 */
export type Gate = { readonly hosts: readonly string[] | null; readonly token: string | null };

/** Why a request is not let in. */
export type Refusal = {
  readonly status: number;
  readonly code: 'host' | 'origin' | 'path' | 'method' | 'token';
};

/** True for the addresses and the name of this machine itself. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * The values of `Host` under which a server may be asked; null for one that others reach, under names it does
 * not know.
 */
export function hostsOf(host: string, port: number): readonly string[] | null {
  if (!isLoopback(host)) return null;
  const names = new Set([host.includes(':') ? `[${host}]` : host, '127.0.0.1', 'localhost', '[::1]']);
  return [...names].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]);
}

/** Why a request is not let in; null where it is. In this order: host, origin, token, path, method. */
export function refusalOf(
  { headers, method, url = '' }: Pick<IncomingMessage, 'headers' | 'method' | 'url'>,
  { hosts, token }: Gate,
  path: string,
): Refusal | null {
  if (hosts !== null && !hosts.includes((headers.host ?? '').toLowerCase()))
    return { status: 403, code: 'host' };
  const { origin } = headers;
  if (origin !== undefined && !(hosts ?? []).some((host) => origin.toLowerCase() === `http://${host}`))
    return { status: 403, code: 'origin' };
  if (token !== null && !isSame(bearerOf(headers.authorization), token))
    return { status: 401, code: 'token' };
  if (url !== path) return { status: 404, code: 'path' };
  // Without sessions there is nothing to listen to and nothing to end.
  return method === 'POST' ? null : { status: 405, code: 'method' };
}

/** The name of a scheme has no case (RFC 9110 §11.1). */
function bearerOf(authorization = ''): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text, 'utf8').digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
