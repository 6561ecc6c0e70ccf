/**
 * The requirements language: readings of a request by documented patterns, without any model. They only propose; the
 * kernel decides. Pure: the same text gives the same readings on every engine.
 *
 * @packageDocumentation
 */
export { proposeByRules, readRequest, RULES_PROPOSER, rulesProposer } from './propose.js';
