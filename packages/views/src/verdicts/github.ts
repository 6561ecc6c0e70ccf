/**
 * A verification for continuous integration: annotations and a step summary of GitHub, and JUnit. Source:
 * issue 2, "Verifier".
 *
 * @module
 */
import {
  type CheckName,
  CHECKS,
  type ExitOptions,
  isAsked,
  type Verdict,
  type VerifyDocument,
} from '@assay/verifier';
import { forGithubMessage, forGithubProperty, forMarkdown, forXml } from '../escape/escape.js';
import { placeOf, reasonOf, sentenceOf } from './reasons.js';

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
  const notes = documents.flatMap((document) => notesOf(document, options)).sort((a, b) => a.rank - b.rank);
  if (notes.length <= ANNOTATIONS_MAX) return notes.map(annotation);
  const shown = notes.slice(0, ANNOTATIONS_MAX - 1);
  const level = notes.some((note) => note.level === 'error') ? 'error' : 'warning';
  return [...shown.map(annotation), `::${level} title=assay verify::and ${notes.length - shown.length} more`];
}

function notesOf({ file, checks }: VerifyDocument, options: ExitOptions): readonly Note[] {
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
  const place = placeOf(verdict);
  const text = `${verdict.code ?? ''}: ${reasonOf(check, verdict)}${place === '' ? '' : ` (${place})`}`;
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
    const place = placeOf(verdict);
    return verdict.verdict === 'held'
      ? 'held'
      : `${verdict.verdict}: ${verdict.code ?? ''}${place === '' ? '' : ` (${place})`}<br>${reasonOf(check, verdict)}`;
  };
  const rows = documents.map((document) => {
    const cells = CHECKS.map((check) => cell(check, document.checks[check]));
    return `| ${[forMarkdown(document.file), document.outcome, ...cells].join(' | ')} |`;
  });
  const sentences = documents.map(
    (document) => `- ${forMarkdown(document.file)}: ${sentenceOf(document, options)}`,
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

const DETAIL_MAX = 4_000;

/** The XML document, ending in a line feed. */
export function renderJunit(documents: readonly VerifyDocument[], options: ExitOptions = {}): string {
  const suites = documents.map((document) => suite(document, options));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay verify">\n${suites.join('')}</testsuites>\n`;
}

function suite({ file, checks }: VerifyDocument, options: ExitOptions): string {
  const outcomes = CHECKS.map((check) => outcomeOf(check, checks[check], options));
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  const cases = CHECKS.map((check, index) =>
    testCase(file, check, checks[check], outcomes[index] ?? 'error'),
  );
  return (
    `  <testsuite name="${forXml(file)}" tests="${CHECKS.length}" ` +
    `failures="${count('failure')}" errors="${count('error')}" ` +
    `skipped="${count('skipped')}">\n${cases.join('')}  </testsuite>\n`
  );
}

function testCase(file: string, check: CheckName, verdict: Verdict, outcome: string): string {
  const open = `    <testcase classname="${forXml(file)}" name="${check}"`;
  if (outcome === 'held') return `${open}/>\n`;
  const place = placeOf(verdict);
  const message = `${verdict.code ?? verdict.verdict}: ${reasonOf(check, verdict)}${place === '' ? '' : ` (${place})`}`;
  const hasDetail = verdict.verdict === 'failed' && verdict.detail !== null;
  const detail = hasDetail ? forXml(shorten(JSON.stringify(verdict.detail))) : ''; // display
  const type = outcome === 'skipped' ? '' : ` type="${forXml(verdict.code ?? verdict.verdict)}"`;
  return `${open}>\n      <${outcome}${type} message="${forXml(message)}">${detail}</${outcome}>\n    </testcase>\n`;
}

/** Evidence of bounded length: a field that differs may be a whole record. */
function shorten(text: string): string {
  return text.length <= DETAIL_MAX ? text : `${text.slice(0, DETAIL_MAX)} … (${text.length} characters)`;
}

function outcomeOf(
  check: CheckName,
  verdict: Verdict,
  options: ExitOptions,
): 'held' | 'failure' | 'error' | 'skipped' {
  if (verdict.verdict === 'held') return 'held';
  if (verdict.verdict === 'failed') return 'failure';
  return options.allowUnchecked !== true && isAsked(check, verdict, options) ? 'error' : 'skipped';
}
