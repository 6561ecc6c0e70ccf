/**
 * Thousands of runs over many machines, on an existing queue.
 *
 * @packageDocumentation
 */
export type { Engine, Job, Taking } from './engine.js';
