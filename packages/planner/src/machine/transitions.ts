/**
 * The transitions of a node: what is not listed does not happen. Source: 000 §2.A "Valid state transitions";
 * dec-K1, dec-K3 to dec-K6, dec-K11, dec-K15, dec-K17, dec-K25, dec-K27.
 *
 * @module
 */
import type { NodeStatus } from './node.js';

const WORK: readonly NodeStatus[] = [
  'identifying_constraints',
  'selecting_constraints',
  'selecting_resolver',
  'resolving',
  'verifying',
];

/** From each state where a node can go, beside `infeasible` and `superseded`, which any open state has. */
export const TRANSITIONS: Readonly<Record<NodeStatus, readonly NodeStatus[]>> = Object.freeze({
  pending: [...WORK, 'composing'],
  identifying_constraints: ['selecting_constraints', 'awaiting'],
  selecting_constraints: ['selecting_resolver', 'awaiting'],
  selecting_resolver: ['resolving', 'awaiting', 'pending'],
  resolving: ['verifying', 'selecting_resolver', 'awaiting', 'pending'],
  verifying: [
    'decomposing',
    'resolved',
    'gated',
    'selecting_resolver',
    'resolving',
    'pending',
    'awaiting',
    'composing',
  ],
  decomposing: ['pending'],
  composing: ['verifying', 'awaiting', 'pending'],
  gated: [],
  awaiting: [...WORK, 'composing', 'pending'],
  resolved: [],
  infeasible: [],
  superseded: [],
} satisfies Record<NodeStatus, readonly NodeStatus[]>);

/** States from which a node is reopened, and to which. Source: dec-K5. */
export const REOPENS: { readonly from: readonly NodeStatus[]; readonly to: readonly NodeStatus[] } =
  Object.freeze({
    from: ['pending', 'gated', 'resolved', 'composing'],
    to: ['selecting_resolver', 'selecting_constraints'],
  });

/** True where a transition is listed. */
export function isTransition(from: NodeStatus, to: NodeStatus): boolean {
  if (to === 'infeasible' || to === 'superseded')
    return from !== 'infeasible' && from !== 'superseded' && (from !== 'resolved' || to === 'superseded');
  return TRANSITIONS[from].includes(to);
}
