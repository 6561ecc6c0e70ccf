/**
 * What a controller's run has for its memory, handed on to it. Done twice, after a crash or later from the
 * ledger, nothing is remembered twice.
 *
 * @module
 */
import { err, ok, type Result } from '@assay/kernel';
import { citedKey, feedbackKind, memoryAnswer } from '../memory/index.js';
import type { Store } from '@assay/host';
import type { TellError } from '@assay/host/shared-run';
import { readMemory, tell } from './stored-memory.js';
import type { MemoryWrite } from './writes.js';

/** What became of writes: how many were taken now, how many were known, and the codes of rejections. */
export type HandedOn = {
  readonly taken: number;
  readonly known: number;
  readonly rejected: readonly string[];
};

/** Now, but never before what is recorded: a memory takes no time that runs back. */
export function nowAfter(clock_us: number): number {
  return Math.max(clock_us, Date.now() * 1_000);
}

/**
 * Hands writes on to a stored memory. `when`: they are remembered, by the memory's clock; now if left out,
 * never before what is recorded. Codes: {@link TellError}.
 */
export async function handOn(
  store: Store,
  runId: string,
  writes: readonly MemoryWrite[],
  when: (clock_us: number) => number = nowAfter,
): Promise<Result<TellError, HandedOn>> {
  const read = await readMemory(store, runId);
  if (read._tag === 'Left') return err({ code: 'load', error: read.left });
  const { cited } = read.right.run.state;
  const fresh = writes.filter((write) => !cited.has(keyOf(write)));
  const rejected: string[] = [];
  let taken = 0;
  for (const { head, told } of fresh) {
    const done = await tell(store, runId, ({ state }) => ({
      kind: told.kind,
      source: 'run',
      proposer: 'controller',
      value: memoryAnswer(told, when(state.clock_us)),
      cites: [head],
    }));
    if (done._tag === 'Left') return done;
    const { rejection } = done.right;
    if (rejection === null) taken += 1;
    // Another process handed on the same meanwhile: then it is known, as if it had been so from the start.
    else if (rejection.code !== 'already_written') rejected.push(rejection.code);
  }
  return ok({ taken, known: writes.length - taken - rejected.length, rejected });
}

function keyOf({ head, told }: MemoryWrite): string {
  return citedKey(told.kind === 'feedback' ? feedbackKind(told.rule) : told.kind, head);
}
