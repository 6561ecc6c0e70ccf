/** What an operator orders, each with its reason. Source: specs/ecology.md B8, B9; 004 L4079–4107, L5401. */
import { isDigest, type Json, type JsonObject } from '@assay/kernel';
import {
  closed,
  flag,
  free,
  integer,
  nullable,
  oneOf,
  text,
  type Shape,
  type TypeOf,
} from '@assay/kernel/shape';
import { isId, RESOURCES } from '../config/config.js';

const id = text(isId);
const amount = integer(1);
const words = (most: number): Shape<string> => text((value) => value.length > 0 && value.length <= most);
const rationale = words(2_000);
/** What a capability is called. */
export const CAPABILITY: Shape<string> = words(128);
/** What a secret is called: the handle of `NAME` is `secret:NAME`. */
const SECRET_NAME: Shape<string> = text((value) => /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value));

const ORDERS = {
  grant: closed({ op: oneOf(['grant']), to: id, resource: oneOf(RESOURCES), amount, rationale }),
  provision: closed({
    op: oneOf(['provision']),
    agent_id: id,
    capability: CAPABILITY,
    approve: flag,
    /** What the agent may use now. */
    artifact_id: nullable(id),
    /** A handle that the agent holds now; the value stays in the operator's vault. */
    secret: nullable(closed({ name: SECRET_NAME, commitment: text(isDigest) })),
    rationale,
  }),
  rebind: closed({ op: oneOf(['rebind']), artifact_id: id, access_contract_id: id, rationale }),
  bounty: closed({ op: oneOf(['bounty']), minter: id, to: id, amount, rationale }),
  note: closed({ op: oneOf(['note']), report: nullable(closed({ id, content: free })), rationale }),
  stop: closed({ op: oneOf(['stop']), rationale }),
};

/** What an operator does, each with its reason. */
export type OperatorOrder = { [op in keyof typeof ORDERS]: TypeOf<(typeof ORDERS)[op]> }[keyof typeof ORDERS];

/** What an order leaves out is null. */
const LEFT_OUT: { readonly [op: string]: JsonObject } = {
  provision: { artifact_id: null, secret: null },
  note: { report: null },
};

/** Reads an order; a text is the path of what is wrong. */
export function parseOrder(value: JsonObject): OperatorOrder | string {
  const { op } = value;
  if (typeof op !== 'string' || !Object.hasOwn(ORDERS, op)) return '/op';
  const whole: Json = { ...LEFT_OUT[op], ...value };
  const fault = ORDERS[op as keyof typeof ORDERS](whole);
  return fault === null ? (whole as OperatorOrder) : fault;
}
