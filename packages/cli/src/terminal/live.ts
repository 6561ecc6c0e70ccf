/**
 * How far something is, on stderr: one line rewritten on a terminal, now and then a line of its own
 * elsewhere.
 */

/** Between two drawings of a terminal's line at least, in milliseconds: ten in a second. */
export const REDRAW_MS = 100;
/** Between two plain lines at least, in milliseconds. What is over sooner prints none. */
export const PLAIN_MS = 5_000;

/** Clears the line that the cursor stands in. Source: ECMA-48, EL and CR. */
const CLEAR = '\r\u001b[2K';

/**
 * `line`: rewritten in place; `lines`: plain ones; `each`: a plain one for each state, for who asked to be
 * told more; `none`.
 */
export type LiveMode = 'line' | 'lines' | 'each' | 'none';

/**
 * Where it is shown, and the clock in milliseconds. `line` makes the text of a state, already escaped and
 * fitted.
 */
export type LiveOptions<T> = {
  readonly mode: LiveMode;
  readonly write: (text: string) => unknown;
  readonly line: (state: T, elapsedMs: number) => string;
  readonly now?: () => number;
};

/**
 * A display of the latest state. Time goes on in it also while nothing else does. Call {@link Live.end} in
 * any case.
 */
export class Live<T> {
  private readonly options: LiveOptions<T>;
  private readonly now: () => number;
  private readonly startedAt: number;
  private readonly timer: NodeJS.Timeout | null;
  private drawnAt: number;
  private isDrawn: boolean = false;
  private state: { readonly value: T } | null = null;

  constructor(options: LiveOptions<T>) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.startedAt = this.now();
    this.drawnAt = options.mode === 'line' ? -Infinity : this.startedAt;
    this.timer = options.mode === 'none' ? null : setInterval(() => this.tick(), REDRAW_MS).unref();
  }

  /** The state is another. Drawn now, or when enough time has passed since the last drawing. */
  show(value: T): void {
    this.state = { value };
    if (this.options.mode === 'each') this.draw();
    else this.tick();
  }

  /** Draws what stands, if it is time to. */
  tick(): void {
    if (this.now() - this.drawnAt >= (this.options.mode === 'line' ? REDRAW_MS : PLAIN_MS)) this.draw();
  }

  /** Nothing more is shown; the line of a terminal is empty again. */
  end(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.state = null;
    if (this.isDrawn && this.options.mode === 'line') this.options.write(CLEAR);
    this.isDrawn = false;
  }

  private draw(): void {
    const { state, options } = this;
    if (state === null || options.mode === 'none') return;
    this.drawnAt = this.now();
    this.isDrawn = true;
    const text = options.line(state.value, this.drawnAt - this.startedAt);
    options.write(options.mode === 'line' ? `${CLEAR}${text}` : `${text}\n`);
  }
}
