/**
 * What is shown of a plan that was checked: a picture for people, a document for programs.
 *
 * @packageDocumentation
 */
export { planPicture, raisedCaps, type RaisedCap } from './picture.js';
export { planDocument } from './document.js';
