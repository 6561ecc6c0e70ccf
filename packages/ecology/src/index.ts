/**
 * The physics of an agent ecology as one pure machine: artifacts, contracts, money, auctions, escrow, rates.
 *
 * @packageDocumentation
 */
export { RESOURCES, type Config, type Given, type Resource, type WorldInput } from './config/config.js';
export { DEFAULT_CONFIG } from './config/defaults.js';
export { resolveConfig, type Amounts } from './config/resolve.js';
export type { Action } from './protocol/action.js';
export type { ContractEnded, ContractEngine } from './protocol/engine.js';
export { CODES, type Code, type Refusal, type Response } from './protocol/response.js';
export type {
  Bodies,
  Body,
  Entry,
  Input,
  OperatorOrder,
} from './protocol/requests.js';
export type { EcologyEvent } from './world/events.js';
export {
  getAccount,
  isContract,
  findLive,
  type Account,
  type Artifact,
  type EcologyState,
} from './world/state.js';
export type { Told } from './world/draft.js';
export { ecology, ecologyMachine, explain, type Ecology } from './machine/machine.js';
export { GLUE } from './contracts/code.js';
export { chargeIn, verdictIn } from './contracts/permit.js';
