/**
 * The words of a memory's rules, asked of a language model: by the host, as every request is.
 *
 * @module
 */
import { headOf, type EvidenceRecord, type Head } from '@assay/kernel';
import { DISTIL_KIND, memory, type MemoryEvent } from '@assay/controller/memory';
import { drive, maskedAddress, type Store } from '@assay/host';
import type { Context } from '../context.js';
import { objectIn, textIn, valueIn } from '../../terminal/fields.js';
import { modelFor } from '../../options/models.js';
import { openStore, storeProblem } from '../../files/store.js';
import type { Problem } from '../../problems/problem.js';
import { answersBy } from '../run/answered-by.js';
import { liveDrive } from '../run/live-drive.js';
import { failuresAmong } from '../run/model-failures.js';
import { modelOptions, type ModelFlags } from '../run/plan-run.js';
import { driveProblem } from '../run/run-request.js';
import { patiently } from '../../options/patience.js';

/** Rules that are worded at once. */
const CONCURRENCY = 4;

/** What came of it: the events of every answer, where the ledger ends, and what a model failed at. */
export type Worded = {
  readonly events: readonly MemoryEvent[];
  readonly head: Head;
  readonly problems: readonly Problem[];
};

/**
 * Has a model word every rule that a stored memory asks words for; of its standing invitations nobody is
 * asked. A memory that another process holds is waited for as by every command, before the model is asked for
 * anything. Raises `Stop`.
 */
export async function distilByModel(
  context: Context,
  url: string,
  runId: string,
  name: string,
  flags: ModelFlags,
): Promise<Worded> {
  const { port, units } = await modelFor('words', name, modelOptions(context, flags));
  const live = await liveDrive({ units: new Set(units), slots: CONCURRENCY, store: url, flags });
  const store = await openStore(url, { mustExist: true });
  const records: EvidenceRecord[] = [];
  try {
    await claimed(store, runId, maskedAddress(url));
    const ports = ({ kind }: { readonly kind: string }): typeof port | null =>
      kind === DISTIL_KIND ? port : null;
    const driven = await context.interruption.during((signal) =>
      drive(memory, runId, {
        ...live,
        store,
        ports,
        signal,
        invitationAttempts: 0,
        onEvent: (event) => {
          if (event.type === 'append') records.push(...event.records);
        },
      }),
    );
    if (driven._tag === 'Left') throw driveProblem(driven.left, runId, maskedAddress(url));
    return {
      events: records.flatMap(eventsIn),
      head: headOf(driven.right.run),
      problems: problemsIn(records),
    };
  } finally {
    await store.close();
  }
}

/** Makes the run this writer's, where its store has such a thing. One that is not there the drive tells. */
async function claimed(store: Store, runId: string, place: string): Promise<void> {
  const claim = await patiently(async () => {
    const head = await store.head(runId);
    return head._tag === 'Left' || head.right === null ? head : store.append(runId, head.right, []);
  });
  if (claim._tag === 'Left') throw storeProblem(claim.left, place);
}

function eventsIn({ kind, payload }: EvidenceRecord): readonly MemoryEvent[] {
  return kind === 'decision'
    ? ((objectIn({ payload: payload ?? null }, 'payload')['events'] ??
        []) as unknown as readonly MemoryEvent[])
    : [];
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
