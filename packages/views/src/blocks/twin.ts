/**
 * A block as text and tables: what a reader without pictures gets, with the same numbers. Both sinks draw
 * this, so neither knows the ten kinds.
 */
import type { Axis, Block, Branch, Cell, Limit, Text, Tone, Unit } from '@assay/kernel/view';

/** One row of a twin. `depth`: how far it is indented. */
export type TwinRow = {
  readonly cells: readonly Cell[];
  readonly tone: Tone;
  readonly record: number | null;
  readonly depth: number;
};
/** A paragraph, or a table; one without columns has no heading. */
export type Twin =
  | { readonly t: 'text'; readonly tone: Tone; readonly text: Text }
  | { readonly t: 'table'; readonly columns: readonly Text[]; readonly rows: readonly TwinRow[] };

/** A block as text and tables. Nothing is left out. */
export function makeTwin(block: Block): readonly Twin[] {
  switch (block.t) {
    case 'note':
      return [{ t: 'text', tone: block.tone, text: block.text }];
    case 'facts':
      return [
        table(
          [],
          block.rows.map(({ name, value, tone, record }) => row([name, value], tone, record)),
        ),
      ];
    case 'table':
      return [
        table(
          block.columns,
          block.rows.map(({ cells, tone, record }) => row(cells, tone, record)),
        ),
      ];
    case 'stack':
      return [
        table(
          ['', '', 'total', ...block.parts, ''],
          block.rows.map(({ label, tag, total, values, note, tone, record }) =>
            row(
              [label, tag, amount(total, block.unit), ...values.map((n) => amount(n, block.unit)), note],
              tone,
              record,
            ),
          ),
        ),
        ...renderLimits(block.limits, block.unit),
      ];
    case 'series':
      return seriesTwin(block);
    case 'grid':
      return [
        table(
          ['', '', 'is', 'visits'],
          block.rows.flatMap(({ name, cells }) =>
            cells.map(({ label, visits, tone }, index) =>
              row(
                [name, block.columns[index] ?? '', label, visits.length === 0 ? null : visits.join(', ')],
                visits.length === 0 ? 'faint' : tone,
                null,
              ),
            ),
          ),
        ),
      ];
    case 'lanes':
      return lanesTwin(block);
    case 'tree':
      return [
        table(
          [],
          block.roots.flatMap((root) => branchRows(root, 0)),
        ),
      ];
    case 'graph':
      return graphTwin(block);
    case 'passage':
      return passageTwin(block);
  }
}

function table(columns: readonly Text[], rows: readonly TwinRow[]): Twin {
  return { t: 'table', columns, rows };
}

function row(cells: readonly Cell[], tone: Tone, record: number | null, depth: number = 0): TwinRow {
  return { cells, tone, record, depth };
}

function amount(n: number | null, unit: Unit): Cell {
  return n === null ? null : { n, unit, exact: null };
}

function onAxis(n: number, { unit }: Axis): Cell {
  return amount(n, unit === 'record' ? 'count' : unit);
}

function renderLimits(limits: readonly Limit[], unit: Unit): readonly Twin[] {
  return limits.length === 0
    ? []
    : [
        table(
          [],
          limits.map(({ label, at }) => row([label, amount(at, unit)], 'faint', null)),
        ),
      ];
}

function seriesTwin({
  x,
  unit,
  lines,
  limits,
  marks,
}: Extract<Block, { readonly t: 'series' }>): readonly Twin[] {
  const values = lines.map(({ points }) => new Map(points));
  const places = [
    ...new Set([...values.flatMap((points) => [...points.keys()]), ...marks.map((mark) => mark.x)]),
  ].sort((a, b) => a - b);
  const hasMarks = marks.length > 0;
  return [
    table(
      [x.label, ...lines.map(({ name }) => name), ...(hasMarks ? [''] : [])],
      places.map((place) => {
        const here = marks.filter((mark) => mark.x === place);
        return row(
          [
            onAxis(place, x),
            ...values.map((points) => amount(points.get(place) ?? null, unit)),
            ...(hasMarks ? [here.map(({ label }) => label).join(', ')] : []),
          ],
          here[0]?.tone ?? 'plain',
          here[0]?.record ?? null,
        );
      }),
    ),
    ...renderLimits(limits, unit),
  ];
}

function lanesTwin({ axis, lanes, spans, arrows }: Extract<Block, { readonly t: 'lanes' }>): readonly Twin[] {
  const renderName = (lane: number): Text => lanes[lane]?.name ?? '';
  return [
    ...(spans.length === 0
      ? []
      : [
          table(
            axis.ends === undefined ? ['lane', 'from', 'to', ''] : ['lane', 'when', ''],
            spans.map(({ lane, from, to, label, tone, record }) => {
              const when =
                axis.ends === undefined ? [onAxis(from, axis), onAxis(to, axis)] : [lanes[lane]?.note ?? ''];
              return row([renderName(lane), ...when, label], tone, record);
            }),
          ),
        ]),
    ...(arrows.length === 0
      ? []
      : [
          table(
            [axis.label, 'from', 'to', ''],
            arrows.map(({ at, from, to, label, tone, record }) =>
              row(
                [onAxis(at, axis), renderName(from), renderName(to), label],
                tone,
                axis.unit === 'record' ? null : record,
              ),
            ),
          ),
        ]),
  ];
}

function branchRows({ label, tag, tone, note, record, under }: Branch, depth: number): readonly TwinRow[] {
  return [
    row([label, tag, note], tone, record, depth),
    ...under.flatMap((one) => branchRows(one, depth + 1)),
  ];
}

function graphTwin({ nodes, edges }: Extract<Block, { readonly t: 'graph' }>): readonly Twin[] {
  const places = new Map(nodes.map(({ id }, index) => [id, index + 1] as const));
  const named = (id: string): Cell => amount(places.get(id) ?? null, 'count');
  return [
    table(
      ['', '', ''],
      nodes.map(({ id, shape, label, tone, record }) => row([named(id), shape, label], tone, record)),
    ),
    ...(edges.length === 0
      ? []
      : [
          table(
            ['from', '', 'to'],
            edges.map(({ from, kind, to }) =>
              row([named(from), kind.replaceAll('_', ' '), named(to)], 'plain', null),
            ),
          ),
        ]),
  ];
}

function passageTwin({ text, spans }: Extract<Block, { readonly t: 'passage' }>): readonly Twin[] {
  const points = [...text];
  return [
    { t: 'text', tone: 'plain', text: [{ said: text }] },
    ...(spans.length === 0
      ? []
      : [
          table(
            ['', '', ''],
            spans.map(({ start, end, label, tone }) =>
              row([`${start}–${end}`, label, [{ said: points.slice(start, end).join('') }]], tone, null),
            ),
          ),
        ]),
  ];
}
