import { readdirSync } from 'node:fs';
import { orThrow, replayable, type EvidenceRecord, type Genesis } from '@assay/kernel';
import type { Block, Branch, Cell, Picture } from '@assay/kernel/view';
import { drawPicture, pictureMarkdown } from '../src/index.ts';
import { blockMarkdown, amountText } from '../src/blocks/markdown.ts';
import { drawBlock } from '../src/blocks/terminal.ts';
import { forMarkdown, visible } from '../src/escape/escape.ts';
import { MACHINES, findRow } from '../src/machines/index.ts';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../kernel/tools/goldens.ts';

const HOSTILE = '\u001b[31m| <b>[x](y)</b> `c`\n\u202e$(rm)';
const at = { record: 3, tone: 'plain' } as const;
const branch = (under: readonly Branch[]): Branch => ({
  ...at,
  label: [{ said: HOSTILE }],
  tag: 'tag',
  note: 'note',
  under,
});

/** One block of each kind. */
const BLOCKS: readonly Block[] = [
  { t: 'note', tone: 'open', text: ['ours ', { said: HOSTILE }] },
  { t: 'facts', rows: [{ ...at, name: 'cost', value: { n: -1_234_567, unit: 'micro:EUR', exact: null } }] },
  {
    t: 'table',
    columns: ['what', 'of'],
    rows: [{ ...at, cells: [[{ said: HOSTILE }], { n: 500_000, unit: 'ppm', exact: '1/2' }] }],
  },
  {
    t: 'stack',
    unit: 'ppm',
    parts: ['one', 'two'],
    limits: [{ label: 'least', at: 250_000 }],
    rows: [
      { ...at, label: [{ said: HOSTILE }], values: [123_456, null], total: 123_456, tag: 'first', note: '' },
    ],
  },
  {
    t: 'series',
    x: { label: 'round', unit: 'count' },
    unit: 'nano',
    lines: [
      {
        name: [{ said: HOSTILE }],
        main: true,
        step: false,
        points: [
          [1, 5],
          [2, -7],
        ],
      },
    ],
    limits: [{ label: 'end', at: 9 }],
    marks: [{ ...at, x: 2, label: 'stop' }],
  },
  {
    t: 'grid',
    columns: ['near', 'far'],
    rows: [
      {
        name: 'flat',
        cells: [
          { label: 'go', tone: 'good', visits: ['4'] },
          { label: 'no', tone: 'bad', visits: [] },
        ],
      },
    ],
  },
  {
    t: 'lanes',
    axis: { label: 'time', unit: 'us' },
    lanes: [
      { name: 'a', note: '' },
      { name: [{ said: HOSTILE }], note: '' },
    ],
    spans: [{ ...at, lane: 0, from: 1, to: 2, label: 'work' }],
    arrows: [{ ...at, from: 0, to: 1, at: 7, label: 'tells' }],
  },
  { t: 'tree', roots: [branch([branch([])])] },
  {
    t: 'graph',
    nodes: [
      { ...at, id: 'x', shape: 'seed', label: 'one' },
      { ...at, id: 'y', shape: 'claim', label: [{ said: HOSTILE }] },
    ],
    edges: [{ from: 'y', to: 'x', kind: 'depends_on' }],
  },
  { t: 'passage', text: HOSTILE, spans: [{ start: 0, end: 2, label: 'must', tone: 'plain' }] },
];

const terminalOf = (block: Block): string =>
  drawBlock(block, { rowsMax: Infinity, pointsMax: 100_000 })
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
const markdownOf = (block: Block): string => blockMarkdown(block).join('\n');

/** Every number a block shows, as text, and everything said in it. */
function shownBy(block: Block): { readonly numbers: readonly string[]; readonly said: readonly string[] } {
  const numbers: string[] = [];
  const said: string[] = [];
  const unit = 'unit' in block ? block.unit : 'count';
  const look = (value: unknown, key: string): void => {
    if (key === 'points') {
      for (const [, y] of value as readonly (readonly [number, number])[])
        numbers.push(amountText({ n: y, unit }));
    } else if (key === 'values' || key === 'total') {
      for (const n of [value].flat()) if (typeof n === 'number') numbers.push(amountText({ n, unit }));
    } else if (typeof value === 'object' && value !== null) {
      if ('n' in value && 'unit' in value)
        numbers.push(amountText(value as Exclude<Cell, null | string | readonly unknown[]>));
      if ('said' in value) said.push(String(value.said));
      for (const [inner, item] of Object.entries(value)) look(item, inner);
    }
  };
  look(block, '');
  return { numbers, said };
}

describe('view/twin', () => {
  const checked = (block: Block): void => {
    const { numbers, said } = shownBy(block);
    const [terminal, markdown] = [terminalOf(block), markdownOf(block)];
    for (const number of numbers) {
      expect(terminal).toContain(number);
      expect(markdown).toContain(number);
    }
    for (const text of said) {
      expect(terminal).toContain(`"${visible(text)}"`);
      expect(markdown).toContain(text.split('\n').map(forMarkdown).join('↵'));
    }
  };

  it('each of the ten kinds says the same numbers and words in both', () => {
    expect(new Set(BLOCKS.map(({ t }) => t)).size).toBe(10);
    for (const block of BLOCKS) checked(block);
  });

  it.each(['intent-hostile-text', 'controller-correction', 'memory-tombstones'])(
    'so does %s',
    async (name) => {
      for (const { block } of (await pictureOf(name)).panels) checked(block);
    },
  );
});

describe('what evidence says', () => {
  it('acts on no terminal, and is no markup', () => {
    for (const block of BLOCKS) {
      expect(terminalOf(block).replaceAll('\n', '')).toMatch(/^\P{C}*$/u);
      expect(terminalOf(block)).not.toContain('\u202e');
      expect(markdownOf(block)).not.toMatch(/<b>|\[x\]|`/);
    }
  });
});

describe('a picture', () => {
  it('is cut on a screen and says how much is left, and is whole as Markdown', async () => {
    const picture = await pictureOf('controller-correction');
    const lines = drawPicture(picture, { rowsMax: 2 }).map((line) => line.map(({ text }) => text).join(''));
    expect(lines[0]).toMatch(/^(?:Done|Abandoned) {3}/);
    expect(lines).toContain('  23 of 24 cells were never visited');
    expect(lines.some((line) => /^ {2}and \d+ more$/.test(line))).toBe(true);
    expect(pictureMarkdown(picture)).toMatch(/^# (?:Done|Abandoned): /);
    expect(pictureMarkdown(picture)).not.toMatch(/^ *and \d+ more$/m);
  });

  it('aligns a column of numbers, and no column of facts', () => {
    const amount = (n: number): Cell => ({ n, unit: 'count', exact: null });
    const lines = (block: Block): readonly string[] => terminalOf(block).split('\n');
    const rows = [1, 100].map((n) => ({ tone: 'plain' as const, record: null, cells: [amount(n), 'x'] }));
    expect(lines({ t: 'table', columns: ['n', ''], rows })).toEqual(['    n', '    1  x', '  100  x']);
    const facts = ['a long name', 'n'].map((name, index) => ({
      tone: 'plain' as const,
      record: null,
      name,
      value: index === 0 ? 'a long word' : amount(7),
    }));
    expect(lines({ t: 'facts', rows: facts })).toEqual(['  a long name  a long word', '  n            7']);
  });

  it('amounts are exact', () => {
    expect(amountText({ n: -5, unit: 'nano' })).toBe('-0.000000005');
    expect(amountText({ n: 1_500_000, unit: 'us' })).toBe('1.500000 s');
    expect(amountText({ n: 0, unit: 'ppm' })).toBe('0.000000');
  });
});

describe('MACHINES', () => {
  it('has each machine with its view, by name, version and engine', async () => {
    for (const row of MACHINES) {
      const [machine, view] = await Promise.all([row.machine((machine) => replayable(machine)), row.view()]);
      expect([machine.name, machine.version, view.machine]).toEqual([row.name, row.version, row.name]);
      expect(view.versions).toContain(row.version);
      expect(findRow(row)).toBe(row);
      expect(findRow({ ...row, engine: 'other' })).toBeUndefined();
    }
    const named = new Set(
      readdirSync('golden-fixtures')
        .filter((name) => /^(?:intent|controller|memory|planner)-/.test(name))
        .map((name) => readRecords(name)[0]?.payload as unknown as Genesis)
        .map(({ machine }) => findRow(machine)?.name),
    );
    expect([...named].sort()).toEqual(['controller', 'intent', 'memory', 'planner']);
  });
});

async function pictureOf(name: string): Promise<Picture> {
  const [genesis, ...rest] = readRecords(name) as readonly [EvidenceRecord, ...EvidenceRecord[]];
  const row = findRow((genesis.payload as unknown as Genesis).machine);
  if (row === undefined) throw new Error(name);
  let viewer = orThrow((await row.view()).begin(genesis));
  for (const record of rest) viewer = orThrow(viewer.feed(record));
  return viewer.show();
}
