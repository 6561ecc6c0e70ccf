/** The bounds of view data: what a picture may hold at most. What does not fit is counted. */
import type { Block, Branch, Cell, Line, Panel, Picture, Text } from './picture.js';

const PANELS_MAX = 16;
const ITEMS_MAX = 2_000;
const UNITS_MAX = 4_000;
const PASSAGE_MAX = 262_144;

/** A picture within its bounds. Panels that are left out count in the last one kept. */
export function boundedPicture({ tone, verdict, subject, because, asked, panels }: Picture): Picture {
  const kept = panels.slice(0, PANELS_MAX).map(boundedPanel);
  const last = kept.at(-1);
  if (last !== undefined && panels.length > PANELS_MAX)
    kept[kept.length - 1] = { ...last, left_out: last.left_out + panels.length - PANELS_MAX };
  return { tone, verdict, subject: text(subject), because: text(because), asked: text(asked), panels: kept };
}

function boundedPanel(panel: Panel): Panel {
  const { block, left } = bounded(panel.block);
  return { ...panel, block, left_out: panel.left_out + left };
}

/** Blocks within their bounds; a note says what was left out of one. */
export function boundedBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((given): readonly Block[] => {
    const { block, left } = bounded(given);
    return left === 0
      ? [block]
      : [block, { t: 'note', tone: 'faint', text: `and ${left} more, left out here` }];
  });
}

type Bounded = { readonly block: Block; readonly left: number };

function bounded(block: Block): Bounded {
  switch (block.t) {
    case 'note':
      return { block: { ...block, text: text(block.text) }, left: 0 };
    case 'facts': {
      const [rows, left] = first(block.rows);
      return { block: { ...block, rows: rows.map((row) => ({ ...row, value: cell(row.value) })) }, left };
    }
    case 'table': {
      const [rows, left] = first(block.rows);
      return { block: { ...block, rows: rows.map((row) => ({ ...row, cells: row.cells.map(cell) })) }, left };
    }
    case 'stack': {
      const [rows, left] = first(block.rows);
      const shown = rows.map((row) => ({ ...row, label: text(row.label), note: text(row.note) }));
      return { block: { ...block, rows: shown }, left };
    }
    case 'series': {
      const [lines, missing] = first(block.lines);
      const [marks, more] = first(block.marks);
      return { block: { ...block, lines: lines.map(line), marks }, left: missing + more };
    }
    case 'grid': {
      const [rows, left] = first(block.rows);
      return { block: { ...block, rows }, left };
    }
    case 'lanes': {
      const [lanes, missing] = first(block.lanes);
      const [spans, more] = first(block.spans);
      const [arrows, rest] = first(block.arrows);
      const named = lanes.map((lane) => ({ ...lane, name: text(lane.name) }));
      const told = spans.map((span) => ({ ...span, label: text(span.label) }));
      return { block: { ...block, lanes: named, spans: told, arrows }, left: missing + more + rest };
    }
    case 'tree': {
      const count = { left: 0, room: ITEMS_MAX };
      return { block: { ...block, roots: branches(block.roots, count) }, left: count.left };
    }
    case 'graph': {
      const [nodes, left] = first(block.nodes);
      const ids = new Set(nodes.map(({ id }) => id));
      const [edges, more] = first(block.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)));
      return {
        block: { ...block, nodes: nodes.map((node) => ({ ...node, label: text(node.label) })), edges },
        left: left + more,
      };
    }
    case 'passage': {
      const [spans, left] = first(block.spans);
      return { block: { ...block, text: cut(block.text, PASSAGE_MAX), spans }, left };
    }
  }
}

function first<T>(items: readonly T[]): readonly [kept: readonly T[], left: number] {
  return [items.slice(0, ITEMS_MAX), Math.max(0, items.length - ITEMS_MAX)];
}

/** Branches from the top, as many as there is room for; a branch goes with all that is under it. */
function branches(roots: readonly Branch[], count: { left: number; room: number }): readonly Branch[] {
  return roots.flatMap((root): readonly Branch[] => {
    if (count.room === 0) {
      count.left += 1 + countSize(root.under);
      return [];
    }
    count.room -= 1;
    return [{ ...root, label: text(root.label), note: text(root.note), under: branches(root.under, count) }];
  });
}

function countSize(roots: readonly Branch[]): number {
  return roots.reduce((sum, { under }) => sum + 1 + countSize(under), 0);
}

/** Least and greatest of each bucket of points, so that no peak is lost. */
function line(given: Line): Line {
  const { points } = given;
  if (points.length <= ITEMS_MAX) return { ...given, name: text(given.name) };
  const buckets = ITEMS_MAX / 2;
  const kept = Array.from({ length: buckets }, (_, index) => {
    const bucket = points.slice(
      Math.floor((index * points.length) / buckets),
      Math.floor(((index + 1) * points.length) / buckets),
    );
    const least = bucket.reduce((a, b) => (b[1] < a[1] ? b : a), bucket[0] ?? [0, 0]);
    const most = bucket.reduce((a, b) => (b[1] > a[1] ? b : a), bucket[0] ?? [0, 0]);
    return bucket.indexOf(least) <= bucket.indexOf(most) ? [least, most] : [most, least];
  });
  return { ...given, name: text(given.name), points: kept.flat() };
}

function cell(given: Cell): Cell {
  return given === null || (typeof given === 'object' && 'unit' in given) ? given : text(given);
}

function text(given: Text): Text {
  if (typeof given === 'string') return cut(given, UNITS_MAX);
  return given.map((piece) =>
    typeof piece === 'string' ? cut(piece, UNITS_MAX) : { said: cut(piece.said, UNITS_MAX) },
  );
}

/** At most so many UTF-16 units, an ellipsis among them; no pair is parted. */
function cut(given: string, units: number): string {
  if (given.length <= units) return given;
  const end = isHigh(given.charCodeAt(units - 2)) ? units - 2 : units - 1;
  return `${given.slice(0, end)}…`;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
