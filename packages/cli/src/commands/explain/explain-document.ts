/**
 * An explanation as the document that `assay explain --json` prints, and the tool `explain` of `assay mcp`
 * gives.
 *
 * @module
 */
import { explainAnswers, type RefusalReport } from '@assay/kernel/intent';
import type { ExplainDocument } from '@assay/kernel/schemas';
import { plain } from '../../terminal/shown.js';
import { commandLine } from '../../terminal/quote.js';
import type { DerivedRun } from './derived.js';
import { pinnableKeys } from './pinnable.js';
import { suggestionFor, type Suggestion } from './suggestion.js';

/**
 * The document, and the suggestion it was written from. `path`: the ledger as the suggested command names it.
 */
export type Explained = { readonly document: ExplainDocument; readonly suggestion: Suggestion | null };

/** Explains a run that was derived again. */
export async function explained(run: DerivedRun, path: string): Promise<Explained> {
  const explanation = explainAnswers(run.grounds, run.context);
  const suggestion = await suggestionFor(run, path, explanation.flips);
  const refusal = run.artifacts['refusal_report'] as RefusalReport | undefined;
  const document: ExplainDocument = {
    file: run.file,
    status: run.status,
    reasons: refusal?.reasons ?? [],
    explanation,
    pinnable: pinnableKeys(run),
    suggestion: suggestion === null ? null : { ...suggestion, command: plain(commandLine(suggestion.words)) },
  };
  return { document, suggestion };
}
