/**
 * MCP servers whose tools are artifacts of a world: a file that the environment names, none otherwise.
 *
 * @module
 */
import type { Port } from '@assay/host';
import { isObject, type Json } from '@assay/kernel';
import { loadMcp } from '../../options/mcp.js';
import { readJson, shortenName } from '../../files/read.js';
import { misuse, type Stop } from '../../problems/problem.js';

/** Names the file of servers. */
const SERVERS_VARIABLE = 'ASSAY_MCP_SERVERS';

type Place = { readonly url: string } | { readonly command: string };

/**
 * Tools by server and name: `{"mcpServers": {NAME: {"command": …, "args"?, "env"?} | {"url": …, "headers"?}}}`, as other
 * clients read it. Contacts nobody. Raises `Stop`: `bad_servers`, `package`, and those of reading a file.
 */
export async function openTools(
  env: NodeJS.ProcessEnv,
): Promise<(server: string, tool: string) => Port | null> {
  const path = env[SERVERS_VARIABLE];
  if (path === undefined || path === '') return () => null;
  const places = readPlaces(await readJson(path), path);
  const { mcpToolPort } = await loadMcp('a world with tools');
  return (server, tool) => {
    const place = places.get(server);
    return place === undefined ? null : mcpToolPort({ place, label: server, tool });
  };
}

function readPlaces(json: Json, path: string): ReadonlyMap<string, Place> {
  const servers = isObject(json) ? json['mcpServers'] : undefined;
  if (servers === undefined || !isObject(servers)) throw badServers(path, '/mcpServers');
  return new Map(
    Object.entries(servers).map(([name, given]) => {
      const isPlace =
        isObject(given) && (typeof given['command'] === 'string') !== (typeof given['url'] === 'string');
      if (!isPlace) throw badServers(path, `/mcpServers/${name}`);
      return [name, given as unknown as Place];
    }),
  );
}

function badServers(path: string, at: string): Stop {
  return misuse(
    'bad_servers',
    `not a file of MCP servers, at ${at}`,
    shortenName(path),
    'write it like {"mcpServers":{"web":{"command":"npx","args":["-y","SERVER"]}}}',
  );
}
