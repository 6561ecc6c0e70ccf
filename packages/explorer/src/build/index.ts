/**
 * Building shells: for the machines of Assay, and for a machine of the user's own. Needs rolldown.
 *
 * @packageDocumentation
 */
export { ALL, buildShell, SHELLS } from './build.js';
