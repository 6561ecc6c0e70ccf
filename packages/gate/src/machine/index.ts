/**
 * The machine `gate` and its policy: may this tool be called now, by this principal, with this input?
 *
 * @packageDocumentation
 */
export { gate } from './machine.js';
export type { GateAnswer, GateAsk, GateEvent } from './events.js';
export type { GateState } from './state.js';
export {
  completePolicy,
  readPolicy,
  type Policy,
  type PolicyFile,
} from '../policy/policy.js';
