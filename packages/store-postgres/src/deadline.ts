/**
 * How long a connection may take to answer.
 *
 * @module
 */

/**
 * Calls `onOver` where what was begun has not ended in time. Its timer is not taken back at each end but
 * finds, when it fires, how much time is left: setting one for each statement costs more than all else that
 * is done here for it. Keeps no process alive.
 */
export class Deadline {
  private readonly onOver: () => void;
  private timer: NodeJS.Timeout | null = null;
  private firesMs = Infinity;
  private dueMs = Infinity;

  constructor(onOver: () => void) {
    this.onOver = onOver;
  }

  /** From now on there is so much time, in milliseconds. */
  begin(ms: number): void {
    this.dueMs = performance.now() + ms;
    if (this.dueMs < this.firesMs) this.fireIn(ms);
  }

  /** There is time without end. */
  end(): void {
    this.dueMs = Infinity;
  }

  private fireIn(ms: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    const most = Math.min(ms, TIMER_MAX_MS);
    this.firesMs = performance.now() + most;
    this.timer = setTimeout(() => this.fire(), most).unref();
  }

  private fire(): void {
    this.timer = null;
    this.firesMs = Infinity;
    if (this.dueMs === Infinity) return;
    const left = this.dueMs - performance.now();
    if (left > 0) this.fireIn(left);
    else this.onOver();
  }
}

/** The longest that a timer of the runtime takes; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
