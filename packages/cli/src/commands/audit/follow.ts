/** The runs of a store, as they end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreReadError, type Store, type StoreError } from '@assay/host';
import { storeProblem, type NamedStore } from '../../files/store.js';
import { EXIT, Stop, type Problem, badValue } from '../../problems/problem.js';

/**
 * What to do meanwhile. `onStart`: after the first look, with how many runs are over already; those are not
 * handed out. `onLost`: the store does not answer for now. `signal` ends it, between two runs.
 */
export type Following = {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly onStart: (over: number) => void;
  readonly onEnded: (id: string) => Promise<void>;
  readonly onInterval: () => void;
  readonly onLost: (problem: Problem) => void;
};

/** Between two looks at a store that tells nobody when a run has grown. */
const LOOK_MS = 500;
/** A look that takes longer is followed by a rest of four times as long: a store may hold many open runs. */
const LONG_MS = 100;

/**
 * Hands out each run that ends from now on, once. Looks when the store wakes it, and where it does not, or does
 * not answer, twice a second. Raises what is wrong with the store at the first look.
 */
export async function follow(store: NamedStore, place: string, following: Following): Promise<void> {
  const { everyMs, signal, onStart, onEnded, onInterval, onLost } = following;
  const looks = new Looks(store, place);
  onStart((await looks.newlyEnded()).length);
  const bell = new Bell(signal);
  const watch = store.watch?.(null, () => bell.ring());
  let due = performance.now() + everyMs;
  let isLost = false;
  try {
    while (!signal.aborted) {
      const began = performance.now();
      let took = 0;
      try {
        const ended = await looks.newlyEnded();
        took = performance.now() - began;
        for (const id of ended) {
          if (signal.aborted) return;
          await onEnded(id);
          looks.done(id);
        }
        isLost = false;
      } catch (error) {
        if (!(error instanceof Stop) || error.problem.exit !== EXIT.unreachable) throw error;
        if (!isLost) onLost(error.problem);
        isLost = true;
      }
      if (performance.now() >= due) {
        onInterval();
        due = performance.now() + everyMs;
      }
      if (took > LONG_MS) await sleep(4 * took, undefined, { signal }).catch(() => undefined);
      const untilDue = Math.max(0, due - performance.now());
      await bell.wait(watch === undefined || isLost ? Math.min(LOOK_MS, untilDue) : untilDue);
    }
  } finally {
    await watch?.stop();
  }
}

/** The interval of `--follow`, in milliseconds, from one second to a day. Raises `Stop`: `bad_value`. */
export function intervalIn(given: string): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,4})([smh])$/.exec(given) ?? [];
  const ms = Number(count) * (UNITS_MS.get(unit) ?? 0);
  if (ms > 0 && ms <= DAY_MS) return ms;
  throw badValue('not an interval', `--follow ${given}`, 'give --follow 5m, or 30s, or 1h');
}

const DAY_MS = 86_400_000;
const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Which runs of a store have ended since it was looked at before. */
class Looks {
  private readonly store: Store;
  private readonly place: string;
  private readonly over = new Set<string>();
  /** Records of runs that were not over when they were looked at last. */
  private readonly counts = new Map<string, number>();
  private isFirst = true;

  constructor(store: Store, place: string) {
    this.store = store;
    this.place = place;
  }

  /** Runs that are over and not done. Those over at the first look are done with it. */
  async newlyEnded(): Promise<readonly string[]> {
    const ids = await this.store.list();
    if (ids._tag === 'Left') throw storeProblem(ids.left, this.place);
    const ended: string[] = [];
    for (const id of ids.right) if (!this.over.has(id) && (await this.isOver(id))) ended.push(id);
    if (this.isFirst) ended.forEach((id) => this.done(id));
    this.isFirst = false;
    return ended;
  }

  done(id: string): void {
    this.over.add(id);
    this.counts.delete(id);
  }

  /** A run whose end cannot be read, such as a torn one, is not over. */
  private async isOver(id: string): Promise<boolean> {
    const head = await this.store.head(id);
    if (head._tag === 'Left') return this.unread(head.left);
    const count = head.right?.count ?? 0;
    if (count === 0 || this.counts.get(id) === count) return false;
    let isOver = false;
    try {
      for await (const line of this.store.read(id, count - 1)) isOver = isClose(line);
    } catch (error) {
      if (!(error instanceof StoreReadError)) throw error;
      return this.unread(error.error);
    }
    if (!isOver) this.counts.set(id, count);
    return isOver;
  }

  private unread(error: StoreError): false {
    if (error.code === 'unavailable') throw storeProblem(error, this.place);
    return false;
  }
}

/** Canonical records begin with their kind. */
function isClose(line: Uint8Array): boolean {
  return Buffer.from(line).toString('latin1', 0, CLOSE.length) === CLOSE;
}

const CLOSE = '{"kind":"close"';

/** Waits for a time, until it is rung, or until the signal. A ring between two waits ends the next at once. */
class Bell {
  private readonly signal: AbortSignal;
  private isRung = false;
  private wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', () => this.ring(), { once: true });
  }

  ring(): void {
    this.isRung = true;
    this.wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.isRung && !this.signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.isRung = false;
    this.wake = null;
  }
}
