/**
 * What the tables need that the state no longer holds, gathered from the events in order.
 *
 * @module
 */
import type { DerivedRecord } from '@assay/kernel';
import type { PlannerEvent } from '../machine/events.js';
import { evolve } from '../machine/evolve.js';
import { EMPTY, type PlannerState } from '../machine/state.js';

/** An event of one kind, the record it stands in, and its place among all events. */
export type Seen<T extends PlannerEvent['t'] = PlannerEvent['t']> = {
  readonly event: Extract<PlannerEvent, { readonly t: T }>;
  readonly record: number;
  readonly place: number;
};

/** A run: its state at the end, and its events. */
export type SeenRun = {
  readonly state: PlannerState;
  readonly events: readonly Seen[];
};

/** Folds a run whose decisions were derived again. */
export function seenIn(records: readonly DerivedRecord[]): SeenRun {
  let state = EMPTY;
  const events: Seen[] = [];
  for (const [record, each] of records.entries()) {
    if (each.kind !== 'decision') continue;
    for (const event of each.payload.events as unknown as readonly PlannerEvent[]) {
      state = evolve(state, event);
      events.push({ event, record, place: events.length });
    }
  }
  return { state, events };
}

/** The events of one kind. */
export function eventsOf<T extends PlannerEvent['t']>({ events }: SeenRun, kind: T): readonly Seen<T>[] {
  return events.flatMap(({ event, record, place }) => (isOf(event, kind) ? [{ event, record, place }] : []));
}

function isOf<T extends PlannerEvent['t']>(
  event: PlannerEvent,
  kind: T,
): event is Extract<PlannerEvent, { readonly t: T }> {
  return event.t === kind;
}
