/**
 * What a plan's run is asked by short names: `cost=40000`, or `cap.cost=40000`, for the bound of a constraint of its
 * input, and `strike=t8.a` for an approach that must not be taken.
 *
 * @module
 */
import {
  field,
  isArray,
  isObject,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { eventsIn } from '@assay/host/shared-run';
import { comparePlans, sayBound } from '@assay/planner/picture';
import { parsePlan, type Held, type Plan } from '@assay/planner/schedule';
import type { Override } from '@assay/verifier/impact';
import { amountIn, readDeadline } from './goal.js';
import { badValue } from '../../problems/problem.js';
import type { ReadPaths } from '../../start/kit.js';

const SHOWN = 8;
/** Names of bounds whether or not the run has them, so that the answer says which it has. */
const CAPS: readonly string[] = ['cost', 'deadline'];

/** Reads the short names; other paths stay. `records`: the run that is asked. Raises `Stop`: `bad_value`. */
export function planPaths(
  { input }: Pick<Genesis, 'input'>,
  records: readonly EvidenceRecord[],
  overrides: readonly Override[],
): Awaited<ReturnType<ReadPaths>> {
  const given = isObject(input) ? input : {};
  let constraints = listIn(given, 'constraints').filter(isObject);
  let strikes = listIn(given, 'strikes');
  const said: Awaited<ReturnType<ReadPaths>>['said'][number][] = [];
  const rest: Override[] = [];
  const isBound = (id: string): boolean => CAPS.includes(id) || listBounds(constraints).includes(id);
  for (const override of overrides) {
    const { path, value } = override;
    const id = path.replace(/^cap\./, '');
    if (value !== undefined && path === 'strike') {
      const named = struck(value, records);
      strikes = [...strikes, ...named.filter((name) => !strikes.includes(name))];
      said.push({ path, was: null, would_be: named.join(','), words: `without ${named.join(' and ')}` });
    } else if (value !== undefined && (path !== id || isBound(id))) {
      const plan = planIn(records);
      const held = readBound(constraints, plan, override, id);
      const { was, bound } = held;
      constraints = constraints.map((each) => (each['id'] === id ? withBound(each, bound) : each));
      said.push({ path, was, would_be: bound, words: sayBound(held, was, plan?.hoursPerDay) });
    } else rest.push(override);
  }
  const put = (path: string, value: Json): readonly Override[] =>
    said.length === 0 ? [] : [{ path, value }];
  return {
    overrides: [...rest, ...put('input.constraints', constraints), ...put('input.strikes', strikes)],
    said,
    fields: said.length === 0 ? [] : ['input.constraints', 'input.strikes'],
    tell: (run, fork) => {
      const [was, now] = [planArtifact(run), planArtifact(fork)];
      return was === undefined || now === undefined ? null : comparePlans(was, now);
    },
  };
}

/** The plan that a run ended with. */
function planArtifact(records: readonly EvidenceRecord[]): JsonObject | undefined {
  const contents = records.map(({ kind, payload }) =>
    kind === 'artifact' && isObject(payload) && payload['name'] === 'plan' ? payload['content'] : null,
  );
  return contents.find((content) => isObject(content));
}

/** The first plan of a run, before any change; null before there is one. */
function planIn(records: readonly EvidenceRecord[]): Plan | null {
  for (const { file = null } of eventsIn(records) as readonly JsonObject[]) {
    const plan = file === null ? null : parsePlan(file);
    if (plan?._tag === 'Right') return plan.right;
  }
  return null;
}

/** The constraints that have a bound. */
function listBounds(constraints: readonly JsonObject[]): readonly string[] {
  return constraints.flatMap(({ id, payload }) =>
    typeof id === 'string' &&
    payload !== undefined &&
    isObject(payload) &&
    typeof payload['bound'] === 'number'
      ? [id]
      : [],
  );
}

function readBound(
  constraints: readonly JsonObject[],
  plan: Plan | null,
  { path, value = null }: Override,
  id: string,
): Pick<Held, 'id' | 'unit' | 'op' | 'bound'> & { readonly was: number } {
  const payload = constraints.find((each) => each['id'] === id)?.['payload'];
  if (payload === undefined || !isObject(payload) || typeof payload['bound'] !== 'number') {
    const known = listBounds(constraints);
    throw badValue(
      'the goal of this run has no bound of this name',
      `--set ${path}`,
      known.length === 0
        ? 'its bounds were proposed, and a proposal is not changed; plan again with --cap'
        : `it has ${known.join(', ')}`,
    );
  }
  const { bound: was, op } = payload as unknown as Held;
  if (payload['t'] === 'deadline') {
    const { minutes } = readDeadline(renderText(value), plan, `--set ${path}`);
    return { id, unit: 'minutes', op, bound: minutes, was };
  }
  const unit = typeof payload['unit'] === 'string' ? payload['unit'] : '';
  return { id, unit, op, bound: amountIn(renderText(value), unit, `--set ${path}`, plan?.hoursPerDay), was };
}

function withBound(constraint: JsonObject, to: number): JsonObject {
  const payload = constraint['payload'];
  return payload !== undefined && isObject(payload)
    ? { ...constraint, payload: { ...payload, bound: to } }
    : constraint;
}

function struck(value: Json, records: readonly EvidenceRecord[]): readonly string[] {
  const named = renderText(value).split(',');
  const known = approachesIn(records);
  const unknown = named.find((name) => !known.has(name));
  if (unknown === undefined) return named;
  const task = unknown.split('.')[0] ?? '';
  const like = [...known].filter((name) => name.startsWith(`${task}.`));
  throw badValue(
    'no task of this run has an approach of this name',
    `--set strike=${unknown}`,
    `name a task and one of its approaches: ${(like.length > 0 ? like : [...known]).slice(0, SHOWN).join(', ')}`,
  );
}

/** Every approach that the plans of a run hold, as `TASK.APPROACH`. */
function approachesIn(records: readonly EvidenceRecord[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const { file } of eventsIn(records) as readonly JsonObject[])
    for (const task of file !== undefined && isObject(file) ? listIn(file, 'tasks').filter(isObject) : [])
      for (const approach of [field(task, 'approach') ?? 'base', ...ids(listIn(task, 'alternatives'))])
        known.add(`${renderText(field(task, 'id') ?? '')}.${renderText(approach)}`);
  return known;
}

function ids(list: readonly Json[]): readonly Json[] {
  return list.filter(isObject).map((each) => field(each, 'id') ?? '');
}

/** A value of `--set` as it was typed. */
function renderText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listIn(given: JsonObject, key: string): readonly Json[] {
  const found = field(given, key);
  return found !== undefined && isArray(found) ? found : [];
}
