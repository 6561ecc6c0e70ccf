/**
 * Random runs of the planner: small policies, goals with caps, and answers that mostly fit.
 *
 * @module
 */
import type { GenesisInput, Json, Request } from '@assay/kernel';
import type { MachineArbitraries } from '@assay/testing';
import fc from 'fast-check';
import {
  type Bodies,
  type Body,
  type ConstraintDraft,
  type PlannerState,
  type Policy,
} from '../src/index.js';
import { DONE_ATTEMPTS } from '../src/machine/step.js';
import { policies, resolver } from './policies.js';

const HOSTILE = ['a title', '__proto__', 'ü\u2028\u{1f600}', '<b>&', 'x'.repeat(300)];
const word = fc.constantFrom(...HOSTILE);
const TAGS = ['generate_code', 'thermal_analysis', 'constructor'];

const LOCAL: readonly ConstraintDraft[] = [
  { t: 'check' as const, name: 'unit' },
  { t: 'rubric' as const, text: 'it reads well' },
  { t: 'figure' as const, unit: 'ms', op: '<' as const, bound: 6, margin: null },
  { t: 'quantity' as const, name: 'classes', op: '=' as const, value: 50 },
  { t: 'quantity' as const, name: 'classes', op: '<=' as const, value: 16 },
].map(
  (payload, at): ConstraintDraft => ({
    id: ['unit', 'style', 'speed', 'fifty', 'sixteen'][at] ?? '',
    type: payload.t === 'rubric' ? 'semantic' : 'logic',
    domain: 'software',
    title: 'local',
    scope: 'local',
    hard: at !== 1,
    removal: at === 1 ? 'nobody reads it' : null,
    payload,
  }),
);

/** A cap on the sum of mids in cents, or in a unit that answers spend. */
function cap(id: string, unit: string, bound: number, hard: boolean): ConstraintDraft {
  return {
    id,
    type: 'logic',
    domain: 'cost',
    title: id,
    scope: 'aggregate',
    hard,
    removal: null,
    payload: { t: 'cap', unit, op: '<', bound, margin: null, otherwise: 0 },
  };
}

const constraints = fc
  .record({
    cost: fc.option(fc.integer({ min: 0, max: 40 })),
    usd: fc.option(fc.integer({ min: 0, max: 60 })),
    minutes: fc.option(fc.integer({ min: 0, max: 30 })),
    local: fc.subarray(LOCAL.slice(0, 4) as ConstraintDraft[]),
    isHard: fc.boolean(),
  })
  .map(({ cost, usd, minutes, local, isHard }): readonly ConstraintDraft[] => [
    ...(cost === null ? [] : [cap('cost', 'cents', cost, isHard)]),
    ...(usd === null ? [] : [cap('usd', 'usd', usd, true)]),
    ...(minutes === null
      ? []
      : [
          {
            ...cap('deadline', '', 0, true),
            domain: 'schedule',
            payload: { t: 'deadline' as const, op: '<=' as const, bound: minutes, margin: null },
          },
        ]),
    ...local,
  ]);

/** A run that opens. */
export function genesis(
  mode: fc.Arbitrary<Policy['mode']> = fc.constantFrom('plan', 'solve', 'track'),
): fc.Arbitrary<GenesisInput> {
  return fc
    .record({ policy: policies(mode), goal: word, constraints, strikes: fc.subarray(['t0.a0']) })
    .map(({ policy, goal, constraints: given, strikes }) => ({
      run_id: 'random',
      ts_base: 'T',
      policy: policy as unknown as Json,
      input: { goal, modality: 'text', constraints: given, suggestions: [], strikes },
    }));
}

const estimate = fc.nat(9).map((mid) => [mid, mid, mid + 2]);

function approach(
  rows: readonly string[],
  figures: readonly string[],
): fc.Arbitrary<{ readonly [key: string]: Json }> {
  return fc
    .record({
      minutes: estimate,
      confidence: fc.constantFrom(200_000, 500_000, 900_000),
      amounts: fc.array(estimate, { minLength: rows.length, maxLength: rows.length }),
      figure: fc.nat(9),
    })
    .map(({ minutes, confidence, amounts, figure }) => ({
      minutes,
      confidence,
      amounts: Object.fromEntries(rows.map((row, at) => [row, amounts[at] ?? 0])),
      ...(figures.length === 0 ? {} : { metrics: Object.fromEntries(figures.map((id) => [id, figure])) }),
    }));
}

const noMetrics = ({
  metrics: _,
  ...rest
}: {
  readonly [key: string]: Json;
}): { readonly [key: string]: Json } => rest;

function splits({ rows, constraints: local }: Bodies['resolve']): fc.Arbitrary<Json> {
  const ids = rows.filter(({ payload }) => payload.t === 'cap').map(({ id }) => id);
  const figures = local.filter(({ payload }) => payload.t === 'figure').map(({ id }) => id);
  return fc
    .record({
      tasks: fc.array(
        fc.record({
          own: approach(ids, figures),
          others: fc.array(approach(ids, figures), { maxLength: 2 }),
          after: fc.array(fc.nat(3), { maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      measured: fc.boolean(),
      need: fc.constantFrom(null, ...TAGS),
    })
    .map(({ tasks, measured, need }) => {
      const last = tasks.length - 1;
      const isMeasured = measured && figures.length > 0;
      const shape = (each: { readonly [key: string]: Json }, at: number) =>
        isMeasured && at === 0 ? each : noMetrics(each);
      const carried = local.map(({ id }) => id).filter((id) => !(isMeasured && figures.includes(id)));
      return {
        tasks: tasks.map(({ own, others, after }, at) => ({
          id: `t${at}`,
          title: 'a task',
          after: [
            ...new Set(
              at === last ? [...tasks.keys()].filter((each) => each < at) : after.filter((each) => each < at),
            ),
          ].map((each) => `t${each}`),
          method: `way of ${at}`,
          ...shape(own, at),
          alternatives: others.map((other, place) => ({
            id: `a${place}`,
            method: `other way ${place}`,
            ...shape(other, at),
          })),
        })),
        carries: [[`t${last}`, carried]],
        needs: need === null ? [] : [['t0', need]],
        measures: isMeasured ? [[figures[0] ?? '', 't0']] : [],
        couples: [],
        questions: [],
      };
    }) as unknown as fc.Arbitrary<Json>;
}

function made({ kind, constraints: local }: Bodies['resolve']): fc.Arbitrary<Json> {
  return fc
    .record({ exit: fc.constantFrom(0, 0, 1), value: fc.nat(9), leaf: word })
    .map(({ exit, value, leaf }) => ({
      artifact: { format: 'text', summary: leaf, content: { leaf, value } },
      leaf_kind: 'atomic',
      leaf_reason: 'one piece',
      manifest: kind === 'build' ? { ...resolver(`built-${value}`, TAGS, 1) } : null,
      checks: local.filter(({ payload }) => payload.t === 'check').map(({ id }) => [id, exit]),
      figures:
        value > 7 ? [] : local.filter(({ payload }) => payload.t === 'figure').map(({ id }) => [id, value]),
    })) as unknown as fc.Arbitrary<Json>;
}

/** What somebody may say to a request: mostly fit for it. */
export function answers(request: Request<Body>): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting(request) },
    { weight: 1, arbitrary: fc.constantFrom<Json>(null, {}, { t_us: -1 }, { tasks: [] }, 0.5) },
  );
}

function fitting({ kind, body, accepts }: Request<Body>): fc.Arbitrary<Json> {
  switch (kind as keyof Bodies) {
    case 'clock':
      return fc.nat(900_000_000).map((t_us) => ({ t_us }));
    case 'library':
      return fc.record({ n: fc.nat(1), tag: fc.constantFrom(...TAGS) }).map(({ n, tag }) => ({
        resolvers:
          n === 0
            ? []
            : [{ ...resolver('lib-1', [tag], 1), record: { successes: 1, failures: 0, sigma_ppm: 900_000 } }],
        capabilities: [],
        aliases: [],
        history: 'nothing',
        off: n === 0 ? [] : [{ row: 'cost', n: 3, median_ppm: 1_300_000 }],
      })) as unknown as fc.Arbitrary<Json>;
    case 'extract': {
      const { conflicts } = body as Bodies['extract'];
      return fc.subarray(LOCAL as ConstraintDraft[]).map((drafts) => ({
        constraints: accepts.length === 1 ? [] : drafts,
        drop: conflicts.map(([a]) => a),
        questions: ['which?'],
      })) as unknown as fc.Arbitrary<Json>;
    }
    case 'identify': {
      const { candidates } = body as Bodies['identify'];
      return fc.subarray(candidates.map(({ id }) => id)).map((apply) => ({ apply, constraints: [] }));
    }
    case 'select': {
      const { candidates } = body as Bodies['select'];
      return fc.subarray(candidates.map(({ id }) => id)).map((selected) => ({ selected }));
    }
    case 'route': {
      const { candidates } = body as Bodies['route'];
      const ids = candidates.map(({ id }) => id);
      return fc.array(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }).map((steps) => ({ steps }));
    }
    case 'resolve': {
      const resolve = body as Bodies['resolve'];
      return resolve.may_split && resolve.kind === 'goal'
        ? fc.oneof(splits(resolve), made(resolve))
        : made(resolve);
    }
    case 'survey': {
      const { tasks, violated } = body as Bodies['survey'];
      const rows = violated.filter(({ payload }) => payload.t === 'cap').map(({ id }) => id);
      return fc
        .array(approach(rows, []), { minLength: tasks.length, maxLength: tasks.length })
        .map((each) => ({
          approaches: tasks.map(({ id }, at) => ({
            task: id,
            approach: { id: 's0', method: 'found by looking', ...noMetrics(each[at] ?? {}) },
          })),
          figures: [],
          values: [],
        })) as unknown as fc.Arbitrary<Json>;
    }
    case 'verify': {
      const asked = (body as Bodies['verify']).constraints.map(({ id }) => id);
      return fc
        .array(fc.tuple(fc.constantFrom(true, true, true, false), fc.constantFrom(200_000, 900_000)), {
          minLength: asked.length,
          maxLength: asked.length,
        })
        .map((found) => ({
          verdict: 'SAT',
          checks: asked.map((constraint, at) => ({
            constraint,
            passed: found[at]?.[0] ?? true,
            sigma_ppm: found[at]?.[1] ?? 0,
            detail: 'looked at',
            repair: null,
          })),
        }));
    }
    case 'rank': {
      const { repairs } = body as Bodies['rank'];
      return fc.constant({ order: repairs.map((_, at) => repairs.length - 1 - at) });
    }
    case 'choose':
    case 'feedback':
      return fc.constant({ advice: 'try otherwise' });
    case 'gap':
      return fc
        .record({ capability: fc.constantFrom(...TAGS), usd: fc.nat(50) })
        .map(({ capability, usd }) => ({
          capability,
          title: 'a tool',
          constraints: [],
          estimate: { usd },
          rationale: 'it is missing',
        }));
    case 'consistency': {
      const { outputs } = body as Bodies['consistency'];
      const both = outputs.slice(0, 2).map(({ node }) => node);
      return fc.constantFrom<Json>(
        { conflicts: [] },
        { conflicts: [] },
        { conflicts: [{ nodes: both, constraints: [LOCAL[1] as unknown as Json], detail: 'they differ' }] },
      );
    }
    case 'assemble':
      return fc.constant({ artifact: { format: 'text', summary: 'all', content: 'all' } });
    case 'capability':
      return fc.constant({
        fingerprint: (body as Bodies['capability']).fingerprint,
        capability: 'generate_code',
        status: 'declined',
        resolver: null,
      });
    case 'done': {
      const { rows } = body as Bodies['done'];
      return fc
        .record({
          rows: fc.subarray(rows.map(({ id }) => id)),
          amount: fc.nat(30),
          minutes: fc.option(fc.nat(30)),
        })
        .map(({ rows: named, amount, minutes }) => ({
          amounts: named.map((id) => [id, amount]),
          minutes,
          note: '',
        })) as unknown as fc.Arbitrary<Json>;
    }
    case 'hire': {
      return fc.oneof(
        fc.integer({ min: 1, max: 90 }).map((usd): Json => ({ kind: 'increase_budget', grants: { usd } })),
        fc.constant<Json>({ kind: 'decline', why: 'no' }),
        fc.constant<Json>({ kind: 'person' }),
        fc.constant<Json>({ kind: 'command', name: 'hired-1', command: ['true'] }),
      );
    }
  }
}

/** After so many answers a run is closed at the latest. Generous: requests a node may have, times nodes. */
export function boundOf({ policy }: GenesisInput): number {
  const { limits, resolvers } = policy as unknown as Policy;
  const { attempts, nodes, tries, retries, reopens_node, surveys, replans, builds } = limits;
  const tools = resolvers.length + 4 + builds;
  const perTry = 6 + retries + surveys;
  const perNode = (reopens_node + 2) * (8 + tools * (tries + 1) * perTry * 3);
  return (
    attempts * (20 + replans + (nodes + 4) * perNode) +
    DONE_ATTEMPTS * nodes * (reopens_node + 1) * (tries + replans + 1)
  );
}

/** All of it, for `machineLaws`. */
export function plannerArbitraries(): MachineArbitraries<PlannerState, Body> {
  return { genesis: genesis(), answer: (request) => answers(request), stepsMax: 30, bound: boundOf };
}
