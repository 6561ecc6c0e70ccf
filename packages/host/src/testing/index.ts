/**
 * For tests of what drives runs: a world with its own time and order of events, a store and ports that fail
 * in it, and a simulation that judges what it sees. Everything follows from a seed.
 *
 * @packageDocumentation
 */
export { FAULTS, NO_FAULTS } from './faulty-port.js';
export { type Scenario, simulate } from './simulate.js';
export { Life, World } from './world.js';
export { SimulatedDisk } from './disk.js';
export { faultyStore } from './faulty-store.js';
