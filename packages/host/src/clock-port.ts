/** Time as an answer: recorded, and only then decided on. Source: issue 4; 004 L8397. */
import { field, isObject, parseRecordLine, type Json, type Request } from '@assay/kernel';
import { Later, type Port, type PortAnswer } from './port.js';
import { StoreReadError, type Store } from './store.js';
import { systemTimer, type Timer } from './timer.js';

/**
 * A clock. `read`: microseconds since 1970, the runtime's own by default. `notBefore`: the reading before the
 * first, as {@link lastClockReading} finds it; 0 by default. `until`: the time a request waits for, null
 * where it is answered at once (the default). `value`: what the answer is, {t_us} by default. `leaveAfterMs`: a longer
 * wait is left to a later drive, by `Later`; no limit by default.
 */
type ClockOptions = {
  readonly read?: () => number;
  readonly notBefore?: number;
  readonly timer?: Timer;
  readonly until?: (request: Request) => number | null;
  readonly value?: (t_us: number) => Json;
  readonly leaveAfterMs?: number;
};

/**
 * A port of source `clock`. Its answers never go back: t = max(previous reading, reading), from `notBefore`
 * on; without it a clock that was set back between two processes is seen in their ledger. Waits in steps of
 * at most an hour, so that a clock that is set is noticed, and rejects once its signal is aborted. A reading,
 * or a time to wait for, that can be no `at_us` is a RangeError, which fails the call and changes nothing of
 * the next; so is `notBefore`, at once. An `at_us` is an integer from 0 to 2^53 − 1; a reading is rounded
 * down to one, and a time to wait for may be below 0.
 *
 * Source: 004 L8397.
 */
export function clockPort(options: ClockOptions = {}): Port {
  const {
    read = () => Math.floor(Date.now() * 1_000),
    timer = systemTimer(),
    until = () => null,
    value = (t_us) => ({ t_us }),
    leaveAfterMs = Infinity,
  } = options;
  let previous = reading('notBefore', options.notBefore ?? 0);
  const now = (): number => {
    previous = Math.max(previous, reading('read', read()));
    return previous;
  };
  return {
    source: 'clock',
    proposer: 'clock',
    perform: async (request, { signal }): Promise<PortAnswer> => {
      const due = awaited(until(request) ?? 0);
      let t_us = now();
      if ((due - t_us) / 1_000 > leaveAfterMs) throw new Later({ until: due });
      for (; t_us < due && !signal.aborted; t_us = now())
        await timer.sleep(Math.min(Math.ceil((due - t_us) / 1_000), STEP_MS_MAX), signal);
      signal.throwIfAborted();
      return { value: value(t_us), at_us: t_us };
    },
  };
}

/**
 * The latest reading that a stored run has of its clock, in microseconds: the greatest `at_us` of an answer
 * of source `clock`; 0 where there is none that could be one, or no such run. Give it to a {@link clockPort}
 * that goes on with the run. Reads every line; judges none. Rejects with `StoreReadError`.
 */
export async function lastClockReading(store: Pick<Store, 'read'>, runId: string): Promise<number> {
  let latest = 0;
  try {
    for await (const line of store.read(runId)) latest = Math.max(latest, readingIn(line));
  } catch (error) {
    if (!(error instanceof StoreReadError && error.error.code === 'not_found')) throw error;
  }
  return latest;
}

function readingIn(line: Uint8Array): number {
  // Few lines are the clock's: the others are not parsed.
  if (!Buffer.from(line.buffer, line.byteOffset, line.byteLength).includes(CLOCK)) return 0;
  const record = parseRecordLine(line);
  const payload =
    record._tag === 'Left' || record.right.kind !== 'proposal' ? undefined : record.right.payload;
  if (payload === undefined || !isObject(payload) || field(payload, 'source') !== 'clock') return 0;
  const at = field(payload, 'at_us');
  return typeof at === 'number' && Number.isSafeInteger(at) ? at : 0;
}

function reading(name: string, value: number): number {
  const whole = typeof value === 'number' ? Math.floor(value) : NaN;
  if (!Number.isSafeInteger(whole) || whole < 0) throw noTime(name, value);
  return whole;
}

/** What no clock can ever show would be waited for without end. */
function awaited(value: number): number {
  if (!Number.isFinite(value) || value > Number.MAX_SAFE_INTEGER) throw noTime('until', value);
  return value;
}

function noTime(name: string, value: unknown): RangeError {
  return new RangeError(`clockPort: ${name}: expected microseconds from 0 to 2^53 - 1, got ${String(value)}`);
}

const CLOCK = '"source":"clock"';
const STEP_MS_MAX = 3_600_000;
