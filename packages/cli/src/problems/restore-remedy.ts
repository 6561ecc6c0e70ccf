/**
 * What to type about a store whose ledgers do not all hold.
 *
 * @module
 */
import { show, type Shown } from '../terminal/shown.js';
import { commandLine } from '../terminal/quote.js';

/**
 * The line that lists what holds, by the store's address without its password, and what to do then. Without a
 * store nothing can be listed.
 */
export function restoreRemedy(place: string): Shown {
  // A folder of results is no store that could be listed.
  return !/^(?:file|sqlite|postgres(?:ql)?):/.test(place)
    ? show`restore the run from a copy`
    : show`${listing(place)} lists the valid runs; restore the run from a copy`;
}

/** The line that lists the runs of a store. */
export function listing(place: string): Shown {
  return commandLine(['assay', 'runs', '--store', place]);
}
