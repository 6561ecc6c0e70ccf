/**
 * From what a world says to the whole config, and what each initial agent holds of it.
 *
 * Source: specs/ecology.md B4, B14.
 */
import {
  err,
  isArray,
  isObject,
  ok,
  parseShape,
  type Json,
  type JsonObject,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { CONFIG, isReserved, RESOURCES, type Config, type Resource } from './config.js';
import { DEFAULT_CONFIG } from './defaults.js';

/** What somebody holds: scrip and budget to spend, the others as allocations. */
export type Amounts = { readonly [resource in Resource]: number };

/** Nothing of anything. */
export const NOTHING: Amounts = Object.freeze({
  scrip: 0,
  llm_budget: 0,
  disk: 0,
  memory: 0,
  llm_rate: 0,
  cpu: 0,
});

/** What the world holds at its start: each agent by name, and what nobody was given. */
export type Holdings = {
  readonly agents: readonly (readonly [id: string, amounts: Amounts])[];
  readonly unallocated: Amounts;
};

/**
 * The whole config of a world: its keys over the defaults. Error `bad_config` with {path, rule}: `unknown` for
 * a key that is none, `shape`, `reserved`, `twice`, `nobody` for an agent that is not initial, `sum` for
 * holdings that do not add up.
 */
export function resolveConfig(given: Json): Result<Rejection, Config> {
  const merged = merge(given, DEFAULT_CONFIG, '');
  return merged._tag === 'Left' ? merged : parseConfig(merged.right);
}

/** What the auction and the income mint is counted under these. */
const OWN_MINTERS: readonly string[] = ['mint', 'floor', 'emergency'];

/** Reads a resolved config. Total; the errors of {@link resolveConfig} without `unknown`. */
export function parseConfig(value: Json): Result<Rejection, Config> {
  const shaped = parseShape<Config>(CONFIG, value);
  if (shaped._tag === 'Left') return bad(shaped.left.path, 'shape');
  const { agents, mint, resources } = shaped.right;
  if (!Object.hasOwn(resources.models, 'default')) return bad('/resources/models/default', 'shape');
  const names = new Set<string>();
  for (const [at, id] of agents.initial.entries()) {
    if (isReserved(id)) return bad(`/agents/initial/${at}`, 'reserved');
    if (names.has(id)) return bad(`/agents/initial/${at}`, 'twice');
    names.add(id);
  }
  if (new Set(agents.asked).size < agents.asked.length) return bad('/agents/asked', 'twice');
  if (agents.asked.some((id) => !names.has(id))) return bad('/agents/asked', 'nobody');
  if (agents.given.some(({ id }) => !names.has(id))) return bad('/agents/given', 'nobody');
  const given = new Set(agents.given.map(({ id, resource }) => `${resource} ${id}`));
  if (given.size < agents.given.length) return bad('/agents/given', 'twice');
  if (new Set(mint.minters.map(({ id }) => id)).size < mint.minters.length)
    return bad('/mint/minters', 'twice');
  if (mint.minters.some(({ id }) => OWN_MINTERS.includes(id))) return bad('/mint/minters', 'reserved');
  return computeHoldings(shaped.right) === null ? bad('/agents/given', 'sum') : shaped;
}

/** What a window of some length holds at a rate for each minute, rounded down. */
export function perWindow(perMinute: number, windowUs: number): number {
  return Number((BigInt(perMinute) * BigInt(windowUs)) / 60_000_000n);
}

/** The most of a resource that all together hold; null for scrip, which is whatever agents begin with. */
export function findLimit({ agents, machine, resources }: Config, resource: Resource): bigint | null {
  const agentsCount = BigInt(agents.initial.length);
  switch (resource) {
    case 'scrip':
      return null;
    case 'llm_budget':
      return BigInt(resources.llm_budget_uusd);
    case 'llm_rate':
      return BigInt(perWindow(resources.provider_tpm, machine.window_us));
    case 'cpu':
      return BigInt(perWindow(resources.cpu_us_per_min, machine.window_us)) * agentsCount;
    case 'disk':
      return BigInt(resources.disk_bytes) * agentsCount;
    case 'memory':
      return BigInt(resources.memory_bytes) * agentsCount;
  }
}

/** What everybody holds at the start; null where that is more than there is, or beyond 2^53 − 1. */
export function computeHoldings(config: Config): Holdings | null {
  const { agents, machine, resources } = config;
  const share = (total: bigint | null): number =>
    agents.initial.length === 0 ? 0 : Number((total ?? 0n) / BigInt(agents.initial.length));
  const usual: Amounts = {
    scrip: agents.scrip,
    llm_budget: share(findLimit(config, 'llm_budget')),
    disk: resources.disk_bytes,
    memory: resources.memory_bytes,
    llm_rate: Math.min(
      perWindow(resources.llm_rate_per_min, machine.window_us),
      share(findLimit(config, 'llm_rate')),
    ),
    cpu: perWindow(resources.cpu_us_per_min, machine.window_us),
  };
  const own = new Map<string, Amounts>();
  for (const { id, resource, amount } of agents.given)
    own.set(id, { ...(own.get(id) ?? usual), [resource]: amount });
  const holders = agents.initial.map((id) => [id, own.get(id) ?? usual] as const);
  let unallocated: Amounts = NOTHING;
  for (const resource of RESOURCES) {
    const sum = holders.reduce((total, [, amounts]) => total + BigInt(amounts[resource]), 0n);
    const limit = findLimit(config, resource);
    if (sum > BigInt(Number.MAX_SAFE_INTEGER) || (limit !== null && sum > limit)) return null;
    if (limit === null) continue;
    if (limit > BigInt(Number.MAX_SAFE_INTEGER)) return null;
    unallocated = { ...unallocated, [resource]: Number(limit - sum) };
  }
  return { agents: holders, unallocated };
}

/** Models have names of one's own: each says what differs from the price of the default one. */
const MODELS = '/resources/models';

function merge(given: Json, base: JsonObject, path: string): Result<Rejection, JsonObject> {
  if (!isObject(given)) return bad(path, 'shape');
  const out = new Map<string, Json>(Object.entries(base));
  for (const [key, value] of Object.entries(given)) {
    const usual = out.get(key) ?? (path === MODELS ? base['default'] : undefined);
    if (usual === undefined) return bad(`${path}/${key}`, 'unknown');
    if (!isObject(usual) || isArray(usual)) {
      out.set(key, value);
      continue;
    }
    const inner = merge(value, usual, `${path}/${key}`);
    if (inner._tag === 'Left') return inner;
    out.set(key, inner.right);
  }
  return ok(Object.fromEntries(out));
}

function bad(path: string, rule: string): Result<Rejection, never> {
  return err({ code: 'bad_config', detail: { path, rule } });
}
