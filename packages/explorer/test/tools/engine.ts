/** An engine with every machine, and the golden fixtures as it is given them. */
import { readdirSync, readFileSync } from 'node:fs';
import { controller } from '@assay/controller';
import { memory } from '@assay/controller/memory';
import { memoryView } from '@assay/controller/memory-view';
import { controllerView } from '@assay/controller/view';
import {
  advance,
  encodeLine,
  isObject,
  openRequests,
  openRun,
  orThrow,
  replayable,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type JsonObject,
  type Machine,
  type Replayable,
} from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { intentView } from '@assay/kernel/intent-view';
import { viewable } from '@assay/kernel/view';
import { ecology, ecologyMachine } from '@assay/ecology';
import { ecologyView } from '@assay/ecology/view';
import { planner } from '@assay/planner';
import { plannerView } from '@assay/planner/view';
import { nodeEngine } from '@assay/ecology/sandbox/node';
import { tally } from '@assay/testing/tally';
import { tallyView } from '@assay/testing/tally-view';
import type { Beside, Checked, Given } from '../../src/data/calls.ts';
import { deriveSent, type Port } from '../../src/engine/deriving.ts';
import { Engine } from '../../src/engine/engine.ts';

const GOLDEN = new URL('../../../../golden-fixtures/', import.meta.url);

const onEngine = ecologyMachine(await nodeEngine());

export const machines: readonly Replayable[] = [
  replayable(intent),
  replayable(controller),
  replayable(memory),
  replayable(planner),
  replayable(ecology),
  replayable(onEngine),
  replayable(tally),
];
const parts = {
  views: [
    viewable(intentView, intent),
    viewable(controllerView, controller),
    viewable(memoryView, memory),
    viewable(plannerView, planner),
    viewable(ecologyView, ecology),
    viewable(ecologyView, onEngine),
    viewable(tallyView, tally),
  ],
  machines: [],
};

export const beside: Beside = { head: null, proofs: null, key: null };

export function given(bytes: Uint8Array): Given {
  return { t: 'bytes', bytes: new Blob([bytes as Uint8Array<ArrayBuffer>]), label: 'x', beside };
}

/** An engine of a page that does not know how to run contracts. */
export function engineWithoutContracts(): Engine {
  return new Engine({ views: [viewable(ecologyView, ecology)], machines: [] }, () => Promise.resolve());
}

export function newEngine(): Engine {
  return new Engine(parts, () => Promise.resolve());
}

/** The other end of a channel to a second worker, in this process. */
function secondWorker(): Port {
  const { port1, port2 } = new MessageChannel();
  deriveSent(Promise.resolve(parts), port1 as unknown as Port);
  return port2 as unknown as Port;
}

export function none(): void {
  return undefined;
}

export async function loaded(
  bytes: Uint8Array,
): Promise<{ readonly engine: Engine; readonly checked: Checked }> {
  const engine = newEngine();
  const checked = await engine.answer('load', given(bytes), none);
  if (checked.t === 'refused') throw new Error(checked.says);
  return { engine, checked };
}

export function golden(name: string): Buffer {
  return fixture(name, 'ledger.jsonl');
}

export function fixture(name: string, file: string): Buffer {
  return readFileSync(new URL(`${name}/${file}`, GOLDEN));
}

/** Names of fixtures; `forgeries`: of forged ones. */
export function fixtures(folder: '' | 'forgeries/' = ''): readonly string[] {
  return readdirSync(new URL(folder, GOLDEN), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[^/]+\/ledger\.jsonl$/.test(name))
    .map((name) => `${folder}${name.replace('/ledger.jsonl', '')}`)
    .sort();
}

type Again = {
  readonly policy?: JsonObject;
  readonly value?: (recorded: Json, at: number) => Json;
};

/** The answers of a golden run given once more, under another policy or with other values. */
export function again<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  name: string,
  { policy = {}, value = (recorded) => recorded }: Again,
): Buffer {
  const payloads = golden(name)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly payload: JsonObject });
  const [genesis] = payloads;
  const { run_id, ts_base, input } = genesis?.payload as unknown as Genesis;
  const recorded = genesis?.payload['policy'] as JsonObject;
  const given = { run_id, ts_base, input, policy: merged(recorded, policy), base: null, engine: null };
  let step = orThrow(openRun(machine, given));
  const records: EvidenceRecord[] = [...step.records];
  const answers = payloads.filter(({ kind }) => kind === 'proposal');
  for (const [at, { payload }] of answers.entries()) {
    const open = openRequests(step.run);
    const asked = open.find(({ id }) => id === payload['request_id']) ?? open[0];
    if (asked === undefined) break;
    const { proposal_hash: _, ...answer } = payload;
    step = orThrow(
      advance(step.run, { ...answer, request_id: asked.id, value: value(payload['value'] ?? null, at) }),
    );
    records.push(...step.records);
  }
  return Buffer.from(records.map((record) => `${encodeLine(record)}\n`).join(''));
}

/** One object with the leaves of another put into it. */
function merged(into: JsonObject, from: JsonObject): JsonObject {
  const put = Object.entries(from).map(([key, value]) => {
    const inner = into[key];
    const isInner = inner !== undefined && isObject(inner) && isObject(value);
    return [key, isInner ? merged(inner, value) : value] as const;
  });
  return { ...into, ...Object.fromEntries(put) };
}

/** What one worker, and what two come to with a file: all of it but the time, with the rows. */
export async function loadTwice(bytes: Uint8Array): Promise<readonly [alone: unknown, both: unknown]> {
  const of = async (port: Port | null): Promise<unknown> => {
    const engine = newEngine();
    const checked = await engine.answer('load', given(bytes), none, port);
    const records = checked.t === 'refused' ? 0 : checked.records;
    const rows = await engine.answer('rows', [...new Array(records).keys()], none);
    return { checked: { ...checked, ms: 0 }, rows };
  };
  return [await of(null), await of(secondWorker())];
}
