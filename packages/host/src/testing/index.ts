/**
 * For tests of what drives runs: a world with its own time and order of events, a store and ports that fail
 * in it, and a simulation that judges what it sees. Everything follows from a seed.
 *
 * @packageDocumentation
 */
export * from './random.js';
export * from './world.js';
export * from './disk.js';
export * from './faults.js';
export * from './faulty-store.js';
export * from './faulty-port.js';
export * from './simulate.js';
