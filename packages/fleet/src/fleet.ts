/** A fleet over a store and an engine. */
import { randomUUID } from 'node:crypto';
import { nativeSha256, systemTimer } from '@assay/host';
import {
  canonicalize,
  decodeUtf8,
  err,
  type GenesisInput,
  isRequestId,
  isRunId,
  ok,
  openRun,
  orThrow,
  type Rejection,
  type Result,
} from '@assay/kernel';
import { tableError } from './failure.js';
import { inspectFleet } from './table/schema.js';
import { postgresTable } from './table/postgres.js';
import type { RunEntry, Submitted, Table } from './table/table.js';
import type { AnyMachine, Fleet, FleetError, FleetOptions, FleetRun, MachineName } from './types.js';
import { work } from './worker.js';

const QUEUED_MAX = 1_000_000;
/** Submissions of the same runs at the same moment are told apart by so many looks. */
const TRIES_MAX = 20;
/** Bytes of an answer at most. */
const ANSWER_MAX = 1_048_576;
const SCHEMA_MAX = 63 - '_fleet'.length;
const PAGE = { default: 100, most: 1_000 };

/**
 * A fleet over the runs of a store. Its tables, in the schema `NAME_fleet`, are made by the first `submit` or `work`;
 * what others made under that name is `fleet_schema`, and an unreachable server `unavailable`.
 */
export async function openFleet({
  store,
  engine,
  maxQueued = QUEUED_MAX,
}: FleetOptions): Promise<Result<FleetError, Fleet>> {
  // A longer name would be cut by the server, to that of another schema.
  if (store.schema.length > SCHEMA_MAX) {
    const detail = `the schema of a fleet has a name of at most ${SCHEMA_MAX} characters`;
    return err({ code: 'url', url: store.schema, detail });
  }
  const table = postgresTable(store);
  const inspected = await guard(() => inspectFleet(store, `${store.schema}_fleet`));
  if (inspected._tag === 'Left') return inspected;
  return ok({
    ...makeFleet(table, maxQueued),
    work: async (options) => {
      const made = await guard(() => table.make());
      if (made._tag === 'Left') return made;
      const parts = { table, store, engine, schema: store.schema, timer: systemTimer() };
      return work(parts, options).catch((error: unknown) => err(tableError(error)));
    },
    close: () => engine.close(),
  });
}

/** What a fleet is but for its workers. */
export function makeFleet(table: Table, maxQueued: number): Omit<Fleet, 'work' | 'close'> {
  return {
    submit: async (machine, geneses, { tenant = '', priority = 0, at = null } = {}) => {
      checkSubmission(tenant, priority, at);
      const read = readGeneses(machine, geneses);
      if (read._tag === 'Left') return read;
      const { name, version } = machine;
      const runs = [...read.right.keys()];
      if (runs.length === 0) return ok({ submitted: 0, known: 0 });
      const given = { token: randomUUID(), runs, geneses: [...read.right.values()], machine: name, version };
      const submit = async (): Promise<Submitted> => {
        await table.make();
        for (let tries = 1; ; tries += 1) {
          const done = await table.submit({ ...given, tenant, priority, at, maxQueued });
          const isWhole = done.submitted + done.known === runs.length;
          // Another process submitted some of them meanwhile: look again.
          if (isWhole || done.other !== null || isFull(done) || tries === TRIES_MAX) return done;
        }
      };
      const isFull = ({ queued, known }: Submitted): boolean => queued + runs.length - known > maxQueued;
      const submitted = await guard(submit);
      if (submitted._tag === 'Left') return submitted;
      const { submitted: added, known, other, queued } = submitted.right;
      if (other !== null) return err({ code: 'exists', run_id: other });
      if (added + known < runs.length) return err({ code: 'full', limit: maxQueued, queued });
      return ok({ submitted: added, known: known + geneses.length - runs.length });
    },

    answer: async (run, request, { value, by }) => {
      const refuse = (code: 'closed_request' | 'source' | 'answered' | 'by' | 'value') =>
        err({ code, run_id: run, request });
      if (!isRunId(run)) return err({ code: 'unknown_run', run_id: run });
      if (!isRequestId(request)) return refuse('closed_request');
      if (by === '' || by.length > 200 || canonicalize(by)._tag === 'Left') return refuse('by');
      const bytes = canonicalize(value);
      if (bytes._tag === 'Left') return refuse('value');
      if (bytes.right.length > ANSWER_MAX) {
        const size = { bytes: bytes.right.length, limit: ANSWER_MAX };
        return err({ code: 'too_large', run_id: run, request, ...size });
      }
      const text = orThrow(decodeUtf8(bytes.right));
      const given = { run, request, value: text, by, token: randomUUID() };
      const answered = await guard(() => table.answer(given));
      if (answered._tag === 'Left') return answered;
      if (answered.right === null) return ok(null);
      return answered.right === 'unknown_run'
        ? err({ code: 'unknown_run', run_id: run })
        : refuse(answered.right);
    },

    runs: async ({ state = null, tenant = null, run = null, after = '', limit = PAGE.default } = {}) =>
      guard(async () => {
        const most = Math.min(Math.max(1, limit), PAGE.most);
        const [entries, totals] = await Promise.all([
          table.list({ state, tenant, run, after, limit: most + 1 }),
          table.countStates(tenant),
        ]);
        const page = entries.slice(0, most);
        const next = entries.length > most ? (page.at(-1)?.run ?? null) : null;
        return { runs: page.map(showRun), totals, after: next };
      }),

    hold: async (run) => {
      const held = await guard(() => table.hold(run));
      if (held._tag === 'Left') return held;
      const state = held.right;
      if (state === null) return err({ code: 'unknown_run', run_id: run });
      return state === 'closed' || state === 'failed' ? err({ code: 'state', run_id: run, state }) : ok(null);
    },

    retry: async (run) => {
      const tried = await guard(() => table.retry(run));
      if (tried._tag === 'Left') return tried;
      if (tried.right === null) return err({ code: 'unknown_run', run_id: run });
      const { state, held } = tried.right;
      return held || state === 'failed' || state === 'queued'
        ? ok(null)
        : err({ code: 'state', run_id: run, state });
    },

    workers: () =>
      guard(async () =>
        (await table.listWorkers()).map(({ id, host, pid, serves, concurrency, engine, at }) => ({
          ...{ id, host, pid, serves, concurrency, engine },
          seen: showTime(at),
        })),
      ),
  };
}

/** Canonical texts by run id; what is given twice is one. Errors: `genesis`, `exists`. */
function readGeneses(
  machine: MachineName | AnyMachine,
  geneses: readonly GenesisInput[],
): Result<FleetError, ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [index, genesis] of geneses.entries()) {
    const refuse = (rejection: Rejection): Result<FleetError, never> =>
      err({ code: 'genesis', index, run_id: readId(genesis), rejection });
    const run = readId(genesis);
    if (run === null) return refuse({ code: 'genesis_shape', detail: { path: '/run_id' } });
    const bytes = canonicalize(genesis);
    if (bytes._tag === 'Left')
      return refuse({ code: 'inadmissible', detail: { reason: bytes.left.code, path: bytes.left.path } });
    if ('open' in machine) {
      const opened = openRun(machine, genesis, { sha256: nativeSha256 });
      if (opened._tag === 'Left') return refuse(opened.left);
    }
    const text = orThrow(decodeUtf8(bytes.right));
    if ((texts.get(run) ?? text) !== text) return err({ code: 'exists', run_id: run });
    texts.set(run, text);
  }
  return ok(texts);
}

function readId(genesis: unknown): string | null {
  const run: unknown =
    typeof genesis === 'object' && genesis !== null ? Reflect.get(genesis, 'run_id') : null;
  return typeof run === 'string' && isRunId(run) ? run : null;
}

function checkSubmission(tenant: string, priority: number, at: number | null): void {
  if (!/^[^\p{Cc}]{0,200}$/u.test(tenant)) throw new RangeError('tenant: expected at most 200 characters');
  if (!Number.isInteger(priority) || Math.abs(priority) > 1_000_000)
    throw new RangeError('priority: expected a whole number from -1,000,000 to 1,000,000');
  if (at !== null && !(Number.isSafeInteger(at) && at >= 0))
    throw new RangeError('at: expected microseconds since 1970');
}

function showRun(entry: RunEntry): FleetRun {
  const { run, machine, version, state, held, tenant, priority, holder, segments, outcome, fault } = entry;
  return {
    ...{ run_id: run, machine, version, state, held, tenant, priority, holder },
    since: showTime(entry.changed),
    segments,
    waiting: entry.open.map(({ request, kind, until }) => ({
      request,
      kind,
      until: until === null ? null : showTime(until),
    })),
    outcome,
    head: entry.count === null || entry.hash === null ? null : { count: entry.count, hash: entry.hash },
    fault,
  };
}

function showTime(us: number): string {
  return new Date(us / 1_000).toISOString();
}

async function guard<A>(work: () => Promise<A>): Promise<Result<FleetError, A>> {
  try {
    return ok(await work());
  } catch (error) {
    return err(tableError(error));
  }
}
