/** What the laws of views look for in a picture. */
import { isArray, isObject, type Json } from '@assay/kernel';
import type { Block, Branch, Picture } from '@assay/kernel/view';

const PANELS_MAX = 16;
const ITEMS_MAX = 2_000;
const UNITS_MAX = 4_000;

/** What is wrong with the form of a picture of so many records, in words. */
export function misshapen(picture: Picture, records: number): readonly string[] {
  const { panels } = picture;
  const ids = panels.map(({ id }) => id);
  return [
    ...(panels.length > PANELS_MAX ? [`${panels.length} panels`] : []),
    ...(new Set(ids).size < ids.length ? ['two panels have one id'] : []),
    ...panels.flatMap(({ id, block, left_out }) =>
      [...blockFaults(block), ...(left_out < 0 ? ['left_out is negative'] : [])].map(
        (fault) => `panel ${id}: ${fault}`,
      ),
    ),
    ...numbersIn(picture)
      .filter((n) => !Number.isSafeInteger(n))
      .map((n) => `${n} is no safe integer`),
    ...placesIn(picture)
      .filter((at) => at < 0 || at >= records)
      .map((at) => `there is no record ${at}`),
    ...saidByUs(picture)
      .filter((text) => text.length > UNITS_MAX)
      .map((text) => `a piece of ${text.length} units`),
  ];
}

function blockFaults(block: Block): readonly string[] {
  const most = (items: readonly unknown[], what: string): readonly string[] =>
    items.length > ITEMS_MAX ? [`${items.length} ${what}`] : [];
  const fits = (isFit: boolean, fault: string): readonly string[] => (isFit ? [] : [fault]);
  switch (block.t) {
    case 'note':
      return [];
    case 'facts':
      return most(block.rows, 'facts');
    case 'table':
      return [
        ...most(block.rows, 'rows'),
        ...fits(
          block.rows.every(({ cells }) => cells.length === block.columns.length),
          'a row has not one cell for each column',
        ),
      ];
    case 'stack':
      return [
        ...most(block.rows, 'rows'),
        ...fits(
          block.rows.every(({ values }) => values.length === block.parts.length),
          'a bar has not one value for each part',
        ),
      ];
    case 'series':
      return [...block.lines.flatMap(({ points }) => most(points, 'points')), ...most(block.marks, 'marks')];
    case 'grid':
      return [
        ...most(block.rows, 'rows'),
        ...fits(
          block.rows.every(({ cells }) => cells.length === block.columns.length),
          'a row has not one cell for each column',
        ),
      ];
    case 'lanes': {
      const isLane = (lane: number): boolean => lane >= 0 && lane < block.lanes.length;
      return [
        ...most(block.spans, 'spans'),
        ...most(block.arrows, 'arrows'),
        ...fits(
          block.spans.every(({ lane, from, to }) => isLane(lane) && from <= to) &&
            block.arrows.every(({ from, to }) => isLane(from) && isLane(to)),
          'a lane is not there',
        ),
      ];
    }
    case 'tree':
      return fits(countSize(block.roots) <= ITEMS_MAX, `${countSize(block.roots)} branches`);
    case 'graph': {
      const ids = new Set(block.nodes.map(({ id }) => id));
      return [
        ...most(block.nodes, 'nodes'),
        ...fits(
          block.edges.every(({ from, to }) => ids.has(from) && ids.has(to)),
          'an edge has no end',
        ),
      ];
    }
    case 'passage': {
      const points = [...block.text].length;
      return [
        ...most(block.spans, 'spans'),
        ...fits(
          block.spans.every(({ start, end }) => start >= 0 && start <= end && end <= points),
          'a span lies outside of its passage',
        ),
      ];
    }
  }
}

function countSize(branches: readonly Branch[]): number {
  return branches.reduce((sum, { under }) => sum + 1 + countSize(under), 0);
}

/** Every text of view data that is ours: neither `said`, nor a passage, nor the JSON of a file. */
export function saidByUs(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isArray(value)) return value.flatMap(saidByUs);
  if (!isObject(value)) return [];
  const isPassage = value['t'] === 'passage';
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'said' || key === 'json' || key === 'args' || (isPassage && key === 'text') ? [] : saidByUs(item),
  );
}

function numbersIn(value: Json): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value as object).flatMap(numbersIn) : [];
}

function placesIn(value: Json): readonly number[] {
  if (isArray(value)) return value.flatMap(placesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'record' && typeof item === 'number' ? [item] : placesIn(item),
  );
}

/** View data without the positions of records. */
export function withoutPlaces(value: Json): Json {
  if (isArray(value)) return value.map(withoutPlaces);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'record' ? null : withoutPlaces(item)]),
  );
}
