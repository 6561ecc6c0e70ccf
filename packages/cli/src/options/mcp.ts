/** The Model Context Protocol, where it is installed. */
import type * as Module from '@assay/mcp';
import type { ListenError } from '@assay/mcp';
import { loadOptional, readJson, shortenName } from '../files/read.js';
import { misuse, unreachable, type Stop, badValue } from '../problems/problem.js';
import { VERSION } from '../terminal/version.js';

/** The package is an optional peer: who needs it not need not install the SDK. Raises `Stop`: `package`. */
export async function loadMcp(command: string): Promise<typeof Module> {
  const found = await loadOptional(() => import('@assay/mcp'));
  if (found !== null) return found;
  throw misuse(
    'package',
    `${command} needs a package that is not installed`,
    command,
    `npm install @assay/mcp@${VERSION}`,
  );
}

/** Where to listen. `host`: this machine alone where none is named. */
export type Address = { readonly host: string; readonly port: number };

/** Variable of the environment that holds the token clients must send over HTTP. */
export const TOKEN = 'ASSAY_MCP_TOKEN';

/** Reads `[HOST:]PORT`; an IPv6 host is in brackets. */
export function parseAddress(text: string): Address {
  const [, ipv6, name, digits = ''] = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw badValue(
      'not a valid address',
      `--http ${text}`,
      'give PORT or HOST:PORT; the port is a number from 1 to 65535, or 0 for a free one',
    );
  return { host: ipv6 ?? name ?? '127.0.0.1', port };
}

/** Why nobody is listened to. */
export function unheard(error: ListenError, address: string): Stop {
  switch (error.code) {
    case 'token':
      return misuse(
        'token',
        `${TOKEN} must hold a token of at least 16 ASCII characters, without spaces`,
        TOKEN,
        'set it to the output of openssl rand -hex 32; only 127.0.0.1 works without a token',
      );
    case 'listen':
      return unreachable(
        'listen',
        `cannot listen on this address (${error.errno})`,
        address,
        'give another port with --http, or 0 for a free one',
      );
  }
}

/** Tokens with the principal of each: a JSON object. */
export async function readTokens(path: string | undefined): Promise<ReadonlyMap<string, string>> {
  if (path === undefined)
    throw misuse(
      'token',
      'over HTTP each client needs a token',
      '--http',
      'give --tokens FILE: {"TOKEN": "who"}',
    );
  const given = await readJson(path);
  const entries = Object.entries(given ?? {});
  if (
    entries.length === 0 ||
    !entries.every(([, principal]) => typeof principal === 'string' && principal !== '')
  )
    throw misuse('token', 'not an object of tokens', shortenName(path), 'write {"TOKEN": "who", …}');
  return new Map(entries as readonly (readonly [string, string])[]);
}
