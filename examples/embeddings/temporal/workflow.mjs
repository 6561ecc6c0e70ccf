/**
 * The kernel inside a Temporal workflow: pure and synchronous, there is nothing in it that the sandbox would
 * have to replace.
 */
import { proxyActivities } from '@temporalio/workflow';
import { refunds } from '../refunds/machine.mjs';
import { loop } from './loop.mjs';

export const desk = (genesis) => loop(refunds, genesis, proxyActivities({ startToCloseTimeout: '1 minute' }));
