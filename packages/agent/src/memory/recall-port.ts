/**
 * A memory as the port of what a controller recalls.
 *
 * @module
 */
import type { Head, Json } from '@assay/kernel';
import { recallOf, type MemoryState, type RecallQuery } from '@assay/controller/memory';
import type { Port } from '@assay/host';
import { nowAfter } from './hand-on.js';

/** A memory that was read: its head, and the run of it. */
type Read = { readonly head: Head; readonly run: { readonly state: MemoryState } };

/**
 * A port for a controller's `recall` requests: a pure reading of a memory, which cites its head. `read`:
 * reads it anew. `at_us`: the moment asked about, never before what is recorded; now if left out.
 */
export function recallPort(read: () => Promise<Read>, at_us: number | null = null): Port {
  return {
    source: 'run',
    proposer: 'memory',
    perform: async ({ body }) => {
      const { head, run } = await read();
      const value = recallOf(
        run.state,
        body as unknown as RecallQuery,
        at_us ?? nowAfter(run.state.clock_us),
      );
      return { value: value as unknown as Json, cites: [{ ...head }] };
    },
  };
}
