/**
 * A fleet in a simulated world: workers that are killed and stopped, an engine that loses, doubles and delays what it
 * is offered, a table whose statements are refused, or whose answers are lost. Everything follows from a seed.
 */
import {
  Later,
  loadRun,
  memoryNotes,
  nativeSha256,
  type Port,
  type Ports,
  type Store,
  type Timer,
} from '@assay/host';
import { faultyStore, Life, NO_FAULTS, SimulatedDisk, World } from '@assay/host/testing';
import { type GenesisInput, type Request } from '@assay/kernel';
import { tally } from '@assay/testing';
import type { Engine, Job, Taking } from '../../src/engine.ts';
import { makeFleet } from '../../src/fleet.ts';
import type { Table } from '../../src/table/table.ts';
import type { AnyMachine, TakenRun, WorkOptions } from '../../src/types.ts';
import { work } from '../../src/worker.ts';
import { memoryTable, type MemoryTable, type Row } from './memory-table.js';

/** What goes wrong, in parts per million of its occasions. */
export type FleetFaults = {
  /** At any event: a worker is killed, and comes again; one is stopped for three leases. */
  readonly kill: number;
  readonly pause: number;
  /** A statement is refused; done, and its answer lost; done twice, as where a connection broke. */
  readonly refused: number;
  readonly unheard: number;
  readonly twice: number;
  /** An offer is lost, brought twice, or late. */
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
};

export const NO_FLEET_FAULTS: FleetFaults = {
  ...{ kill: 0, pause: 0, refused: 0, unheard: 0, twice: 0, lost: 0, doubled: 0, late: 0 },
};
export const FLEET_FAULTS: FleetFaults = {
  ...{ kill: 1_500, pause: 700, refused: 15_000, unheard: 15_000, twice: 30_000 },
  ...{ lost: 60_000, doubled: 60_000, late: 60_000 },
};

/** `breaks`: puts a fault of the fleet's own between a worker and its table: what a law is to notice. */
export type FleetScenario = {
  readonly faults: FleetFaults;
  readonly runs: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly tenant?: (run: number) => string;
  readonly tenantLimit?: number;
  readonly breaks?: (table: Table) => Table;
  /** Time as a worker sees it, its own by default. */
  readonly timer?: (life: Life) => Timer;
  /** What a worker drives, by its number, and of which machine a run is: `tally` by default. */
  readonly machines?: (worker: number) => readonly AnyMachine[];
  readonly machine?: (run: number) => AnyMachine;
  /** Who answers, in place of voters and people. `begin`: to be told of each call. */
  readonly ports?: (life: Life, run: TakenRun, begin: (key: string) => Call) => Ports;
  readonly drive?: WorkOptions['drive'];
  /** Whether people answer, true by default; and when the simulation is over: once all runs are closed. */
  readonly answers?: boolean;
  readonly isOver?: (rows: readonly Row[]) => boolean;
  readonly eventsMax?: number;
};

/** `violations`: in words. `calls`: of each key, when they began and ended, and in which worker. */
export type SimulatedFleet = {
  readonly violations: readonly string[];
  readonly calls: ReadonlyMap<string, readonly Call[]>;
  readonly offers: ReadonlyMap<string, number>;
  readonly texts: ReadonlyMap<string, string>;
  readonly rows: ReadonlyMap<string, Row>;
  /** Jobs that the engine has or has given out at the end. */
  readonly jobs: number;
  readonly strikes: number;
  readonly seconds: number;
  readonly trace: readonly string[];
};

/** A call of a port, in milliseconds. */
export type Call = { readonly run: string; readonly life: string; readonly from: number; until: number };
type Taker = { readonly life: Life; readonly taking: Taking; readonly jobs: Set<Job>; isOver: boolean };

/** The lease of every worker. */
export const SIMULATED_LEASE_MS = 3_000;
const STRIKES_MAX = 12;

/** The genesis of a simulated run. Of every five one waits for a person, of every seven one for a time. */
export function simulatedGenesis(at: number): GenesisInput {
  const policy = { voters: 3, quorum: 2, attempts: 2 };
  return { run_id: `r${at}`, ts_base: 't', policy, input: { question: 'What?', options: ['tea', 'coffee'] } };
}

export async function simulateFleet(seed: number, scenario: FleetScenario): Promise<SimulatedFleet> {
  return new Simulation(seed, scenario).run();
}

class Simulation {
  readonly violations: string[] = [];
  private readonly world: World;
  private readonly disk = new SimulatedDisk();
  private readonly truth: MemoryTable;
  private readonly scenario: FleetScenario;
  private readonly calls = new Map<string, Call[]>();
  private readonly offers = new Map<string, number>();
  private readonly notes = memoryNotes([]);
  private readonly takers = new Set<Taker>();
  private readonly queue: Job[] = [];
  private readonly engineLife: Life;
  /** When the beat that a worker heard last was sent. */
  private readonly beats = new Map<Life, number>();
  private lives: Life[] = [];
  private strikes = 0;
  private ids = 0;

  constructor(seed: number, scenario: FleetScenario) {
    this.world = new World(seed);
    this.scenario = scenario;
    this.truth = memoryTable(() => this.now());
    this.engineLife = new Life(this.world, 'engine');
  }

  async run(): Promise<SimulatedFleet> {
    const { scenario, truth, world } = this;
    const fleet = makeFleet(truth, 10_000);
    for (let at = 0; at < scenario.runs; at += 1)
      await fleet.submit(scenario.machine?.(at) ?? tally, [simulatedGenesis(at)], {
        tenant: scenario.tenant?.(at) ?? '',
      });
    for (let at = 0; at < scenario.workers; at += 1) this.start(at, 1);
    if (scenario.answers !== false) void this.answering(new Life(world, 'person'));
    const areClosed = (rows: readonly Row[]): boolean => rows.every(({ state }) => state === 'closed');
    const isOver = (): boolean => (scenario.isOver ?? areClosed)([...truth.rows.values()]);
    const eventsMax = scenario.eventsMax ?? 60_000;
    let events = 0;
    for (; events < eventsMax && !isOver() && (await world.step()); events += 1) this.strike();
    await this.judge(isOver());
    return {
      violations: this.violations,
      calls: this.calls,
      offers: this.offers,
      texts: new Map([...this.disk.runs.keys()].map((run) => [run, this.disk.text(run)])),
      rows: truth.rows,
      jobs: this.queue.length + [...this.takers].reduce((sum, { jobs }) => sum + jobs.size, 0),
      strikes: this.strikes,
      seconds: world.now / 1_000,
      trace: world.trace,
    };
  }

  private now(): number {
    return 1_000_000_000 + Math.floor(this.world.now * 1_000);
  }

  private start(worker: number, nth: number): void {
    const life = new Life(this.world, `w${worker}.${nth}`);
    this.lives.push(life);
    const { concurrency, tenantLimit, breaks } = this.scenario;
    const faulty = this.faultyTable(life);
    const parts = {
      table: breaks?.(faulty) ?? faulty,
      store: { ...this.storeFor(life), journal: { calls: this.notes } },
      timer: this.scenario.timer?.(life) ?? life.timer,
      engine: this.engineFor(life),
      schema: 's',
      makeId: () => `${life.name}-${(this.ids += 1)}`,
    };
    const working = async (): Promise<void> => {
      for (;;) {
        // The command that runs a worker is started again where the table cannot be reached at once.
        const ended = await work(parts, {
          machines: this.scenario.machines?.(worker) ?? [tally],
          concurrency,
          leaseMs: SIMULATED_LEASE_MS,
          ...(tenantLimit === undefined ? {} : { tenantLimit }),
          drive: this.scenario.drive ?? {},
          ports: (run) => {
            const begin = (key: string): Call => this.begin(life, run.run_id, key);
            return this.scenario.ports?.(life, run, begin) ?? this.portsFor(life, run);
          },
        }).catch(() => null);
        if (ended !== null) this.violations.push(`${life.name} ended: ${JSON.stringify(ended)}`);
        await life.wait('begins again', 300);
      }
    };
    life.onDeath(() => {
      this.lives = this.lives.filter((other) => other !== life);
      this.world.schedule(this.engineLife, `starts w${worker} again`, 500, () => this.start(worker, nth + 1));
    });
    void working();
  }

  private strike(): void {
    const { random } = this.world;
    const { kill, pause } = this.scenario.faults;
    if (this.strikes >= STRIKES_MAX || this.lives.length === 0) return;
    const life = this.lives[random.integer(this.lives.length - 1)];
    if (life === undefined) return;
    if (random.happens(kill)) {
      this.strikes += 1;
      life.kill();
    } else if (random.happens(pause)) {
      this.strikes += 1;
      life.pausedUntil = this.world.now + 3 * SIMULATED_LEASE_MS;
      this.world.note(life, 'stopped');
    }
  }

  /** Answers what waits for a person. */
  private async answering(life: Life): Promise<void> {
    for (;;) {
      await life.wait('answers', 700);
      for (const { run, open, state } of this.truth.rows.values())
        for (const { request, attempt } of state === 'closed' ? [] : open)
          if (!this.world.random.happens(500_000)) {
            const value = JSON.stringify({ option: attempt === 0 && run.endsWith('5') ? 'milk' : 'tea' });
            await this.truth.answer({ run, request, value, by: 'Jo', token: `a${(this.ids += 1)}` });
          }
    }
  }

  private portsFor(life: Life, { run_id, inbox, now }: TakenRun): Ports {
    const number = Number(run_id.slice(1));
    const due = 1_000_000_000 + 20_000_000;
    const answer = (request: Request): Promise<{ readonly value: { readonly option: string } }> =>
      life
        .delay(`answers ${run_id} ${request.id}`, 400)
        .then(() => ({ value: { option: request.id === '1.1' ? 'coffee' : 'tea' } }));
    const voter: Port = {
      source: 'rule',
      proposer: 'voter',
      perform: async (request, { key }) => {
        if (number % 7 === 3 && request.id === '1.2' && now() < due) throw new Later({ until: due });
        const call = this.begin(life, run_id, key);
        const given = await answer(request);
        call.until = this.world.now;
        return given;
      },
    };
    const news: Port = {
      ...{ source: 'synthetic', proposer: 'news' },
      perform: () => Promise.reject(new Later()),
    };
    const asksPerson = (request: Request): boolean => number % 5 === 0 && request.id === '1.1';
    return (request) => (request.kind !== 'ballot' ? news : asksPerson(request) ? inbox : voter);
  }

  /** What must hold when a call begins. */
  private begin(life: Life, run: string, key: string): Call {
    const row = this.truth.rows.get(run);
    if (this.isSilent(life)) this.violations.push(`${life.name} calls ${key}, and was silent for a lease`);
    const isOwn = row?.state === 'driving' && row.holder?.startsWith(`${life.name}-`) === true;
    // Brought twice under one ticket, it learns with its next beat that the run is another's.
    if (!isOwn && this.scenario.faults.doubled === 0)
      this.violations.push(`${life.name} calls ${key}, which is in the hands of ${row?.holder ?? 'nobody'}`);
    const call: Call = { run, life: life.name, from: this.world.now, until: Infinity };
    life.onDeath(() => (call.until = Math.min(call.until, this.world.now)));
    this.calls.set(key, [...(this.calls.get(key) ?? []), call]);
    return call;
  }

  /** Nothing is written by a worker that was silent for a lease. */
  private storeFor(life: Life): Store {
    const store = faultyStore({ life, disk: this.disk, faults: NO_FAULTS, isLocking: false });
    return {
      ...store,
      append: (run, expected, records) => {
        if (this.isSilent(life))
          this.violations.push(`${life.name} writes to ${run}, and was silent for a lease`);
        return store.append(run, expected, records);
      },
    };
  }

  private isSilent(life: Life): boolean {
    return this.world.now - (this.beats.get(life) ?? -Infinity) > SIMULATED_LEASE_MS;
  }

  private faultyTable(life: Life): Table {
    const { truth, world, beats } = this;
    const { refused, unheard, twice } = this.scenario.faults;
    const fail = (code: string): never => {
      throw Object.assign(new Error(code), { code });
    };
    const step = async (name: string, done: () => Promise<unknown>): Promise<unknown> => {
      const sentAt = world.now;
      await life.delay(`asks ${name}`, 10);
      if (world.random.happens(refused)) fail('57014');
      let given = await done();
      const isUnheard = world.random.happens(unheard);
      if (world.random.happens(twice)) {
        await life.delay(`asks ${name} again`, 300);
        given = await done();
      }
      await life.delay(`hears ${name}`, 10);
      if (isUnheard) fail('ECONNRESET');
      if (name === 'beat') beats.set(life, sentAt);
      return given;
    };
    return new Proxy(truth, {
      get: (_, name) => {
        const own: unknown = Reflect.get(truth, name);
        if (typeof own !== 'function') return own;
        return (...given: unknown[]) =>
          step(String(name), () => Reflect.apply(own, truth, given) as Promise<unknown>);
      },
    });
  }

  private engineFor(life: Life): Engine {
    const { engineLife, queue, takers, world, offers } = this;
    const { lost, doubled, late } = this.scenario.faults;
    const put = (job: Job, ms: number): void => {
      world.schedule(engineLife, `has ${job.run_id}`, ms, () => {
        queue.push(job);
        this.give();
      });
    };
    return {
      name: 'simulated',
      offer: async (jobs) => {
        await life.delay('offers', 10);
        for (const job of jobs) {
          offers.set(job.run_id, (offers.get(job.run_id) ?? 0) + 1);
          if (!world.random.happens(lost)) put(job, world.random.happens(late) ? 6_000 : 0);
          if (world.random.happens(doubled)) put(job, world.random.integer(2_000));
        }
        await life.delay('offered', 10);
      },
      take: async (taking) => {
        const taker: Taker = { life, taking, jobs: new Set(), isOver: false };
        takers.add(taker);
        life.onDeath(() => {
          taker.isOver = true;
          world.schedule(engineLife, 'misses a worker', SIMULATED_LEASE_MS, () => this.takeBack(taker));
        });
        this.give();
        return { stop: async () => void (taker.isOver = true) };
      },
      forget: async (ids) => {
        for (const taker of takers) if (ids.includes(taker.taking.worker)) this.takeBack(taker);
      },
      close: async () => undefined,
    };
  }

  /** Brings what a worker held to another one. */
  private takeBack(taker: Taker): void {
    this.queue.push(...taker.jobs);
    taker.jobs.clear();
    if (taker.life.isDead) this.takers.delete(taker);
    this.give();
  }

  private give(): void {
    const isFree = ({ life, jobs, taking, isOver }: Taker): boolean =>
      !isOver && life.pausedUntil <= this.world.now && jobs.size < taking.concurrency;
    for (let job = this.queue.shift(); job !== undefined; job = this.queue.shift()) {
      const free = [...this.takers].filter(isFree);
      const taker = free[this.world.random.integer(Math.max(0, free.length - 1))];
      if (taker === undefined) {
        this.queue.unshift(job);
        return;
      }
      this.bring(taker, job);
    }
  }

  private bring(taker: Taker, job: Job): void {
    const { engineLife, world } = this;
    taker.jobs.add(job);
    const settle = (isDone: boolean): void => {
      if (!taker.jobs.delete(job)) return;
      if (!isDone) world.schedule(engineLife, 'brings again', 200, () => (this.queue.push(job), this.give()));
      this.give();
    };
    world.schedule(taker.life, `is brought ${job.run_id}`, world.random.integer(20), () => {
      taker.taking.handle(job).then(
        () => settle(true),
        () => settle(false),
      );
    });
  }

  private async judge(isOver: boolean): Promise<void> {
    const { disk, truth, violations } = this;
    if (!isOver) {
      const open = [...truth.rows.values()].filter(({ state }) => state !== 'closed');
      violations.push(...open.map(({ run, state, fault }) => `${run} is ${state} ${fault ?? ''}`));
    }
    for (const row of truth.rows.values()) {
      if (row.state !== 'closed') continue;
      const machine: AnyMachine = this.scenario.machine?.(Number(row.run.slice(1))) ?? tally;
      const loaded = await loadRun(machine, row.run, disk.reader(), { sha256: nativeSha256 });
      if (loaded._tag === 'Left') violations.push(`${row.run}: ${JSON.stringify(loaded.left)}`);
      else if (loaded.right.due.length > 0 || loaded.right.run.outcome !== row.end?.outcome)
        violations.push(`${row.run} is not closed in its ledger`);
      else if (loaded.right.head.hash !== row.end.hash) violations.push(`${row.run} has another head`);
    }
  }
}
