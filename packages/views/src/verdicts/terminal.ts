/** A verification as lines of text for people. Source: design §6, §8. */
import { field, isObject } from '@assay/kernel';
import { CHECKS, type CheckName, type Verdict, type VerifyDocument, type ExitOptions } from '@assay/verifier';
import { forTerminal } from '../escape/escape.js';
import { findBaseResult, BASES, renderPlace, renderReason, renderSentence } from './reasons.js';

const NAME_WIDTH = 14;
const RESULT_WIDTH = 13;
const VALUE_MAX = 160;

/**
 * The lines for one file: what it is, one for each check with result, place and reason, what was expected and
 * what is there where a check failed, whether a base was compared, and one sentence. No colour, no mark;
 * nothing from evidence stands in a line about a check that was not made.
 */
export function renderTerminal(document: VerifyDocument, options: ExitOptions = {}): readonly string[] {
  return [
    headline(document),
    ...CHECKS.flatMap((check) => [
      ...checkLines(check, document.checks[check]),
      ...(check === 'completeness' ? baseLines(document) : []),
    ]),
    renderSentence(document, options),
  ];
}

function headline({ file, head, outcome, due }: VerifyDocument): string {
  const run =
    head === null
      ? []
      : [head.run_id === null ? 'foreign chain' : `run ${head.run_id}`, `${head.count} records`];
  const state =
    head === null
      ? []
      : [
          outcome === 'open' ? 'still open' : `ended ${outcome}`,
          ...(due === null || due === 0 ? [] : [`${due} records due`]),
        ];
  return [file, ...run, ...state].map(forTerminal).join('  ');
}

function checkLines(check: CheckName, verdict: Verdict): readonly string[] {
  const place = renderPlace(verdict);
  const code = verdict.code === null ? '' : `${verdict.code}: `;
  const remarks = isObject(verdict.detail) ? field(verdict.detail, 'remarks') : undefined;
  const noted =
    Array.isArray(remarks) && remarks.length > 0
      ? ` (${remarks.join(', ')}${place === '' ? '' : `: ${place}`})`
      : '';
  const where = verdict.verdict === 'held' || place === '' ? '' : ` (${place})`;
  const line =
    `  ${check.padEnd(NAME_WIDTH)}${verdict.verdict.padEnd(RESULT_WIDTH)}` +
    `${code}${renderReason(check, verdict)}${where}${noted}`;
  return verdict.verdict === 'failed' ? [line, ...differenceLines(verdict)] : [line];
}

/** Where a run is based on another: whether it was compared. It has no code of its own. */
function baseLines(document: VerifyDocument): readonly string[] {
  const base = findBaseResult(document);
  return base === null
    ? []
    : [`    ${'base'.padEnd(NAME_WIDTH - 2)}${base.padEnd(RESULT_WIDTH)}${BASES[base]}`];
}

/** What was expected and what is there, where the verdict's detail says so. */
function differenceLines({ detail }: Verdict): readonly string[] {
  if (!isObject(detail)) return [];
  const indent = ' '.repeat(NAME_WIDTH + 2);
  return (['field', 'path', 'key', 'expected', 'got'] as const).flatMap((key) => {
    const value = field(detail, key);
    if (value === undefined || (value === null && key === 'field')) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value); // display
    return [`${indent}${key.padEnd(9)}${shorten(text)}`];
  });
}

/** Evidence in one line of bounded length. */
function shorten(text: string): string {
  const units = [...text.slice(0, VALUE_MAX + 1)];
  return text.length <= VALUE_MAX
    ? forTerminal(text)
    : `${forTerminal(units.slice(0, VALUE_MAX).join(''))} … (${text.length} characters)`;
}
