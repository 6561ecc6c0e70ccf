/**
 * What the intent machine shows of a run.
 *
 * @packageDocumentation
 */
export { phraseOfVeto, type Phrase, type WordsOf } from './vetoes.js';
