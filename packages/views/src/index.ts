/**
 * What people read of a ledger: view data as terminal text and Markdown, verdicts in words, and an escaper for
 * each sink. Pure; the documents of an intent run are an entry of their own.
 *
 * @packageDocumentation
 */
export { forCsv, forTerminal, safeJson, visible } from './escape/escape.js';
export { placeOf, reasonOf, sentenceOf } from './verdicts/reasons.js';
export { renderTerminal } from './verdicts/terminal.js';
export { renderAnnotations, renderJunit, renderStepSummary } from './verdicts/github.js';
export {
  impactCounts,
  impactSentence,
  renderImpactAnnotations,
  renderImpactJunit,
  renderImpactMarkdown,
} from './impact/reports.js';
export type { AnsweredBy } from './documents/markdown.js';
export { renderFinalResultMarkdown } from './documents/markdown-final-result.js';
export { drawPanel, drawPicture, inkText, type InkLine } from './blocks/terminal.js';
export { blockCsv, pictureMarkdown } from './blocks/markdown.js';
export { blockMermaid } from './blocks/mermaid.js';
export { amountText, isAmount, type Twin, twinOf } from './blocks/twin.js';
