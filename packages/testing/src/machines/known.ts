/**
 * The machines a fixture of this repository may name.
 *
 * @module
 */
import { replayable, type KernelOptions, type Replayable } from '@assay/kernel';
import { tally } from './tally.js';

/** Every released machine and version of this package, ready to replay. Give your own beside them. */
export function knownMachines(options?: KernelOptions): readonly Replayable[] {
  return [replayable(tally, options)];
}
