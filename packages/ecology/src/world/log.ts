/**
 * The public log: a fixed set of events, the last `kept` of them. Reading goes back from the newest, so that it takes
 * what is new and not what is there. Source: specs/ecology.md B6.
 */
import type { JsonObject } from '@assay/kernel';
import {
  closed,
  freeObject,
  integer,
  list,
  nullable,
  oneOf,
  text,
  type Coded,
  type TypeOf,
} from '@assay/kernel/shape';

/** The fields of each type that a condition may name: their values are texts. */
export const EVENT_FIELDS = {
  artifact_created: ['artifact_id', 'creator_id'],
  artifact_modified: ['artifact_id', 'by'],
  artifact_deleted: ['artifact_id'],
  ownership_transferred: ['artifact_id', 'from', 'to'],
  contract_changed: ['artifact_id', 'from', 'to'],
  transfer_completed: ['from', 'to', 'resource'],
  escrow_listed: ['offer_id', 'artifact_id', 'seller_id'],
  escrow_purchased: ['offer_id', 'artifact_id', 'seller_id', 'buyer_id'],
  escrow_cancelled: ['offer_id', 'artifact_id', 'seller_id'],
  escrow_expired: ['offer_id', 'artifact_id', 'seller_id'],
  mint_resolved: [],
  agent_blocked: ['agent_id', 'resource'],
  agent_unblocked: ['agent_id', 'resource'],
  agent_frozen: ['agent_id', 'reason'],
  agent_unfrozen: ['agent_id', 'unfrozen_by'],
  invoke_success: ['artifact_id', 'invoker_id', 'method'],
  invoke_failure: ['artifact_id', 'invoker_id', 'error_code'],
  memory_artifact_set: ['agent_id', 'artifact_id'],
  call_settled: ['call', 'target', 'how'],
  capability_requested: ['agent_id', 'capability'],
  capability_provisioned: ['agent_id', 'capability'],
  capability_denied: ['agent_id', 'capability'],
  rate_overrun: ['agent_id', 'resource'],
  interface_warning: ['artifact_id'],
  subscription_evicted: ['agent_id'],
  store_crowded: [],
  clock_jump: [],
  admin_action: ['op'],
  system_stopping: [],
} as const satisfies { readonly [type: string]: readonly string[] };

/** A type of the public events. */
export type EventType = keyof typeof EVENT_FIELDS;
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_FIELDS) as EventType[];

const ENTRY = {
  t_us: integer(0),
  type: oneOf(EVENT_TYPES),
  data: freeObject,
  /** For whose eyes only; null for all. */
  to: nullable(text()),
};
const WRITTEN = closed({ kept: integer(1), next: integer(0), entries: list(closed(ENTRY)) });

/** An event of the log; `seq` counts all that there ever were. */
export type Entry = { readonly seq: number } & TypeOf<ReturnType<typeof closed<typeof ENTRY>>>;
type Cell = Entry & { readonly next: Cell | null };

/** The log: newest first in two pieces of at most `kept`, so that the older one is let go at once. */
export type Log = {
  readonly kept: number;
  /** The number that the next event gets. */
  readonly next: number;
  readonly newest: Cell | null;
  readonly older: Cell | null;
};

/** A log without events. */
export function emptyLog(kept: number): Log {
  return { kept, next: 0, newest: null, older: null };
}

/** The log with one event more. */
export function addEntry(
  { kept, next, newest, older }: Log,
  t_us: number,
  type: EventType,
  data: JsonObject,
  to: string | null = null,
): Log {
  const isFull = next % kept === 0;
  const cell: Cell = { seq: next, t_us, type, data, to, next: isFull ? null : newest };
  return { kept, next: next + 1, newest: cell, older: isFull ? newest : older };
}

/** Events from a number on, the newest first; none that is not kept. */
export function* entriesSince({ kept, next, newest, older }: Log, from: number): Generator<Entry> {
  const least = Math.max(from, next - kept);
  for (const piece of [newest, older])
    for (let cell = piece; cell !== null && cell.seq >= least; cell = cell.next) yield cell;
}

/** A log as JSON: the events that are kept, oldest first; their numbers follow from the next one. */
export const LOG: Coded<Log> = {
  shape: WRITTEN,
  to: (log) => ({
    kept: log.kept,
    next: log.next,
    entries: [...entriesSince(log, 0)]
      .reverse()
      .map(({ t_us, type, data, to }) => ({ t_us, type, data, to })),
  }),
  from: (json) => {
    const { kept, next, entries } = json as unknown as TypeOf<typeof WRITTEN>;
    const start = { ...emptyLog(kept), next: next - entries.length };
    return entries.reduce((log, { t_us, type, data, to }) => addEntry(log, t_us, type, data, to), start);
  },
};
