/**
 * A stored library: read, told what planners' runs have for it, and asked by them.
 *
 * @packageDocumentation
 */
export { capabilityPort, makeHandOn, libraryPort, type LibraryPlace } from './ports.js';
export { createLibrary, LIBRARY_RUN, readLibrary, type LibraryRun } from './stored-library.js';
