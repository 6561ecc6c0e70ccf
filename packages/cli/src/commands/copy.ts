/**
 * `assay copy`: runs from one store to another, the same bytes.
 *
 * @module
 */
import { maskedAddress, StoreReadError } from '@assay/host';
import type { CopiedRun, CopyDocument } from '@assay/kernel/schemas';
import type { Context } from '../context.js';
import { EXIT, worst, type ExitCode } from '../exit.js';
import { machinesFor } from '../inputs/machines.js';
import { listing } from '../inputs/restore-remedy.js';
import { openStore, storeProblem } from '../inputs/store.js';
import { misuse, Stop, stopOf } from '../problem.js';
import type { Output } from '../output/output.js';
import { padded, show, styled } from '../output/shown.js';
import { copyRun, problemOf, type Copied, type Place } from '../stores/copy-run.js';
import { copyBeside, type NotesBeside } from '../stores/notes-beside.js';
import { commandLine } from '../whatif/quote.js';

type CopyFlags = { readonly runId: readonly string[]; readonly machine: readonly string[] };

/**
 * Copies all runs of a store, or those named: exit 0 where each is in the other store afterwards, 2 where
 * another ledger has its name there, 3 where one does not hold, 5 where a store does not answer, or the notes
 * of a run cannot be taken along. One that is refused stops no other. The notes of a run's calls go with it,
 * so that what a crash cut off is charged where it is taken up, and what was done is not done again.
 */
export async function copy(
  context: Context,
  fromUrl: string,
  toUrl: string,
  { runId, machine }: CopyFlags,
): Promise<ExitCode> {
  const { output, interruption } = context;
  const machines = await machinesFor(machine, ['-']);
  const from: Place = {
    store: await openStore(fromUrl, { mustExist: true, readsOnly: true }),
    place: maskedAddress(fromUrl),
    isFrom: true,
  };
  try {
    const to: Place = { store: await openStore(toUrl), place: maskedAddress(toUrl), isFrom: false };
    try {
      const ids = await idsOf(from, runId);
      const done: Copied[] = [];
      const live = output.live<readonly [id: string, doing: string, records: number]>(
        ([id, doing, records]) =>
          show`assay: ${id}: ${doing}, ${records} records; run ${done.length + 1} of ${ids.length}`,
      );
      const words = [
        'assay',
        'copy',
        maskedAddress(fromUrl),
        maskedAddress(toUrl),
        ...runId.flatMap((id) => ['--run-id', id]),
      ];
      await interruption
        .during(async (signal) => {
          const goesOn = (): void => {
            if (signal.aborted)
              throw stopOf({
                code: 'interrupted',
                message: `interrupted; ${done.length} of ${ids.length} runs are copied, and what else is stored is a beginning of its run`,
                place: to.place,
                remedy: commandLine(words),
                exit: EXIT.interrupted,
              });
          };
          for (const id of ids) {
            goesOn();
            const copied = await copyRun(id, {
              from,
              to,
              machines,
              goesOn,
              onRecords: (doing, records) => live.show([id, doing, records]),
            });
            // After the records: notes of a run that was refused are not wanted there. Copied again, they are
            // made up for.
            const { notes, ...told } =
              copied.stop === null
                ? await withNotes(copied, { fromUrl, toUrl, from })
                : { ...copied, notes: null };
            done.push(told);
            if (notes?.calls === 'lost')
              output.note(
                show`assay: ${id}: ${to.place} keeps no notes of calls; what is noted beside ${from.place} is charged to nobody there`,
              );
            if (notes?.done === 'lost')
              output.note(
                show`assay: ${id}: ${to.place} keeps no notes of calls; what is noted beside ${from.place} as done is done again there`,
              );
          }
        })
        .finally(() => live.end());
      tell(output, { from: from.place, to: to.place, runs: done.map(({ copied }) => copied) });
      for (const { stop } of done) if (stop !== null) output.complaint(stop.problem);
      return worst(done.map(({ stop }) => stop?.problem.exit ?? EXIT.done));
    } finally {
      await to.store.close();
    }
  } finally {
    await from.store.close();
  }
}

/**
 * The notes of a run that was copied, taken along. That they cannot be is this run's problem: its records are
 * there, and no other run waits for it.
 */
async function withNotes(
  copied: Copied,
  {
    fromUrl,
    toUrl,
    from: { store, place },
  }: { readonly fromUrl: string; readonly toUrl: string; readonly from: Place },
): Promise<Copied & { readonly notes: NotesBeside | null }> {
  const { run_id: runId, head } = copied.copied;
  try {
    return {
      ...copied,
      notes: head === null ? null : await copyBeside(fromUrl, toUrl, { store, runId, count: head.count }),
    };
  } catch (error) {
    const stop = error instanceof StoreReadError ? storeProblem(error.error, place) : error;
    if (!(stop instanceof Stop)) throw error;
    return { copied: { ...copied.copied, problem: problemOf(stop) }, stop, notes: null };
  }
}

/** The runs to copy: those named, each once, or all. */
async function idsOf({ store, place }: Place, named: readonly string[]): Promise<readonly string[]> {
  const ids = await store.list();
  if (ids._tag === 'Left') throw storeProblem(ids.left, place);
  const missing = named.find((id) => !ids.right.includes(id));
  if (missing !== undefined)
    throw misuse(
      'no_run',
      'there is no such run in this store',
      missing,
      show`${listing(place)} lists those there are`,
    );
  return named.length === 0 ? ids.right : [...new Set(named)];
}

function tell(output: Output, document: CopyDocument): void {
  output.document(document);
  const width = document.runs.reduce((most, { run_id }) => Math.max(most, run_id.length), 0);
  for (const run of document.runs)
    output.line(
      show`${padded(show`${run.run_id}`, width)}  ${padded(styled(run.problem === null ? 'good' : 'bad', show`${run.result.replace('_', ' ')}`), 13)}  ${saidOf(run)}`,
    );
  if (document.runs.length === 0) output.line(show`no runs in ${document.from}`);
}

function saidOf({ result, added, head_line, identical, rederivation, problem }: CopiedRun): string {
  if (problem !== null && result === 'refused') return problem.code;
  const notes = [
    ...(identical === false ? ['other bytes: payloads are erased in one of them'] : []),
    ...(rederivation?.verdict === 'not_checked'
      ? [`rederivation not checked: ${rederivation.code ?? ''}`]
      : []),
    ...(problem === null ? [] : [problem.code]),
  ];
  return `${added} records  ${head_line ?? ''}${notes.map((note) => `; ${note}`).join('')}`;
}
