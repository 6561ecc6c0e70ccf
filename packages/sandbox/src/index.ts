/**
 * Runs small JavaScript contracts with exact fuel: the same outcome and cost on every runtime.
 *
 * @packageDocumentation
 */
export { loadEngine, type Engine, type Run } from './engine/engine.js';
export { ENGINE_ID, ENGINE_SHA256 } from './engine/id.js';
export { TEXT_MAX, type Ended, type Host, type Outcome } from './engine/outcome.js';
