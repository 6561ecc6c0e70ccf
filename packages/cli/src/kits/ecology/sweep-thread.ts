/** One seed of one setting, played in a thread. */
import type { MessagePort } from 'node:worker_threads';
import type { GenesisInput, JsonObject } from '@assay/kernel';
import type { EcologyState } from '@assay/ecology';
import { computeGini } from '@assay/ecology/view';
import { playScripted, ResponseLog, WorldRun } from '@assay/ecology/shell';
import { fileStore } from '@assay/host/store-file';
import { LEDGER_NAME } from '../../files/claim.js';
import { chooseMachine } from './kit.js';
import { readCast } from './run.js';

/** What is played. `keep`: the folder where its ledger is kept; null keeps nothing. */
export type ArmTask = {
  readonly policy: JsonObject;
  readonly input: JsonObject;
  readonly minds: string;
  readonly isEngineNeeded: boolean;
  readonly end_us: number;
  readonly seed: number;
  readonly keep: string | null;
};

/** What a world came to, by name. */
export type Measures = { readonly [name: string]: number };

/** Plays what is sent. */
export function playSent(_: null, port: MessagePort): void {
  port.on('message', (task: ArmTask) => {
    void playArm(task).then((measures) => port.postMessage(measures));
  });
}

async function playArm(task: ArmTask): Promise<Measures> {
  const { policy, input, minds, isEngineNeeded, end_us, seed, keep } = task;
  const machine = await chooseMachine(isEngineNeeded);
  const cast = await readCast(minds, minds);
  const run_id = `sweep-${seed}`;
  const start: GenesisInput = { run_id, ts_base: run_id, policy, input, engine: machine.engine ?? null };
  const store = keep === null ? null : fileStore(keep, { named: { run_id, as: LEDGER_NAME } });
  const shown = new ResponseLog();
  const world = await WorldRun.open({ machine, start, store, told: shown.hear });
  if (world._tag === 'Left') throw new Error(`the world does not open: ${JSON.stringify(world.left)}`);
  const bounds = { until_us: null, records: null, steps: null, end_us };
  const scripted = { minds: cast.minds, seed, mind: cast.hash, shown, ...bounds };
  const played = await playScripted(world.right, scripted);
  await store?.close();
  if (played._tag === 'Left') throw new Error(JSON.stringify(played.left));
  return measureWorld(world.right.state);
}

/** Agents whose scrip is a measure of its own. */
const AGENTS_MAX = 20;

/** What was minted, how unequal scrip is, and the scrip of each initial agent with what it bids. */
function measureWorld({ accounts, bids, config, minted }: EcologyState): Measures {
  const held = config.agents.initial.map(
    (id) => (accounts.get(id)?.amounts.scrip ?? 0) + (bids.get(id)?.amount ?? 0),
  );
  const own = config.agents.initial
    .slice(0, AGENTS_MAX)
    .map((id, at) => [`scrip.${id}`, held[at] ?? 0] as const);
  const sum = minted.sorted().reduce((total, [, amount]) => total + amount, 0);
  return { minted: sum, gini_ppm: computeGini(held), ...Object.fromEntries(own) };
}
