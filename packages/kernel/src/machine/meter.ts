/**
 * The one meter of all deciding: what an answer may cost, whatever a policy allows. Opening a run
 * counts as an answer.
 */

/**
 * Steps that deciding one answer may take; opening a run is one. A step is a number compared in a tight loop;
 * what costs more counts as more steps. A machine that takes all of them keeps a processor of 2026 busy for
 * about a second.
 */
export const ANSWER_STEPS = 250_000_000;

/** Steps of one decision, counted down. Local to the decision that it is handed down in. */
export class Meter {
  private left: number;

  /** `steps`: at most {@link ANSWER_STEPS} count; a policy may allow fewer, never more. */
  constructor(steps: number = ANSWER_STEPS) {
    this.left = Math.min(steps, ANSWER_STEPS);
  }

  /** Takes so many steps; false if more were taken than were there. Once false it stays false. */
  spend(steps: number): boolean {
    this.left -= steps;
    return this.left >= 0;
  }

  /** True if more steps were taken than were there. */
  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Steps that are left; at least 0. */
  get rest(): number {
    return Math.max(0, this.left);
  }
}
