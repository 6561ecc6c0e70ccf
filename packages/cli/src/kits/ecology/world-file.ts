/**
 * World files: a config over the defaults, the artifacts of the beginning, and whether contracts of others run.
 *
 * @module
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { DEFAULT_CONFIG, resolveConfig, findLive, type EcologyState } from '@assay/ecology';
import { nativeSha256 } from '@assay/host';
import {
  canonicalize,
  FAILURE_CODES,
  isObject,
  type Json,
  type JsonObject,
  LINE_LIMITS,
  OUTSIDE_LIMITS,
  type Proposal,
} from '@assay/kernel';
import { countEdits } from '@assay/kernel/shape';
import { readJson, readLines, shortenName, readText, parsePlain } from '../../files/read.js';
import { misuse, type Stop } from '../../problems/problem.js';
import { textIn, valueIn } from '../../terminal/shown.js';

/**
 * What a run of a world is opened with. `minds`: the module beside it, null for none; `end_us`: how long the world
 * lasts, null where the file does not say.
 */
export type World = {
  readonly isEngineNeeded: boolean;
  readonly policy: Json;
  readonly input: Json;
  readonly minds: string | null;
  readonly end_us: number | null;
};

const FORMAT = 'see docs/formats/ecology.md';
const KEYS = ['engine', 'config', 'artifacts', 'until'];
/** A file is read whole, so that it can be said what there is too much of. */
const WORLD_LIMITS = { ...OUTSIDE_LIMITS, bytes: 67_108_864, values: 1_048_576 };
/** Artifacts of a world file: with what each has by default they fit a first record. */
const ARTIFACTS_MAX = 9_000;
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
 * Reads a world: `{engine?: "sandbox" | null, config?, artifacts?: [{id, …}], until?: "2h"}`, or the `world.json` of a
 * folder, with `minds.mjs` beside it. `code_file` of an artifact names a file beside it, or below: its text becomes `content.code`, of a tool or, where no interface is given, of a contract.
 * Raises `Stop`: `bad_world` with the place, and those of reading a file.
 */
export async function readWorld(given: string): Promise<World> {
  const isFolder = given !== '-' && statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = isFolder ? join(given, 'world.json') : given;
  const place = shortenName(path);
  const value = await readJson(path, WORLD_LIMITS);
  if (!isObject(value)) throw badWorld(place, '', 'a world is an object');
  const odd = Object.keys(value).find((key) => !KEYS.includes(key));
  if (odd !== undefined) throw badWorld(place, `/${odd}${nearestTo(odd, KEYS)}`, 'unknown key');
  const { engine = 'sandbox', config = {}, artifacts = [], until } = value;
  if (engine !== 'sandbox' && engine !== null)
    throw badWorld(place, '/engine', 'the engine is "sandbox" or null');
  const resolved = resolveConfig(config);
  if (resolved._tag === 'Left') {
    const { path: at, rule } = resolved.left.detail as { readonly path: string; readonly rule: string };
    const keys = at.split('/').slice(1);
    const known = keys.slice(0, -1).reduce<Json>(valueIn, DEFAULT_CONFIG as unknown as Json);
    const near =
      rule === 'unknown' && isObject(known) ? nearestTo(keys.at(-1) ?? '', Object.keys(known)) : '';
    throw badWorld(place, `/config${at}${near}`, RULES[rule] ?? rule);
  }
  const end_us = until === undefined ? null : typeof until === 'string' ? parseLength(until) : null;
  if (until !== undefined && end_us === null)
    throw badWorld(place, '/until', 'how long the world lasts is a text such as "90s", "10m", "2h" or "7d"');
  if (Array.isArray(artifacts) && artifacts.length > ARTIFACTS_MAX)
    throw tooLarge(place, `${artifacts.length} artifacts, and a world begins with at most ${ARTIFACTS_MAX}`);
  if (!Array.isArray(artifacts)) throw badWorld(place, '/artifacts', 'artifacts are a list');
  const read: Json[] = [];
  for (const [at, given] of (artifacts as readonly Json[]).entries())
    read.push(await readArtifact(given, path, `/artifacts/${at}`));
  return {
    isEngineNeeded: engine !== null,
    policy: resolved.right as unknown as Json,
    input: { artifacts: read },
    minds: isFolder && existsSync(join(given, 'minds.mjs')) ? join(given, 'minds.mjs') : null,
    end_us,
  };
}

const UNITS: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The longest length of time, a century. */
const LENGTH_MAX_US = 3_155_760_000_000_000;

/** A length of time such as `90s`, `10m`, `2h` or `7d`, in microseconds; null for anything else. */
export function parseLength(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const us = Number(count) * (UNITS[unit] ?? 1) * 1_000_000;
  return count === '' || us > LENGTH_MAX_US ? null : us;
}

/** The name that is meant, as the end of a sentence; "" where none is near. */
function nearestTo(name: string, known: readonly string[]): string {
  const [near] = known
    .map((each) => [countEdits(name.slice(0, 64), each), each] as const)
    .filter(([edits]) => edits <= Math.ceil(name.length / 3))
    .sort(([a], [b]) => a - b);
  return near === undefined ? '' : `; did you mean ${near[1]}?`;
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

/** A world with more than a first record holds. */
export function tooLarge(place: string, why: string): Stop {
  return misuse(
    'bad_world',
    why,
    place,
    'let minds make the other artifacts: invoke genesis_store_api create',
  );
}

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

/** One line. `number`: of the line in the file, from 1. `value`: not admitted yet. */
export type ActionLine = { readonly number: number; readonly value: JsonObject };

/** An answer to a request, known by what the state calls it. */
type Reply = {
  readonly request: string;
  readonly answer: Partial<Proposal> & Pick<Proposal, 'source' | 'value'>;
};

type FailureCode = (typeof FAILURE_CODES)[number];

const ACTIONS = 'see docs/formats/ecology.md, "Actions"';
const COMMON = ['at_us', 'spent', 'failure'];
/** Keys of each kind of line; the first says which kind it is. */
const KINDS: readonly (readonly string[])[] = [
  ['agent', 'action', 'config_hash'],
  ['turn'],
  ['clock'],
  ['score', 'artifact_id'],
  ['effect', 'agent'],
  ['call', 'result'],
  ['operator'],
];

/**
 * Reads line by line, each as soon as it is there; empty ones and those that begin with # are left out. What a
 * line gives is not admitted yet. Ends early where `signal` is aborted. Raises `Stop`: `bad_line`, `json` and
 * `not_text` with the number of the line, and those of reading a file.
 */
export async function* readActions(path: string, signal?: AbortSignal): AsyncGenerator<ActionLine> {
  for await (const { at, number, text } of readLines(path, signal)) {
    if (text.startsWith('#')) continue;
    const value = parsePlain(text, at, LINE_LIMITS.depth) as Json;
    const fault = isObject(value) ? findFault(value) : 'a line is an object';
    if (fault !== null) throw badLine(at, fault);
    yield { number, value: value as JsonObject };
  }
}

/** What is no line. `at`: file and number. */
export function badLine(at: string, why: string): Stop {
  return misuse('bad_line', why, at, ACTIONS);
}

function findFault(value: JsonObject): string | null {
  const kind = findKind(value);
  if (kind === undefined) return 'a line has one of agent, turn, clock, score, effect, call, operator';
  const odd = Object.keys(value).find((key) => !kind.includes(key) && !COMMON.includes(key));
  if (odd !== undefined) return `unknown key: ${odd}`;
  const { at_us = null, spent = {}, failure = null } = value;
  if (at_us !== null && !isWhole(at_us)) return 'at_us is no time';
  if ('clock' in value && !isWhole(value['clock'] ?? null)) return 'clock is no time';
  if (!isObject(spent) || !Object.values(spent).every(isWhole)) return 'spent is an object of whole numbers';
  const named = ['agent', 'artifact_id'].filter(
    (key) => kind.includes(key) && typeof value[key] !== 'string',
  );
  if (named.length > 0) return `${named.join()} is no text`;
  return failure === null || FAILURE_CODES.includes(failure as FailureCode)
    ? null
    : `failure is one of ${FAILURE_CODES.join(', ')}`;
}

function isWhole(value: Json): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The keys of its kind: `effect` comes before `agent`, which both have. */
function findKind(value: JsonObject): readonly string[] | undefined {
  return KINDS.toReversed().find(([first]) => first !== undefined && Object.hasOwn(value, first));
}

/** The answer that a line gives in a world as it stands. */
export function makeReply({ number, value }: ActionLine, state: EcologyState): Reply {
  const { at_us = null, spent = {}, failure = null } = value;
  const common = {
    at_us: at_us as number | null,
    spent: spent as Proposal['spent'],
    failure: failure === null ? null : { code: failure as FailureCode, final: true, detail: null },
    provenance: { line: number },
  };
  const reply = (request: string, given: Json, source: Proposal['source'] = 'synthetic'): Reply => ({
    request,
    answer: { ...common, source, value: failure === null ? given : null },
  });
  switch (findKind(value)?.[0]) {
    case 'clock':
      return {
        request: 'clock',
        answer: { ...common, at_us: Number(value['clock']), source: 'synthetic', value: {} },
      };
    case 'operator':
      return reply('operator', value['operator'] ?? null, 'human');
    case 'call':
      return reply(`call ${textIn(value, 'call')}`, measureResult(value['result'] ?? null));
    case 'effect':
      return reply(`effect ${textIn(value, 'agent')}`, { result: value['effect'] ?? null });
    case 'score':
      return reply(renderScore(state, textIn(value, 'artifact_id')), { score: value['score'] ?? null });
    case 'turn':
      return reply('turn', { actions: renderEntries(value['turn'] ?? null, state) });
    default: {
      const agent = textIn(value, 'agent');
      const action = value['action'] ?? null;
      if (state.accounts.get(agent)?.life?.asked === true)
        return reply(`act ${agent}`, { actions: Array.isArray(action) ? action : [action] });
      const hash = value['config_hash'] ?? hashAgent(state, agent);
      return reply('turn', { actions: [[agent, hash, action]] });
    }
  }
}

/** The answer of a metered call: digest and size of the result, and what is small itself. */
function measureResult(result: Json): Json {
  const bytes = canonicalize(result);
  if (bytes._tag === 'Left') return { result };
  return { digest: nativeSha256(bytes.right), size: bytes.right.length, result };
}

/** The oldest open request for a score of an artifact. */
function renderScore(state: EcologyState, artifact: string): string {
  const names = state.open.sorted().map(([name]) => name);
  return (
    names.find((name) => name.startsWith('score ') && name.endsWith(` ${artifact}`)) ?? `score ? ${artifact}`
  );
}

/** Pairs of agent and action, each under what the agent is now. */
function renderEntries(pairs: Json, state: EcologyState): Json {
  if (!Array.isArray(pairs)) return pairs;
  return (pairs as readonly Json[]).map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) return pair;
    const [agent = null, action = null] = pair as readonly Json[];
    return [agent, typeof agent === 'string' ? hashAgent(state, agent) : '', action];
  });
}

function hashAgent(state: EcologyState, agent: string): string {
  return findLive(state, agent)?.config_hash ?? '';
}
