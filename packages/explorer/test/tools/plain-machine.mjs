/** A machine of a user's own that has no view. */
import { tally } from '@assay/testing/tally';

export const machines = [{ ...tally, name: 'plain' }];
