/** What a run would have been under another policy: its recorded answers given again to a fork of it. */
import { isArray, isObject, type Json } from '../json.js';
import type { Genesis } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { makeContext } from '../machine/derived.js';
import { chooseDigest, openRequests, type KernelOptions } from '../machine/run.js';
import type { Machine, Rejection } from '../machine/types.js';
import type { DerivedRecord } from '../records/run-view.js';
import { follow } from '../replay/follower.js';
import { forkRun } from '../replay/fork.js';
import { err, ok, type Result } from '../result.js';
import { boundedPicture } from './bounds.js';
import { PAGES, type Page, type Picture, type Tried, type Turned } from './picture.js';
import type { View } from './view.js';

/** Runs a fork under turned knobs and shows it. */
export function tryOut<S, F, I, E extends Json, A extends Json>(
  view: View<S, F>,
  machine: Machine<S, I, E, A>,
  records: Iterable<EvidenceRecord>,
  changes: readonly Turned[],
  options: KernelOptions,
): Result<Rejection, Tried> {
  const parent = derivedAgain(machine, records, options);
  if (parent._tag === 'Left') return parent;
  const [first] = parent.right;
  const last = parent.right.at(-1);
  if (first?.kind !== 'genesis' || last === undefined)
    return err({ code: 'underivable', detail: { code: 'empty', record: 0 } });
  const genesis: Genesis = first.payload;
  if (genesis.base !== null && genesis.base.snapshot !== null)
    return err({ code: 'continued', detail: null });
  const policy = view.turn(genesis.policy, changes);
  if (policy._tag === 'Left') return policy;
  const { run_id, ts_base, input, machine: by } = genesis;
  const base = { run_id, count: parent.right.length, hash: last.record_hash, snapshot: null };
  const forked = forkRun(
    machine,
    { run_id: forkId(run_id), ts_base, policy: policy.right, input, base, engine: by.engine },
    parent.right,
    options,
  );
  if (forked._tag === 'Left') return forked;
  const { run, records: made } = forked.right;
  const picture = recall(view, machine, made, PAGES, options);
  if (picture === null) return err({ code: 'underivable', detail: { code: 'empty', record: 0 } });
  const unknown = openRequests(run).map(({ id, kind }) => `${kind} (${id})`);
  return ok({ ...withoutPlaces(picture), unknown });
}

/** The picture of records that were derived: their events are folded. Null: the machine does not open the genesis. */
export function recall<S, F, I, E extends Json, A extends Json>(
  view: View<S, F>,
  machine: Machine<S, I, E, A>,
  records: readonly EvidenceRecord[],
  pages: readonly Page[],
  options: KernelOptions,
): Picture | null {
  const [first, ...rest] = records as readonly DerivedRecord[];
  if (first?.kind !== 'genesis') return null;
  const { run_id, base } = first.payload;
  const sequence = (base?.snapshot ? base.count : 0) + 1;
  const context = makeContext(run_id, sequence, first.record_hash, chooseDigest(options));
  const opened = machine.open(first.payload, context);
  if (opened._tag === 'Left') return null;
  let { state } = opened.right;
  let fold = view.start(first.payload);
  for (const [index, record] of rest.entries()) {
    if (record.kind === 'decision')
      for (const event of record.payload.events) state = machine.evolve(state, event as E);
    fold = view.fold(fold, record, index + 1);
  }
  return showPages(view, fold, state, pages);
}

/** What a view shows on these pages, within the bounds of view data. */
export function showPages<S, F>(view: View<S, F>, fold: F, state: S, pages: readonly Page[]): Picture {
  const picture = view.show(fold, state, pages);
  return boundedPicture({ ...picture, panels: picture.panels.filter(({ page }) => pages.includes(page)) });
}

/** The records as they are derived again, to the end of the last group. */
function derivedAgain<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  records: Iterable<EvidenceRecord>,
  options: KernelOptions,
): Result<Rejection, readonly DerivedRecord[]> {
  const whole: EvidenceRecord[] = [];
  let followed: ReturnType<typeof follow<S, I, E, A>> | null = null;
  for (const record of records) {
    if (followed?._tag === 'Left') break;
    whole.push(followed?.right.due[0] ?? record);
    followed = followed === null ? follow(machine, record, options) : followed.right.feed(record);
  }
  if (followed === null) return ok([]);
  if (followed._tag === 'Left')
    return err({ code: 'underivable', detail: { code: followed.left.code, record: followed.left.record } });
  const derived: readonly EvidenceRecord[] = [...whole, ...followed.right.due];
  return ok(derived as readonly DerivedRecord[]);
}

/** A fork has another id than its parent. */
function forkId(parent: string): string {
  return parent === 'what-if' ? 'what-if-2' : 'what-if';
}

/** A picture without positions. */
function withoutPlaces(picture: Picture): Picture {
  return without(picture) as unknown as Picture;
}

function without(value: Json): Json {
  if (isArray(value)) return value.map(without);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'record' ? null : without(item)]),
  );
}
