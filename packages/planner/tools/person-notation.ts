/**
 * Plan files as a person writes them, made of files in integers: the other way of `readPlanFile`.
 *
 * @module
 */
import type { Json, JsonObject } from '@assay/kernel';
import { renderDay, countDays } from '../src/plan/dates.js';

/** How a file is written; each number picks one of some spellings. */
export type Spelling = { readonly units: readonly string[]; readonly hours: number; readonly at: number };

const START = '2027-01-04';

/** A file in integers with units, days and people, and the same as a person writes it. */
export function spellPlan(
  file: JsonObject,
  { units, hours, at }: Spelling,
): readonly [JsonObject, JsonObject] {
  const rows = (file['rows'] as readonly JsonObject[]).map((row, index) => ({
    ...row,
    unit: units[index % units.length] ?? '',
  }));
  const tasks = (file['tasks'] as readonly JsonObject[]).map((task) => ({
    ...task,
    uses: { anna: 1 },
    alternatives: (task['alternatives'] as readonly JsonObject[]).map((each) => ({
      ...each,
      uses: { anna: 1 },
    })),
  }));
  const integers: JsonObject = {
    ...file,
    ...{ rows, tasks, start: START, hours_per_day: hours, renewable: { anna: 1, crew: 2 } },
  };
  const speller = new Speller(rows, hours, at);
  const { renewable: _renewable, deadline, ...rest } = integers;
  return [
    integers,
    {
      ...rest,
      people: { anna: 1, crew: 2 },
      rows: rows.map((row) => speller.row(row)),
      tasks: tasks.map((task) => speller.task(task)),
      ...(deadline === undefined ? {} : { deadline: speller.deadline(deadline as JsonObject) }),
    },
  ];
}

type Rows = readonly { readonly unit: string; readonly id?: Json }[];

class Speller {
  private readonly rows: Rows;
  private readonly hours: number;
  private at: number;
  constructor(rows: Rows, hours: number, at: number) {
    this.rows = rows;
    this.hours = hours;
    this.at = at;
  }

  /** One of some spellings. */
  private pick<A>(...ways: readonly (() => A)[]): A {
    this.at += 1;
    return (ways[this.at % ways.length] as () => A)();
  }

  row(row: JsonObject): JsonObject {
    const { unit, cap, op, ...rest } = row;
    const text = this.text(Number(cap), String(unit));
    return this.pick<JsonObject>(
      () => ({ ...rest, op: op ?? '', cap: text }),
      () => ({ ...rest, cap: op === '<' ? `< ${text}` : text }),
    );
  }

  task(task: JsonObject): JsonObject {
    const { alternatives, ...own } = task;
    return {
      ...this.approach(own, false),
      alternatives: (alternatives as readonly JsonObject[]).map((each) => this.approach(each, true)),
    };
  }

  private approach(
    { uses: _, minutes, confidence, amounts, ...rest }: JsonObject,
    isOther: boolean,
  ): JsonObject {
    return {
      ...rest,
      duration: this.time(Number(minutes)),
      confidence: this.pick<Json>(
        () => Number(confidence) / 1_000_000,
        () => `${Number(confidence) / 10_000}%`,
      ),
      // An alternative needs whom the task needs.
      ...(isOther
        ? {}
        : {
            people: this.pick<Json>(
              () => 'anna',
              () => ['anna'],
              () => ({ anna: 1 }),
            ),
          }),
      amounts: Object.fromEntries(
        Object.entries(amounts as JsonObject).map(([id, amount]) => {
          const unit = this.rows.find((row) => row.id === id)?.unit ?? '';
          const text = (): Json => this.text(Number(amount), unit);
          return [
            id,
            unit === 'minutes'
              ? text()
              : this.pick<Json>(
                  text,
                  () => bare(Number(amount), unit),
                  () => [text(), text(), text()],
                ),
          ];
        }),
      ),
    };
  }

  deadline({ op, minutes, ...rest }: JsonObject): Json {
    const days = Number(minutes) / (this.hours * 60);
    const date = renderDay((countDays(START) ?? 0) + days - 1);
    return op === '<='
      ? this.pick<Json>(
          () => (Number.isInteger(days) && days > 0 ? date : this.time(Number(minutes))),
          () => ({ minutes: this.time(Number(minutes)), ...rest }),
        )
      : `< ${this.time(Number(minutes))}`;
  }

  private text(amount: number, unit: string): string {
    if (unit === 'minutes') return this.time(amount);
    return unit.endsWith(' cents')
      ? this.pick(
          () => `${(amount / 100).toFixed(2)} ${unit.slice(0, 3)}`,
          () => `${unit.slice(0, 3)} ${amount / 100}`,
        )
      : `${amount} ${unit}`;
  }

  private time(minutes: number): string {
    const day = this.hours * 60;
    const [days, rest] = [Math.floor(minutes / day), minutes % day];
    return this.pick(
      () => `${minutes} min`,
      () => `${days} days ${Math.floor(rest / 60)} h ${rest % 60} min`,
      () => `${Math.floor(minutes / 60)}h ${minutes % 60}min`,
    );
  }
}

function bare(amount: number, unit: string): Json {
  return unit.endsWith(' cents') ? amount / 100 : amount;
}

/** A document with the value at one place, counted depth first, exchanged. */
export function exchanged(file: Json, place: number, by: Json): Json {
  let left = place;
  const walk = (value: Json): Json => {
    left -= 1;
    if (left < 0) {
      left = Number.MAX_SAFE_INTEGER;
      return by;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  return walk(file);
}
