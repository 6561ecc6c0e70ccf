/** `assay store copy`: runs from one store to another, the same bytes. */
import { StoreReadError, maskedAddress } from '@assay/host';
import {
  copyBeside,
  copyRun,
  type CopyOptions,
  type CopyEnd,
  type CopyFault,
  type Invalid,
  type Side,
} from '@assay/host/copy';
import { formatHeadLine } from '@assay/kernel';
import type { CopiedRun, CopyDocument } from '@assay/kernel/schemas';
import { STORED } from '../../files/ledger.js';
import { journalOf, openStore, storeProblem, type NamedStore } from '../../files/store.js';
import { machinesFor } from '../../options/machines.js';
import { notesProblem, listing, restoreRemedy } from '../../problems/store-problem.js';
import {
  EXIT,
  misuse,
  makeStop,
  worst,
  type ExitCode,
  type Stop,
  unreachable,
  unsound,
} from '../../problems/problem.js';
import { commandLine, padded, show, styled } from '../../terminal/shown.js';
import type { Context, Output } from '../../call/output.js';

/** A run that was copied, and the problem that kept it from being so, whose exit code counts. */
type CopyResult = { readonly copied: CopiedRun; readonly stop: Stop | null };

/**
 * Copies all runs of a store, or those named: exit 0 where each is in the other store afterwards, 2 where
 * another ledger has its name there, 3 where one does not hold, 5 where a store does not answer, or the notes
 * of a run cannot be taken along. One that is refused stops no other. The notes of a run's calls go with it,
 * so that what a crash cut off is charged where it is taken up, and what was done is not done again.
 */
export async function copyRuns(
  context: Context,
  given: string,
  toUrl: string,
  { machine }: { readonly machine: readonly string[] },
): Promise<ExitCode> {
  const { output, interruption } = context;
  const [, fromUrl = given, run] = STORED.exec(given) ?? [];
  const machines = await machinesFor(machine, ['-']);
  const places: Places = { from: maskedAddress(fromUrl), to: maskedAddress(toUrl) };
  const from = await openStore(fromUrl, { mustExist: true, readsOnly: true });
  try {
    const to = await openStore(toUrl);
    try {
      const ids = await listIds(from, places.from, run);
      const done: CopyResult[] = [];
      const live = output.live<readonly [id: string, doing: string, records: number]>(
        ([id, doing, records]) =>
          show`assay: ${id}: ${doing}, ${records} records; run ${done.length + 1} of ${ids.length}`,
      );
      const words = ['assay', 'store', 'copy', maskedAddress(given), places.to];
      await interruption
        .during(async (signal) => {
          const goesOn = (): void => {
            if (signal.aborted)
              throw makeStop({
                code: 'interrupted',
                message:
                  `interrupted; ${done.length} of ${ids.length} runs are copied; another one may ` +
                  'be incomplete',
                place: places.to,
                remedy: commandLine(words),
                exit: EXIT.interrupted,
              });
          };
          for (const id of ids) {
            goesOn();
            const copied = await copyOne(id, places, {
              from,
              to,
              machines,
              goesOn,
              onRecords: (doing, records) => live.show([id, doing, records]),
            });
            // After the records: notes of a run that was refused are not wanted there. Copied again, they are
            // made up for.
            done.push(
              copied.stop === null ? await withJournal(copied, { from, to, fromUrl, toUrl }) : copied,
            );
          }
        })
        .finally(() => live.end());
      tell(output, { ...places, runs: done.map(({ copied }) => copied) });
      for (const { stop } of done) if (stop !== null) output.complaint(stop.problem);
      return worst(done.map(({ stop }) => stop?.problem.exit ?? EXIT.done));
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** A run that was copied or refused, as the document tells it. Raises `Stop` where no other can be either. */
async function copyOne(runId: string, places: Places, options: CopyOptions): Promise<CopyResult> {
  const copied = await copyRun(runId, options);
  if (copied._tag === 'Left') throw copyEnded(runId, copied.left, places);
  const { result, added, rederivation } = copied.right;
  const refused = copied.right.result === 'refused' ? copied.right.fault : null;
  const stop = refused === null ? null : copyProblem(runId, refused, places);
  const { head, identical } =
    copied.right.result === 'refused' ? { head: null, identical: null } : copied.right;
  return {
    copied: {
      run_id: runId,
      result,
      added,
      head,
      head_line: head === null ? null : formatHeadLine(head),
      identical,
      rederivation,
      problem: stop === null ? null : describeProblem(stop),
    },
    stop,
  };
}

/** A problem, as the document of a copy tells it. */
function describeProblem({ problem: { code, message, place, remedy } }: Stop): CopiedRun['problem'] {
  return { code, message, place: place === '' ? null : place, remedy };
}

/**
 * The journal of a run that was copied, taken along. That it cannot be is this run's problem: its records are there,
 * and no other run waits for it.
 */
async function withJournal(
  { copied, stop }: CopyResult,
  {
    from,
    to,
    fromUrl,
    toUrl,
  }: { readonly [side in Side]: NamedStore } & {
    readonly [side in `${Side}Url`]: string;
  },
): Promise<CopyResult> {
  const { run_id: runId, head } = copied;
  if (head === null) return { copied, stop };
  const unnoted = (problem: Stop): CopyResult => ({
    copied: { ...copied, problem: describeProblem(problem) },
    stop: problem,
  });
  try {
    const [source, target] = [await journalOf(fromUrl, from), await journalOf(toUrl, to)];
    const done = await copyBeside(source, target, { store: from, runId, count: head.count });
    return done._tag === 'Right' ? { copied, stop } : unnoted(notesProblem(done.left, 'copy again'));
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error;
    return unnoted(storeProblem(error.error, maskedAddress(fromUrl)));
  }
}

/** The runs to copy: the one that is named, or all. */
async function listIds(
  store: NamedStore,
  place: string,
  named: string | undefined,
): Promise<readonly string[]> {
  const ids = await store.list();
  if (ids._tag === 'Left') throw storeProblem(ids.left, place);
  if (named === undefined) return ids.right;
  if (ids.right.includes(named)) return [named];
  throw misuse('no_run', 'no such run in this store', named, show`${listing(place)} lists the runs`);
}

function tell(output: Output, document: CopyDocument): void {
  output.document(document);
  const width = document.runs.reduce((most, { run_id }) => Math.max(most, run_id.length), 0);
  for (const run of document.runs)
    output.line(
      show`${padded(show`${run.run_id}`, width)}  ${padded(
        styled(run.problem === null ? 'good' : 'bad', show`${run.result.replace('_', ' ')}`),
        13,
      )}  ${describeCopy(run)}`,
    );
  if (document.runs.length === 0) output.line(show`no runs in ${document.from}`);
}

function describeCopy({ result, added, head_line, identical, rederivation, problem }: CopiedRun): string {
  if (problem !== null && result === 'refused') return problem.code;
  const notes = [
    ...(identical === false ? ['other bytes: one of them has erased payloads'] : []),
    ...(rederivation?.verdict === 'not_checked'
      ? [`rederivation not checked: ${rederivation.code ?? ''}`]
      : []),
    ...(problem === null ? [] : [problem.code]),
  ];
  return `${added} records  ${head_line ?? ''}${notes.map((note) => `; ${note}`).join('')}`;
}

/** The addresses of the two stores, as they may be shown. */
type Places = { readonly [side in Side]: string };

/** The problem of one run: exit 3 where something does not hold, 2 where another ledger has its name. */
function copyProblem(runId: string, fault: CopyFault, places: Places): Stop {
  const { from, to } = places;
  switch (fault.code) {
    case 'store':
      return storeProblem(fault.error, places[fault.side]);
    case 'invalid': {
      const isFrom = fault.side === 'from';
      const so = isFrom ? 'nothing was copied' : fault.isStored ? 'it stays as it is' : 'nothing was changed';
      return failed(
        isFrom ? 'source_invalid' : 'target_invalid',
        invalidMessage(runId, fault.found, so, places[fault.side]),
        places[fault.side],
      );
    }
    case 'not_rederived':
      return failed(
        'source_invalid',
        `${runId} does not re-derive: ${fault.found.code} at record ${fault.found.record}; nothing was copied`,
        from,
      );
    case 'exists':
      return misuse(
        'exists',
        `the store has another run ${runId}, which ends with record ` +
          `${fault.count - 1}; nothing was changed`,
        to,
        'copy to another store, or compare the two with assay store list and assay diff',
      );
    case 'source_changed':
      return failed('source_changed', `${runId} changed after it was verified`, from);
    case 'copy_differs':
      return failed('copy_differs', `the copy of ${runId} differs from the original`, to);
  }
}

/** The problem that ends a copy of many runs. */
function copyEnded(runId: string, end: CopyEnd, places: Places): Stop {
  return end.code === 'store'
    ? storeProblem(end.error, places[end.side])
    : unreachable('source_changed', `${runId} changed while it was copied`, places.from, 'copy it again');
}

function invalidMessage(runId: string, found: Invalid, so: string, place: string): string {
  switch (found.why) {
    case 'name':
      return `${runId} is not a valid run id; nothing was copied`;
    case 'integrity':
      return `${runId} is damaged: ${found.code} at record ${found.record}; ${so}`;
    case 'other_run':
      return (
        `what is stored as ${runId} is ` +
        `${found.run_id === null ? 'no run of Assay' : `the ledger of ${found.run_id}`}; ${so}`
      );
    case 'missing':
      return 'the store lists this run but does not have it; nothing was copied';
    case 'run_id':
      return `${storeProblem(found.error, place).problem.message}; nothing was copied`;
  }
}

function failed(code: string, message: string, place: string): Stop {
  return unsound(code, message, place, restoreRemedy(place));
}
