/** Says once, whichever tests are run, that those that need a server are not. */
import { serverOf, skippedLine } from './server-of.js';

let isSaid = false;

/** Called by Vitest before the tests of a project, in the process that all of them share. */
export function setup(): void {
  if (serverOf(process.env) !== null || isSaid) return;
  isSaid = true;
  process.stderr.write(`${skippedLine}\n`);
}
