/**
 * How a world goes over time: sums of the present window, and samples for the lines of the pictures. At most 128
 * samples; where there would be more, each second one goes and the step doubles. Source: specs/ecology.md B11.
 */
import { PersistentMap } from '@assay/kernel';
import type { Config } from '../config/config.js';
import { findLimit, perWindow } from '../config/resolve.js';
import type { EcologyEvent } from '../world/events.js';
import type { Movement } from './movements.js';

/** Sums of one window of the KPIs. `from_us`: where it began. */
export type KpiWindow = {
  readonly from_us: number;
  readonly moved: number;
  readonly froze: number;
  readonly thawed: number;
  readonly done: number;
  readonly denied: number;
};

/** Where the world stood at a time. Shares in ppm: `tokens` and `cpu` of the fullest window since the last sample. */
export type Sample = {
  readonly at_us: number;
  readonly supply: number;
  readonly gini: number;
  readonly price: number;
  readonly tokens: number;
  readonly cpu: number;
  readonly asleep: number;
  readonly blocked: number;
  readonly frozen: number;
};

const STATES = ['asleep', 'blocked', 'frozen'] as const;
type Counts = { readonly [state in (typeof STATES)[number]]: number };
type Fill = { readonly from_us: number; readonly used: number; readonly peak: number };

/** The course so far. */
export type Course = {
  readonly begun_us: number;
  readonly now_us: number;
  readonly supply: number;
  readonly price: number;
  /** Of each agent that is not active: bits of `STATES`. */
  readonly states: PersistentMap<number>;
  readonly counts: Counts;
  readonly present: KpiWindow;
  /** The last whole window, or null. */
  readonly whole: KpiWindow | null;
  readonly tokens: Fill;
  readonly cpu: Fill;
  readonly samples: readonly Sample[];
  readonly step_us: number;
};

const SAMPLES_MAX = 128;
const STEP_US = 1_000_000;
const EMPTY_FILL: Fill = { from_us: 0, used: 0, peak: 0 };
const EDGES: { readonly [t: string]: readonly [state: number, isOn: boolean] | undefined } = {
  slept: [0, true],
  roused: [0, false],
  blocked: [1, true],
  unblocked: [1, false],
  froze: [2, true],
  thawed: [2, false],
};

/** A course that begins, and who is frozen from the start. */
export function startCourse(
  now_us: number,
  states: Iterable<readonly [id: string, bits: number]>,
  supply: number,
): Course {
  const flags = PersistentMap.from(states);
  const bits = [...flags].map(([, value]) => value); // any order
  const count = (state: number): number => bits.filter((value) => ((value >> state) & 1) === 1).length;
  return {
    begun_us: now_us,
    now_us,
    supply,
    price: 0,
    states: flags,
    counts: { asleep: count(0), blocked: count(1), frozen: count(2) },
    present: startWindow(now_us),
    whole: null,
    tokens: EMPTY_FILL,
    cpu: EMPTY_FILL,
    samples: [],
    step_us: STEP_US,
  };
}

function startWindow(from_us: number): { -readonly [key in keyof KpiWindow]: number } {
  return { from_us, moved: 0, froze: 0, thawed: 0, done: 0, denied: 0 };
}

/** The course with a decision more. */
export function goOn(
  before: Course,
  config: Config,
  events: readonly EcologyEvent[],
  moved: readonly Movement[],
): Course {
  const after = { ...before, present: { ...before.present } };
  const width = config.kpi.window_us;
  for (const event of events) {
    switch (event.t) {
      case 'now':
        after.now_us = event.us;
        if (after.begun_us === 0) after.begun_us = event.us;
        if (after.present.from_us === 0) after.present = startWindow(event.us);
        if (event.us >= after.present.from_us + width) {
          const passed = Math.floor((event.us - after.present.from_us) / width);
          const from_us = after.present.from_us + passed * width;
          after.whole = passed === 1 ? after.present : startWindow(from_us - width);
          after.present = startWindow(from_us);
        }
        break;
      case 'did':
        after.present.done += 1;
        break;
      case 'no':
        after.present.denied += 1;
        break;
      case 'use':
        if (event.r === 'cpu') after.cpu = fill(after.cpu, event.x, after.now_us, config);
        else after.tokens = fill(after.tokens, event.x, after.now_us, config);
        break;
      case 'made':
        if (event.s && event.e) turn(after, event.i, [2, true]);
        break;
      case 'resolved':
        after.price = event.v.price;
        break;
      case 'minted':
        after.supply += event.x;
        break;
      case 'froze':
        after.present.froze += 1;
        break;
      case 'thawed':
        after.present.thawed += 1;
        break;
      default:
    }
    const edge = EDGES[event.t];
    if (edge !== undefined && 'a' in event) turn(after, event.a, edge);
  }
  for (const { resource, amount, kind } of moved)
    if (resource === 'scrip' && kind === 'paid') after.present.moved += amount;
  return after;
}

/** True where a sample is due. */
export function isSampleDue({ now_us, samples, step_us }: Course): boolean {
  const last = samples.at(-1);
  return now_us > 0 && (last === undefined || now_us >= last.at_us + step_us);
}

/** Turns a run state of an agent on or off, in a course under change. */
function turn(
  course: { states: Course['states']; counts: Counts },
  id: string,
  [state, isOn]: readonly [number, boolean],
): void {
  const bits = course.states.get(id) ?? 0;
  const after = isOn ? bits | (1 << state) : bits & ~(1 << state);
  const name = STATES[state];
  if (after === bits || name === undefined) return;
  course.states = course.states.set(id, after);
  course.counts = { ...course.counts, [name]: course.counts[name] + (isOn ? 1 : -1) };
}

function fill({ from_us, used, peak }: Fill, more: number, now: number, { machine }: Config): Fill {
  const isSame = now < from_us + machine.window_us;
  const sum = isSame ? used + more : more;
  return { from_us: isSame ? from_us : now, used: sum, peak: Math.max(peak, sum) };
}

/** The course with a sample more. */
export function sample(course: Course, config: Config, scrip: PersistentMap<number>): Course {
  const { samples, tokens, cpu } = course;
  const kept = samples.length < SAMPLES_MAX ? samples : samples.filter((_, at) => at % 2 === 0);
  return {
    ...course,
    samples: [...kept, takeSample(course, config, scrip)],
    step_us: samples.length < SAMPLES_MAX ? course.step_us : course.step_us * 2,
    tokens: { ...tokens, peak: 0 },
    cpu: { ...cpu, peak: 0 },
  };
}

/** Where a course stands now. */
export function takeSample(
  { now_us, supply, price, counts, tokens, cpu }: Course,
  config: Config,
  scrip: PersistentMap<number>,
): Sample {
  const limit = perWindow(config.resources.provider_tpm, config.machine.window_us);
  return {
    at_us: now_us,
    supply,
    gini: computeGini([...scrip].map(([, amount]) => amount)), // any order
    price,
    tokens: computePpm(tokens.peak, limit),
    cpu: computePpm(cpu.peak, Number(findLimit(config, 'cpu') ?? 0n)),
    ...counts,
  };
}

/** A share in millionths, rounded down; 0 of nothing. */
export function computePpm(part: number, whole: number): number {
  return whole <= 0 ? 0 : Number((BigInt(part) * 1_000_000n) / BigInt(whole));
}

/**
 * How unequal amounts are, in ppm: 0 where all are equal, near 1,000,000 where one has all; exact up to the last place
 * of a double. O(n log n).
 */
export function computeGini(amounts: readonly number[]): number {
  const sorted = Float64Array.from(amounts).sort((a, b) => a - b);
  let [total, weighted] = [0, 0];
  for (const [at, amount] of sorted.entries()) {
    total += amount;
    weighted += amount * (2 * at + 1 - sorted.length);
  }
  return total === 0 ? 0 : Math.floor((weighted / total / sorted.length) * 1_000_000);
}
