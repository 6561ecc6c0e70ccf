/** A machine of a user's own, with its view: the worked example under another name. */
import { tally } from '@assay/testing/tally';
import { tallyView } from '@assay/testing/tally-view';

export const machines = [{ ...tally, name: 'own' }];
export const views = [{ ...tallyView, machine: 'own' }];
