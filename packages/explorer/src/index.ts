/**
 * Reports of runs: a ledger spliced into a page that checks it in the reader's own browser, and read back out
 * of it.
 *
 * @packageDocumentation
 */
export { isPage, KEPT_BYTES_MAX, LEDGER_BYTES_MAX, RECORDS_MAX } from './data/packed.js';
export { type Kept, type PageVerdict, readReport, renderReport } from './report/report.js';
export { allShells, shellFor, viewerPath } from './report/shells.js';
export { type Runs, type ServedRun, serveRuns, type Serving } from './serve/serve.js';
