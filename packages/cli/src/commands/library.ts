/**
 * `assay library`: what plans have left in their library. Nothing is changed.
 *
 * @module
 */
import { maskedAddress } from '@assay/host';
import { formatHeadLine, runView, type EvidenceRecord, type Json } from '@assay/kernel';
import { LIBRARY_RUN } from '@assay/planner/library-shell';
import { drawPicture, safeJson } from '@assay/views';
import { soundLedger, underivable } from '../files/ledger.js';
import { nameOf } from '../files/read.js';
import { viewOf } from '../options/machines.js';
import { EXIT, misuse, orStop, type ExitCode } from '../problems/problem.js';
import { recordsIn } from '../start/results.js';
import { inked, show } from '../terminal/shown.js';
import type { Context } from '../call/context.js';
import { inStore, isStoreUrl } from '../files/memory-store.js';

type Read = { readonly records: readonly EvidenceRecord[]; readonly place: string };

/** Shows a library: tools and how they fared, goals, requests to people. Exit 3 where it does not hold. */
export async function inspect({ output }: Context, where: string): Promise<ExitCode> {
  const { picture, place, head } = await pictureAt(where);
  output.document({ library: place, head, picture });
  for (const line of drawPicture(picture)) output.line(inked(line));
  // A copy that was cut at a record is a library too; only this line tells it from the whole.
  output.line();
  output.line(show`head        ${head}`);
  return EXIT.done;
}

/** Prints the tables of a library as one JSON document: lists of rows by table and column. */
export async function exportLibrary({ output }: Context, where: string): Promise<ExitCode> {
  const { picture } = await pictureAt(where);
  const tables = Object.fromEntries(
    picture.panels.flatMap(({ id, block }) =>
      block.t === 'table' ? [[id, block.rows.map(({ cells }) => rowOf(block.columns, cells as Json))]] : [],
    ),
  );
  output.document(tables);
  output.data({ parts: [{ text: safeJson(tables), style: null }] });
  return EXIT.done;
}

function rowOf(columns: readonly string[], cells: Json): Readonly<Record<string, Json>> {
  const all = cells as readonly Json[];
  return Object.fromEntries(columns.map((column, at) => [column, valueOf(all[at] ?? null)]));
}

/** A cell as its value: text of evidence as it stands, an amount as its integer. */
function valueOf(cell: Json): Json {
  if (Array.isArray(cell))
    return (cell as readonly (string | { readonly said: string })[])
      .map((piece) => (typeof piece === 'string' ? piece : piece.said))
      .join('');
  return typeof cell === 'object' && cell !== null && 'n' in cell ? (cell['n'] ?? null) : cell;
}

async function pictureAt(where: string): Promise<{
  readonly place: string;
  readonly head: string;
  readonly picture: Extract<Awaited<ReturnType<typeof viewOf>>, { readonly t: 'viewed' }>['picture'];
}> {
  const { records, place } = await readAt(where);
  const { genesis } = orStop(runView(records), () =>
    misuse('foreign_chain', 'this chain was not written by a run of ours', place, 'name a library'),
  );
  if (genesis.machine.name !== 'library')
    throw misuse('other_machine', `this is a run of ${genesis.machine.name}`, place, 'name a library');
  const viewed = await viewOf([], genesis, records);
  if (viewed?.t !== 'viewed')
    throw underivable(viewed?.code ?? 'unknown_machine', viewed?.record ?? 0, place, []);
  const { ts = '', record_hash: hash } = records.at(-1) ?? {};
  const count = Number(ts.slice(ts.indexOf('#') + 1)) + 1;
  return { place, head: hash === undefined ? '' : formatHeadLine({ count, hash }), picture: viewed.picture };
}

async function readAt(where: string): Promise<Read> {
  if (!isStoreUrl(where)) return { records: (await soundLedger(where)).records, place: nameOf(where) };
  const [url = '', run = LIBRARY_RUN] = where.split('#', 2);
  return inStore(
    url,
    async ({ store, place }) => ({ records: await recordsIn(store, run, place), place: maskedAddress(url) }),
    { mustExist: true, readsOnly: true },
  );
}
