/**
 * Past sessions of agents as runs of the gate: the text of a trace, its sessions, their ledgers.
 *
 * @packageDocumentation
 */
export { makeRun, nameRuns } from './make-run.js';
export { readTrace, TraceReader, type FoundFile } from './read-trace.js';
export { suggestPolicy, type Suggestion } from './suggest.js';
export { countCalls, type CallCounts, type Session } from './session.js';
