/**
 * What the intent machine shows of a run.
 *
 * @packageDocumentation
 */
export { intentView } from './view.js';
export { phraseOfVeto, type Phrase } from './vetoes.js';
