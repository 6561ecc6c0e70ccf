/**
 * The scoring table of a run, from the events of its last decision.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import { padded, show, styled, type Shown } from '../output/shown.js';
import { textIn } from '../inputs/fields.js';
import { points } from '../running/result-lines.js';

const NAME_WIDTH = 14;
const COLUMN = 12;

type Row = { readonly name: string; readonly total: number; readonly parts: readonly { readonly criterion: string; readonly weight: number; readonly ppm: number }[] };

/** One line of headings and one for each reading, best first; empty where nothing was scored. */
export function scoreLines(records: readonly EvidenceRecord[]): readonly Shown[] {
  const decision = records.findLast(({ kind }) => kind === 'decision')?.payload;
  const events = decision !== undefined && isObject(decision) ? field(decision, 'events') : undefined;
  const rows = isArray(events) ? events.flatMap(rowOf).sort((a, b) => b.total - a.total) : [];
  const [first] = rows;
  if (first === undefined) return [];
  const criteria = first.parts.map(({ criterion }) => criterion);
  const heading = show`scores      ${'reading'.padEnd(NAME_WIDTH)}${criteria.map((name) => name.padEnd(COLUMN)).join('')}total`;
  return [heading, ...rows.map((row, index) => show`            ${padded(show`${row.name}`, NAME_WIDTH)}${row.parts.map(({ ppm }) => points(ppm).padEnd(COLUMN)).join('')}${points(row.total)}${index === 0 ? styled('good', show`  chosen`) : ''}`)];
}

function rowOf(event: Json): readonly Row[] {
  if (!isObject(event)) return [];
  const parts = field(event, 'parts');
  const [name, total] = [field(event, 'name'), field(event, 'total')];
  if (!isArray(parts) || typeof name !== 'string' || typeof total !== 'number') return [];
  const used = parts.filter((part): part is JsonObject => isObject(part) && part['applicable'] === true && Number(part['weight']) > 0);
  return [{ name, total, parts: used.map((part) => ({ criterion: textIn(part, 'criterion'), weight: Number(part['weight']), ppm: Number(part['ppm']) })) }];
}
