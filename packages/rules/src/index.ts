/**
 * Readings of a request by a grammar of English, without any model. They only propose; the kernel decides.
 * Pure: the same text gives the same readings on every engine.
 *
 * @packageDocumentation
 */
export {
  proposeByRules,
  RULES_LIMITS,
  RULES_PROPOSER,
  rulesProposer,
  type RulesAnswer,
  type RulesRefusal,
} from './requests/propose.js';
export { GRAMMAR_VERSION, LEXICON, type WordList } from './requests/lexicon.js';
export { LEXICON_HASH } from './requests/words.js';
