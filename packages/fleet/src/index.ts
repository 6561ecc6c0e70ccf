/**
 * Thousands of runs over many machines, on an existing queue.
 *
 * @packageDocumentation
 */
export type { Engine, Job, Taking } from './engine.js';
export { bullmqEngine } from './engines/bullmq.js';
export { dbosEngine } from './engines/dbos.js';
export { openFleet } from './fleet.js';
export { memoryEngine } from './memory-engine.js';
export { RUN_STATES, type RunState } from './table/table.js';
export {
  type AnyMachine,
  type Fleet,
  type FleetError,
  type FleetEvent,
  type FleetRun,
  type WorkEnd,
  type WorkOptions,
} from './types.js';
