/** One segment of a run: driven from where its ledger ends until it closes, waits, or has to be left. */
import {
  drive,
  type DriveError,
  type DriveEvent,
  type DriveOptions,
  type Journal,
  type Port,
  type PortCall,
  type Ports,
  type Store,
  StoreReadError,
  type Timer,
} from '@assay/host';
import { canonicalize, decodeUtf8, err, type GenesisInput, orThrow, type Request } from '@assay/kernel';
import type { Claimed, Hold, OpenEntry, Table } from './table/table.js';
import { makeInbox } from './inbox.js';
import type { AnyMachine, SegmentEnd, TakenRun, WorkOptions } from './types.js';

/** What a segment needs of its worker. */
export type Driving = {
  readonly table: Table;
  readonly store: Store & { readonly journal: Pick<Journal, 'calls'> };
  readonly timer: Timer;
  readonly options: WorkOptions;
  /** Microseconds since 1970, by the server's clock. */
  readonly now: () => number;
  /** True where this worker may have lost its runs, which it then gives up. */
  readonly checkFence: () => boolean;
  /** Does a step at the table until it can be reached, or the worker stops. */
  readonly settle: <A>(step: () => Promise<A>) => Promise<A>;
};

/** A run in this worker's hands. `hook`: what `opened` rejected with. */
export type Taken = {
  readonly hold: Hold;
  readonly controller: AbortController;
  isClaimed: boolean;
  hook: { readonly error: unknown } | null;
};

/** How a segment ended. */
export type Ended = { readonly end: SegmentEnd; readonly fault: string | null; readonly error: unknown };

/** What waits longer than this is left. */
const LEAVE_AFTER_MS = 5_000;
/** After so long what could not be driven now is driven again. */
const AGAIN_MS = 1_000;
/** And what a port put off to a time that is past: its clock is behind the server's. */
const BEHIND_MS = 10_000;

/** Drives a claimed run, and leaves its row as it is then. Rejects where the worker stops and cannot. */
export async function driveSegment(
  driving: Driving,
  taken: Taken,
  machine: AnyMachine,
  claimed: Claimed,
): Promise<Ended> {
  const { table, settle } = driving;
  const { hold, controller } = taken;
  const release = async (delayMs: number, error: unknown = null): Promise<Ended> => {
    const isOwn = await settle(() => table.release(hold, delayMs));
    return { end: isOwn ? 'released' : 'lost', fault: null, error };
  };
  const fail = async (fault: string, error: unknown = null): Promise<Ended> => {
    const isOwn = await settle(() => table.fail(hold, fault));
    return { end: isOwn ? 'failed' : 'lost', fault, error };
  };

  for (let { answers } = claimed; ; ) {
    let driven: Awaited<ReturnType<typeof driveOnce>>;
    try {
      driven = await driveOnce(driving, taken, machine, claimed);
    } catch (error) {
      if (error instanceof StoreReadError) return release(AGAIN_MS, error);
      return fail(`threw/${nameError(error)}`, error);
    }
    const { result, steps } = driven;
    if (taken.hook !== null) return release(AGAIN_MS, taken.hook.error);
    if (result._tag === 'Left') {
      const isAgain = isPassing(result.left);
      return isAgain ? release(AGAIN_MS, result.left) : fail(nameFault(result.left), result.left);
    }
    const { end, head, run, waiting } = result.right;
    switch (end) {
      case 'success':
      case 'refused': {
        const { count, hash } = head;
        // Not in the beats from here on: they and what closes runs would wait for each other's rows.
        taken.isClaimed = false;
        await settle(() => table.close(hold.run, { outcome: end, count, hash }));
        return { end: 'closed', fault: null, error: null };
      }
      case 'waiting': {
        const open = waiting.flatMap(({ request_id, until }) => {
          const row = run.open.get(request_id);
          return row === undefined ? [] : [makeOpenEntry(row.request, row.rejections, until)];
        });
        const wakeAt = findWakeTime(open, driving.now());
        const parked = await settle(() => table.park(hold, answers, open, wakeAt));
        if (parked === null) return { end: 'lost', fault: null, error: null };
        if (parked.state === 'waiting') return { end: 'waiting', fault: null, error: null };
        if (controller.signal.aborted) return release(0);
        // Somebody answered meanwhile.
        answers = parked.answers;
        continue;
      }
      case 'interrupted':
        return release(0);
      // Open, and nothing more is asked: driven again it would be so again, but for an answer that was recorded now.
      case 'paused':
      case 'idle':
        return steps > 0 && end === 'paused' ? release(0) : fail(end);
    }
  }
}

/** Drives once. `steps`: answers that were recorded. */
async function driveOnce(
  driving: Driving,
  taken: Taken,
  machine: AnyMachine,
  { genesis, machine: name, version, tenant }: Claimed,
): Promise<{ readonly result: Awaited<ReturnType<typeof drive>>; readonly steps: number }> {
  const { options, store, table, timer, now } = driving;
  const run_id = taken.hold.run;
  const run: TakenRun = {
    run_id,
    tenant,
    machine: { name, version },
    inbox: makeInbox(run_id, table, now),
    now,
  };
  const own = (typeof options.drive === 'function' ? options.drive(run) : options.drive) ?? {};
  const ports = await options.ports(run);
  let [steps, isNew] = [0, false];
  const { calls } = store.journal;
  const given: DriveOptions = {
    timer,
    ...own,
    retry: { leaveAfterMs: LEAVE_AFTER_MS, read: now, ...own.retry },
    budget: {
      limits: {},
      // A run whose first record this drive has stored has lost no call before.
      notes: {
        ...calls,
        begin: (id, key, bound) => (isNew && bound === null ? [] : calls.begin(id, key, bound)),
      },
      ...own.budget,
    },
    store: {
      ...store,
      append: async (id, expected, records) =>
        driving.checkFence()
          ? err({ code: 'locked', run_id: id, owner: 'another worker' })
          : store.append(id, expected, records),
    },
    ports: guardPorts(ports, driving, taken, run),
    signal: taken.controller.signal,
    onEvent: (event: DriveEvent) => {
      if (event.type === 'append') isNew ||= event.records[0]?.kind === 'genesis';
      if (event.type === 'progress') ({ steps } = event.progress);
      own.onEvent?.(event);
    },
  };
  return { result: await drive(machine, JSON.parse(genesis) as GenesisInput, given), steps };
}

/** Ports that begin no call once this worker may have lost the run, nor before `opened` has been awaited. */
function guardPorts(ports: Ports, driving: Driving, taken: Taken, run: TakenRun): Ports {
  const { signal } = taken.controller;
  let opening: Promise<void> | null = null;
  const open = async ({ key }: PortCall, opened: NonNullable<WorkOptions['opened']>): Promise<void> => {
    const { run_id, machine } = run;
    opening ??= opened({ run_id, machine, genesis_hash: key.slice(0, key.indexOf('/')) }).catch(
      (error: unknown) => {
        taken.hook = { error };
        taken.controller.abort(error);
      },
    );
    await opening;
  };
  // Not a proxy of the port itself: a frozen one could not be given another `perform`.
  const guard = (port: object): Port =>
    new Proxy({} as Port, {
      get(_, field): unknown {
        const value: unknown = Reflect.get(port, field, port);
        if (typeof value !== 'function') return value;
        if (field !== 'perform') return value.bind(port) as unknown;
        return async (...given: [Request, PortCall]): Promise<unknown> => {
          if (driving.options.opened !== undefined) await open(given[1], driving.options.opened);
          driving.checkFence();
          signal.throwIfAborted();
          return Reflect.apply(value, port, given);
        };
      },
    });
  return (request) => {
    const port: unknown = ports(request);
    return typeof port === 'object' && port !== null ? guard(port) : (port as Port | null);
  };
}

function makeOpenEntry(
  { id, kind, accepts, body }: Request,
  attempt: number,
  until: number | null,
): OpenEntry {
  return {
    request: id,
    attempt,
    kind,
    accepts,
    body: orThrow(decodeUtf8(orThrow(canonicalize(body)))),
    until,
  };
}

/** When to look again, null for when somebody answers. */
function findWakeTime(open: readonly OpenEntry[], now: number): number | null {
  const times = open.flatMap(({ until }) => (until === null ? [] : [until]));
  if (times.length === 0) return null;
  const first = Math.min(...times);
  return first > now ? first : now + BEHIND_MS * 1_000;
}

/** True for what another try may not meet: another writer was first, or the medium is away. */
function isPassing(error: DriveError): boolean {
  if (error.code === 'notes') return error.reason === 'unavailable';
  return (
    error.code === 'store' && ['stale_head', 'locked', 'unavailable', 'closed'].includes(error.error.code)
  );
}

function nameFault(error: DriveError): string {
  switch (error.code) {
    case 'store':
      return `store/${error.error.code}`;
    case 'rejected':
      return `rejected/${error.rejection.code}`;
    case 'ledger':
      return `ledger/${error.failed.code}`;
    case 'line':
      return `line/${error.reason}`;
    case 'notes':
    case 'exists':
      return error.code;
  }
}

/** The class of what was thrown; its message may hold what no table should. */
function nameError(error: unknown): string {
  return error instanceof Error && /^[A-Z]\w{0,40}$/.test(error.name) ? error.name : 'unknown';
}
