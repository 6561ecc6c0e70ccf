/**
 * What a plan's run is asked by short names: `cap.cost=40000` for the bound of a constraint of its input, and
 * `strike=t8.a` for an approach that must not be taken.
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
import type { Overridden, Override } from '@assay/verifier/impact';
import { amountIn } from './goal.js';
import { misuse } from '../../problems/problem.js';
import type { ReadPaths } from '../../start/kit.js';

const SHOWN = 8;

/** Reads the short names; other paths stay. `records`: the run that is asked. Raises `Stop`: `bad_value`. */
export function planPaths(
  { input }: Pick<Genesis, 'input'>,
  records: readonly EvidenceRecord[],
  overrides: readonly Override[],
): Awaited<ReturnType<ReadPaths>> {
  const given = isObject(input) ? input : {};
  let constraints = listIn(given, 'constraints').filter(isObject);
  let strikes = listIn(given, 'strikes');
  const said: Overridden[] = [];
  const rest: Override[] = [];
  for (const override of overrides) {
    const { path, value } = override;
    if (value !== undefined && path.startsWith('cap.')) {
      const id = path.slice('cap.'.length);
      const [was, to] = bound(constraints, id, value);
      constraints = constraints.map((each) => (each['id'] === id ? withBound(each, to) : each));
      said.push({ path, was, would_be: to });
    } else if (value !== undefined && path === 'strike') {
      const named = struck(value, records);
      strikes = [...strikes, ...named.filter((name) => !strikes.includes(name))];
      said.push({ path, was: null, would_be: named.join(',') });
    } else rest.push(override);
  }
  const put = (path: string, value: Json): readonly Override[] =>
    said.length === 0 ? [] : [{ path, value }];
  return {
    overrides: [...rest, ...put('input.constraints', constraints), ...put('input.strikes', strikes)],
    said,
    fields: said.length === 0 ? [] : ['input.constraints', 'input.strikes'],
  };
}

function bound(
  constraints: readonly JsonObject[],
  id: string,
  value: Json,
): readonly [was: Json, to: number] {
  const held = constraints.find((each) => each['id'] === id)?.['payload'];
  const payload = held !== undefined && isObject(held) ? held : null;
  if (payload === null || typeof payload['bound'] !== 'number') {
    const known = constraints.flatMap(({ id: name, payload: one }) =>
      typeof name === 'string' && one !== undefined && isObject(one) && typeof one['bound'] === 'number'
        ? [name]
        : [],
    );
    throw misuse(
      'bad_value',
      'the goal of this run has no bound of this name',
      `--set cap.${id}`,
      known.length === 0
        ? 'its bounds were proposed, and a proposal is not changed; plan again with --cap'
        : `it has ${known.join(', ')}`,
    );
  }
  const unit = payload['t'] === 'deadline' ? 'minutes' : payload['unit'];
  const to = amountIn(renderText(value), typeof unit === 'string' ? unit : '', `--set cap.${id}`);
  return [payload['bound'], to];
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
  throw misuse(
    'bad_value',
    'no task of this run has an approach of this name',
    `--set strike=${unknown}`,
    `name a task and one of its approaches: ${(like.length > 0 ? like : [...known]).slice(0, SHOWN).join(', ')}`,
  );
}

/** Every approach that the plans of a run hold, as `TASK.APPROACH`. */
function approachesIn(records: readonly EvidenceRecord[]): ReadonlySet<string> {
  const known = new Set<string>();
  const events = records.flatMap(({ payload }) => (isObject(payload) ? listIn(payload, 'events') : []));
  for (const { file } of events.filter(isObject))
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
