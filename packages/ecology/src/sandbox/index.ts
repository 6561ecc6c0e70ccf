/**
 * Runs small JavaScript contracts with exact fuel: the same outcome and cost on every runtime.
 *
 * @packageDocumentation
 */
export { loadEngine, type Engine, type Run } from './engine/engine.js';
export { type Ended, type Host, type Outcome } from './engine/vm.js';
