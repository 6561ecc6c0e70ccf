/** `assay store list` and `store check`: the runs of a store, and whether it can be read and written. */
import { listRun, maskedAddress } from '@assay/host';
import type { ListedRun, RunsDocument } from '@assay/kernel/schemas';
import type { ListPage } from '@assay/store-postgres';
import { openStore, storeProblem, type NamedStore } from '../../files/store.js';
import { readCount } from '../../options/settings.js';
import { EXIT, orStop, worst, type ExitCode, type Problem } from '../../problems/problem.js';
import { padded, show, styled } from '../../terminal/shown.js';
import type { FleetPage } from './fleet.js';
import type { Context, Output } from '../../call/output.js';

type ListFlags = FleetPage & { readonly fleet?: boolean };

/**
 * Lists the stored runs, each read through: exit 3 where one does not hold, 5 where one cannot be read; the
 * others are listed all the same. Nothing is derived again, and nothing is changed.
 */
export async function listRuns(context: Context, url: string, flags: ListFlags): Promise<ExitCode> {
  if (flags.fleet === true) return (await import('./fleet.js')).listFleet(context, url, flags);
  const { output } = context;
  const page = {
    after: flags.after ?? '',
    limit: readCount('--limit', flags.limit, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  };
  const place = maskedAddress(url);
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    const ids = await idsIn(store, place, page);
    const found: ListedRun[] = [];
    const codes: ExitCode[] = [];
    const torn: Problem[] = [];
    const live = output.live<string>(
      (id) => show`assay: reading ${id}, ${found.length} of ${ids.length} runs read`,
    );
    try {
      for (const id of ids) {
        live.show(id);
        const { listed, refused } = await listRun(store, id);
        // Where the store itself is gone, no more runs are called broken for it.
        if (refused?.code === 'unavailable') await idsIn(store, place);
        found.push(listed);
        // A run that is listed and cannot be found, or by a name that is none, is one that does not hold.
        codes.push(
          listed.fault === null
            ? EXIT.done
            : refused === null || refused.code === 'not_found' || refused.code === 'run_id'
              ? EXIT.failed
              : storeProblem(refused, place).problem.exit,
        );
        if (refused?.code === 'torn') torn.push(storeProblem(refused, place).problem);
      }
    } finally {
      live.end();
    }
    const document: RunsDocument = { store: place, runs: found };
    output.document(document);
    const widths = {
      id: widest(found.map(({ run_id }) => run_id)),
      machine: widest(found.map(({ machine }) => machine ?? '')),
    };
    for (const listed of found) tell(output, listed, widths);
    for (const problem of torn) output.complaint(problem);
    if (found.length === 0) output.line(show`no runs in ${place}`);
    return worst(codes);
  } finally {
    await store.close();
  }
}

/** A page of ids, which a server picks itself; other stores list all. */
async function idsIn(store: NamedStore, place: string, page?: ListPage): Promise<readonly string[]> {
  const ids = orStop(await store.list(page), (error) => storeProblem(error, place));
  const { after = '', limit = ids.length } = page ?? {};
  return ids.filter((id) => id > after).slice(0, limit);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

function tell(
  output: Output,
  { run_id, machine, records, outcome, head_line, fault }: ListedRun,
  widths: { readonly id: number; readonly machine: number },
): void {
  const name = padded(show`${run_id}`, widths.id);
  const what = padded(show`${machine ?? '-'}`, widths.machine);
  if (fault === null) {
    output.line(
      show`${name}  ${what}  ${padded(show`${records} records`, 14)}  ${padded(
        show`${outcome ?? ''}`,
        7,
      )}  ${head_line ?? ''}`,
    );
    return;
  }
  const line = show`${name}  ${what}  ${padded(show`${records} records`, 14)}  ${styled(
    'bad',
    show`broken `,
  )}  ${fault.code}${fault.record === null ? '' : ` at record ${fault.record}`}`;
  output.line(line);
  output.brief(line);
}

/** Lists the runs and tries to write. Raises `Stop`: why it cannot, exit 5 where the store does not answer. */
export async function checkStore({ output }: Context, url: string): Promise<ExitCode> {
  const store = await openStore(url, { mustExist: true });
  try {
    const runs = orStop(await store.list(), (error) => storeProblem(error, url));
    orStop(await store.tryWriting(), (error) => storeProblem(error, url));
    output.document({ store: maskedAddress(url), runs: runs.length });
    output.line(show`${maskedAddress(url)}: ${runs.length} runs; it can be read and written`);
    return EXIT.done;
  } finally {
    await store.close();
  }
}
