/**
 * The `assay` command, callable from a program.
 *
 * @packageDocumentation
 */
export { main } from './entry.js';
export { EXIT, worst, type ExitCode } from './problems/exit.js';
export { VERSION } from './terminal/version.js';
export type { Streams } from './commands/output.js';
export { newInterruption, type Interruption } from './terminal/interruption.js';
