/**
 * Time as an answer: recorded, and only then decided on. Source: issue 4; 004 L8397.
 *
 * @module
 */
import type { Json, Request } from '@assay/kernel';
import type { Port, PortAnswer } from './port.js';
import { systemTimer, type Timer } from './timer.js';

/**
 * A clock. `read`: microseconds since 1970, the runtime's own by default. `until`: the time a request waits for, null where it is
 * answered at once (the default). `value`: what the answer is, {t_us} by default.
 */
export type ClockOptions = {
  readonly read?: () => number;
  readonly timer?: Timer;
  readonly until?: (request: Request) => number | null;
  readonly value?: (t_us: number) => Json;
};

/**
 * A port of source `clock`. Its answers never go back: t = max(previous answer, reading); a machine that must know of time
 * lost or gained between two processes compares with what it has recorded. Waits in steps of at most an hour, so that a
 * clock that is set is noticed.
 */
export function clockPort(options: ClockOptions = {}): Port {
  const { read = () => Math.floor(Date.now() * 1_000), timer = systemTimer(), until = () => null, value = (t_us) => ({ t_us }) } = options;
  let previous = 0;
  const now = (): number => {
    previous = Math.max(previous, Math.floor(read()));
    return previous;
  };
  return {
    source: 'clock',
    proposer: 'clock',
    perform: async (request, { signal }): Promise<PortAnswer> => {
      const due = until(request) ?? 0;
      for (let at = now(); at < due && !signal.aborted; at = now()) await timer.sleep(Math.min(Math.ceil((due - at) / 1_000), STEP_MS_MAX), signal);
      const t_us = now();
      return { value: value(t_us), at_us: t_us };
    },
  };
}

const STEP_MS_MAX = 3_600_000;
