/**
 * Past sessions of agents as runs of the gate: the text of a trace, its sessions, their ledgers.
 *
 * @packageDocumentation
 */
export { countCalls, type CallCounts } from './count.js';
export { makeRun, nameRuns } from './make-run.js';
export { readTrace, TraceReader, type FoundFile } from './read-trace.js';
export { suggestPolicy, type Suggestion } from './suggest.js';
export type { Session } from './session.js';
