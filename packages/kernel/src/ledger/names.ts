/** Names a ledger carries. Source: ledger format, "Names". */

/** Where a proposal comes from: a closed set. A model can never write `human`. */
export const SOURCES = [
  'live_model',
  'recorded_model',
  'rule',
  'human',
  'tool',
  'retrieval',
  'clock',
  'synthetic',
  'run',
] as const;
/** One of {@link SOURCES}. */
export type Source = (typeof SOURCES)[number];

/** Why no acceptable value came: a closed set. */
export const FAILURE_CODES = [
  'timeout',
  'unavailable',
  'denied',
  'malformed',
  'cancelled',
  'lost',
  'exhausted',
] as const;
/** One of {@link FAILURE_CODES}. */
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Codes only the kernel writes; with {@link FAILURE_CODES} they are reserved. */
export const KERNEL_CODES = [
  'run_closed',
  'inadmissible',
  'proposal_shape',
  'not_open',
  'source_not_accepted',
  'limit_bytes',
] as const;

const RESERVED: ReadonlySet<string> = new Set<string>([...KERNEL_CODES, ...FAILURE_CODES]);

/**
 * True for a code that only the kernel writes: a machine that returns it is a defect, and a rejection by it
 * has detail null.
 */
export function isReservedCode(code: string): boolean {
  return RESERVED.has(code);
}

/** Kinds of record in a run's ledger. */
export const RECORD_KINDS = ['genesis', 'proposal', 'decision', 'rejection', 'artifact', 'close'] as const;
/** One of {@link RECORD_KINDS}. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Form of a machine or artifact name, a kind, a code or a unit. */
export const NAME: RegExp = /^[a-z][a-z0-9_.-]{0,63}$/;
/** Form of a run id; {@link isRunId} refuses the names of devices too. */
export const RUN_ID: RegExp = /^[A-Za-z0-9](?:[A-Za-z0-9._~-]{0,126}[A-Za-z0-9_~-])?$/;
/** Form of a proposer. */
export const PROPOSER: RegExp = /^[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}$/;
/** Form of the base of logical time. */
export const TS_BASE: RegExp = /^[\x21\x22\x24-\x7e]{1,64}$/;
/** Form of a request id: the sequence below 10^12, the index at most 65,535. */
export const REQUEST_ID: RegExp = new RegExp(
  '^(?:0|[1-9][0-9]{0,11})\\.' +
    '(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
);
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** A machine or artifact name, a kind, a code or a unit: `[a-z][a-z0-9_.-]{0,63}`. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/**
 * A run id: `[A-Za-z0-9][A-Za-z0-9._~-]{0,127}`, not ending in `.`, its part before the first `.` no
 * device name of a common file system (`CON`, `NUL`, `COM1` …) in any case.
 */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text) && !DEVICE.test(text.split('.', 1)[0] ?? '');
}

/** A proposer: `[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}`. */
export function isProposer(text: string): boolean {
  return PROPOSER.test(text);
}

/** The base of logical time: 1 to 64 printable ASCII characters without space and `#`. */
export function isTsBase(text: string): boolean {
  return TS_BASE.test(text);
}

/** A request id: `<sequence of its decision>.<index>`, decimal without leading zeros. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/** Order of two request ids: by sequence, then by index, as integers. */
export function compareRequestIds(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  return Number(left[0]) - Number(right[0]) || Number(left[1]) - Number(right[1]);
}

/** Logical time of a record: `<base>#<sequence in 12 digits>`. */
export function logicalTime(tsBase: string, sequence: number): string {
  return `${tsBase}#${String(sequence).padStart(12, '0')}`;
}
