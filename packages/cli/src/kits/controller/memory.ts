/**
 * The memory of a controller run: asked before the first plan, told what R7 learned once the run is over.
 * Nothing in the run waits for the telling. Source: 002 "Memory Calibration Protocol", §R7 "fire-and-forget".
 *
 * @module
 */
import type { MemoryEvent } from '@assay/controller/memory';
import {
  MEMORY_RUN,
  createMemory,
  forkedFrom,
  handOn,
  nowAfter,
  readMemory,
  recallPort,
  tell,
  wordByRules,
  writesIn,
  type MemoryRun,
  type Telling,
  type Told,
} from '@assay/controller/memory-shell';
import { maskedAddress, type Port } from '@assay/host';
import type { HandedOn, TellError } from '@assay/host/shared-run';
import type { Head } from '@assay/kernel';
import type { Context, Output } from '../../call/output.js';
import { openStore, storeProblem, type NamedStore } from '../../files/store.js';
import { Stop, misuse, orStop, makeStop, type Problem, type Remedy } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import { type Ended } from '../../start/results.js';
import { resumeLine } from '../../start/start.js';
import { sharedNamed } from '../../start/stored-run.js';
import { show } from '../../terminal/shown.js';

/**
 * A memory that a run is driven with, at `place` under the name `run`. `tell` hands over everything the run's
 * records say to it; what was told before is recognised there.
 */
export type ControlMemory = {
  /** `asking`: the head of the run that recalls. */
  readonly portFor: (asking: () => Promise<Head>) => Port;
  readonly tell: (ended: Ended) => Promise<HandedOn>;
  /** Lets it dream, and words its new rules from their evidence: those. */
  readonly dream: () => Promise<readonly MemoryEvent[]>;
  readonly place: string;
  readonly run: string;
};

/**
 * The memory at a store's address, `URL` or `URL#RUN`; made if there is none. It is replayed before anything is
 * done: a broken memory would be found out only after an act. Raises `Stop`: `store_url`, `memory_ended`, and
 * those of stores and of replaying it.
 */
export async function openMemory(given: string, output: Output): Promise<ControlMemory> {
  const { url, run } = sharedNamed(given, MEMORY_RUN);
  const place = maskedAddress(url);
  await inStore(url, async (store) => {
    orStop(await createMemory(store, run), (error) => storeProblem(error, place));
    const read = orStop(await readMemory(store, run), (error) => driveProblem(error, run, place));
    if (read.run.outcome !== null)
      throw misuse(
        'memory_ended',
        'this memory is closed and takes no writes; nothing was done',
        `${place}#${run}`,
        'name another run with #RUN; Assay creates it if needed',
      );
  });
  const told = async (store: NamedStore, telling: (now: MemoryRun) => Telling): Promise<Told> =>
    orStop(await tell(store, run, telling), (error) => tellProblem(error, run, place));
  return {
    portFor: (asking) =>
      heard(
        recallPort((telling) => inStore(url, (store) => told(store, telling)), asking),
        output,
      ),
    tell: ({ head, records }) =>
      inStore(url, async (store) =>
        orStop(await handOn(store, run, writesIn(head.run_id, records)), (error) =>
          tellProblem(error, run, place),
        ),
      ),
    dream: () =>
      inStore(url, async (store) => {
        const dreamt = await told(store, ({ state }) => ({
          kind: 'dream',
          source: 'rule',
          proposer: 'controller',
          value: { at_us: nowAfter(state.clock_us) },
        }));
        const worded = await wordByRules(store, run, dreamt);
        return orStop(worded, (error) => tellProblem(error, run, place)).events;
      }),
    place,
    run,
  };
}

async function inStore<T>(url: string, work: (store: NamedStore) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Why a memory takes nothing, in words. */
function tellProblem(error: TellError, runId: string, place: string): Stop {
  switch (error.code) {
    case 'load':
      return driveProblem(error.error, runId, place);
    case 'store':
      return storeProblem(error.error, place);
    case 'not_asked':
      return misuse(
        error.code,
        error.isOver ? 'this memory is closed' : `this memory does not ask for ${error.kind}`,
        runId,
        'assay show shows what it holds',
      );
    case 'inadmissible':
      return misuse(
        error.why,
        'this value is not valid in a memory',
        error.path,
        'see docs/formats/limits.md',
      );
  }
}

/** Where a run can be told from later: the folder of its results, or its store. */
export type KeptIn = { readonly output?: string; readonly store?: string };

/**
 * Tells a memory what a run that is over, and written, had for it. What cannot be told is a complaint with
 * what to type, and takes nothing from the run. That problem, whose exit code counts too; null where it was
 * told, or where there was nothing to tell.
 */
export async function tellMemory(
  { output }: Context,
  memory: ControlMemory,
  ended: Ended,
  kept: KeptIn & { readonly dream?: string },
): Promise<Problem | null> {
  const parent = forkedFrom(ended.records);
  if (parent !== null) {
    output.note(show`assay: this run is a what-if of ${parent}, so its memory learns nothing from it`);
    return null;
  }
  try {
    const { rejected } = await memory.tell(ended);
    if (rejected.length > 0)
      output.note(
        show`assay: the memory rejected ${rejected.length} writes of this run: ${[...new Set(rejected)].join(', ')}`,
      );
    const dreamt = kept.dream === 'never' ? [] : await memory.dream();
    for (const event of dreamt)
      if (event.t === 'remembered' && event.megram.level === 'C')
        output.line(show`learned     ${event.megram.content}`);
    return null;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const { code, exit, message, place } = error.problem;
    const { problem } = makeStop({
      code: 'memory_untold',
      message: `the run is finished, but its memory was not updated: ${code}, ${message}`,
      place,
      remedy: tellLater(memory, ended, kept),
      exit,
    });
    output.complaint(problem);
    return problem;
  }
}

function tellLater({ place, run }: ControlMemory, { head }: Ended, { output, store }: KeptIn): Remedy {
  const memory = run === MEMORY_RUN ? place : `${place}#${run}`;
  const kept = { ...(output === undefined ? {} : { output }), ...(store === undefined ? {} : { store }) };
  const line = resumeLine(head.run_id, { ...kept, memory });
  return line === null
    ? 'the run was not kept, so the memory cannot learn from it; give -o or --store next time'
    : show`type: ${line}`;
}

/** The same port; what keeps it from answering is said once, since a run goes on without its memory. */
function heard(port: Port, output: Output): Port {
  let isSaid = false;
  return {
    ...port,
    perform: async (...asked) => {
      try {
        return await port.perform(...asked);
      } catch (error) {
        if (error instanceof Stop && !isSaid) output.complaint(error.problem);
        isSaid = true;
        throw error;
      }
    },
  };
}
