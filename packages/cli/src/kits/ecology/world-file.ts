/**
 * World files: a config over the defaults, the artifacts of the beginning, and whether contracts of others run.
 *
 * @module
 */
import { dirname, isAbsolute, join } from 'node:path';
import { resolveConfig } from '@assay/ecology';
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import { readJson } from '../../files/json-file.js';
import { shortenName, readText } from '../../files/read.js';
import { misuse, type Stop } from '../../problems/problem.js';

/** What a run of a world is opened with. */
export type World = { readonly isEngineNeeded: boolean; readonly policy: Json; readonly input: Json };

const FORMAT = 'see docs/formats/ecology.md';
const KEYS = ['engine', 'config', 'artifacts'];
const GUARD: Json = { tools: [{ name: 'check_permission' }] };
const PLAIN: JsonObject = {
  content: null,
  interface: null,
  owner: null,
  has_standing: false,
  can_execute: false,
  access_contract_id: null,
};

/**
 * Reads a world: `{engine?: "sandbox" | null, config?, artifacts?: [{id, …}]}`. `code_file` of an artifact names a
 * file beside it, or below: its text becomes `content.code`, of a tool or, where no interface is given, of a contract. Raises `Stop`:
 * `bad_world` with the place, and those of reading a file.
 */
export async function readWorld(path: string): Promise<World> {
  const place = shortenName(path);
  const value = await readJson(path);
  if (!isObject(value)) throw badWorld(place, '', 'a world is an object');
  const odd = Object.keys(value).find((key) => !KEYS.includes(key));
  if (odd !== undefined) throw badWorld(place, `/${odd}`, 'unknown key');
  const { engine = 'sandbox', config = {}, artifacts = [] } = value;
  if (engine !== 'sandbox' && engine !== null)
    throw badWorld(place, '/engine', 'the engine is "sandbox" or null');
  const resolved = resolveConfig(config);
  if (resolved._tag === 'Left') {
    const { path: at, rule } = resolved.left.detail as { readonly path: string; readonly rule: string };
    throw badWorld(place, `/config${at}`, RULES[rule] ?? rule);
  }
  if (!Array.isArray(artifacts)) throw badWorld(place, '/artifacts', 'artifacts are a list');
  const read: Json[] = [];
  for (const [at, given] of (artifacts as readonly Json[]).entries())
    read.push(await readArtifact(given, path, `/artifacts/${at}`));
  return {
    isEngineNeeded: engine !== null,
    policy: resolved.right as unknown as Json,
    input: { artifacts: read },
  };
}

/** What rules of a config and of an input mean. */
export const RULES: { readonly [rule: string]: string } = {
  unknown: 'unknown key',
  shape: 'not allowed here',
  reserved: 'this name is reserved',
  twice: 'named twice',
  nobody: 'no initial agent has this name',
  sum: 'together more than there is',
  owner: 'the owner has no standing',
  contract: 'the access contract is not a contract',
  content: 'numbers are integers, and values not nested too deep',
  agent: 'an initial agent has standing and executes',
  invalid_contract: 'the code does not load',
  invalid_args: 'what executes has an interface',
  limit_exceeded: 'content or code is too large',
};

/** A world that cannot be opened. */
export function badWorld(place: string, at: string, why: string): Stop {
  return misuse('bad_world', `${why}${at === '' ? '' : `: ${at}`}`, place, FORMAT);
}

async function readArtifact(given: Json, path: string, at: string): Promise<Json> {
  if (!isObject(given)) throw badWorld(shortenName(path), at, 'an artifact is an object');
  const { code_file, ...rest } = given;
  if (code_file === undefined) return { ...PLAIN, ...rest };
  if (typeof code_file !== 'string')
    throw badWorld(shortenName(path), `${at}/code_file`, 'a file is named by text');
  if (isAbsolute(code_file) || code_file.split(/[\\/]/).includes('..'))
    throw badWorld(shortenName(path), `${at}/code_file`, 'the file is beside the world, or below it');
  if (path === '-')
    throw badWorld(shortenName(path), `${at}/code_file`, 'standard input has no files beside it');
  const { content = {}, ...others } = rest;
  if (!isObject(content) || 'code' in content)
    throw badWorld(shortenName(path), `${at}/content`, 'content beside code_file is an object without code');
  const code = await readText(join(dirname(path), code_file));
  return { ...PLAIN, interface: GUARD, can_execute: true, ...others, content: { ...content, code } };
}
