/** Plays a world of `examples/worlds` by its scripted minds. */
import { readFileSync } from 'node:fs';
import { orThrow, type Json } from '@assay/kernel';
import { ecology, resolveConfig, type EcologyState } from '../src/index.js';
import { playScripted, readMinds, ResponseLog, WorldRun } from '../src/shell/index.js';
import { PLAIN } from '../tools/world.js';

/** The state of a world after some minutes; `seen` is called with each state before it. */
export async function playExample(
  name: string,
  seed: number,
  minutes: number,
  seen: (state: EcologyState) => void = () => undefined,
): Promise<EcologyState> {
  const folder = new URL(`../../../examples/worlds/${name}/`, import.meta.url);
  const { config, artifacts } = JSON.parse(readFileSync(new URL('world.json', folder), 'utf8')) as {
    readonly config: Json;
    readonly artifacts: readonly { readonly id: string; readonly owner?: string }[];
  };
  const agents = new Set((config as { agents: { initial: string[] } }).agents.initial);
  const given = artifacts.map((each) => ({ ...PLAIN, ...each, owner: agents.has(each.id) ? each.id : null }));
  const policy = orThrow(resolveConfig(config));
  const shown = new ResponseLog();
  const start = { run_id: 'w', ts_base: 'T', policy, input: { artifacts: given }, engine: null };
  const world = orThrow(
    await WorldRun.open({
      machine: ecology,
      start: start as never,
      store: null,
      told: (decided) => {
        shown.hear(decided);
        seen(decided.after);
      },
    }),
  );
  const minds = readMinds((await import(new URL('minds.mjs', folder).href)) as never);
  if (typeof minds === 'string') throw new Error(minds);
  const bounds = { until_us: minutes * 60_000_000, end_us: null, records: null, steps: null };
  orThrow(await playScripted(world, { minds, seed, mind: name, shown, ...bounds }));
  return world.state;
}
