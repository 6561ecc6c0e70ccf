/**
 * What a gate shows of a run: what the model said, what the policy decided and by which rule, what the tool did.
 *
 * @packageDocumentation
 */
export { compareCalls } from './compare.js';
export { gateView } from './view.js';
