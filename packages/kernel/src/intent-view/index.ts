/**
 * What the intent machine shows of a run.
 *
 * @packageDocumentation
 */
export { intentView } from './view.js';
export { phraseOfVeto, type Phrase, type WordsOf } from './vetoes.js';
export { pinnable, writtenOption, writtenPin, type Pinnable } from './pins.js';
