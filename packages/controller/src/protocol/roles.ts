/**
 * The eight actors and who may speak to whom. The routing table is data: a message whose (from, to, kind) is
 * not in it is a boundary violation. Source: 002 "Role Index"; 003 "Role Index", §7; dec-B2, dec-B5, dec-B6.
 */

/** The eight actors, by the ids of the sources. Source: dec-B5. */
export const ROLES = ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'R6', 'R7'] as const;
/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Roles that somebody plays: each is bound to one proposer by name, or to anybody. */
export const CAST = ['R1', 'R2', 'R3', 'R4a', 'R4b'] as const;
/** One of {@link CAST}. */
export type CastRole = (typeof CAST)[number];

/** What each actor is called. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = Object.freeze({
  R1: 'Perceiver',
  R2: 'Planner',
  R3: 'Executor',
  R4a: 'Agent-Validator',
  R4b: 'Meta-Validator',
  R5: 'Memory',
  R6: 'Auditor',
  R7: 'Goal Gradient Solver',
});

/**
 * Who can send or receive a message: the actors, the dispatcher that hands out sub-tasks, the user and the
 * operator.
 */
export const PARTIES = [
  'R1',
  'R2',
  'R3',
  'R4a',
  'R4b',
  'R5',
  'R6',
  'R7',
  'dispatcher',
  'user',
  'operator',
] as const;
/** One of {@link PARTIES}. */
export type Party = (typeof PARTIES)[number];

/** What messages there are. */
export const MESSAGE_KINDS = [
  'UserInput',
  'TaskSpec',
  'PerceptionFailure',
  'MemoryQuery',
  'MemoryRecall',
  'DispatchManifest',
  'PlanFailure',
  'NegativeFeedback',
  'ConfirmationRequest',
  'Confirmation',
  'SubTask',
  'SubTaskOutcome',
  'ExecutionResult',
  'CorrectionSignal',
  'ReplanRequest',
  'OutcomeSummary',
  'PlanDirective',
  'Megram',
  'FinalResult',
  'AuditQuery',
  'AuditReport',
] as const;
/** One of {@link MESSAGE_KINDS}. */
type MessageKind = (typeof MESSAGE_KINDS)[number];

/** One allowed route. */
export type Route = { readonly from: Party; readonly to: Party; readonly kind: MessageKind };

/**
 * Every route there is. R6 receives from the operator and sends to the operator alone: no row lets it reach
 * a role, and no role may subscribe to what it says (dec-B6). R7 alone writes to R5 and alone sends a
 * FinalResult. Source: 002, contracts of R1 to R7; dec-B2, dec-G9, dec-M18.
 */
export const ROUTES: readonly Route[] = Object.freeze([
  { from: 'user', to: 'R1', kind: 'UserInput' },
  { from: 'R1', to: 'R2', kind: 'TaskSpec' },
  { from: 'R1', to: 'R7', kind: 'PerceptionFailure' },
  { from: 'R2', to: 'R5', kind: 'MemoryQuery' },
  { from: 'R5', to: 'R2', kind: 'MemoryRecall' },
  { from: 'R2', to: 'dispatcher', kind: 'DispatchManifest' },
  { from: 'R2', to: 'R7', kind: 'PlanFailure' },
  { from: 'R2', to: 'R7', kind: 'NegativeFeedback' },
  { from: 'dispatcher', to: 'user', kind: 'ConfirmationRequest' },
  { from: 'user', to: 'dispatcher', kind: 'Confirmation' },
  { from: 'dispatcher', to: 'R3', kind: 'SubTask' },
  { from: 'R3', to: 'R4a', kind: 'ExecutionResult' },
  { from: 'R4a', to: 'R3', kind: 'CorrectionSignal' },
  { from: 'R4a', to: 'R4b', kind: 'SubTaskOutcome' },
  { from: 'R4b', to: 'R7', kind: 'ReplanRequest' },
  { from: 'R4b', to: 'R7', kind: 'OutcomeSummary' },
  { from: 'R7', to: 'R2', kind: 'PlanDirective' },
  { from: 'R7', to: 'R5', kind: 'Megram' },
  { from: 'R7', to: 'user', kind: 'FinalResult' },
  { from: 'operator', to: 'R6', kind: 'AuditQuery' },
  { from: 'R6', to: 'operator', kind: 'AuditReport' },
]);

/** True for a route of {@link ROUTES}; anything else is a boundary violation (dec-B2). */
export function isRouted(from: string, to: string, kind: string): boolean {
  return ROUTED.has(`${from} ${to} ${kind}`);
}

const ROUTED: ReadonlySet<string> = new Set(ROUTES.map(({ from, to, kind }) => `${from} ${to} ${kind}`));
