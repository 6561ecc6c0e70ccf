/**
 * Random small plan files, and the same plan written in another order.
 *
 * @module
 */
import { orThrow, type Json, type JsonObject } from '@assay/kernel';
import { listObjects } from '@assay/kernel/shape';
import fc from 'fast-check';
import { parsePlan, type Plan } from '../src/schedule/index.js';

/** How large the plans are. */
export type Sizes = { readonly tasks: number; readonly alternatives: number; readonly rows: number };

type Drawn = {
  readonly minutes: number;
  readonly amounts: readonly number[];
  readonly confidence: number;
  readonly score: number | null;
};

const LEVELS = [200_000, 400_000, 600_000];

function drawn(rows: number): fc.Arbitrary<Drawn> {
  return fc.record({
    minutes: fc.nat(6),
    amounts: fc.array(fc.nat(9), { minLength: rows, maxLength: rows }),
    confidence: fc.constantFrom(...LEVELS),
    score: fc.option(fc.nat(5), { freq: 6 }),
  });
}

const links = fc.option(
  fc.record({ link: fc.constantFrom('FS', 'SS', 'FF', 'SF'), lag: fc.integer({ min: -6, max: 6 }) }),
);

/**
 * A plan file: tasks wait for earlier ones, in half of the plans by any link with a lag; the first
 * task may have a metric, the first two a coupling table
 * with gaps. Caps and the deadline lie between far too low and plenty.
 */
export function arbitraryPlanFile(sizes: Sizes): fc.Arbitrary<Json> {
  return fc
    .record({
      rows: fc.array(
        fc.record({
          share: fc.integer({ min: 10, max: 130 }),
          op: fc.constantFrom('<', '<='),
          isHard: fc.nat(9),
        }),
        {
          maxLength: sizes.rows,
        },
      ),
      count: fc.integer({ min: 1, max: sizes.tasks }),
      isLinked: fc.boolean(),
      deadline: fc.option(fc.record({ minutes: fc.nat(20), op: fc.constantFrom('<', '<=') })),
      metric: fc.option(fc.record({ bound: fc.nat(5), op: fc.constantFrom('<', '<=', '>', '>=') }), {
        freq: 2,
      }),
      coupling: fc.option(fc.array(fc.option(fc.nat(9), { freq: 8 }), { minLength: 25, maxLength: 25 }), {
        freq: 2,
      }),
    })
    .chain((head) =>
      fc
        .array(
          fc.record({
            own: drawn(head.rows.length),
            others: fc.array(drawn(head.rows.length), { maxLength: sizes.alternatives }),
            after: fc.array(fc.record({ before: fc.nat(7), how: links }), { maxLength: 3 }),
          }),
          { minLength: head.count, maxLength: head.count },
        )
        .map((tasks) => planFile(head, tasks)),
    );
}

type Head = {
  readonly isLinked: boolean;
  readonly rows: readonly { readonly share: number; readonly op: string; readonly isHard: number }[];
  readonly deadline: { readonly minutes: number; readonly op: string } | null;
  readonly metric: { readonly bound: number; readonly op: string } | null;
  readonly coupling: readonly (number | null)[] | null;
};

function planFile(
  { isLinked, rows, deadline, metric, coupling }: Head,
  tasks: readonly {
    readonly own: Drawn;
    readonly others: readonly Drawn[];
    readonly after: readonly { readonly before: number; readonly how: object | null }[];
  }[],
): Json {
  const approach = ({ minutes, amounts, confidence, score }: Drawn, place: number, task: number) => ({
    minutes,
    confidence,
    method: `way ${place}`,
    amounts: Object.fromEntries(amounts.map((amount, row) => [`r${row}`, amount])),
    ...(metric === null || task > 0 || score === null ? {} : { metrics: { score } }),
  });
  const ids = (task: number): readonly string[] => [
    'base',
    ...(tasks[task]?.others ?? []).map((_, index) => `a${index}`),
  ];
  return {
    plan: 1,
    rows: rows.map(({ share, op, isHard }, row) => ({
      id: `r${row}`,
      op,
      cap: Math.floor((share * tasks.reduce((sum, { own }) => sum + (own.amounts[row] ?? 0), 0)) / 100),
      hard: isHard > 0,
    })),
    ...(deadline === null ? {} : { deadline }),
    ...(metric === null ? {} : { metrics: [{ id: 'score', task: 't0', ...metric }] }),
    ...(coupling === null || tasks.length < 2
      ? {}
      : {
          couplings: [
            {
              id: 'pair',
              tasks: ['t0', 't1'],
              op: '<=',
              bound: 6,
              values: ids(0).flatMap((a, x) =>
                ids(1).flatMap((b, y) => {
                  const figure = coupling[x * 5 + y] ?? null;
                  return figure === null ? [] : [[a, b, figure]];
                }),
              ),
            },
          ],
        }),
    tasks: tasks.map(({ own, others, after }, task) => ({
      id: `t${task}`,
      after: after
        .filter(({ before }) => before < task)
        .map(({ before, how }) => (isLinked && how !== null ? { task: `t${before}`, ...how } : `t${before}`)),
      ...approach(own, 0, task),
      alternatives: others.map((other, index) => ({ id: `a${index}`, ...approach(other, index + 1, task) })),
    })),
  } as Json;
}

/** Such a file whose tasks share up to two resources, of which each approach needs at most what there is. */
export function arbitrarySharedFile(sizes: Sizes): fc.Arbitrary<Json> {
  return fc
    .tuple(
      arbitraryPlanFile(sizes),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
      fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
    )
    .map(([file, capacities, drawn]) => {
      let next = 0;
      const withUses = (approach: Json): Json => ({
        ...(approach as JsonObject),
        uses: Object.fromEntries(
          capacities.map((most, at) => [`w${at}`, (drawn[next++ % drawn.length] ?? 0) % (most + 1)]),
        ),
      });
      const { tasks, ...rest } = file as { readonly tasks: readonly JsonObject[] };
      return {
        ...rest,
        renewable: Object.fromEntries(capacities.map((most, at) => [`w${at}`, most])),
        tasks: tasks.map((task) => ({
          ...(withUses(task) as JsonObject),
          alternatives: listObjects(task['alternatives']).map(withUses),
        })),
      } as Json;
    });
}

/** A plan that was read. */
export function arbitraryPlan(sizes: Sizes): fc.Arbitrary<Plan> {
  return arbitraryPlanFile(sizes).map((file) => orThrow(parsePlan(file)));
}

/** The same document with every list, and the keys of every object, turned round. */
export function turned(value: Json): Json {
  if (Array.isArray(value)) {
    const isPositional =
      value.every((item) => typeof item !== 'object') && value.some((item) => typeof item === 'number');
    return isPositional ? value : value.map(turned).toReversed();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, key === 'tasks' && isPair(item) ? item : turned(item)] as const)
      .toReversed(),
  );
}

function isPair(item: Json): boolean {
  return Array.isArray(item) && item.every((each) => typeof each === 'string');
}
