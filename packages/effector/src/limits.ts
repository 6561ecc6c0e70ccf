/** Bounds of one call, and the watch that holds it to its wall time and its signal. */
import type { Refusal, ToolCode } from './refusal.js';

/** Each bound: what holds where a policy says nothing, and the most that may be set. */
const LIMITS = {
  /** Wall time of a call, milliseconds. A single operation that the system never returns from is not cut. */
  wallMs: [10_000, 86_400_000],
  /** Bytes that are kept of what a check puts out. */
  outputBytes: [1_048_576, 268_435_456],
  /** Bytes that one call of `read_file` keeps. */
  readBytes: [4_194_304, 268_435_456],
  /** Bytes that are read for the digest of an output of which not all is kept, as long as there is time. */
  wholeBytes: [1_073_741_824, Number.MAX_SAFE_INTEGER],
  /** Bytes `find_files` reads in all when it looks into contents. */
  searchBytes: [268_435_456, Number.MAX_SAFE_INTEGER],
  /** Names a search looks at. */
  entries: [250_000, 100_000_000],
  /** Lines a search gives. */
  results: [250_000, 1_000_000],
  /** Folders a search goes down. */
  depth: [64, 512],
  /** Of a declared check: wall time, and of each of its processes address space, time and file size. */
  checkMs: [300_000, 86_400_000],
  checkMemoryBytes: [4_294_967_296, Number.MAX_SAFE_INTEGER],
  checkCpuSeconds: [300, 86_400],
  checkFileBytes: [268_435_456, Number.MAX_SAFE_INTEGER],
} as const satisfies { readonly [name: string]: readonly [usual: number, most: number] };
/** Bounds of one call; each may be set by policy. */
export type Limits = { readonly [name in keyof typeof LIMITS]: number };

function pick(place: 0 | 1): Limits {
  return Object.freeze(
    Object.fromEntries(Object.entries(LIMITS).map(([name, row]) => [name, row[place]])) as Limits,
  );
}

/** What holds where a policy says nothing. */
export const DEFAULT_LIMITS: Limits = pick(0);
/** The most that may be set: what a timer and a string of this runtime can hold, with room. */
export const LIMIT_MAXIMA: Limits = pick(1);

/** What a bound that cut a call short allows, with its number; null for a code of none. */
export function limitSaid(code: ToolCode | null, limits: Limits): string | null {
  switch (code) {
    case 'output_limit':
      return `a check puts out ${limits.outputBytes} bytes at most`;
    case 'file_too_long':
      return `one call reads ${limits.readBytes} bytes at most`;
    case 'search_limit':
      return `a search reads ${limits.searchBytes} bytes of contents at most`;
    case 'entry_limit':
      return `a search looks at ${limits.entries} names at most`;
    case 'result_limit':
      return `a search gives ${limits.results} lines at most`;
    case 'depth_limit':
      return `a search goes ${limits.depth} folders down at most`;
    default:
      return null;
  }
}

/** Asked between two operations. */
export type Watch = {
  /** Null as long as the call may go on. */
  readonly stop: () => Refusal | null;
  /** Milliseconds left, at least 0. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal | null;
};

/** A watch that began now. */
export function watchFor(wallMs: number, signal: AbortSignal | null): Watch {
  const end = performance.now() + wallMs;
  const leftMs = (): number => Math.max(0, end - performance.now());
  return {
    signal,
    leftMs,
    stop: () => (signal?.aborted === true ? aborted() : leftMs() === 0 ? overtime(wallMs) : null),
  };
}

/** The caller stopped it. */
export function aborted(): Refusal {
  return { status: 'interrupted', code: 'aborted', message: 'stopped by the caller' };
}

/** The wall time is over. */
export function overtime(wallMs: number): Refusal {
  return { status: 'timeout', code: 'wall_time', message: `stopped after ${wallMs} ms` };
}
