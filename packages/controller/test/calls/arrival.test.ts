/**
 * Random executors that lie, loop, breach, give up and talk: in whatever order parallel sub-tasks are
 * answered, one verdict. `ASSAY_LAW_RUNS=10000` plays ten thousand of them.
 */
import type { Json } from '@assay/kernel';
import { expect, it } from 'vitest';
import { LAW_DRAWS } from '../../../kernel/tools/laws.js';
import { NO_EVIDENCE } from '../../src/evidence/index.js';
import { withRecord } from '../../src/evidence/evidence.js';
import type { StepBody } from '../../src/index.js';
import { playSeed, type Played } from '../../tools/arrival.js';

/** What may not depend on the order: how each sub-task of the last round ended, and the task. */
function verdict({ records, state }: Played): Json {
  const { status, reasons } = closeOf(records);
  if (state.breach !== null) return { status, reasons };
  return {
    status,
    reasons,
    subtasks: state.progress.sorted().map(([id, { outcome, calls, seen }]) => ({ id, outcome, calls, seen })),
  } as unknown as Json;
}

function closeOf(records: Played['records']): { readonly status: Json; readonly reasons: Json } {
  return records.findLast(({ kind }) => kind === 'close')?.payload as never;
}

/** Everything that was seen of a sub-task until each of its requests, by the body of it. */
function evidenceByBody({ records }: Played, known: Map<string, string>): number {
  let [evidence, met] = [NO_EVIDENCE, 0];
  for (const record of records) {
    evidence = withRecord(evidence, record);
    if (record.kind !== 'decision') continue;
    const { requests } = record.payload as unknown as {
      readonly requests: readonly { kind: string; body: Json }[];
    };
    for (const { kind, body } of requests) {
      if (kind !== 'step') continue;
      const of = evidence.round.get((body as unknown as StepBody).subtask);
      const text = JSON.stringify([of?.prior, of?.items.filter(({ t }) => t !== 'claim')]);
      const key = JSON.stringify(body);
      if (known.has(key)) met += 1;
      expect(known.get(key) ?? text).toBe(text);
      known.set(key, text);
    }
  }
  return met;
}

/** Nothing is asked once something was lost that nobody had confirmed, and no open call is withdrawn. */
function leftAlone({ records }: Played): void {
  const calls = new Set<string>();
  let isBreached = false;
  for (const { kind, payload } of records) {
    if (kind !== 'decision') continue;
    const { events, requests, withdrawn } = payload as unknown as {
      readonly events: readonly { readonly t: string }[];
      readonly requests: readonly { readonly id: string; readonly kind: string }[];
      readonly withdrawn: readonly string[];
    };
    isBreached ||= events.some(({ t }) => t === 'breached');
    if (isBreached) expect(requests).toEqual([]);
    for (const request of requests) if (request.kind === 'call') calls.add(request.id);
    expect(withdrawn.filter((id) => calls.has(id))).toEqual([]);
  }
}

/** Milliseconds that ten thousand runs may take beside other work. */
const LONG = 3_600_000;

it(
  'calls/arrival, calls/body-tells-evidence, and of the same runs calls/no-call-after-breach, calls/none-withdrawn',
  () => {
    const known = new Map<string, string>();
    const ends = new Map<string, number>();
    let met = 0;
    for (let seed = 0; seed < LAW_DRAWS; seed += 1) {
      const [one, other] = [playSeed(seed, null), playSeed(seed, seed)];
      expect(verdict(other)).toEqual(verdict(one));
      for (const played of [one, other]) {
        met += evidenceByBody(played, known);
        leftAlone(played);
      }
      const reasons = JSON.stringify(closeOf(one.records).reasons);
      ends.set(reasons, (ends.get(reasons) ?? 0) + 1);
    }
    expect(met).toBeGreaterThan(0);
    // Not all alike: tasks that are done, given up, and ended by Law 1.
    expect(ends.size).toBeGreaterThan(2);
  },
  LONG,
);
