/** A verification on GitHub: annotations and a step summary. Source: issue 2, "Verifier". */
import {
  CHECKS,
  type CheckName,
  type Verdict,
  type VerifyDocument,
  isAsked,
  type ExitOptions,
} from '@assay/verifier';
import { forGithubMessage, forGithubProperty, forMarkdown } from '../escape/escape.js';
import { renderPlace, renderReason, renderSentence } from './reasons.js';

const ANNOTATIONS_MAX = 10;

type Note = {
  readonly rank: number;
  readonly level: 'error' | 'warning';
  readonly file: string;
  readonly check: CheckName;
  readonly verdict: Verdict;
};

/**
 * Workflow commands, at most ten lines: failed checks first in the order of the checks, then those whose
 * absence sets the exit code. Where there are more, the tenth line counts the rest.
 */
export function renderAnnotations(
  documents: readonly VerifyDocument[],
  options: ExitOptions = {},
): readonly string[] {
  const notes = documents.flatMap((document) => listNotes(document, options)).sort((a, b) => a.rank - b.rank);
  if (notes.length <= ANNOTATIONS_MAX) return notes.map(annotation);
  const shown = notes.slice(0, ANNOTATIONS_MAX - 1);
  const level = notes.some((note) => note.level === 'error') ? 'error' : 'warning';
  return [...shown.map(annotation), `::${level} title=assay verify::and ${notes.length - shown.length} more`];
}

function listNotes({ file, checks }: VerifyDocument, options: ExitOptions): readonly Note[] {
  return CHECKS.flatMap((check, index): readonly Note[] => {
    const verdict = checks[check];
    if (verdict.verdict === 'failed') return [{ rank: index, level: 'error', file, check, verdict }];
    const isMissed =
      verdict.verdict === 'not_checked' &&
      options.allowUnchecked !== true &&
      isAsked(check, verdict, options);
    return isMissed ? [{ rank: CHECKS.length + index, level: 'warning', file, check, verdict }] : [];
  });
}

/** Records are lines: position 0 is line 1. */
function annotation({ level, file, check, verdict }: Note): string {
  const line = verdict.record === null ? '' : `,line=${verdict.record + 1}`;
  const place = renderPlace(verdict);
  const where = place === '' ? '' : ` (${place})`;
  const text = `${verdict.code ?? ''}: ${renderReason(check, verdict)}${where}`;
  return (
    `::${level} file=${forGithubProperty(file)}${line},title=assay ${check} ` +
    `${verdict.verdict}::${forGithubMessage(text)}`
  );
}

/**
 * A step summary in Markdown: one table, a row for each file and a column for each check, and a sentence for
 * each file.
 */
export function renderStepSummary(documents: readonly VerifyDocument[], options: ExitOptions = {}): string {
  const cell = (check: CheckName, verdict: Verdict): string => {
    const place = renderPlace(verdict);
    const where = place === '' ? '' : ` (${place})`;
    return verdict.verdict === 'held'
      ? 'held'
      : `${verdict.verdict}: ${verdict.code ?? ''}${where}<br>${renderReason(check, verdict)}`;
  };
  const rows = documents.map((document) => {
    const cells = CHECKS.map((check) => cell(check, document.checks[check]));
    return `| ${[forMarkdown(document.file), document.outcome, ...cells].join(' | ')} |`;
  });
  const sentences = documents.map(
    (document) => `- ${forMarkdown(document.file)}: ${renderSentence(document, options)}`,
  );
  return [
    '### assay verify',
    '',
    `| file | outcome | ${CHECKS.join(' | ')} |`,
    `|${' --- |'.repeat(CHECKS.length + 2)}`,
    ...rows,
    '',
    ...sentences,
    '',
  ].join('\n');
}
