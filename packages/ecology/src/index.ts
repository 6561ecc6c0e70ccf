/**
 * The physics of an agent ecology as one pure machine: artifacts, contracts, money, auctions, escrow, rates.
 *
 * @packageDocumentation
 */
export type { Config, Given, Resource } from './config/config.js';
export { resolveConfig } from './config/resolve.js';
export { DEFAULT_CONFIG } from './config/defaults.js';
export type { ContractEnded, ContractEngine } from './protocol/engine.js';
export type { Code } from './protocol/response.js';
export type {
  Bodies,
  Body,
  Entry,
  Input,
} from './protocol/requests.js';
export type { OperatorOrder } from './protocol/orders.js';
export type { EcologyEvent } from './world/events.js';
export { findLive, type Artifact, type EcologyState } from './world/state.js';
export { listOwned } from './world/owned.js';
export { responsesOf, type Responded } from './world/responses.js';
export type { Response } from './protocol/response.js';
export { readLog } from './world/announce.js';
export type { EventType } from './world/log.js';
export { getRunState, isDormant, nextDueUs } from './world/run-state.js';
export { formatTime, makeView, openViews, type AgentView, type Shown } from './world/agent-view.js';
export type { Told } from './world/draft.js';
export { ecology, ecologyMachine, explain, type Ecology } from './machine/machine.js';
export { GLUE } from './contracts/code.js';
export { parseCharge, parseVerdict } from './contracts/permit.js';
