/**
 * Proposers that need no vendor: a grammar, recorded answers, and a person. They only propose; the kernel
 * decides.
 *
 * @packageDocumentation
 */
export * from './rules/propose.js';
export { GRAMMAR_VERSION, LEXICON, type WordList } from './rules/lexicon.js';
export { LEXICON_HASH } from './rules/words.js';
export * from './recorded/recording.js';
export * from './recorded/look-up.js';
export * from './recorded/record.js';
export * from './human/propose.js';
export { openSession, reply, type HumanAnswer, type Session, type Turn } from './human/session.js';
export * from './ports.js';
