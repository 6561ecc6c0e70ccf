/**
 * A refusal report as a Markdown document for people. Source: intent I15, I17.
 *
 * @module
 */
import type { AnswerCited, RefusalReport } from '@assay/kernel/intent';
import { loserLines, PLACES, proposed, questionLine, said, section, type AnsweredBy } from './markdown.js';

/**
 * Renders a refusal: why, what would have to change, what was answered, what was asked. `answeredBy`: who answered
 * each slot, so that what was written by hand says so. Takes what fits `refusalReportSchema`. Pure; ends in a line feed.
 */
export function renderRefusalMarkdown(report: RefusalReport, answeredBy: readonly AnsweredBy[] = []): string {
  const { run_id, seed_hash, reasons, policy_suggestions, answers, readings, questions } = report;
  return [
    `# Refused: ${report.reason_codes.join(', ')}`,
    '',
    `The run ${said(run_id)} decided nothing, and says why. Request: sha-256 ${said(seed_hash)}. ${PLACES}`,
    ...section('Why, and what would settle it', reasons.map(({ code }, index) => `- ${code}: ${said(policy_suggestions[index] ?? '')}`)),
    ...section('Open questions', questions.map((question) => questionLine(question))),
    ...section('Answers', answers.map((answer) => answerLine(answer, answeredBy.find(({ slot }) => slot === answer.slot)))),
    ...section('Readings', loserLines(readings, answeredBy), readings.length),
    '',
  ].join('\n');
}

function answerLine({ slot, readings, failure, why }: AnswerCited, by: AnsweredBy | undefined): string {
  const brought = failure === null ? `${readings} ${readings === 1 ? 'reading' : 'readings'}` : `failed: ${said(failure)}${why === null ? '' : `, ${said(why)}`}`;
  return `- ${by === undefined ? `slot ${said(slot)}` : proposed(by)}: ${brought}`;
}
