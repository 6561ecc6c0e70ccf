/**
 * What a controller's run told a memory, in its records.
 *
 * A controller emits messages and waits for nobody (002 §R7, "fire and forget"). Each is a write that cites
 * the record it stands in, so that telling it twice remembers nothing twice.
 *
 * @module
 */
import { isObject, type Digest, type EvidenceRecord, type Genesis, type Head } from '@assay/kernel';
import type { MegramDraft } from '@assay/controller/memory';

import { sequenceOf } from '@assay/host';

type TagName = Pick<MegramDraft, 'space' | 'entity'>;

/** What one decision of a controller told its memory. `head`: up to that decision. */
export type MemoryWrite = {
  readonly head: Head;
  readonly task: string;
  readonly megrams: readonly MegramDraft[];
};

type NegativeFeedback = {
  readonly rules: readonly (TagName & { readonly rule: Digest })[];
  readonly content: string;
};
/** A rule that a run followed in vain. `head`: up to the decision that says so. */
export type MemoryFeedback = TagName & {
  readonly head: Head;
  readonly rule: Digest;
  readonly content: string;
};

/** What a controller's run has for its memory, in order. Only for records that are known to hold. */
export function writesIn(
  runId: string,
  records: Iterable<EvidenceRecord>,
): readonly (MemoryWrite | MemoryFeedback)[] {
  const found: (MemoryWrite | MemoryFeedback)[] = [];
  for (const { kind, payload, record_hash, ts } of records) {
    if (kind !== 'decision' || payload === undefined || !isObject(payload)) continue;
    const { events } = payload as unknown as {
      readonly events: readonly { readonly t?: string; readonly kind?: string; readonly body?: unknown }[];
    };
    const head: Head = { run_id: runId, count: (sequenceOf(ts) ?? 0) + 1, hash: record_hash };
    const bodies = (name: string): readonly unknown[] =>
      events.filter((event) => event.t === 'message' && event.kind === name).map(({ body }) => body);
    const told = bodies('Megram') as readonly Pick<MemoryWrite, 'task' | 'megrams'>[];
    const [first] = told;
    // One decision evaluates one round and tells of it at most once; the head names it.
    if (first !== undefined)
      found.push({ head, task: first.task, megrams: told.flatMap(({ megrams }) => megrams) });
    for (const { rules, content } of bodies('NegativeFeedback') as readonly NegativeFeedback[])
      for (const rule of rules) found.push({ head, ...rule, content });
  }
  return found;
}

/**
 * The run that a fork was fed from; null for a fresh run and for a continuation, which goes on living what
 * its base began and tells only that. What a fork repeats is known under its parent's heads already, and what
 * it adds may never have happened: its genesis alone does not say which is which.
 */
export function forkedFrom([genesis]: readonly EvidenceRecord[]): string | null {
  const base = (genesis?.payload as Genesis | undefined)?.base ?? null;
  return base === null || base.snapshot !== null ? null : base.run_id;
}
