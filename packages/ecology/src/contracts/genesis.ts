/**
 * The contracts of genesis: as functions of the machine, and as the JavaScript that they are equal to.
 *
 * They test the owner, so that a sale hands over control; `creator_freeware_contract` is the source's own.
 * Source: specs/ecology.md B2, 0.5; 004 L2379–2420.
 */
import type { JsonObject } from '@assay/kernel';

/** What an action asks of a contract. */
export type Question = {
  readonly artifact_id: string;
  readonly action: 'read' | 'write' | 'invoke' | 'delete' | 'transfer' | 'change_contract';
  readonly requester_id: string;
  /** What is to be written; null for other actions. */
  readonly content: JsonObject[string];
  readonly context: {
    readonly owner: string;
    readonly creator: string;
    readonly version: number;
    readonly method: string | null;
  };
};

/** A verdict. */
export type Verdict = { readonly allowed: boolean; readonly reason: string };

/** A contract of genesis. */
type GenesisContract = {
  readonly check: (question: Question) => Verdict;
  readonly code: string;
};

const CLOSED = 'not allowed';
const OPEN = 'allowed';

function contract(allows: (question: Question) => boolean, condition: string): GenesisContract {
  return {
    check: (question) => {
      const allowed = allows(question);
      return { allowed, reason: allowed ? OPEN : CLOSED };
    },
    code:
      `function check_permission(q) {\n  const allowed = ${condition};\n` +
      `  return { allowed, reason: allowed ? '${OPEN}' : '${CLOSED}' };\n}\n`,
  };
}

const isOpen = ({ action }: Question): boolean => action === 'read' || action === 'invoke';

/** By id. A contract that was rewritten is no longer one of these. */
export const GENESIS_CONTRACTS: ReadonlyMap<string, GenesisContract> = new Map([
  [
    'freeware_contract',
    contract(
      (q) => isOpen(q) || q.requester_id === q.context.owner,
      `q.action === 'read' || q.action === 'invoke' || q.requester_id === q.context.owner`,
    ),
  ],
  [
    'creator_freeware_contract',
    contract(
      (q) => isOpen(q) || q.requester_id === q.context.creator,
      `q.action === 'read' || q.action === 'invoke' || q.requester_id === q.context.creator`,
    ),
  ],
  [
    'self_owned_contract',
    contract((q) => q.requester_id === q.artifact_id, `q.requester_id === q.artifact_id`),
  ],
  [
    'private_contract',
    contract((q) => q.requester_id === q.context.creator, `q.requester_id === q.context.creator`),
  ],
  ['public_contract', contract(() => true, `true`)],
  ['sealed_contract', contract(isOpen, `q.action === 'read' || q.action === 'invoke'`)],
  [
    'owner_contract',
    contract((q) => q.requester_id === q.context.owner, `q.requester_id === q.context.owner`),
  ],
]);

/** The interface of every contract. */
export const CONTRACT_INTERFACE: JsonObject = Object.freeze({
  tools: Object.freeze([
    Object.freeze({
      name: 'check_permission',
      description: 'Says whether a requester may act on an artifact.',
      inputSchema: Object.freeze({
        type: 'object',
        required: Object.freeze(['artifact_id', 'action', 'requester_id']),
      }),
    }),
  ]),
});
