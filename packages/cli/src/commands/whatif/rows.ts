/** The rows of two pictures that differ: what a change does to whom. */
import type { WhatIfDocument } from '@assay/kernel/schemas';
import type { Cell, Panel, Picture } from '@assay/kernel/view';
import { amountText, inkText, isAmount, makeTwin } from '@assay/views';
import { show, type Shown } from '../../terminal/shown.js';

type Rows = WhatIfDocument['rows'];

const ROWS_SHOWN = 16;
const KEPT_MAX = 1_000;

/** Compares panels by their names, each with how many of its cells say what a row is about. */
export function compareRows(
  was: Picture | null,
  would: Picture | null,
  compares: { readonly [panel: string]: number },
): Rows {
  return Object.entries(compares)
    .flatMap(([id, keys]): Rows => {
      const [before, after] = [findPanel(was, id), findPanel(would, id)];
      const title = before?.title ?? after?.title ?? id;
      const columns = listColumns(before ?? after, keys);
      const [old, young] = [readRows(before, keys), readRows(after, keys)];
      const names = new Set([...old.keys(), ...young.keys()]);
      return [...names].flatMap((row) => {
        const pair = [old.get(row) ?? null, young.get(row) ?? null] as const;
        const [a, b] = pair.map(
          (cells) => cells?.map((cell, at) => `${columns[at] ?? ''} ${cell}`.trim()) ?? null,
        );
        if (a === undefined || b === undefined || JSON.stringify(a) === JSON.stringify(b)) return [];
        if (a === null || b === null) return [{ panel: title, row, was: a, would_be: b }];
        const isOther = (_: string, at: number): boolean => a[at] !== b[at];
        return [{ panel: title, row, was: a.filter(isOther), would_be: b.filter(isOther) }];
      });
    })
    .slice(0, KEPT_MAX);
}

function findPanel(picture: Picture | null, id: string): Panel | undefined {
  return picture?.panels.find((panel) => panel.id === id);
}

function listColumns(panel: Panel | undefined, keys: number): readonly string[] {
  const [twin] = panel === undefined ? [] : makeTwin(panel.block);
  return twin?.t === 'table' ? twin.columns.slice(keys).map(inkText) : [];
}

/** Cells behind the key, by the key. */
function readRows(panel: Panel | undefined, keys: number): ReadonlyMap<string, readonly string[]> {
  const twins = panel === undefined ? [] : makeTwin(panel.block);
  const rows = twins.flatMap((twin) => (twin.t === 'table' ? twin.rows : []));
  return new Map(
    rows.map(({ cells }) => {
      const texts = cells.map(cellText);
      return [texts.slice(0, keys).join('  '), texts.slice(keys)];
    }),
  );
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return isAmount(cell) ? amountText(cell) : inkText(cell);
}

/** A line for each row that differs; `isWhole`: all of them. */
export function rowLines(rows: Rows, isWhole: boolean): readonly Shown[] {
  const shown = isWhole ? rows : rows.slice(0, ROWS_SHOWN);
  let title = '';
  const lines = shown.map(({ panel, row, was, would_be }): Shown => {
    const head = panel === title ? '' : panel;
    title = panel;
    const said =
      was === null
        ? `only then: ${join(would_be)}`
        : would_be === null
          ? `no longer: ${join(was)}`
          : was.map((cell, at) => `${cell} → ${withoutColumn(would_be[at] ?? '', cell)}`).join(', ');
    return show`${head === '' ? '' : show`differs     ${head}\n`}            ${row}   ${said}`;
  });
  return rows.length <= shown.length
    ? lines
    : [...lines, show`            and ${rows.length - shown.length} more: --verbose`];
}

/** The new value alone, where the column of both is the same. */
function withoutColumn(cell: string, was: string): string {
  const column = was.slice(0, was.lastIndexOf(' ') + 1);
  return cell.startsWith(column) ? cell.slice(column.length) : cell;
}

function join(cells: readonly string[] | null): string {
  return (cells ?? []).join(', ');
}
