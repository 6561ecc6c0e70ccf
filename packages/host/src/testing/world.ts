/** A world with its own time, in which a seed decides the order of everything that is waited for. */
import { Heap } from '../queue.js';
import type { Timer } from '../timer.js';

type Event = {
  at: number;
  readonly tie: number;
  readonly label: string;
  readonly life: Life;
  readonly fire: () => void;
  isCancelled: boolean;
};

/**
 * Virtual time and what happens in it. Every wait of a simulated process is an event with a time drawn from
 * the seed; {@link step} lets the next one happen and then whatever follows from it at once. The same seed
 * and the same processes give the same events in the same order.
 */
export class World {
  readonly random: Random;
  /** What happened, in order: `<ms> <process> <what>`. */
  readonly trace: string[] = [];
  private readonly events: Heap<Event> = new Heap(
    (one, other) => one.at < other.at || (one.at === other.at && one.tie < other.tie),
  );
  private time: number = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** Milliseconds since the world began. */
  get now(): number {
    return this.time;
  }

  /** Lets the next event of a living process happen; false where none is left. */
  async step(): Promise<boolean> {
    await quiet();
    for (let event = this.events.pop(); event !== undefined; event = this.events.pop()) {
      if (event.isCancelled || event.life.isDead) continue;
      if (event.life.pausedUntil > Math.max(this.time, event.at)) {
        event.at = event.life.pausedUntil;
        this.events.push(event);
        continue;
      }
      this.time = Math.max(this.time, event.at);
      this.note(event.life, event.label);
      event.fire();
      await quiet();
      return true;
    }
    return false;
  }

  /** Writes into the trace. */
  note(life: Life, label: string): void {
    this.trace.push(`${this.time} ${life.name} ${label}`);
    if (label !== WAKES) life.activeAt = this.time;
  }

  /** Lets something happen in so many milliseconds. Gives what takes it back. */
  schedule(life: Life, label: string, ms: number, fire: () => void): () => void {
    const event: Event = {
      at: this.time + ms,
      tie: this.random.next(),
      label,
      life,
      fire,
      isCancelled: false,
    };
    this.events.push(event);
    return () => {
      event.isCancelled = true;
    };
  }
}

/**
 * One life of a process: from its start until it ends or is killed. What it waits for when it is killed never
 * comes.
 */
export class Life {
  readonly world: World;
  readonly name: string;
  /** Time as this process sees it. */
  readonly timer: Timer;
  /** When something last happened in it, the end of a wait on its timer apart. */
  activeAt: number = 0;
  /** Until then it is stopped, as by a signal: what would happen in it happens after, in any order. */
  pausedUntil: number = 0;
  private dead: boolean = false;
  private readonly atDeath: (() => void)[] = [];

  constructor(world: World, name: string) {
    this.world = world;
    this.name = name;
    this.timer = { now: () => world.now, sleep: (ms, signal) => this.sleep(ms, signal) };
  }

  get isDead(): boolean {
    return this.dead;
  }

  /** Waits for a time drawn from the seed, up to `msMax`. */
  delay(label: string, msMax: number): Promise<void> {
    return this.wait(label, this.world.random.integer(msMax));
  }

  /** Waits so long. */
  wait(label: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.world.schedule(this, label, ms, resolve);
    });
  }

  /** Has something happen when this process is killed; gives what takes it back. */
  onDeath(action: () => void): () => void {
    this.atDeath.push(action);
    return () => {
      const at = this.atDeath.indexOf(action);
      if (at !== -1) this.atDeath.splice(at, 1);
    };
  }

  /** Kills the process: as `kill -9`, nothing of it runs any more. */
  kill(): void {
    this.world.note(this, 'killed');
    this.dead = true;
    for (const action of this.atDeath.splice(0)) action();
  }

  private sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const cancel = this.world.schedule(this, WAKES, Math.max(0, ms), finish);
      signal.addEventListener('abort', finish, { once: true });
      function finish(): void {
        cancel();
        signal.removeEventListener('abort', finish);
        resolve();
      }
    });
  }
}

/** In the trace: a wait on the timer is over. */
const WAKES = 'wakes';

/** Until nothing more follows by itself: every promise that can settle has settled. */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A stream of numbers that a seed determines (mulberry32). For tests: not for secrets. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number in [0, 1), in steps of 2^-32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `max`, both included. */
  integer(max: number): number {
    return Math.floor(this.next() * (max + 1));
  }

  /** True in `ppm` of a million cases. */
  happens(ppm: number): boolean {
    return this.next() * 1_000_000 < ppm;
  }
}
