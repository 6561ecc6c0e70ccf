/**
 * A stored library: read, told what planners' runs have for it, and asked by them.
 *
 * @packageDocumentation
 */
export {
  capabilityPort,
  makeHandOn,
  libraryPort,
  type LibraryPlace,
  createLibrary,
  LIBRARY_RUN,
  readLibrary,
} from './ports.js';
