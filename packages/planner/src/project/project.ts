/**
 * Plans as other programs write them. A table of tasks that Microsoft Project exports (CSV) is read as a plan file:
 * docs/formats/plan.md. Total, with the line of the first fault. A day has 8 hours, a week 5 days, a month 20.
 */
import { err, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { LINK_KINDS, type LinkKind } from '../network/schedule.js';
import { NO_CAP } from '../plan/plan.js';
import { isPatterson, readPatterson } from '../psplib/patterson.js';
import { readPsplib, type PsplibFault } from '../psplib/psplib.js';
import { divisor } from '../question/raise.js';

/**
 * A plan value from a text of another program, told by what it holds: PSPLIB, MMLIB, Patterson's form, Microsoft
 * Project; null where it is none of these.
 */
export function readForeign(text: string): Result<PsplibFault | ProjectFault, Json> | null {
  if (/^PRECEDENCE RELATIONS/m.test(text)) {
    const read = readPsplib(text);
    return read._tag === 'Left' ? read : ok(read.right.plan);
  }
  if (isPatterson(text)) return readPatterson(text);
  return isProject(text) ? readProject(text) : null;
}

/** A row, and the line on which it begins (from 1). */
type Row = { readonly line: number; readonly cells: readonly string[] };

const DELIMITERS = [',', ';', '\t'] as const;

/** The rows of a text, without empty ones. The delimiter is the one of which the first line has most. */
function readRows(text: string): Result<{ readonly line: number; readonly wanted: string }, readonly Row[]> {
  const [first = ''] = text.split('\n', 1);
  const count = (each: string): number => first.split(each).length;
  const delimiter = DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  const rows: Row[] = [];
  let cells: string[] = [];
  let [line, begin, cell] = [1, 1, ''];
  let isQuoted = false;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((each) => each.trim() !== ''))
      rows.push({ line: begin, cells: cells.map((each) => each.trim()) });
    [cells, cell] = [[], ''];
    begin = line + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += char;
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (char === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else cell += char;
    if (char === '\n') line += 1;
  }
  if (isQuoted) return err({ line: begin, wanted: 'a cell whose quotes end' });
  endRow();
  return ok(rows);
}

/** Why a table is not taken, and the line (from 1). */
type ProjectFault = { readonly code: 'bad_project'; readonly line: number; readonly wanted: string };

const COLUMNS: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'name',
  'task name': 'name',
  duration: 'duration',
  predecessors: 'predecessors',
  'resource names': 'resources',
  cost: 'cost',
  'outline level': 'level',
  summary: 'summary',
};
const HOUR = 60;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^m(?:ins?|inutes?)?$/, 1],
  [/^h(?:rs?|ours?)?$/, HOUR],
  [/^d(?:ys?|ays?)?$/, 8 * HOUR],
  [/^w(?:ks?|eeks?)?$/, 40 * HOUR],
  [/^mo(?:ns?|nths?)?$/, 160 * HOUR],
];
const CURRENCIES: Readonly<Record<string, string>> = { $: 'USD ', '€': 'EUR ', '£': 'GBP ' };
const PERCENT = 100;

type Task = {
  readonly id: number;
  readonly isSummary: boolean;
  readonly under: readonly number[];
} & Readonly<Record<'name' | 'duration' | 'predecessors' | 'resources' | 'cost', string>> &
  Pick<Row, 'line'>;

/** True for a text whose first line names a task's id, name and duration as columns. */
function isProject(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  const names = new Set(first.split(/[,;\t]/).map(findColumn));
  return ['id', 'name', 'duration'].every((name) => names.has(name));
}

function findColumn(head: string): string {
  const words = head.replace(/["\r]/g, '').replaceAll('_', ' ').trim();
  return COLUMNS[words.replace(/[A-Z]/g, (letter) => letter.toLowerCase())] ?? ''; // ascii
}

/** See the module. */
function readProject(text: string): Result<ProjectFault, JsonObject> {
  const rows = readRows(text);
  return rows._tag === 'Left' ? err({ code: 'bad_project', ...rows.left }) : new Project().read(rows.right);
}

class Project {
  private fault: ProjectFault | null = null;
  private tasks: ReadonlyMap<number, Task> = new Map();
  private minutes: ReadonlyMap<number, number> = new Map();
  /** The most percent of each resource that one task uses, at least all of one. */
  private readonly capacities = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private currency = '';

  read([head, ...rows]: readonly Row[]): Result<ProjectFault, JsonObject> {
    const columns = (head?.cells ?? []).map(findColumn);
    this.tasks = this.readTasks(columns, rows);
    const all = [...this.tasks.values()].filter(({ isSummary }) => !isSummary);
    this.minutes = new Map(
      all.map((task) => [task.id, this.readTime(task.duration, task.line, 'a duration')]),
    );
    const hasCost = columns.includes('cost') && all.some(({ cost }) => cost !== '');
    const costs = new Map(all.map((task) => [task.id, hasCost ? this.readCost(task) : 0]));
    const used = new Map(all.map((task) => [task.id, this.readResources(task)] as const));
    // Percents are counted in the largest part that all of a resource's are: whole people, or halves.
    const partOf = (id: string): number =>
      [...used.values()]
        .flatMap((uses) => uses.flatMap(([each, use]) => (each === id ? [use] : [])))
        .reduce(divisor, this.capacities.get(id) ?? 1);
    const inParts = (uses: Iterable<readonly [string, number]>): JsonObject =>
      Object.fromEntries([...uses].map(([id, percent]) => [id, percent / partOf(id)]));
    const tasks = all.map((task): JsonObject => {
      const { id, name, line } = task;
      if (name === '') this.fail(line, 'a task with a name');
      return {
        id: this.nameTask(id),
        title: name,
        after: this.listLinks(task),
        minutes: this.minutes.get(id) ?? 0,
        ...(hasCost ? { amounts: { cost: costs.get(id) ?? 0 } } : {}),
        uses: inParts(used.get(id) ?? []),
      };
    });
    if (tasks.length === 0) this.fail(head?.line ?? 1, 'followed by a task');
    const unit = `${this.currency}cents`;
    return this.fault === null
      ? ok({
          plan: 1,
          hours_per_day: 8,
          ...(hasCost ? { rows: [{ id: 'cost', unit, ...NO_CAP }] } : {}),
          renewable: inParts(this.capacities),
          tasks,
        })
      : err(this.fault);
  }

  private fail(line: number, wanted: string): void {
    this.fault ??= { code: 'bad_project', line, wanted };
  }

  /** The rows as tasks; `under`: the summaries that one stands under. */
  private readTasks(columns: readonly string[], rows: readonly Row[]): ReadonlyMap<number, Task> {
    const tasks = new Map<number, Task>();
    const cell = ({ cells }: Row, name: string): string => cells[columns.indexOf(name)] ?? '';
    const level = (row: Row | undefined): number => {
      const words = row === undefined || !columns.includes('level') ? '1' : cell(row, 'level');
      if (!/^\d{1,3}$/.test(words)) this.fail(row?.line ?? 1, 'an outline level');
      return Number(words);
    };
    const open: { readonly id: number; readonly level: number }[] = [];
    for (const [at, row] of rows.entries()) {
      const { line } = row;
      const id = /^\d{1,9}$/.test(cell(row, 'id')) ? Number(cell(row, 'id')) : -1;
      if (id < 0 || tasks.has(id)) this.fail(line, 'an id of its own, a whole number');
      const own = level(row);
      const said = cell(row, 'summary');
      const isSummary =
        said === '' ? level(rows[at + 1]) > own && at + 1 < rows.length : /^(?:yes|true|1)$/i.test(said);
      while ((open.at(-1)?.level ?? -1) >= own) open.pop();
      tasks.set(id, {
        id,
        line,
        isSummary,
        under: open.map((each) => each.id),
        name: cell(row, 'name'),
        duration: cell(row, 'duration'),
        predecessors: cell(row, 'predecessors'),
        resources: cell(row, 'resources'),
        cost: cell(row, 'cost'),
      });
      if (isSummary) open.push({ id, level: own });
    }
    return tasks;
  }

  /** `5 days`, `2 wks?`, `30 mins` in minutes. */
  private readTime(text: string, line: number, what: string): number {
    const [, whole = '', part = '', letters = ''] =
      /^(\d{1,9})(?:\.(\d{1,6}))?\s*([A-Za-z]+)\??$/.exec(text) ?? [];
    const unit = UNITS.find(([pattern]) => pattern.test(letters))?.[1];
    const scale = BigInt(`1${'0'.repeat(part.length)}`);
    const minutes = BigInt(`${whole}${part}` || '0') * BigInt(unit ?? 0);
    if (unit === undefined || minutes % scale !== 0n)
      this.fail(line, `${what} such as 5 days, 2 wks, 4 hrs, 30 mins or 1 mon, in whole minutes`);
    return Number(minutes / scale);
  }

  private nameTask(id: number): string {
    const width = String(Math.max(...this.tasks.keys())).length;
    return `t${String(id).padStart(width, '0')}`;
  }

  /** The links of a task and of the summaries that it stands under. */
  private listLinks({ id, under }: Task): readonly Json[] {
    return [id, ...under].flatMap((each) => {
      const task = this.tasks.get(each);
      return task === undefined || task.predecessors === ''
        ? []
        : task.predecessors.split(/[,;]/).flatMap((text) => this.readLink(text.trim(), task));
    });
  }

  private readLink(text: string, { line, isSummary }: Task): readonly Json[] {
    const [, number = '', kind = 'FS', sign = '', lag = ''] =
      /^(\d{1,9})\s*([A-Za-z]{2})?\s*(?:([+-])\s*(\S.*))?$/.exec(text) ?? [];
    const link = LINK_KINDS.find((each) => each === kind.toUpperCase()); // ascii
    const before = this.tasks.get(Number(number));
    if (number === '' || link === undefined) this.fail(line, 'a predecessor such as 3, 3SS or 3FS+2 days');
    else if (before === undefined) this.fail(line, `a predecessor of the table: it has no ${number}`);
    else if ((before.isSummary && link.startsWith('S')) || (isSummary && link.endsWith('F')))
      this.fail(line, 'a link to the start of a summary, or from its end');
    if (before === undefined || link === undefined || this.fault !== null) return [];
    const from = before.isSummary
      ? [...this.tasks.values()].filter(
          ({ isSummary: isOpen, under }) => !isOpen && under.includes(before.id),
        )
      : [before];
    return from.map(({ id }) => this.makeLink(id, link, sign, lag, line));
  }

  private makeLink(id: number, link: LinkKind, sign: string, lag: string, line: number): Json {
    const task = this.nameTask(id);
    if (sign === '') return link === 'FS' ? task : { task, link };
    const [, percent] = /^(\d{1,4})%$/.exec(lag) ?? [];
    const whole = (this.minutes.get(id) ?? 0) * Number(percent ?? 0);
    if (whole % PERCENT !== 0) this.fail(line, `a lag in whole minutes: ${lag} of ${task} is none`);
    const minutes = percent === undefined ? this.readTime(lag, line, 'a lag') : whole / PERCENT;
    return { task, link, lag: sign === '-' ? 0 - minutes : minutes };
  }

  /** `Anna,Bob[50%]`: percent of each resource. */
  private readResources({ resources, line }: Task): readonly (readonly [string, number])[] {
    return resources.split(/[,;]/).flatMap((text) => {
      const [, name = '', units = '100'] = /^([^[\]]+)(?:\[(\d{1,6})%\])?$/.exec(text.trim()) ?? [];
      if (text.trim() === '') return [];
      if (name === '') this.fail(line, 'a resource such as Anna or Anna[50%]; material is not read');
      const id = this.nameResource(name);
      this.capacities.set(id, Math.max(PERCENT, Number(units), this.capacities.get(id) ?? 0));
      return [[id, Number(units)] as const];
    });
  }

  private nameResource(name: string): string {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const letters = name
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60);
    const taken = [...this.names.values()].filter(
      (each) => each.replace(/_\d+$/, '') === (letters || 'resource'),
    );
    const id = `${letters || 'resource'}${taken.length === 0 ? '' : `_${taken.length + 1}`}`;
    this.names.set(name, id);
    return id;
  }

  private readCost({ cost, line }: Task): number {
    const [, sign = '', whole = '', part = '00'] =
      /^([$€£]?)\s*(\d{1,3}(?:,\d{3}){0,3}|\d{1,12})(?:\.(\d\d))?$/.exec(cost || '0') ?? [];
    if (whole === '') this.fail(line, 'a cost such as 1200, $1,200.00 or €80.50');
    const currency = CURRENCIES[sign] ?? this.currency;
    if (this.currency !== '' && currency !== this.currency)
      this.fail(line, `a cost in ${this.currency}like the others`);
    this.currency = currency;
    return Number(`${whole.replaceAll(',', '')}${part}` || '0');
  }
}
