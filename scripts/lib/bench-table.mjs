/**
 * The table of docs/benchmarks.md: one row for each target, written from what the benches said, under a row
 * for each bench that says when, with what and beside what it was measured.
 *
 * A row that a document has no figure for stays as it is, so that benches can be measured one by one.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const PAGE = join(root, 'docs', 'benchmarks.md');
const BEGIN = '<!-- written by node scripts/bench.mjs --write -->';
const END = '<!-- end -->';
const HEADER = ['| id | what | target | figure | |', '| --- | --- | --- | --- | --- |'];

/** A target in one line of plain text. */
export function line(target) {
  return `${verdictOf(target)}: ${target.says}: ${figureOf(target)} (target: ${boundOf(target)})`;
}

/** Writes the rows of a document between the marks of the page, sorted as `paths` lists the benches. */
export function writeTable(document, paths) {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const [table, after] = (rest ?? '').split(END);
  if (after === undefined) throw new Error(`docs/benchmarks.md has not both marks: ${BEGIN} and ${END}`);
  const rows = readRows(table);
  for (const target of document.targets)
    if (target.figure !== null || !rows.has(target.id)) rows.set(target.id, rowOf(target, document));
  const place = ({ head }) => paths.findIndex((path) => head.includes(`\`${shortened(path)}\``));
  const sorted = [...rows.values()].toSorted(
    (a, b) => place(a) - place(b) || (a.head > b.head) - (a.head < b.head),
  );
  const lines = sorted.flatMap(({ head, row }, at) => (head === sorted[at - 1]?.head ? [row] : [head, row]));
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${[...HEADER, ...lines].join('\n')}\n\n${END}${after}`);
}

/** The rows of the page by id, each with the row that it stands under. */
function readRows(table) {
  const rows = new Map();
  let head = '';
  for (const row of table.split('\n')) {
    if (row.startsWith('| | ')) head = row;
    if (row.startsWith('| `')) rows.set(row.split('`')[1], { head, row });
  }
  return rows;
}

/** A bench as `npm run bench -- --only` takes it. */
function shortened(path) {
  return path.replace(/^packages\//, '').replace(/(?:\.bench)?\.mjs$/, '');
}

function rowOf(target, document) {
  const when = target.figure === null ? 'not run' : measured(target, document);
  const cells = [`\`${target.id}\``, target.says, boundOf(target), shownFigure(target), verdictOf(target)];
  return { head: `| | **\`${shortened(target.bench)}\`** ${when} |`, row: `| ${cells.join(' | ')} |` };
}

/**
 * When, with what and beside what. One bench is at most one busy process and a half, with collections and a
 * database: more than that is somebody else.
 */
function measured({ id, load_1m: load }, { date, node, machine, drivers = {} }) {
  const isBusy = machine.load_1m > machine.cores / 2 || load > machine.cores;
  const driver = DRIVEN.filter(([begin]) => id.startsWith(begin)).flatMap(
    ([, name]) => drivers[name]?.replace(/ \(Debian [^)]*\)/, '') ?? [],
  );
  const isUsual = node === USUAL.node && machine.cores === USUAL.cores;
  return [
    date.slice(0, 10),
    ...(isUsual ? [] : [`Node ${node.slice(1)}, ${machine.cores} cores`]),
    machine.cpu.replaceAll(/\(R\)| Processor$/g, ''),
    ...driver,
    isBusy ? `**load ${Math.max(load, machine.load_1m)}**` : 'quiet',
  ].join(', ');
}

/** What a row says of Node and cores only where it differs; the page says it once. */
const USUAL = { node: 'v20.20.2', cores: 2 };
/** How ids of rows begin that a database has a part in, and what it is called in a document. */
const DRIVEN = [
  ['durable-sqlite', 'sqlite'],
  ['durable-postgres', 'postgres'],
];

function boundOf({ at_most: most, at_least: least, unit }) {
  return (most === undefined ? `≥ ${grouped(least)} ${unit}` : `≤ ${grouped(most)} ${unit}`).trim();
}

/** A figure beside its bound, which has the unit. */
function shownFigure({ figure }) {
  return figure === null ? 'not run' : grouped(figure);
}

function figureOf({ figure, unit }) {
  return figure === null ? 'not run' : `${grouped(figure)} ${unit}`;
}

function verdictOf({ met }) {
  return met === null ? 'not run' : met ? 'met' : 'missed';
}

/** Thousands apart by a comma, whatever the locale. */
function grouped(value) {
  const [whole, rest] = String(value).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...(rest === undefined ? [] : [rest])].join('.');
}
