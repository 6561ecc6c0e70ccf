/**
 * How a node begins, and nodes as they are encoded: without what is as it was at first. Among ten thousand
 * nodes that is half of a state. Source: dec-K74.
 *
 * @module
 */
import { define, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { zeros } from './account.js';
import type { GoalNode } from './state.js';

type Fresh = Pick<GoalNode, 'step' | 'inputs' | 'output' | 'checks' | 'retries' | 'manifest'>;
/** What a new tool plan begins with. */
export const FRESH: Fresh = { step: 0, inputs: [], output: null, checks: [], retries: 0, manifest: null };

type Own = 'key' | 'id' | 'kind' | 'task' | 'title' | 'capability' | 'depth' | 'level' | 'seq';
/** What a node begins with, and what is left out where it is so. */
export const FIRST: Omit<GoalNode, Own | 'status' | 'begun' | 'account' | 'below'> = {
  ...FRESH,
  parent: null,
  resume: null,
  core: [],
  inherited: [],
  eligible: null,
  selected: null,
  steps: null,
  sigma_ppm: null,
  decomposed: false,
  version: 0,
  children: [],
  kids: 0,
  deps: 0,
  dependents: [],
  attempts: 0,
  tries: 0,
  exhausted: [],
  trail: [],
  feedback: [],
  reopens: 0,
  rescoped: false,
  budget_class: null,
  building: [],
  started_us: null,
  reason: null,
};

/** A node without what is as it was at first. */
export function thinNode(node: GoalNode): Json {
  const whole = node as unknown as JsonObject;
  const thin: { [field: string]: Json } = {};
  for (const field in whole) // any order
    if (!isFirst(field, whole[field] ?? null)) define(thin, field, whole[field] ?? null);
  return thin;
}

function isFirst(field: string, value: Json): boolean {
  if (field === 'below') return isArray(value) && value.every((amount) => amount === 0);
  const first = (FIRST as unknown as JsonObject)[field];
  return value === first || (isArray(first) && isArray(value) && value.length === 0);
}

/** The whole node again. `units`: how many amounts an account has. */
export function wholeNode(thin: Json, units: number): Json {
  return isObject(thin) ? { ...FIRST, below: zeros(units), ...thin } : thin;
}
