/**
 * The words of a memory's rules, asked of a language model: by the host, as every request is.
 *
 * @module
 */
import { wordByPort, type Worded } from '@assay/controller/memory-shell';
import { maskedAddress } from '@assay/host';
import type { EvidenceRecord } from '@assay/kernel';
import type { ModelFlags } from '../../options/llm.js';
import { modelForWords } from '../../options/models.js';
import { orStop, type Problem } from '../../problems/problem.js';
import { driveProblem } from '../../start/drive-machine.js';
import { liveDrive, modelOptions } from '../../start/live-drive.js';
import { failuresAmong } from '../../start/model-failures.js';
import { notesFolder } from '../../start/places.js';
import { answersBy } from '../../start/results.js';
import { textIn, valueIn } from '../../terminal/fields.js';
import type { Context } from '../../call/context.js';
import { inStore, type MemoryAddress } from '../../files/memory-store.js';

/** Rules that are worded at once. */
const CONCURRENCY = 4;

/**
 * Has a model word every rule that a stored memory asks words for. `problems`: what the model failed at.
 * Raises `Stop`.
 */
export async function wordByModel(
  context: Context,
  { url, run: runId }: MemoryAddress,
  name: string,
  flags: ModelFlags,
): Promise<Worded & { readonly problems: readonly Problem[] }> {
  const { port, units } = await modelForWords(name, modelOptions(context, flags));
  const notes = await notesFolder(url);
  const live = liveDrive({ units: new Set(units), slots: CONCURRENCY, notes, flags });
  const worded = await inStore(
    url,
    ({ store }) =>
      context.interruption.during((signal) => wordByPort(runId, port, { ...live, store, signal })),
    { mustExist: true },
  );
  const { records, ...more } = orStop(worded, (error) => driveProblem(error, runId, maskedAddress(url)));
  return { ...more, records, problems: problemsIn(records) };
}

/** What was asked for stands in records of before: the last answer alone says whether there is a fault. */
function problemsIn(records: readonly EvidenceRecord[]): readonly Problem[] {
  const proposals = records.filter(({ kind }) => kind === 'proposal');
  const last = [...answersBy(proposals, () => '').values()].map((proposal) => ['words', proposal] as const);
  return failuresAmong(
    new Map(
      last.filter(
        ([, proposal]) =>
          textIn(proposal, 'source') === 'live_model' && valueIn(proposal, 'failure') !== null,
      ),
    ),
    null,
  );
}
