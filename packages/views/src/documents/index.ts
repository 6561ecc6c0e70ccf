/**
 * Artifacts of the intent machine as Markdown documents. Pure; needs that machine.
 *
 * @packageDocumentation
 */
export { renderBlueprintMarkdown, renderPackMarkdown } from './markdown-blueprint.js';
export { renderRefusalMarkdown } from './markdown-refusal.js';
