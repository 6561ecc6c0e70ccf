/**
 * Building shells: for the machines of Assay, and for a machine of the user's own. Needs rolldown.
 *
 * @packageDocumentation
 */
export { buildShell } from './build.js';
export { ALL, SHELLS, type ShellRow } from './shells.js';
