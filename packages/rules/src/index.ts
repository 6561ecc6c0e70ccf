/**
 * Readings of a request by a grammar of English, without any model. They only propose; the kernel decides.
 * Pure: the same text gives the same readings on every engine.
 *
 * @packageDocumentation
 */
export { proposeByRules, RULES_PROPOSER, rulesProposer } from './requests/propose.js';
