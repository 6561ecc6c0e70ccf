/**
 * What the intent machine shows of a run.
 *
 * @packageDocumentation
 */
export { intentView } from './view.js';
export { phraseOfVeto, showAtom } from './vetoes.js';
