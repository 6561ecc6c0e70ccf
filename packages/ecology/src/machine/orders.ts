/** Orders of an operator: each has a reason and is seen by all; what is not possible is not accepted. */
import { absurd, type Rejection } from '@assay/kernel';
import { expire } from '../mechanisms/window.js';
import type { OperatorOrder } from '../protocol/orders.js';
import { isStorable } from '../protocol/action.js';
import { isReserved } from '../config/config.js';
import { configHash, faultOfShape, isGuard, makeMade, measured } from '../store/writing.js';
import type { Draft } from '../world/draft.js';
import { findLive, getAccount, HOLDERS, type EcologyState } from '../world/state.js';
import { unfreeze } from './living.js';
import { mintTo } from './minting.js';

/** Why an order is not accepted as the world stands: `bad_order` with the path of what it names. */
export function findOrderFault(state: EcologyState, order: OperatorOrder, now: number): Rejection | null {
  const path = findFault(state, order, now);
  return path === null ? null : { code: 'bad_order', detail: { path } };
}

function findFault(state: EcologyState, order: OperatorOrder, now: number): string | null {
  const hasStanding = (id: string): boolean => findLive(state, id)?.has_standing === true;
  switch (order.op) {
    case 'grant': {
      if (!hasStanding(order.to)) return '/to';
      const { amounts } = getAccount(state, HOLDERS.unallocated);
      return amounts[order.resource] < order.amount ? '/amount' : null;
    }
    case 'provision': {
      if (!hasStanding(order.agent_id)) return '/agent_id';
      const asked = state.capabilities.get(`${order.agent_id} ${order.capability}`);
      if (asked?.state !== 'open') return '/capability';
      const { artifact_id, secret, approve } = order;
      if (artifact_id !== null && (!approve || findLive(state, artifact_id) === undefined))
        return '/artifact_id';
      return secret !== null && !approve ? '/secret' : null;
    }
    case 'rebind':
      if (findLive(state, order.artifact_id) === undefined) return '/artifact_id';
      return isGuard({ state }, order.access_contract_id) ? null : '/access_contract_id';
    case 'bounty': {
      const known = state.config.mint.minters.find(({ id }) => id === order.minter);
      const window = state.minters.get(order.minter);
      if (known === undefined || window === undefined) return '/minter';
      if (!hasStanding(order.to)) return '/to';
      return expire(window, now, known.window_us).used + order.amount > known.cap ? '/amount' : null;
    }
    case 'note': {
      const { report } = order;
      if (report === null) return null;
      if (isReserved(report.id) || state.things.has(report.id)) return '/report/id';
      return isStorable(report.content) ? null : '/report/content';
    }
    case 'stop':
      return null;
    default:
      return absurd(order);
  }
}

/** Carries an order out that was accepted. */
export function administer(draft: Draft, order: OperatorOrder): void {
  draft.emit({ t: 'admin', op: order.op, why: order.rationale });
  switch (order.op) {
    case 'stop':
      return;
    case 'grant': {
      const { to, resource, amount } = order;
      const named = resource === 'scrip' ? {} : { r: resource };
      draft.emit({ t: 'mv', f: HOLDERS.unallocated, o: to, x: amount, ...named });
      unfreeze(draft, to);
      return;
    }
    case 'provision':
      return provision(draft, order);
    case 'bounty':
      return mintTo(draft, order.minter, order.to, order.amount);
    case 'note':
      return storeReport(draft, order);
    case 'rebind': {
      const artifact = findLive(draft.state, order.artifact_id);
      const { access_contract_id } = order;
      if (artifact === undefined) return;
      draft.emit({
        t: 'own',
        i: artifact.id,
        o: artifact.owner,
        k: access_contract_id,
        g: configHash(draft, { ...artifact, access_contract_id }),
        p: artifact.storage_payer,
      });
      return;
    }
    default:
      absurd(order);
  }
}

type Of<O extends OperatorOrder['op']> = Extract<OperatorOrder, { readonly op: O }>;

function provision(
  draft: Draft,
  { agent_id, capability, approve, artifact_id, secret }: Of<'provision'>,
): void {
  const said = { t: 'capability', a: agent_id, c: capability } as const;
  if (!approve) return draft.emit({ ...said, y: 'denied' });
  draft.emit({
    ...said,
    y: 'approved',
    ...(artifact_id === null ? {} : { i: artifact_id }),
    ...(secret === null ? {} : { s: secret.name, h: secret.commitment }),
  });
}

/** A report is an artifact of genesis that all may read. */
function storeReport(draft: Draft, { report }: Of<'note'>): void {
  if (report === null) return;
  const flags = { has_standing: false, can_execute: false };
  const guarded = { owner: 'genesis', access_contract_id: 'freeware_contract' };
  const thing = { ...report, interface: null, ...flags, ...guarded };
  const seen = measured(draft, thing);
  if (faultOfShape(draft, thing, seen.size) !== null) return;
  draft.emit(makeMade(draft, thing, seen, 'genesis', 'genesis'), seen.size);
}
