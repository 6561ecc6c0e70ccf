/**
 * What the intent machine shows of a run.
 *
 * @packageDocumentation
 */
export { intentView } from './view.js';
export { adviseOn, adviseOnQuestion, phraseOfVeto, showAtom } from './vetoes.js';
