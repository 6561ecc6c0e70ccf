/**
 * Clocks of a world that is driven by its requests: the one of the wall, and one that goes on to what is due next.
 *
 * @module
 */
import { Later, systemTimer, type Port } from '@assay/host';
import { nextDueUs } from '../world/run-state.js';
import type { Watched } from './ports/watch.js';

/** How often the wall's clock looks whether something became due meanwhile. */
const LOOK_MS = 200;

/** Time as it passes: answers when what is due next is due. */
export function wallClock({ look }: Pick<Watched, 'look'>): Port {
  const timer = systemTimer();
  return {
    source: 'clock',
    proposer: 'clock',
    perform: async (_, { signal }) => {
      for (;;) {
        const at_us = Date.now() * 1_000;
        if (at_us >= nextDueUs(look().state)) return { value: {}, at_us };
        await timer.sleep(LOOK_MS, signal);
        signal.throwIfAborted();
      }
    },
  };
}

/** Virtual time: each reading is what is due next; none is later than `end_us`. */
export function virtualClock({ look }: Pick<Watched, 'look'>, end_us: number): Port {
  return {
    source: 'synthetic',
    proposer: 'virtual',
    perform: () => {
      const { state } = look();
      const at_us = Math.max(state.now_us, nextDueUs(state));
      return at_us > end_us ? Promise.reject(new Later()) : Promise.resolve({ value: {}, at_us });
    },
  };
}

/** A port whose answers say when they came. */
export function stampPort(port: Port): Port {
  return {
    ...port,
    perform: async (request, call) => {
      const answer = await port.perform(request, call);
      return { at_us: Date.now() * 1_000, ...answer };
    },
  };
}
