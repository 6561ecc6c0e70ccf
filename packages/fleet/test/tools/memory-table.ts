/** The state of a fleet in memory, with a server clock of its own: every step at once, as a server's transactions. */
import {
  DEATHS_MAX,
  FEEDER_LEASE_MS,
  type Given,
  type Hold,
  type Offer,
  type OpenEntry,
  RUN_STATES,
  type RunState,
  type Submission,
  type Table,
  WINDOW,
  type WorkerEntry,
} from '../../src/table/table.ts';

export type Row = {
  readonly run: string;
  readonly seq: number;
  readonly given: Submission;
  readonly genesis: string;
  state: RunState;
  isHeld: boolean;
  ticket: string;
  segments: number;
  answers: number;
  deaths: number;
  answered: string | null;
  wakeAt: number | null;
  offeredAt: number | null;
  holder: string | null;
  heldUntil: number;
  end: { readonly outcome: string; readonly count: number; readonly hash: string } | null;
  fault: string | null;
  changed: number;
  open: readonly OpenEntry[];
  readonly inbox: Map<string, Given & { readonly token: string }>;
};

/** Its rows besides, for who judges them. */
export type MemoryTable = Table & { readonly rows: ReadonlyMap<string, Row> };

/** `now`: microseconds since 1970, by the server. */
export function memoryTable(now: () => number): MemoryTable {
  const rows = new Map<string, Row>();
  const workers = new Map<string, WorkerEntry & { readonly at: number }>();
  let feeder = { id: '', until: 0 };
  const all = (test: (row: Row) => boolean): Row[] => [...rows.values()].filter(test);
  const name = ({ given }: Row): string => `${given.machine}@${given.version}`;
  const isFeedable = ({ state, offeredAt, wakeAt, isHeld }: Row): boolean =>
    state === 'queued' && offeredAt === null && wakeAt === null && !isHeld;
  const isUnderWay = ({ state, offeredAt }: Row): boolean =>
    state === 'driving' || (state === 'queued' && offeredAt !== null);
  const isAlive = ({ at, leaseMs }: { readonly at: number; readonly leaseMs: number }): boolean =>
    at + leaseMs * 1_000 >= now();
  const owned = ({ run, ticket, worker }: Hold): Row | null => {
    const row = rows.get(run);
    const isOwn = row?.state === 'driving' && row.ticket === ticket && row.holder === worker;
    return isOwn ? row : null;
  };
  const leave = (row: Row, state: RunState): void => {
    Object.assign(row, { state, holder: null, heldUntil: 0, offeredAt: null, changed: now() });
  };
  const bury = (row: Row): boolean => {
    row.deaths += 1;
    if (row.deaths < DEATHS_MAX) return false;
    leave(row, 'failed');
    row.fault = 'poison';
    return true;
  };

  return {
    rows,
    make: async () => undefined,
    submit: async (given) => {
      const { runs, geneses, token } = given;
      const queued = all(({ state }) => state === 'queued').length;
      const isSame = (row: Row, genesis: string | undefined): boolean =>
        row.genesis === genesis && row.given.machine === given.machine && row.given.version === given.version;
      const other = runs.find((run, at) => {
        const row = rows.get(run);
        return row !== undefined && !isSame(row, geneses[at]);
      });
      const added = runs.filter((run) => !rows.has(run));
      const again = runs.filter((run) => rows.get(run)?.given.token === token).length;
      const isTaken = other === undefined && queued + added.length <= given.maxQueued;
      const known = runs.length - added.length - again;
      if (isTaken)
        for (const [at, run] of runs.entries())
          if (!rows.has(run))
            rows.set(run, {
              ...{ run, seq: rows.size, given, genesis: geneses[at] ?? '', state: 'queued', isHeld: false },
              ...{
                ticket: token,
                segments: 0,
                answers: 0,
                answered: null,
                deaths: 0,
                wakeAt: given.at,
                offeredAt: null,
              },
              ...{ holder: null, heldUntil: 0, end: null, fault: null, changed: now(), open: [] },
              inbox: new Map(),
            });
      return { submitted: isTaken ? added.length + again : again, known, other: other ?? null, queued };
    },

    feed: async (id, tenantLimit) => {
      if (feeder.id !== id && feeder.until >= now()) return null;
      feeder = { id, until: now() + FEEDER_LEASE_MS * 1_000 };
      const offers: Offer[] = [];
      const load = (test: (row: Row) => boolean): number => all((row) => isUnderWay(row) && test(row)).length;
      const alive = [...workers.values()].filter(isAlive);
      for (const queue of new Set(alive.flatMap(({ serves }) => serves))) {
        const slots = alive.filter(({ serves }) => serves.includes(queue));
        const size = WINDOW * slots.reduce((sum, { concurrency }) => sum + concurrency, 0);
        const chosen: Row[] = [];
        const share = (row: Row): number =>
          load((other) => name(other) === queue && other.given.tenant === row.given.tenant) +
          chosen.filter((other) => other.given.tenant === row.given.tenant).length;
        const isFull = ({ given: { tenant } }: Row): boolean =>
          tenantLimit !== null &&
          load((other) => other.given.tenant === tenant) +
            chosen.filter((other) => other.given.tenant === tenant).length >=
            tenantLimit;
        const room = size - load((row) => name(row) === queue && row.state === 'queued');
        while (chosen.length < room) {
          const [next] = all(
            (row) => isFeedable(row) && name(row) === queue && !chosen.includes(row) && !isFull(row),
          ).sort(
            (one, two) =>
              two.given.priority - one.given.priority || share(one) - share(two) || one.seq - two.seq,
          );
          if (next === undefined) break;
          chosen.push(next);
        }
        for (const { run, given, segments } of chosen)
          offers.push({ run, machine: given.machine, version: given.version, segments });
      }
      return offers;
    },
    markOffered: async (offers) => {
      for (const { run, segments } of offers) {
        const row = rows.get(run);
        if (row !== undefined && row.segments === segments && isFeedable(row)) row.offeredAt = now();
      }
    },

    claim: async ({ run, ticket, worker }, leaseMs, tenantLimit) => {
      const row = rows.get(run);
      if (row === undefined || row.isHeld || (row.wakeAt ?? 0) > now()) return null;
      const { tenant, machine, version } = row.given;
      if (row.state === 'queued' && tenantLimit !== null) {
        const driven = all((other) => other.state === 'driving' && other.given.tenant === tenant);
        if (driven.length >= tenantLimit) {
          Object.assign(row, { offeredAt: null, wakeAt: now() + 200_000 });
          return null;
        }
      }
      if (row.state === 'driving') {
        if (row.ticket !== ticket && row.heldUntil >= now()) return null;
        if (row.holder !== worker && bury(row)) return null;
      } else if (row.state !== 'queued') return null;
      if (row.holder !== worker || row.ticket !== ticket) row.segments += 1;
      const heldUntil = now() + leaseMs * 1_000;
      const taken = { state: 'driving', ticket, holder: worker, heldUntil, wakeAt: null, offeredAt: null };
      Object.assign(row, taken, { changed: now() });
      const { genesis, answers, segments } = row;
      return { genesis, machine, version, tenant, answers, segments };
    },
    park: async (hold, answers, open, wakeAt) => {
      const row = owned(hold);
      if (row === null) return null;
      Object.assign(row, { deaths: 0, open });
      if (row.answers !== answers) return { state: 'driving', answers: row.answers };
      leave(row, 'waiting');
      row.wakeAt = wakeAt;
      return { state: 'waiting', answers };
    },
    release: async (hold, delayMs) => {
      const row = owned(hold);
      if (row === null) return false;
      leave(row, 'queued');
      Object.assign(row, { deaths: 0, wakeAt: delayMs > 0 ? now() + delayMs * 1_000 : null });
      return true;
    },
    close: async (run, end) => {
      const row = rows.get(run);
      if (row === undefined || row.state === 'closed') return;
      leave(row, 'closed');
      Object.assign(row, { end, fault: null, wakeAt: null, open: [] });
      row.inbox.clear();
    },
    fail: async (hold, fault) => {
      const row = owned(hold);
      if (row === null) return false;
      leave(row, 'failed');
      row.fault = fault;
      return true;
    },

    beat: async (worker, holds) => {
      workers.set(worker.id, { ...worker, at: now() });
      const mine = holds.flatMap((hold) => owned(hold) ?? []);
      for (const row of mine) row.heldUntil = now() + worker.leaseMs * 1_000;
      const held = mine.filter(({ isHeld }) => isHeld);
      return { own: mine.map(({ run }) => run), held: held.map(({ run }) => run), now: now() };
    },
    sweep: async (serves, idleMs) => {
      const served = new Set([...workers.values()].filter(isAlive).flatMap((worker) => worker.serves));
      for (const row of rows.values()) {
        const { state, wakeAt, heldUntil, offeredAt } = row;
        if ((state === 'waiting' || state === 'queued') && wakeAt !== null && wakeAt <= now())
          Object.assign(row, { state: 'queued', wakeAt: null, offeredAt: null });
        else if (state === 'driving' && heldUntil < now()) {
          if (bury(row)) continue;
          leave(row, 'queued');
          const share = (0.618 * [...rows.values()].indexOf(row)) % 1;
          if (row.deaths > 1) row.wakeAt = now() + Math.floor(share * 2_000_000 * 2 ** (row.deaths - 1));
        } else if (state === 'queued' && offeredAt !== null) {
          const isOld = idleMs !== null && offeredAt < now() - idleMs * 1_000;
          if (!served.has(name(row)) || (isOld && serves.includes(name(row)))) row.offeredAt = null;
        }
      }
    },
    listDead: async () => [...workers.values()].filter((worker) => !isAlive(worker)).map(({ id }) => id),
    removeWorkers: async (ids) => {
      for (const id of ids) workers.delete(id);
    },
    listUnserved: async () => {
      const served = new Set([...workers.values()].filter(isAlive).flatMap(({ serves }) => serves));
      return [...new Set(all(isFeedable).map(name))].filter((queue) => !served.has(queue)).sort();
    },

    answer: async ({ run, request, value, by, token }) => {
      const row = rows.get(run);
      if (row === undefined) return 'unknown_run';
      if (row.answered === token) return null;
      const asked = row.open.find((entry) => entry.request === request);
      if (asked === undefined) return 'closed_request';
      if (!asked.accepts.includes('human')) return 'source';
      const key = `${request}/${asked.attempt}`;
      const before = row.inbox.get(key);
      if (before !== undefined) return 'answered';
      row.inbox.set(key, { value, by, token, at: now() });
      row.answers += 1;
      row.answered = token;
      if (row.state === 'waiting') {
        leave(row, 'queued');
        row.wakeAt = null;
      }
      return null;
    },
    findAnswer: async (run, request, attempt) => rows.get(run)?.inbox.get(`${request}/${attempt}`) ?? null,
    hold: async (run) => {
      const row = rows.get(run);
      if (row === undefined) return null;
      if (row.state !== 'closed' && row.state !== 'failed')
        Object.assign(row, { isHeld: true, offeredAt: null });
      return row.state;
    },
    retry: async (run) => {
      const row = rows.get(run);
      if (row === undefined) return null;
      const { state, isHeld: held } = row;
      if (state === 'failed') leave(row, 'queued');
      if (held || state === 'failed')
        Object.assign(row, { isHeld: false, deaths: 0, fault: null, offeredAt: null });
      return { state, held };
    },

    list: async ({ state, tenant, run, after, limit }) =>
      all((row) => state === null || row.state === state)
        .filter((row) => tenant === null || row.given.tenant === tenant)
        .filter((row) => row.run > after && (run === null || row.run === run))
        .sort((one, two) => (one.run < two.run ? -1 : 1))
        .slice(0, limit)
        .map(({ given: { machine, version, priority, ...given }, ...row }) => ({
          ...{ run: row.run, machine, version, state: row.state, held: row.isHeld, tenant: given.tenant },
          ...{ priority, holder: row.holder, changed: row.changed, segments: row.segments, fault: row.fault },
          outcome: row.end?.outcome ?? null,
          count: row.end?.count ?? null,
          hash: row.end?.hash ?? null,
          open:
            row.state === 'failed'
              ? []
              : row.open.map(({ request, kind, until }) => ({ request, kind, until })),
        })),
    countStates: async (tenant) => {
      const count = (state: RunState): number =>
        all((row) => row.state === state && (tenant === null || row.given.tenant === tenant)).length;
      const counts = RUN_STATES.map((state) => [state, count(state)] as const);
      return Object.fromEntries(counts) as { readonly [state in RunState]: number };
    },
    listWorkers: async () => [...workers.values()].filter(isAlive),
  };
}
