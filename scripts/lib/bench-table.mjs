/**
 * The table of docs/benchmarks.md: one row for each target, written from what the benches said.
 *
 * A row that a document has no figure for stays as it is, so that benches can be measured one by one, each
 * with the date and load of its own.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const PAGE = join(root, 'docs', 'benchmarks.md');
const BEGIN = '<!-- written by node scripts/bench.mjs --write -->';
const END = '<!-- end -->';
const HEADER = [
  '| id | what | target | figure | | measured | by |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];

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
  const rows = new Map(
    table
      .split('\n')
      .filter((row) => row.startsWith('| `'))
      .map((row) => [row.split('`')[1], row]),
  );
  for (const target of document.targets)
    if (target.figure !== null || !rows.has(target.id)) rows.set(target.id, rowOf(target, document));
  const place = (row) => paths.findIndex((path) => row.includes(`\`${path}\``));
  const sorted = [...rows.values()].toSorted((a, b) => place(a) - place(b));
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${[...HEADER, ...sorted].join('\n')}\n\n${END}${after}`);
}

function rowOf(target, document) {
  const cells = [
    `\`${target.id}\``,
    target.says,
    boundOf(target),
    figureOf(target),
    verdictOf(target),
    target.figure === null ? '' : measured(target, document),
    `\`${target.bench}\``,
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * When, with what and beside what. One bench is at most one busy process and a half, with collections and a
 * database: more than that is somebody else.
 */
function measured({ id, load_1m: load }, { date, node, machine, drivers = {} }) {
  const isBusy = machine.load_1m > machine.cores / 2 || load > machine.cores;
  const driver = DRIVEN.filter(([begin]) => id.startsWith(begin)).flatMap(([, name]) => drivers[name] ?? []);
  return [
    date.slice(0, 10),
    `Node ${node.slice(1)}`,
    machine.cpu,
    ...driver,
    isBusy ? `**busy machine** (load ${Math.max(load, machine.load_1m)} on ${machine.cores} cores)` : 'quiet',
  ].join(', ');
}

/** How ids of rows begin that a database has a part in, and what it is called in a document. */
const DRIVEN = [
  ['durable-sqlite', 'sqlite'],
  ['durable-postgres', 'postgres'],
];

function boundOf({ at_most: most, at_least: least, unit }) {
  return most === undefined ? `at least ${grouped(least)} ${unit}` : `at most ${grouped(most)} ${unit}`;
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
