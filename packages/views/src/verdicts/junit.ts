/**
 * A verification as JUnit XML: one suite a file, one case a check. A re-derivation that was not made is an
 * error, never a skipped case, unless the user allowed it. Source: issue 2, "Verifier".
 */
import {
  CHECKS,
  type CheckName,
  type Verdict,
  type VerifyDocument,
  isAsked,
  type ExitOptions,
} from '@assay/verifier';
import { forXml } from '../escape/escape.js';
import { renderPlace, renderReason } from './reasons.js';

const DETAIL_MAX = 4_000;

/** The XML document, ending in a line feed. */
export function renderJunit(documents: readonly VerifyDocument[], options: ExitOptions = {}): string {
  const suites = documents.map((document) => suite(document, options));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay verify">\n${suites.join('')}</testsuites>\n`;
}

function suite({ file, checks }: VerifyDocument, options: ExitOptions): string {
  const outcomes = CHECKS.map((check) => chooseOutcome(check, checks[check], options));
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
  const place = renderPlace(verdict);
  const where = place === '' ? '' : ` (${place})`;
  const message = `${verdict.code ?? verdict.verdict}: ${renderReason(check, verdict)}${where}`;
  const hasDetail = verdict.verdict === 'failed' && verdict.detail !== null;
  const detail = hasDetail ? forXml(shorten(JSON.stringify(verdict.detail))) : ''; // display
  const type = outcome === 'skipped' ? '' : ` type="${forXml(verdict.code ?? verdict.verdict)}"`;
  return `${open}>\n      <${outcome}${type} message="${forXml(message)}">${detail}</${outcome}>\n    </testcase>\n`;
}

/** Evidence of bounded length: a field that differs may be a whole record. */
function shorten(text: string): string {
  return text.length <= DETAIL_MAX ? text : `${text.slice(0, DETAIL_MAX)} … (${text.length} characters)`;
}

function chooseOutcome(
  check: CheckName,
  verdict: Verdict,
  options: ExitOptions,
): 'held' | 'failure' | 'error' | 'skipped' {
  if (verdict.verdict === 'held') return 'held';
  if (verdict.verdict === 'failed') return 'failure';
  return options.allowUnchecked !== true && isAsked(check, verdict, options) ? 'error' : 'skipped';
}
