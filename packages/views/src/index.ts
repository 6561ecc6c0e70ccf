/**
 * What people read of a ledger: view data as terminal text and Markdown, verdicts in words, and an escaper for
 * each sink. Pure; the documents of an intent run are an entry of their own.
 *
 * @packageDocumentation
 */
export { forCsv, forTerminal, visible, safeJson } from './escape/escape.js';
export { renderPlace, renderReason, renderSentence } from './verdicts/reasons.js';
export { renderTerminal } from './verdicts/terminal.js';
export { renderJunit } from './verdicts/junit.js';
export { renderAnnotations, renderStepSummary } from './verdicts/github.js';
export {
  comparedSentence,
  impactCounts,
  impactSentence,
  renderImpactAnnotations,
  renderImpactJunit,
  renderImpactMarkdown,
} from './impact/reports.js';
export type { AnsweredBy } from './documents/markdown.js';
export { renderFinalResultMarkdown } from './documents/markdown-final-result.js';
export { drawPanel, drawPicture, inkText, type InkLine } from './blocks/terminal.js';
export { pictureMarkdown, amountText, isAmount } from './blocks/markdown.js';
export { blockMermaid } from './blocks/mermaid.js';
export { blockCsv } from './blocks/csv.js';
export { makeTwin, type Twin } from './blocks/twin.js';
