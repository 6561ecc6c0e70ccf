/** A worker: takes what the engine brings, keeps its leases, feeds the engine and sweeps what was left lying. */
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Timer } from '@assay/host';
import { err, ok, type Result } from '@assay/kernel';
import type { Engine, Job } from './engine.js';
import { readErrno } from './failure.js';
import { driveSegment, type Driving, type Ended, type Taken } from './segment.js';
import type { WorkerEntry } from './table/table.js';
import type { AnyMachine, FleetError, FleetEvent, WorkEnd, WorkOptions } from './types.js';

/** What a worker is made of. `schema`: begins the names of its queues. */
export type WorkerParts = Pick<Driving, 'table' | 'store' | 'timer'> & {
  readonly engine: Engine;
  readonly schema: string;
  readonly makeId?: () => string;
};

const LEASE_MS = { default: 5_000, least: 1_000 };
/** Pauses between two looks: of a feeder that found something, that found nothing, of one that stands by. */
const FEED_MS = { busy: 100, idle: 200, standBy: 500 };
const SWEEP_MS = 1_000;
/** After so long what could not be reached is tried again. */
const AWAY_MS = 1_000;
const UNSERVED_MS = 10_000;
/** So long what is driven may take to be given back when the work ends. */
const STOP_MS = 3_500;

/** Works until the signal, see `Fleet.work`. */
export async function work(parts: WorkerParts, options: WorkOptions): Promise<Result<FleetError, WorkEnd>> {
  return new Worker(parts, options).work();
}

class Worker {
  private readonly entry: WorkerEntry;
  private readonly machines: ReadonlyMap<string, AnyMachine>;
  private readonly parts: WorkerParts;
  private readonly options: WorkOptions;
  private readonly timer: Timer;
  private readonly makeId: () => string;
  private readonly stopping = new AbortController();
  private readonly runs = new Map<string, Taken>();
  private readonly handling = new Set<Promise<void>>();
  /** When the last beat that was heard was sent. */
  private beatAt = -Infinity;
  /** A reading of the server's clock, and when it came. */
  private clock = { us: 0, at: 0 };
  /** Until when this worker was brought something, or had no slot free. */
  private busyUntil = 0;
  /** Segments that had ended when the engine was last fed. */
  private fedAt = 0;
  private unserved: readonly string[] = [];
  private unservedAt = -Infinity;
  private readonly ended = { segments: 0, closed: 0, waiting: 0, failed: 0, released: 0, lost: 0 };

  constructor(parts: WorkerParts, options: WorkOptions) {
    const { concurrency = 8, leaseMs = LEASE_MS.default, tenantLimit, machines } = options;
    checkCount('concurrency', concurrency, 1);
    checkCount('leaseMs', leaseMs, LEASE_MS.least);
    if (tenantLimit !== undefined) checkCount('tenantLimit', tenantLimit, 1);
    if (machines.length === 0) throw new RangeError('machines: expected one at least');
    for (const { name, version } of machines) checkCount(`version of ${name}`, version, 1);
    this.parts = parts;
    this.options = options;
    this.timer = parts.timer;
    this.makeId = parts.makeId ?? randomUUID;
    this.machines = new Map(machines.map((machine) => [`${machine.name}@${machine.version}`, machine]));
    this.entry = {
      id: this.makeId(),
      host: hostname().slice(0, 255),
      pid: process.pid,
      serves: [...this.machines.keys()],
      concurrency,
      engine: parts.engine.name,
      leaseMs,
    };
  }

  async work(): Promise<Result<FleetError, WorkEnd>> {
    const { engine, schema, table } = this.parts;
    const { concurrency, id, leaseMs } = this.entry;
    const { signal } = this.options;
    const stop = (): void => this.stopping.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    this.busyUntil = this.timer.now();
    await this.beat();
    let taking: Awaited<ReturnType<Engine['take']>>;
    try {
      taking = await engine.take({
        queues: [...this.machines.keys()].map((name) => nameQueue(schema, name)),
        concurrency,
        worker: id,
        leaseMs,
        handle: (job) => this.handle(job),
        onError: (error) => this.tell({ type: 'error', from: 'engine', error }),
      });
    } catch (error) {
      await table.removeWorkers([id]).catch(() => undefined);
      return err({ code: 'engine', errno: readErrno(error) });
    }
    const loops = [
      this.loop(async () => (await this.beat(), leaseMs / 3)),
      this.loop(async () => (this.checkFence(), leaseMs / 12)),
      this.loop(() => this.feed()),
      this.loop(async () => (await this.sweep(), Math.min(SWEEP_MS, leaseMs / 10))),
    ];
    await new Promise<void>((resolve) => {
      if (this.stopping.signal.aborted) resolve();
      this.stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const over = new AbortController();
    const end = async (): Promise<void> => {
      await taking.stop().catch((error: unknown) => this.tell({ type: 'error', from: 'engine', error }));
      for (const { controller } of this.runs.values()) controller.abort();
      await Promise.allSettled([...this.handling, ...loops]);
      await this.lookUnserved().catch(() => undefined);
      await table.removeWorkers([id]).catch(() => undefined);
    };
    await Promise.race([end(), this.timer.sleep(STOP_MS, over.signal)]);
    over.abort();
    signal?.removeEventListener('abort', stop);
    const { segments, closed, waiting, failed } = this.ended;
    return ok({ segments, closed, waiting, failed, unserved: this.unserved });
  }

  /** Drives one segment of the run of a job. Rejects where the job is to come again. */
  private handle(job: Job): Promise<void> {
    const handled = this.take(job);
    this.handling.add(handled);
    const over = (): void => void this.handling.delete(handled);
    handled.then(over, over);
    return handled;
  }

  private async take({ run_id: run, ticket }: Job): Promise<void> {
    if (this.stopping.signal.aborted || this.checkFence()) throw new Error('this worker takes no run now');
    // Brought again while it is driven here: this segment sees to it.
    if (this.runs.has(run)) return;
    this.busyUntil = this.timer.now();
    const hold = { run, ticket, worker: this.entry.id };
    const taken: Taken = { hold, controller: new AbortController(), isClaimed: false, hook: null };
    this.runs.set(run, taken);
    try {
      const { tenantLimit = null } = this.options;
      const sentAt = this.timer.now();
      const claimed = await this.parts.table.claim(hold, this.entry.leaseMs, tenantLimit);
      if (claimed === null) return;
      taken.isClaimed = true;
      // The lease began when the server heard of it: an answer that was long on its way is of no use.
      const isLate = this.timer.now() - sentAt > (this.entry.leaseMs * 2) / 3;
      if (isLate || this.stopping.signal.aborted) taken.controller.abort();
      const machine = this.machines.get(`${claimed.machine}@${claimed.version}`);
      if (machine === undefined) await this.parts.table.release(hold, AWAY_MS);
      else this.count(run, await driveSegment(this.driving, taken, machine, claimed));
    } finally {
      this.runs.delete(run);
      if (this.runs.size + 1 >= this.entry.concurrency) this.busyUntil = this.timer.now();
    }
  }

  private get driving(): Driving {
    const { store, table, timer } = this.parts;
    return {
      table,
      store,
      timer,
      options: this.options,
      now: () => this.clock.us + Math.floor((timer.now() - this.clock.at) * 1_000),
      checkFence: () => this.checkFence(),
      settle: (step) => this.settle(step),
    };
  }

  private count(run_id: string, { end, fault, error }: Ended): void {
    this.ended.segments += 1;
    this.ended[end] += 1;
    this.tell({ type: 'segment', run_id, end, fault, error });
  }

  /** What the table has to take before a run is left: until it can be reached, there is nothing else to do. */
  private async settle<A>(step: () => Promise<A>): Promise<A> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (this.stopping.signal.aborted) throw error;
        this.tell({ type: 'error', from: 'store', error });
        await this.timer.sleep(AWAY_MS, this.stopping.signal);
      }
    }
  }

  private async loop(step: () => Promise<number>): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const pause = await step().catch((error: unknown) => {
        this.tell({ type: 'error', from: 'store', error });
        return AWAY_MS / 4;
      });
      await this.timer.sleep(pause, signal);
    }
  }

  /** Says that this worker is alive, and learns which runs are no longer its own, or to be given back. */
  private async beat(): Promise<void> {
    const sentAt = this.timer.now();
    const taken = [...this.runs.values()].filter(({ isClaimed }) => isClaimed);
    const { own, held, now } = await this.parts.table.beat(
      this.entry,
      taken.map(({ hold }) => hold),
    );
    this.beatAt = sentAt;
    this.clock = { us: now, at: this.timer.now() };
    for (const { hold, controller } of taken)
      if (!own.includes(hold.run) || held.includes(hold.run)) controller.abort();
  }

  /** By its own clock this worker was not heard for so long that others may soon take its runs. */
  private isFenced(): boolean {
    return this.timer.now() - this.beatAt > (this.entry.leaseMs * 2) / 3;
  }

  private checkFence(): boolean {
    const isFenced = this.isFenced();
    if (isFenced) for (const { controller } of this.runs.values()) controller.abort();
    return isFenced;
  }

  /** Offers first and notes it after: who dies in between has offered twice, and lost nothing. */
  private async feed(): Promise<number> {
    const { engine, schema, table } = this.parts;
    const offers = await table.feed(this.entry.id, this.options.tenantLimit ?? null);
    if (offers === null) return FEED_MS.standBy;
    const isBusy = this.ended.segments > this.fedAt;
    this.fedAt = this.ended.segments;
    if (offers.length === 0) return isBusy ? FEED_MS.busy : FEED_MS.idle;
    try {
      await engine.offer(
        offers.map(({ run, machine, version }) => ({
          run_id: run,
          ticket: this.makeId(),
          queue: nameQueue(schema, `${machine}@${version}`),
        })),
      );
    } catch (error) {
      this.tell({ type: 'error', from: 'engine', error });
      return AWAY_MS;
    }
    await table.markOffered(offers);
    return FEED_MS.busy;
  }

  private async sweep(): Promise<void> {
    const { engine, table } = this.parts;
    const { leaseMs, serves } = this.entry;
    const isFree = this.runs.size < this.entry.concurrency;
    const isIdle = isFree && this.timer.now() - this.busyUntil > leaseMs;
    await table.sweep(serves, isIdle ? leaseMs : null);
    const dead = await table.listDead();
    if (dead.length > 0) {
      try {
        await engine.forget(dead);
        await table.removeWorkers(dead);
      } catch (error) {
        this.tell({ type: 'error', from: 'engine', error });
      }
    }
    if (this.timer.now() - this.unservedAt >= UNSERVED_MS) await this.lookUnserved();
  }

  private async lookUnserved(): Promise<void> {
    this.unservedAt = this.timer.now();
    const machines = await this.parts.table.listUnserved();
    if (machines.length > 0 && machines.join() !== this.unserved.join())
      this.tell({ type: 'unserved', machines });
    this.unserved = machines;
  }

  private tell(event: FleetEvent): void {
    this.options.onEvent?.(event);
  }
}

/** A queue for each machine and version of a fleet. */
function nameQueue(schema: string, machine: string): string {
  return `${schema}.${machine}`;
}

function checkCount(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new RangeError(`${name}: expected a whole number from ${least}, got ${String(value)}`);
}
