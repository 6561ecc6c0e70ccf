/**
 * What a memory's ledger says to a controller that recalls, as a function of the records that the answer
 * cites. Source: machine interface, "Other ledgers".
 *
 * @module
 */
import { follow, isObject, type EvidenceRecord, type Json, type KernelOptions } from '@assay/kernel';
import { memory } from './machine.js';
import { recallOf, type RecallQuery } from './recall.js';
import type { MemoryState } from './state.js';
import type { MemoryEvent } from './events.js';

/**
 * The answer to a query: what this group of the memory's ledger gave for it, else, where the memory was only
 * read, what it holds at a moment, which is never before what is recorded. Null where it gave something else.
 */
export function answerFromMemory(
  events: readonly MemoryEvent[],
  state: MemoryState,
  query: RecallQuery,
  at_us: number,
): Json {
  const given = events.find((event) => event.t === 'recalled');
  if (given === undefined) return at_us < state.clock_us ? null : recallOf(state, query, at_us);
  const isAsked =
    given.query.intent === query.intent &&
    given.query.tools.length === query.tools.length &&
    query.tools.every((tool, at) => tool === given.query.tools[at]);
  return isAsked ? given.reply : null;
}

/**
 * What a controller is answered by the records of the memory that the answer cites; undefined where nothing
 * is derived for such an answer, null where these records give none.
 */
export function deriveRecall(
  [genesis, ...rest]: readonly EvidenceRecord[],
  { kind, body }: { readonly kind: string; readonly body: Json },
  said: Json,
  options: KernelOptions,
): Json | undefined {
  if (kind !== 'recall') return undefined;
  const at_us = isObject(said) ? said['at_us'] : undefined;
  if (genesis === undefined || typeof at_us !== 'number') return null;
  let at = follow(memory, genesis, { ...options, checked: true });
  for (const record of rest) {
    if (at._tag === 'Left') return null;
    at = at.right.feed(record);
  }
  if (at._tag === 'Left') return null;
  const last = rest.findLast(({ kind: of }) => of === 'decision' || of === 'rejection')?.payload;
  const events = isObject(last) ? ((last['events'] ?? []) as unknown as readonly MemoryEvent[]) : [];
  return answerFromMemory(events, at.right.run.state, body as unknown as RecallQuery, at_us);
}
