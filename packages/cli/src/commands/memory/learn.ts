/**
 * `assay memory learn`: a memory is told what a controller's run learned.
 *
 * @module
 */
import { forkedFrom, handOn, writesIn } from '@assay/controller/memory-shell';
import type { EvidenceRecord } from '@assay/kernel';
import { soundLedger } from '../../files/ledger.js';
import { tellingMoment } from '../../options/moment.js';
import { EXIT, Stop, misuse, orStop, type ExitCode } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import type { Context } from '../../call/context.js';
import {
  inStore,
  memoryAt,
  memoryMade,
  storedMemory,
  tellProblem,
  type MemoryFlags,
} from '../../files/memory-store.js';

/**
 * Hands on to a memory what the solver of a controller's run told it; makes the memory where there is none.
 * Exit 3 where the ledger does not hold. Raises `Stop`: `fork`, for a run that was fed from another.
 */
export async function learn(
  { output }: Context,
  given: string,
  ledger: string,
  flags: MemoryFlags,
): Promise<ExitCode> {
  const { url, run: runId } = storedMemory(given, given);
  const { records, run_id } = await derivedAgain(ledger);
  await requireMoment(url, runId, flags.at);
  return inStore(url, async (opened) => {
    const { store, place } = opened;
    const isNew = await memoryMade(opened, runId);
    const {
      known,
      rejected,
      taken: count,
    } = orStop(
      await handOn(store, runId, writesIn(run_id, records), (clock_us) => tellingMoment(flags.at, clock_us)),
      (error) => tellProblem(error, runId, place),
    );
    output.document({ memory: place, run_id: runId, is_new: isNew, taken: count, known, rejected });
    output.line(
      show`${count} writes of ${run_id} remembered, ${known} known before${isNew ? '; the memory is new' : ''}`,
    );
    for (const code of rejected) output.data(show`rejected: ${code}`);
    return rejected.length === 0 ? EXIT.done : EXIT.no;
  });
}

/**
 * That a memory could be told something at this moment, asked before one is made. The clock of one that is
 * there may be ahead of ours. Raises `Stop`: `bad_value`, `at_ahead`.
 */
async function requireMoment(url: string, runId: string, at: string | undefined): Promise<void> {
  try {
    tellingMoment(at, 0);
  } catch (error) {
    if (
      !(error instanceof Stop) ||
      error.problem.code !== 'at_ahead' ||
      (await headIn(url, runId).catch(() => null)) === null
    )
      throw error;
    tellingMoment(at, (await memoryAt(url, runId)).run.state.clock_us);
  }
}

/**
 * A controller's ledger that holds and derives, of a run that was lived. What a forged one has for a memory is
 * not remembered, nor what a fork did.
 */
async function derivedAgain(
  path: string,
): Promise<{ readonly records: readonly EvidenceRecord[]; readonly run_id: string }> {
  const [{ records, summary }, { derivedTask }, { notEnded }] = await Promise.all([
    soundLedger(path),
    import('@assay/controller/shell'),
    import('../../kits/controller/after.js'),
  ]);
  orStop(derivedTask(records), (error) => notEnded(error, path));
  const parent = forkedFrom(records);
  if (parent !== null)
    throw misuse(
      'fork',
      `this is a what-if of ${parent}; it never happened`,
      path,
      `name the ledger of ${parent}`,
    );
  return { records, run_id: summary.run_id ?? '' };
}

function headIn(url: string, runId: string): Promise<string | null> {
  return inStore(
    url,
    async ({ store }) => {
      const head = await store.head(runId);
      return head._tag === 'Right' ? (head.right?.hash ?? null) : null;
    },
    { mustExist: true, readsOnly: true },
  );
}
