/**
 * Runs small JavaScript contracts with exact fuel: the same outcome and cost on every runtime.
 *
 * @packageDocumentation
 */
export { ENGINE_SHA256, loadEngine, type Engine, type EngineFault, type Run } from './engine/engine.js';
export { TEXT_MAX, type Ended, type Host, type Outcome } from './engine/outcome.js';
