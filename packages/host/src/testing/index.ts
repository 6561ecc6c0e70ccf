/**
 * For tests of what drives runs: a world with its own time and order of events, a store and ports that fail
 * in it, and a simulation that judges what it sees. Everything follows from a seed.
 *
 * @packageDocumentation
 */
export { Random } from './random.js';
export { Life, World } from './world.js';
export { SimulatedDisk, type StoredRun } from './disk.js';
export { FAULTS, type Faults, NO_FAULTS } from './faults.js';
export { type FaultyStoreOptions, faultyStore } from './faulty-store.js';
export {
  type Fate,
  type Manner,
  type OnPerform,
  PARTIAL,
  SECOND,
  type SimulatedPort,
  fateOf,
  faultyPorts,
  isDoubled,
  mannerOf,
} from './faulty-port.js';
export { type Scenario, type Simulated, simulate } from './simulate.js';
