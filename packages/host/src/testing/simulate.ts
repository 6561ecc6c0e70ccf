/** Driving a run in a simulated world, and judging everything that was seen. */
import type { GenesisInput, Json, Machine, Request, Status } from '@assay/kernel';
import type { Deadlines } from '../timer.js';
import type { DriveOptions } from '../drive-options.js';
import { drive } from '../drive.js';
import { loadRun } from '../load.js';
import type { Order } from '../drive-options.js';
import { type Store, nativeSha256 } from '../store.js';
import { SimulatedDisk } from './disk.js';
import { type Faults, faultyPorts, type SimulatedPort } from './faulty-port.js';
import { faultyStore } from './faulty-store.js';
import { answersOutOfPlace } from './judge.js';
import { Life, World } from './world.js';

/** What is simulated: a machine and its genesis, who answers, how it is driven, what fails. */
export type Scenario<S, I, E extends Json, A extends Json> = {
  readonly machine: Machine<S, I, E, A>;
  readonly genesis: GenesisInput;
  readonly ports: (request: Request) => SimulatedPort | null;
  readonly faults: Faults;
  /** Processes that drive the run at the same time; each is started again when it is killed. */
  readonly processes: number;
  readonly isLocking: boolean;
  readonly concurrency: number;
  readonly order: Order;
  readonly deadlines: Deadlines;
  /** More options of each drive, by process. */
  readonly options?: (life: Life, disk: SimulatedDisk) => Partial<DriveOptions>;
  /** Puts something between the drive and its store: how a broken host or store is simulated. */
  readonly wrapStore?: (store: Store, life: Life) => Store;
  /** True: the machine may stop asking without an outcome, and the drive then ends with the run open. */
  readonly leavesOpen?: boolean;
  /** Events after which the simulation is called a hang; 50,000 by default. */
  readonly eventsMax?: number;
};

/**
 * What was seen. `violations`: rules that were broken, in words, empty where all hold; `text`: the ledger;
 * `trace`: what happened, in order. `performed`: calls of ports.
 */
export type Simulated = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly text: string;
  readonly status: Status | null;
  readonly trace: readonly string[];
  readonly performed: number;
  readonly crashes: number;
};

/**
 * Drives a run in a world made from a seed until one process closes it and every other has ended. Judges:
 *
 * - when a port is called, the stored ledger has the request open, and as many attempts used as the key says;
 * - a drive never makes the same call twice, and each key has one recorded answer at most, its own;
 * - the ledger only grows, loads strictly with nothing due, and is closed (but see `leavesOpen`);
 * - after its signal is aborted a drive performs nothing and records no answer;
 * - a drive ends with the last event in it;
 * - no process raises, none hangs.
 *
 * The same seed and scenario give the same `Simulated`, trace included.
 */
export async function simulate<S, I, E extends Json, A extends Json>(
  seed: number,
  scenario: Scenario<S, I, E, A>,
): Promise<Simulated> {
  return new Simulation(seed, scenario).run();
}

class Simulation<S, I, E extends Json, A extends Json> {
  private readonly seed: number;
  private readonly scenario: Scenario<S, I, E, A>;
  private readonly world: World;
  private readonly disk: SimulatedDisk = new SimulatedDisk();
  private readonly violations: string[] = [];
  private readonly putOff: Set<string> = new Set();
  private performed: number = 0;
  private crashes: number = 0;
  private strikes: number = 0;

  constructor(seed: number, scenario: Scenario<S, I, E, A>) {
    this.seed = seed;
    this.scenario = scenario;
    this.world = new World(seed);
  }

  async run(): Promise<Simulated> {
    const { scenario, world } = this;
    const processes = Array.from({ length: scenario.processes }, (_, index) => new Process(`p${index + 1}`));
    for (const process of processes) this.start(process);
    const eventsMax = scenario.eventsMax ?? 50_000;
    let events = 0;
    for (; events < eventsMax && (await world.step()) && processes.some(({ isDone }) => !isDone); events += 1)
      this.strike(processes);
    if (processes.some(({ isDone }) => !isDone))
      this.violations.push(`the run did not end in ${events} events`);
    const status = await this.judge();
    return {
      seed: this.seed,
      violations: this.violations,
      text: this.disk.text(scenario.genesis.run_id),
      status,
      trace: world.trace,
      performed: this.performed,
      crashes: this.crashes,
    };
  }

  /** Kills or interrupts a process, now and then. */
  private strike(processes: readonly Process[]): void {
    const { faults } = this.scenario;
    const { random } = this.world;
    for (const process of processes) {
      if (process.isDone || process.life === null || this.strikes >= STRIKES_MAX) continue;
      if (random.happens(faults.crash)) {
        this.crashes += 1;
        this.strikes += 1;
        process.life.kill();
        this.start(process);
      } else if (random.happens(faults.interrupt)) {
        this.strikes += 1;
        this.world.note(process.life, 'signalled');
        process.controller.abort();
      }
    }
  }

  private start(process: Process): void {
    process.lives += 1;
    const life = new Life(this.world, `${process.name}.${process.lives}`);
    process.life = life;
    const lived = this.live(process, life).catch((error: unknown) =>
      this.violations.push(`${life.name} raised ${String(error)}`),
    );
    void lived.finally(() => {
      process.isDone = true;
    });
  }

  /**
   * Drives until the run is closed: whoever loses an append, finds the run held or the store gone, tries
   * again later.
   */
  private async live(process: Process, life: Life): Promise<void> {
    const { scenario, disk } = this;
    const { faults, isLocking, machine, genesis, concurrency, order, deadlines } = scenario;
    const called = new Set<string>();
    for (;;) {
      await life.delay('drives', faults.storeMsMax);
      process.controller = new AbortController();
      const store = faultyStore({ life, disk, faults, isLocking });
      const { signal } = process.controller;
      const ports = faultyPorts(life, scenario.ports, this.seed, faults, this.putOff, (request, key) => {
        if (signal.aborted) this.violations.push(`${life.name} performs ${key} after its signal was aborted`);
        this.witness(life, called, request, key);
      });
      const heard = this.heeding(scenario.wrapStore?.(store, life) ?? store, life, signal);
      const options: DriveOptions = {
        store: heard,
        ports,
        signal,
        concurrency,
        order,
        deadlines,
        timer: life.timer,
        ...scenario.options?.(life, disk),
      };
      const driven = await drive(machine, genesis, options);
      await store.close();
      // A drive that is over may be followed by one that makes its unrecorded calls again.
      called.clear();
      if (driven._tag === 'Right') {
        const idleMs = this.world.now - life.activeAt;
        // A killed process may still be signalled, long after.
        if (idleMs > 0 && driven.right.end !== 'interrupted')
          this.violations.push(
            `${life.name} ended (${driven.right.end}) after ${idleMs} ms in which it waited for nothing`,
          );
        this.world.note(life, driven.right.end);
        if (driven.right.end === 'waiting') await life.delay('comes back', STAND_BY_MS);
        else if (driven.right.end !== 'interrupted') return;
      } else {
        const { left } = driven;
        this.world.note(life, left.code === 'store' ? left.error.code : left.code);
        if (left.code !== 'store' || !['stale_head', 'locked', 'unavailable'].includes(left.error.code))
          throw new Error(JSON.stringify(left));
        await life.delay('stands by', STAND_BY_MS);
      }
    }
  }

  /**
   * A store that witnesses what is recorded after the signal. A group that was cut, or a first one, is no
   * answer: it stands already.
   */
  private heeding(store: Store, life: Life, signal: AbortSignal): Store {
    const append: Store['append'] = (runId, expected, records) => {
      if (signal.aborted && records[0]?.kind === 'proposal')
        this.violations.push(`${life.name} records an answer after its signal was aborted`);
      return store.append(runId, expected, records);
    };
    return { ...store, append };
  }

  /** What must hold at the moment a port is called. */
  private witness(life: Life, called: Set<string>, { id }: Request, key: string): void {
    this.performed += 1;
    this.world.note(life, `performs ${id}`);
    const stored = this.disk.runs.get(this.scenario.genesis.run_id);
    const used = stored?.open.get(id);
    const [genesis, , attempt] = key.split('/');
    // Another process may have got further, or a group that was given up been stored; this one then loses its
    // next append.
    const isBehind =
      (this.scenario.processes > 1 || this.disk.landed > 0) && (used ?? Infinity) > Number(attempt);
    if (stored?.asked.has(id) !== true)
      this.violations.push(`${life.name} performs ${id}, which no durable record asks for`);
    else if (used !== Number(attempt) && !isBehind)
      this.violations.push(`${life.name} performs ${key}, durable are ${used ?? 'its end'}`);
    if (genesis !== stored?.records[0]?.record_hash)
      this.violations.push(`${life.name} performs ${key} of another run`);
    if (called.has(key)) this.violations.push(`${life.name} makes the call ${key} twice`);
    called.add(key);
  }

  /** What must hold at the end. */
  private async judge(): Promise<Status | null> {
    const { disk, scenario } = this;
    const runId = scenario.genesis.run_id;
    const loaded = await loadRun(scenario.machine, runId, disk.reader(), { sha256: nativeSha256 });
    if (loaded._tag === 'Left') {
      this.violations.push(`the ledger does not load: ${JSON.stringify(loaded.left)}`);
      return null;
    }
    const { due, outcome } = loaded.right;
    if (due.length > 0) this.violations.push(`${due.length} records are due`);
    const stored = disk.runs.get(runId);
    if (stored !== undefined)
      this.violations.push(...answersOutOfPlace(stored, scenario.ports, this.seed, scenario.faults));
    if (outcome === null && scenario.leavesOpen !== true && this.violations.length === 0)
      this.violations.push('the run is still open');
    return outcome;
  }
}

/** A process that is started again whenever it is killed. */
class Process {
  readonly name: string;
  lives: number = 0;
  life: Life | null = null;
  isDone: boolean = false;
  controller: AbortController = new AbortController();

  constructor(name: string) {
    this.name = name;
  }
}

const STAND_BY_MS = 500;
/** Kills and interruptions of one simulation: a day that is bad for ever shows nothing more. */
const STRIKES_MAX = 12;
