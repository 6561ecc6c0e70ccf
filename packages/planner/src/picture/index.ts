/**
 * What is shown of a plan that was checked: a picture for people, a document for programs.
 *
 * @packageDocumentation
 */
export { planPicture } from './screen.js';
export { isFit } from '../rollup/rollup.js';
export { raisedCaps, type RaisedCap } from './raise.js';
export { typeAmount } from './words.js';
export { tellReport } from './story.js';
export { planDocument } from './document.js';
export { comparePlans, sayBound } from './compare.js';
