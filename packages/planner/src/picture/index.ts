/**
 * What is shown of a plan that was checked: a picture for people, a document for programs.
 *
 * @packageDocumentation
 */
export { planPicture } from './picture.js';
export { planDocument } from './document.js';
export { raisedCaps, type RaisedCap } from './raised.js';
