/** An engine with every machine, and the golden fixtures as it is given them. */
import { readdirSync, readFileSync } from 'node:fs';
import { controller } from '@assay/controller';
import { memory } from '@assay/controller/memory';
import { memoryView } from '@assay/controller/memory-view';
import { controllerView } from '@assay/controller/view';
import { replayable, type Replayable } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { intentView } from '@assay/kernel/intent-view';
import { viewable } from '@assay/kernel/view';
import { planner } from '@assay/planner';
import { plannerView } from '@assay/planner/view';
import { tally } from '@assay/testing/tally';
import { tallyView } from '@assay/testing/tally-view';
import type { Beside, Checked, Given } from '../../src/data/calls.ts';
import { Engine } from '../../src/engine/engine.ts';

const GOLDEN = new URL('../../../../golden-fixtures/', import.meta.url);

export const machines: readonly Replayable[] = [
  replayable(intent),
  replayable(controller),
  replayable(memory),
  replayable(planner),
  replayable(tally),
];
const parts = {
  views: [
    viewable(intentView, intent),
    viewable(controllerView, controller),
    viewable(memoryView, memory),
    viewable(plannerView, planner),
    viewable(tallyView, tally),
  ],
  machines: [],
};

export const beside: Beside = { head: null, proofs: null, key: null };

export function given(bytes: Uint8Array): Given {
  return { t: 'bytes', bytes: new Blob([bytes as Uint8Array<ArrayBuffer>]), label: 'x', beside };
}

export function newEngine(): Engine {
  return new Engine(parts, () => Promise.resolve());
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
  return readFileSync(new URL(`${name}/ledger.jsonl`, GOLDEN));
}

/** Names of fixtures; `forgeries`: of forged ones. */
export function fixtures(folder: '' | 'forgeries/' = ''): readonly string[] {
  return readdirSync(new URL(folder, GOLDEN), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[^/]+\/ledger\.jsonl$/.test(name))
    .map((name) => `${folder}${name.replace('/ledger.jsonl', '')}`)
    .sort();
}
