/**
 * The `assay` command, callable from a program.
 *
 * @packageDocumentation
 */
export { main } from './entry.js';
