/**
 * The gate: tools go through it, a policy of data decides each call, the ledger shows it.
 *
 * @packageDocumentation
 */
export { openGate, type GateOptions } from './open.js';
export type { Gate } from './gate.js';
export { GateError, GatePending, GateRefused } from './errors.js';
export { leaveAnswer } from './answers.js';
export type {
  Approval,
  Approve,
  CarriedOut,
  Decided,
  Execute,
  GateCall,
  Outcome,
  Told,
  WaitingCall,
} from './types.js';
export type { CallEnd } from './calls.js';
export type { ToolCall, ToolMessage, Tools, WrapOptions } from './wrap.js';
export { Later } from '@assay/host';
export { answerHook } from './hook.js';
