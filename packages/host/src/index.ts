/**
 * The host of a machine: what a store is, a store in memory, and the loop that performs requests.
 *
 * @packageDocumentation
 */
export * from './store.js';
export * from './memory-store.js';
export * from './native-sha256.js';
