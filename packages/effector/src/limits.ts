/** Bounds of one call, and the watch that holds it to its wall time and its signal. */
import type { Refusal, ToolCode } from './refusal.js';

/** Bounds of one call; each may be set by policy. */
export type Limits = {
  /** Wall time of a call, milliseconds. A single operation that the system never returns from is not cut. */
  readonly wallMs: number;
  /** Bytes that are kept of what a check puts out. */
  readonly outputBytes: number;
  /** Bytes that one call of `read_file` keeps. */
  readonly readBytes: number;
  /** Bytes that are read for the digest of an output of which not all is kept, as long as there is time. */
  readonly wholeBytes: number;
  /** Bytes `find_files` reads in all when it looks into contents. */
  readonly searchBytes: number;
  /** Names a search looks at. */
  readonly entries: number;
  /** Lines a search gives. */
  readonly results: number;
  /** Folders a search goes down. */
  readonly depth: number;
  /** Of a declared check: wall time, and of each of its processes address space, time and file size. */
  readonly checkMs: number;
  readonly checkMemoryBytes: number;
  readonly checkCpuSeconds: number;
  readonly checkFileBytes: number;
};

/** The most that may be set: what a timer and a string of this runtime can hold, with room. */
export const LIMIT_MAXIMA: Limits = Object.freeze({
  wallMs: 86_400_000,
  outputBytes: 268_435_456,
  readBytes: 268_435_456,
  wholeBytes: Number.MAX_SAFE_INTEGER,
  searchBytes: Number.MAX_SAFE_INTEGER,
  entries: 100_000_000,
  results: 1_000_000,
  depth: 512,
  checkMs: 86_400_000,
  checkMemoryBytes: Number.MAX_SAFE_INTEGER,
  checkCpuSeconds: 86_400,
  checkFileBytes: Number.MAX_SAFE_INTEGER,
});

/** What holds where a policy says nothing. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  wallMs: 10_000,
  outputBytes: 1_048_576,
  readBytes: 4_194_304,
  wholeBytes: 1_073_741_824,
  searchBytes: 268_435_456,
  entries: 250_000,
  results: 250_000,
  depth: 64,
  checkMs: 300_000,
  checkMemoryBytes: 4_294_967_296,
  checkCpuSeconds: 300,
  checkFileBytes: 268_435_456,
});

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
