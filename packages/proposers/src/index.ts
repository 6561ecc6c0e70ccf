/**
 * Proposers that need no vendor: a grammar, and recorded answers. They only propose; the kernel decides.
 *
 * @packageDocumentation
 */
export * from './rules/propose.js';
export { GRAMMAR_VERSION, LEXICON, type WordList } from './rules/lexicon.js';
export { LEXICON_HASH } from './rules/words.js';
export * from './recorded/recording.js';
export * from './recorded/look-up.js';
export * from './ports.js';
