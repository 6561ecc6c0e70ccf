/**
 * A linear solver as a proposer: it answers `choose` with a choice and rounded weights, from which the machine's
 * own exact search starts. Nothing of it is believed. Needs the optional peer `highs`. Source: dec-K78.
 *
 * @packageDocumentation
 */
export { solverPort, suggest } from './port.js';
export { isInstalled } from './worker.js';
