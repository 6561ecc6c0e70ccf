/**
 * The narrow waist: read, write, invoke, noop. All else is an invoke on a genesis service.
 *
 * Source: specs/ecology.md B13; 004 L159, L908.
 */
import { field, isObject, tokenFault, type Json, type JsonObject } from '@assay/kernel';
import { isId } from '../config/config.js';

/** An action. `max_charge`: what contracts on its way may take from the agent, milli-scrip; 0 where left out. */
export type Action =
  | { readonly op: 'noop' }
  | { readonly op: 'read'; readonly id: string; readonly max_charge: number }
  | {
      readonly op: 'write';
      readonly id: string;
      readonly content: Json;
      readonly expected_version: number | null;
      /** Undefined: as it is. */
      readonly interface: Json | undefined;
      readonly access_contract_id: string | null;
      readonly max_charge: number;
    }
  | {
      readonly op: 'invoke';
      readonly id: string;
      readonly method: string;
      readonly args: JsonObject;
      readonly max_charge: number;
    };

const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['noop', ['op']],
  ['read', ['op', 'id', 'max_charge']],
  ['write', ['op', 'id', 'content', 'expected_version', 'interface', 'access_contract_id', 'max_charge']],
  ['invoke', ['op', 'id', 'method', 'args', 'max_charge']],
]);
const DEPTH_MAX = 48;

/** Reads an action; a text says what is wrong with it. Total on any JSON. */
export function parseAction(value: Json): Action | string {
  if (!isObject(value)) return 'an action is an object';
  const op = field(value, 'op');
  const keys = typeof op === 'string' ? KEYS.get(op) : undefined;
  if (keys === undefined) return 'op is one of read, write, invoke, noop';
  const odd = Object.keys(value).find((key) => !keys.includes(key));
  if (odd !== undefined) return 'an unknown key';
  if (op === 'noop') return { op };
  const id = field(value, 'id');
  if (!isId(id)) return 'id is no name of an artifact';
  const max_charge = field(value, 'max_charge') ?? 0;
  if (!isAmount(max_charge)) return 'max_charge is an integer of at least 0';
  if (op === 'read') return { op, id, max_charge };
  if (op === 'invoke') {
    const method = field(value, 'method');
    const args = field(value, 'args') ?? {};
    if (typeof method !== 'string' || !METHOD.test(method)) return 'method is a name';
    if (!isObject(args) || !isStorable(args)) return 'args is an object whose numbers are integers';
    return { op, id, method, args, max_charge };
  }
  const content = field(value, 'content');
  if (content === undefined || !isStorable(content)) return 'content is JSON whose numbers are integers';
  const expected_version = field(value, 'expected_version') ?? null;
  if (expected_version !== null && !isAmount(expected_version)) return 'expected_version is an integer';
  const described = field(value, 'interface');
  if (described !== undefined && !isStorable(described)) return 'interface is JSON';
  const access_contract_id = field(value, 'access_contract_id') ?? null;
  if (access_contract_id !== null && !isId(access_contract_id)) return 'access_contract_id is a name';
  return { op: 'write', id, content, expected_version, interface: described, access_contract_id, max_charge };
}

/** True for an integer from 0 to 2^53 − 1. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** True for what may stand in the state: integers only, not nested too deep, and no token of a wrong form. */
export function isStorable(value: Json): boolean {
  return isWithin(value, DEPTH_MAX) && tokenFault(value) === null;
}

function isWithin(value: Json, depth: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  for (const inner of Object.values(value)) if (!isWithin(inner, depth - 1)) return false;
  return true;
}

const METHOD = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
