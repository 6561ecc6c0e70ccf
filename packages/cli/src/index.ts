/**
 * The `assay` command, callable from a program.
 *
 * @packageDocumentation
 */
export { main } from './entry.js';
export { EXIT, worst, type ExitCode } from './exit.js';
export { VERSION } from './version.js';
export type { Streams } from './output/output.js';
export { newInterruption, type Interruption } from './interruption.js';
