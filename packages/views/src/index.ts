/**
 * What people read of a ledger: view data as terminal text and Markdown, verdicts in words, documents, and
 * an escaper for each sink. Pure.
 *
 * @packageDocumentation
 */
export { forCsv, forTerminal } from './escape/escape.js';
export { safeJson } from './escape/safe-json.js';
export { reasonOf } from './verdicts/reasons.js';
export { renderTerminal } from './verdicts/terminal.js';
export { renderJunit } from './verdicts/junit.js';
export { renderAnnotations, renderStepSummary } from './verdicts/github.js';
export type { AnsweredBy } from './documents/markdown.js';
export { renderBlueprintMarkdown } from './documents/markdown-blueprint.js';
export { renderPackMarkdown } from './documents/markdown-pack.js';
export { renderRefusalMarkdown } from './documents/markdown-refusal.js';
export { renderFinalResultMarkdown } from './documents/markdown-final-result.js';
export { drawPicture, inkText, type InkLine } from './blocks/terminal.js';
export { pictureMarkdown } from './blocks/markdown.js';
