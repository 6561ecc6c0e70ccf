/**
 * What a controller's run told its memory, handed on to it; twice, after a crash or later from the ledger,
 * remembers nothing twice.
 *
 * @module
 */
import type { MemoryWrite } from '@assay/agent/memory';
import type { Json } from '@assay/kernel';
import { citedKey } from '@assay/controller/memory';
import type { Store } from '@assay/host';
import { nowAfter } from '../../options/moment.js';
import { readFrom, tell } from './stored-memory.js';

/** What became of writes: how many were taken now, how many were known, and the codes of rejections. */
export type HandedOn = {
  readonly taken: number;
  readonly known: number;
  readonly rejected: readonly string[];
};

/**
 * Hands writes on to a stored memory. `when`: they are remembered, by the memory's clock; now if left out,
 * never before what is recorded. Raises `Stop` as `tell`, and those of `when`.
 */
export async function handOn(
  store: Store,
  runId: string,
  place: string,
  writes: readonly MemoryWrite[],
  when: (clock_us: number) => number = nowAfter,
): Promise<HandedOn> {
  const { run } = await readFrom(store, runId, place);
  const fresh = writes.filter(({ head }) => !run.state.cited.has(citedKey('write', head)));
  const rejected: string[] = [];
  let taken = 0;
  for (const { head, megrams, task } of fresh) {
    const told = await tell(store, runId, place, ({ state }) => {
      const value: Json = {
        from: 'R7',
        task: task.slice(0, 256),
        megrams: megrams.map((draft) => ({ ...draft })),
        at_us: when(state.clock_us),
      };
      return { kind: 'write', source: 'run', proposer: 'controller', value, cites: [head] };
    });
    if (told.rejection === null) taken += 1;
    // Somebody else handed on the same meanwhile: then it is known, as if it had been so from the start.
    else if (told.rejection.code !== 'already_written') rejected.push(told.rejection.code);
  }
  return { taken, known: writes.length - taken - rejected.length, rejected };
}
