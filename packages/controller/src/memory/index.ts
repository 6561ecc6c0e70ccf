/**
 * The memory machine (MKCT): Megrams under tags, two decaying potentials, rules that are promoted and demoted
 * by thresholds, and tombstones.
 *
 * @packageDocumentation
 */
export * from './machine.js';
export * from './asks.js';
export * from './policy.js';
export * from './tag.js';
export * from './quantization.js';
export * from './megram.js';
export * from './decay.js';
export * from './potentials.js';
export * from './recall.js';
export * from './drafts.js';
export * from './must-not.js';
export * from './keys.js';
export * from './answers.js';
export * from './events.js';
export * from './shelf.js';
export * from './dreaming.js';
export * from './distilling.js';
export { EMPTY as EMPTY_MEMORY, evolve as evolveMemory, type MemoryState } from './state.js';
