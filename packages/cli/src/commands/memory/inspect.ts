/**
 * `assay memory inspect`: what a memory holds. Nothing is changed.
 *
 * @module
 */
import { tagOn, tagsOf, type MemoryPolicy, type Shelf } from '@assay/controller/memory';
import { megramRows, tagRow, tagRows } from '@assay/controller/memory-shell';
import { maskedAddress } from '@assay/host';
import { safeJson } from '@assay/views';
import { nameOf } from '../../files/read.js';
import { dated, momentOf } from '../../options/moment.js';
import { EXIT, misuse, type ExitCode } from '../../problems/problem.js';
import { show } from '../../terminal/shown.js';
import type { Context } from '../../call/context.js';
import type { Output } from '../../call/output.js';
import { CSV_HEADER, csvRow, megramLines, tagLines, weightLines } from './lines.js';
import { isStoreUrl, memoryAt, memoryNamed, type MemoryFlags } from '../../files/memory-store.js';

/**
 * A memory at a moment. `at_us`: the one given, else the latest that is recorded: a reading needs no clock.
 */
type Looked = {
  readonly shelf: Shelf;
  readonly policy: MemoryPolicy;
  readonly at_us: number;
  readonly count: number;
  readonly place: string;
  readonly run_id: string;
};

/**
 * Shows a memory: its tags, those of one space, or one tag with its Megrams; with `--to` every Megram as JSON
 * or CSV. Exit 1 if a tag is named and nothing is remembered there. Nothing is changed.
 */
export async function inspect(
  { output }: Context,
  where: string,
  space: string | undefined,
  entity: string | undefined,
  flags: MemoryFlags & { readonly to?: 'json' | 'csv' },
): Promise<ExitCode> {
  const looked = await lookedAt(where, flags);
  if (flags.to !== undefined) return exported(output, looked, flags.to, { space, entity });
  if (space !== undefined && entity !== undefined) return inspectTag(output, looked, { space, entity });
  const { at_us, count, place, policy, run_id, shelf } = looked;
  const rows = tagRows(shelf, policy, at_us).filter((row) => space === undefined || row.space === space);
  output.document({ memory: place, run_id, records: count, at_us, tags: rows });
  for (const line of tagLines(rows)) output.line(line);
  output.line(
    rows.length === 0
      ? show`nothing is remembered${space === undefined ? '' : ' there'} at ${dated(at_us)}`
      : show`${rows.length} tags at ${dated(at_us)}`,
  );
  return EXIT.done;
}

/** One tag: the Megrams that make up its numbers, each with what is left of it. */
function inspectTag(
  output: Output,
  { at_us, policy, shelf }: Looked,
  name: { readonly space: string; readonly entity: string },
): ExitCode {
  const tag = tagOn(shelf, name);
  if (tag === null) {
    output.document({ ...name, at_us, tag: null, megrams: [] });
    output.data(show`nothing is remembered under ${name.space} ${name.entity}`);
    return EXIT.no;
  }
  const row = tagRow(tag, policy, at_us);
  const megrams = megramRows(tag, at_us);
  const { act_beyond_ppm, ignore_below_ppm } = policy;
  output.document({ ...name, at_us, tag: row, thresholds: { ignore_below_ppm, act_beyond_ppm }, megrams });
  for (const line of weightLines(row, policy, at_us)) output.line(line);
  for (const megram of megrams) for (const line of megramLines(megram)) output.line(line);
  return EXIT.done;
}

/** Prints every Megram of the tags that are named with what is left of it, as one JSON document or as CSV. */
function exported(
  output: Output,
  { at_us, count, place, run_id, shelf }: Looked,
  to: 'json' | 'csv',
  { space, entity }: { readonly space: string | undefined; readonly entity: string | undefined },
): ExitCode {
  if (output.isJson && to === 'csv')
    throw misuse(
      'conflict',
      '--json and --to csv exclude each other',
      '--json --to csv',
      'remove one of them',
    );
  const megrams = tagsOf(shelf)
    .filter((tag) => (space ?? tag.space) === tag.space && (entity ?? tag.entity) === tag.entity)
    .flatMap((tag) => megramRows(tag, at_us));
  const document = { memory: place, run_id, records: count, at_us, megrams };
  const print = (text: string): void => output.data({ parts: [{ text, style: null }] });
  output.document(document);
  if (to === 'json') print(safeJson(document));
  else for (const line of [CSV_HEADER, ...megrams.map(csvRow)]) print(line);
  return EXIT.done;
}

async function lookedAt(where: string, flags: MemoryFlags): Promise<Looked> {
  const { url, run: name } = memoryNamed(where);
  const { head, run } = await memoryAt(url, name);
  const { clock_us, policy, shelf } = run.state;
  return {
    at_us: flags.at === undefined ? clock_us : momentOf(flags.at),
    policy,
    shelf,
    count: head.count,
    place: isStoreUrl(url) ? maskedAddress(url) : nameOf(url),
    run_id: head.run_id,
  };
}
