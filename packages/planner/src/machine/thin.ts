/**
 * Nodes as they are encoded: without what is as it was at first. Among ten thousand nodes that is half of a
 * state. Source: dec-K74.
 *
 * @module
 */
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { isNothing, zeros } from './account.js';
import type { GoalNode } from './state.js';

/** What is left out where it is so. */
const FIRST: JsonObject = {
  parent: null,
  resume: null,
  core: [],
  inherited: [],
  eligible: null,
  selected: null,
  steps: null,
  step: 0,
  inputs: [],
  output: null,
  checks: [],
  sigma_ppm: null,
  decomposed: false,
  version: 0,
  children: [],
  kids: 0,
  deps: 0,
  dependents: [],
  attempts: 0,
  tries: 0,
  retries: 0,
  exhausted: [],
  trail: [],
  feedback: [],
  reopens: 0,
  rescoped: false,
  budget_class: null,
  building: [],
  manifest: null,
  started_us: null,
  reason: null,
};

/** A node without what is as it was at first. */
export function thinNode(node: GoalNode): Json {
  const fields = Object.entries(node) as unknown as readonly (readonly [string, Json])[];
  return Object.fromEntries(
    fields.filter(([key, value]) => !isFirst(key, value) && !(key === 'below' && isNothing(node.below))),
  );
}

function isFirst(key: string, value: Json): boolean {
  if (!Object.hasOwn(FIRST, key)) return false;
  const first = FIRST[key] ?? null;
  return value === first || (isArray(value) && value.length === 0 && isArray(first));
}

/** The whole node again. `units`: how many amounts an account has. */
export function wholeNode(thin: Json, units: number): Json {
  return isObject(thin) ? { ...FIRST, below: zeros(units), ...thin } : thin;
}
