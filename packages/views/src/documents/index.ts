/**
 * Artifacts of the intent machine as Markdown documents. Pure; needs that machine.
 *
 * @packageDocumentation
 */
export { renderBlueprintMarkdown } from './markdown-blueprint.js';
export { renderPackMarkdown } from './markdown-pack.js';
export { renderRefusalMarkdown } from './markdown-refusal.js';
