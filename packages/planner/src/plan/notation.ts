/**
 * The plan file that a person writes, as the integers that `parsePlan` reads: amounts with units, dates, people.
 * Format: docs/formats/plan.md. What is read here no further is left as it is, and `parsePlan` judges it.
 */
import { err, field, isArray, isObject, ok, type Json, type JsonObject, type Result } from '@assay/kernel';
import { countEdits } from '@assay/kernel/shape';
import { parseDecimal, scanText, toRational } from '@assay/kernel/intent';
import { countAmount, findCountUnit, readAmount, type Amount, type AmountFault } from './amount.js';
import { HELD_KEYS } from './constraints.js';
import { countDays } from './dates.js';
import { APPROACH_KEYS, KEYS, readHours, readStart, TASK_KEYS } from './parse.js';
import { MILLION, NO_CAP, TOTAL_MAX, type Plan } from './plan.js';
import { Reader, renderValue, within, type At, type PlanFault } from './reader.js';

/** What amounts of a row count in; `written`: the unit of bare numbers, null where they are whole numbers of `unit`. */
type Counting = { readonly unit: string; readonly written: string | null };

const PLAN_KEYS = ['plan', 'tasks', 'people', ...KEYS];
const WAY_KEYS = ['id', 'duration', 'people', ...APPROACH_KEYS.required, ...APPROACH_KEYS.optional];
const MINUTES: Counting = { unit: 'minutes', written: null };
const DATE = 'a date such as 2027-01-04';
/** Whole confidences below are neither shares nor, by mistake, parts per million: `80` is meant as `80%`. */
const SURE_MIN = 1_000;
/** No date is written in more; of a longer text nothing is read. */
const TEXT_UNITS = 100;

/** Turns the file of a person into integers; a file in integers stays as it is. Gives the first fault. */
export function readPlanFile(value: Json): Result<PlanFault, JsonObject> {
  const notation = new Notation();
  const file = notation.readFile(value);
  return notation.reader.fault === null ? ok(file) : err(notation.reader.fault);
}

/** A deadline in minutes; `op`: what its text said, or null. */
type Deadline = { readonly op: '<' | '<=' | null; readonly minutes: number };

/**
 * The deadline of a text: `20 days`, or a date, which is its last day; `before` a date, or `<` where that is `stated`,
 * leaves that day out.
 */
export function readDeadlineText(
  text: string,
  { start, hoursPerDay }: Pick<Plan, 'start' | 'hoursPerDay'>,
  stated: Json = '<=',
): Result<PlanFault, Deadline> {
  const { tokens, moments } = scanText(text.length > TEXT_UNITS ? '' : text);
  const [moment] = moments;
  if (moment === undefined) {
    const read = readAmount(text);
    if (read._tag === 'Left') return faultAt('deadline', read.left);
    const minutes = countAmount(read.right, 'minutes', hoursPerDay, text);
    return minutes._tag === 'Left' ? faultAt('deadline', minutes.left) : bound(read.right.op, minutes.right);
  }
  const isDate = moment.unit === 'date' && moment.first === 0 && moment.next === tokens.length;
  const day = isDate ? countDays(moment.value ?? '') : null;
  if (day === null) return faultAt('deadline', { code: 'shape', detail: DATE });
  const first = countDays(start ?? '');
  if (first === null) return faultAt('start', { code: 'missing', detail: `${DATE}: the deadline is a date` });
  const isBefore = moment.op === '<' || (moment.op === '=' && stated === '<');
  const days = day - first + (isBefore ? 0 : 1);
  if (days > 0) return bound(isBefore || moment.op === '=' ? '<=' : moment.op, days * hoursPerDay * 60);
  const last = `${isBefore ? 'the day before ' : ''}${moment.value ?? ''}`;
  const detail = `${last} is before the start, ${start ?? ''}: write a later date`;
  return faultAt('deadline', { code: 'before_start', detail });
}

function faultAt(
  name: string,
  { code, detail }: Pick<PlanFault, 'code' | 'detail'>,
): Result<PlanFault, never> {
  return err({ code, path: `/${name}`, name, detail });
}

function bound(op: Amount['op'], minutes: number): Result<PlanFault, Deadline> {
  if (op === '=' || op === '<' || op === '<=') return ok({ op: op === '=' ? null : op, minutes });
  return faultAt('deadline', { code: 'bad_operator', detail: '< <=' });
}

class Notation {
  readonly reader: Reader = new Reader();
  private hours = 24;
  private people: ReadonlyMap<string, number> = new Map();
  private readonly counted = new Map<string, Counting>();

  readFile(value: Json): JsonObject {
    const { reader } = this;
    const at = { path: '', name: 'plan' };
    if (!isObject(value)) reader.fail('shape', at, 'an object');
    const object = isObject(value) ? value : {};
    this.requireKnown(object, at, PLAN_KEYS);
    const { people, ...top } = object;
    this.hours = readHours(reader, field(top, 'hours_per_day'));
    this.people = new Map(this.readPeople(people, { path: '/people', name: 'people' }));
    const start = readStart(reader, findDate(field(top, 'start')));
    const { renewable } = top;
    return {
      ...top,
      ...(start === null ? {} : { start }),
      ...(people === undefined
        ? {}
        : { renewable: { ...(isObject(renewable) ? renewable : {}), ...Object.fromEntries(this.people) } }),
      ...this.replaced(top, 'rows', (row, at) => this.readHeld(row, at, 'cap', ['default'])),
      ...this.replaced(top, 'metrics', (metric, at) => this.readHeld(metric, at, 'bound', ['task'])),
      ...this.replaced(top, 'couplings', (coupling, at) => this.readCoupling(coupling, at)),
      ...(top['deadline'] === undefined ? {} : { deadline: this.readDeadline(top['deadline'], start) }),
      ...this.replaced(top, 'tasks', (task, at) => this.readTask(task, at)),
    };
  }

  private requireKnown(object: JsonObject, at: At, known: readonly string[]): void {
    for (const key of Object.keys(object))
      if (!known.includes(key)) this.failNear('unknown_key', within(at, key), key, known);
  }

  /** Only the first fault counts, so the nearest name is looked for once. */
  private failNear(code: PlanFault['code'], at: At, name: string, known: Iterable<string>): void {
    if (this.reader.fault === null) this.reader.fail(code, at, withNearest(name, [...known]));
  }

  /** The objects of a list, each read anew. */
  private replaced(
    object: JsonObject,
    key: string,
    read: (each: JsonObject, at: At) => JsonObject,
    above: At = { path: '', name: '' },
  ): JsonObject {
    const list = field(object, key);
    if (list === undefined || !isArray(list)) return {};
    return {
      [key]: list.map((each, index) => {
        if (!isObject(each)) return each;
        const id = field(each, 'id');
        const name = typeof id === 'string' ? id : `${key}[${index}]`;
        return read(
          each,
          within(within(above, key), index, above.name === '' ? name : `${above.name}.${name}`),
        );
      }),
    };
  }

  private readHeld(object: JsonObject, at: At, key: 'cap' | 'bound', more: readonly string[]): JsonObject {
    this.requireKnown(object, at, ['id', 'op', key, ...more, ...HELD_KEYS]);
    const { id, op = key === 'cap' ? '<=' : undefined, unit, [key]: bound, default: otherwise } = object;
    const own = typeof unit === 'string' ? unit : typeof id === 'string' && key === 'cap' ? id : '';
    let counting: Counting = { unit: own, written: null };
    let said: JsonObject = op === undefined ? {} : { op };
    if (typeof bound === 'string') {
      const read = this.took(readAmount(bound), within(at, key));
      if (read === null) return object;
      counting =
        typeof unit === 'string'
          ? counting
          : { unit: findCountUnit(read, bound), written: read.parts[0]?.unit ?? null };
      said = {
        ...this.readOperator(object['op'], read.op === '=' ? undefined : read.op, op, within(at, 'op')),
        unit: counting.unit,
        [key]: this.count(read, counting, within(at, key), bound),
      };
    }
    if (key === 'cap' && bound === undefined) said = NO_CAP;
    if (typeof id === 'string') this.counted.set(id, counting);
    return {
      ...object,
      ...said,
      ...(otherwise === undefined
        ? {}
        : { default: this.readAmount(otherwise, counting, within(at, 'default')) }),
    };
  }

  /** The operator of a bound: stated, said with the amount, or usual; both, only where they agree. */
  private readOperator(
    stated: Json | undefined,
    said: Json | undefined,
    usual: Json | undefined,
    at: At,
  ): JsonObject {
    if (stated !== undefined && said !== undefined && stated !== said)
      this.reader.fail('bad_operator', at, renderValue(said));
    const op = said ?? usual;
    return op === undefined ? {} : { op };
  }

  private readCoupling(object: JsonObject, at: At): JsonObject {
    const read = this.readHeld(object, at, 'bound', ['tasks', 'values']);
    const { id, values } = object;
    const counting = this.counted.get(typeof id === 'string' ? id : '');
    if (counting === undefined || values === undefined || !isArray(values)) return read;
    const inner = within(at, 'values');
    return {
      ...read,
      values: values.map((triple, index) =>
        isArray(triple) && triple.length === 3
          ? [
              triple[0] ?? '',
              triple[1] ?? '',
              this.readAmount(triple[2] ?? '', counting, within(inner, index)),
            ]
          : triple,
      ),
    };
  }

  private readDeadline(value: Json, start: string | null): Json {
    const at = { path: '/deadline', name: 'deadline' };
    const object: JsonObject = isObject(value) ? value : { minutes: value };
    this.requireKnown(object, at, ['minutes', 'op', 'margin', 'hard']);
    const { op, minutes } = object;
    if (typeof minutes !== 'string') {
      if (!isObject(value) && value !== null)
        this.reader.fail('shape', at, `a time such as 20 days, or ${DATE}`);
      return isObject(value) ? { op: '<=', ...value } : value;
    }
    const read = readDeadlineText(minutes, { start, hoursPerDay: this.hours }, op);
    if (read._tag === 'Left') {
      this.reader.fail(read.left.code, read.left, read.left.detail);
      return value;
    }
    // A date says how it bounds, whatever is stated.
    const stated = scanText(minutes).moments.length > 0 ? undefined : op;
    const said = this.readOperator(stated, read.right.op ?? undefined, op ?? '<=', at);
    return { ...object, ...said, minutes: read.right.minutes };
  }

  private readTask(task: JsonObject, at: At): JsonObject {
    const own = this.readApproach(task, at, TASK_KEYS, []);
    const { after } = task;
    const lagged = (each: Json, index: number): Json => {
      if (!isObject(each)) return each;
      const place = within(within(at, 'after'), index);
      this.requireKnown(each, place, ['task', 'link', 'lag']);
      return typeof each['lag'] === 'string'
        ? { ...each, lag: this.readAmount(each['lag'], MINUTES, place) }
        : each;
    };
    return {
      ...own,
      ...(after === undefined ? {} : { after: (isArray(after) ? after : [after]).map(lagged) }),
      ...this.replaced(
        task,
        'alternatives',
        (other, inner) => this.readApproach(other, inner, [], this.readPeople(task['people'], at)),
        at,
      ),
    };
  }

  /** `inherited`: whom the task needs, for an alternative that does not say whom it needs. */
  private readApproach(
    object: JsonObject,
    at: At,
    more: readonly string[],
    inherited: readonly (readonly [string, number])[],
  ): JsonObject {
    const { reader } = this;
    this.requireKnown(object, at, [...WAY_KEYS, ...more]);
    const { duration, people, ...rest } = object;
    const { minutes, confidence, uses } = rest;
    if (duration !== undefined && minutes !== undefined)
      reader.fail('duplicate', within(at, 'duration'), 'the time (minutes, duration)');
    if (duration === undefined && minutes === undefined)
      reader.fail('missing', within(at, 'duration'), 'a time such as 4h or 2 weeks');
    const needed = people === undefined ? inherited : this.readPeople(people, within(at, 'people'));
    for (const [name] of needed)
      if (!this.people.has(name))
        this.failNear('unknown_person', within(at, 'people'), name, this.people.keys());
    return {
      ...rest,
      ...(duration === undefined ? {} : { minutes: this.readDuration(duration, within(at, 'duration')) }),
      ...(confidence === undefined
        ? {}
        : { confidence: this.readConfidence(confidence, within(at, 'confidence')) }),
      ...this.readAmounts(rest, 'amounts', at),
      ...this.readAmounts(rest, 'metrics', at),
      ...(needed.length === 0
        ? {}
        : { uses: { ...(uses !== undefined && isObject(uses) ? uses : {}), ...Object.fromEntries(needed) } }),
    };
  }

  private readAmounts(object: JsonObject, key: 'amounts' | 'metrics', at: At): JsonObject {
    const stated = object[key];
    if (stated === undefined || !isObject(stated)) return {};
    const read = Object.entries(stated).map(([id, amount]) => {
      const own = within(within(at, key), id);
      const counting = this.counted.get(id);
      if (counting !== undefined) return [id, this.readAmount(amount, counting, own)] as const;
      const code = key === 'amounts' ? 'unknown_row' : 'unknown_metric';
      this.failNear(code, own, id, this.counted.keys());
      return [id, amount] as const;
    });
    return { [key]: Object.fromEntries(read) };
  }

  /** `anna`, `[anna, ben]` or `{ carpenters: 2 }`. */
  private readPeople(value: Json | undefined, at: At): readonly (readonly [string, number])[] {
    if (value === undefined) return [];
    if (isObject(value))
      return Object.entries(value).map(
        ([name, count]) => [name, this.reader.integer(count, within(at, name), TOTAL_MAX, 1)] as const,
      );
    const names = isArray(value) ? value : [value];
    const seen = new Set<string>();
    return names.map((given) => {
      const name = typeof given === 'string' ? given : '';
      if (name === '') this.reader.fail('shape', at, 'a name, names, or how many of each');
      if (seen.has(name)) this.reader.fail('duplicate', at, name);
      seen.add(name);
      return [name, 1] as const;
    });
  }

  private readDuration(value: Json, at: At): Json {
    const bare = (isArray(value) ? value : [value]).find((each) => typeof each !== 'string');
    if (bare === undefined) return this.readAmount(value, MINUTES, at);
    this.reader.fail(
      'bad_quantity',
      at,
      `${renderValue(bare)} has no unit: write a time such as 4h or 2 weeks`,
    );
    return 0;
  }

  /** `0.8` and `80%` in parts per million; a whole number is that already. */
  private readConfidence(value: Json, at: At): Json {
    if (Number.isInteger(value) && (value === 0 || Number(value) >= SURE_MIN)) return value;
    const [, percent] = typeof value === 'string' ? (/^([^%]*\d) *%$/.exec(value) ?? []) : [];
    const share = Number.isInteger(value) ? null : parseDecimal(percent ?? renderValue(value));
    const { num, den } = share === null ? { num: -1n, den: 1n } : toRational(share);
    const scaled = num * BigInt(percent === undefined ? MILLION : MILLION / 100);
    if (scaled >= 0n && scaled <= BigInt(MILLION) * den && scaled % den === 0n) return Number(scaled / den);
    this.reader.fail('shape', at, '0.8, 80% or parts per million from 1000 on');
    return value;
  }

  /** An amount, or low, mid and high of it: texts, and numbers where the row was written with a unit. */
  private readAmount(value: Json, counting: Counting, at: At): Json {
    if (isArray(value)) {
      const read = value.map((each, index) => this.readAmount(each, counting, within(at, index)));
      const isSorted = read.every((each, index) => index === 0 || Number(read[index - 1]) <= Number(each));
      if (!isSorted) this.reader.fail('low_mid_high', at, value.map(renderValue).join(', '));
      return read;
    }
    if (typeof value === 'string') {
      const read = this.took(readAmount(value), at);
      if (read === null) return 0;
      if (read.op !== '=')
        this.reader.fail('bad_quantity', at, `"${value}" is a bound: write the amount alone`);
      return this.count(read, counting, at, value);
    }
    const { written } = counting;
    const decimal = typeof value === 'number' ? parseDecimal(String(value)) : null;
    if (written === null || decimal === null) return value;
    const parts = [{ value: decimal, unit: written }];
    return this.count({ parts }, counting, at, `${renderValue(value)} ${written}`);
  }

  private count(amount: Pick<Amount, 'parts'>, { unit }: Counting, at: At, text: string): number {
    return this.took(countAmount(amount, unit, this.hours, text), at) ?? 0;
  }

  private took<A>(read: Result<AmountFault, A>, at: At): A | null {
    if (read._tag === 'Right') return read.right;
    this.reader.fail(read.left.code, at, read.left.detail);
    return null;
  }
}

const NEAR_MAX = 100;

/** A date in words, such as `4 January 2027`, as `2027-01-04`; anything else as it is. */
function findDate(value: Json | undefined): Json | undefined {
  const { tokens, moments } = scanText(typeof value === 'string' ? value : '');
  const [moment] = moments;
  const isDate = moment?.unit === 'date' && moment.first === 0 && moment.next === tokens.length;
  return isDate && moment.op === '=' ? (moment.value ?? value) : value;
}

/** A name that is not there, and the nearest that is. */
function withNearest(name: string, known: readonly string[]): string {
  // What a comma in braces of YAML leaves of `20,000 EUR`.
  if (/^\d/.test(name)) return `${name}: put an amount with a comma in quotes`;
  if (name.length > NEAR_MAX) return name;
  const [near] = known
    .slice(0, NEAR_MAX)
    .map((each) => [countEdits(name, each.slice(0, NEAR_MAX)), each] as const)
    .filter(([edits]) => edits <= Math.ceil(name.length / 3))
    .sort(([a], [b]) => a - b);
  return near === undefined ? name : `${name}: did you mean ${near[1]}?`;
}
