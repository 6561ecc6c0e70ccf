/**
 * A refusal report as a Markdown document for people. Readings that were not chosen, and why. Source: intent
 * I15; I17.
 */
import { field, isArray, isObject, parseShape, type Json } from '@assay/kernel';
import {
  ATOM,
  MODALITIES,
  type AnswerCited,
  type Atom,
  type Blueprint,
  type Reason,
  type RefusalReport,
  type Loser,
} from '@assay/kernel/intent';
import { adviseOn, showAtom, phraseOfVeto } from '@assay/kernel/intent-view';
import {
  PLACES,
  proposed,
  questionLine,
  said,
  section,
  uncoveredLines,
  type AnsweredBy,
  packed,
  share,
} from './markdown.js';
import type { Piece } from '@assay/kernel/view';

/**
 * Renders a refusal: why, what would have to change with what bears it out, what was asked, what nobody took
 * up, what was answered. `answeredBy`: who answered each slot, so that what was written by hand says so.
 * `uncovered`: what of the request no reading quotes; the report does not hold it, so it comes from whoever
 * has the ledger; null leaves it out. Takes what fits `refusalReportSchema`. Pure; ends in a line feed.
 */
export function renderRefusalMarkdown(
  report: RefusalReport,
  answeredBy: readonly AnsweredBy[] = [],
  uncovered: Blueprint['uncovered'] | null = null,
): string {
  const { run_id, seed_hash, reasons, answers, readings, questions } = report;
  return [
    `# Refused: ${report.reason_codes.join(', ')}`,
    '',
    `The run ${said(run_id)} decided nothing, and says why. Request: sha-256 ${said(seed_hash)}. ${PLACES}`,
    ...section(
      'Why, and what would settle it',
      reasons.flatMap((reason, index) => [
        `- ${reason.code}: ${phrase([adviseOn(report, index)])}`,
        ...groundLines(reason, report),
      ]),
      reasons.length,
    ),
    ...section(
      'Open questions',
      questions.map((question) => questionLine(question)),
    ),
    ...section(
      'Not covered: no reading claims it',
      firstLines(uncoveredLines(uncovered ?? [])),
      uncovered?.length ?? 0,
    ),
    ...section(
      'Answers',
      answers.map((answer) =>
        answerLine(
          answer,
          answeredBy.find(({ slot }) => slot === answer.slot),
        ),
      ),
    ),
    ...section('Readings', loserLines(readings, answeredBy), readings.length),
    '',
  ].join('\n');
}

/** A refusal decided nothing, so of a long request only the beginning of what nobody took up is shown. */
const UNCOVERED_LINES = 100;

function firstLines(lines: readonly string[]): readonly string[] {
  return lines.length <= UNCOVERED_LINES
    ? lines
    : [
        ...lines.slice(0, UNCOVERED_LINES),
        `- … and ${lines.length - UNCOVERED_LINES} further lines like these`,
      ];
}

/**
 * What bears a reason out, below it: the sides, the readings, the questions. Empty where the reason says it
 * all.
 */
function groundLines({ code, detail }: Reason, { readings, questions }: RefusalReport): readonly string[] {
  switch (code) {
    case 'contradiction_budget':
      return (isArray(detail) ? detail : []).flatMap((pair) =>
        isObject(pair)
          ? [
              `  - ${sideText(field(pair, 'a'))} · against ${sideText(field(pair, 'b'))}: pin the one that holds`,
            ]
          : [],
      );
    case 'ambiguous':
      return isArray(detail) && detail.every((name) => typeof name === 'string')
        ? [`  - between ${detail.map(said).join(' and ')}: pin what only one of them says`]
        : [];
    case 'no_valid_interpretation':
      return [`  - ${readings.length} vetoed, each with its vetoes under Readings`];
    case 'nothing_actionable':
    case 'below_min_score':
      return questions.length === 0
        ? []
        : [
            `  - ${questions.length === 1 ? 'one question is' : `${questions.length} questions are`} ` +
              'open, each below with what would settle it',
          ];
    default:
      return [];
  }
}

/** One side of a contradiction as the report holds it: how binding, its words, its atom. */
function sideText(side: Json | undefined): string {
  if (side === undefined || !isObject(side)) return said('');
  const [modality, text] = [field(side, 'modality'), field(side, 'text')];
  const known = MODALITIES.find((one) => one === modality);
  const atom = parseShape<Atom>(ATOM, field(side, 'atom') ?? null);
  return [
    known === undefined ? '' : `**${known}** `,
    typeof text === 'string' ? said(text) : 'assumption or pin',
    atom._tag === 'Right' ? ` · ${said(showAtom(atom.right))}` : '',
  ].join('');
}

function answerLine({ slot, readings, failure, why }: AnswerCited, by: AnsweredBy | undefined): string {
  const brought =
    failure === null
      ? `${readings} ${readings === 1 ? 'reading' : 'readings'}`
      : `failed: ${said(failure)}${why === null ? '' : `, ${said(why)}`}`;
  return `- ${by === undefined ? `slot ${said(slot)}` : proposed(by)}: ${brought}`;
}

/**
 * Readings that were not chosen: one line for the scored ones, and one for each that was vetoed, with every
 * veto.
 */
export function loserLines(losers: readonly Loser[], answeredBy: readonly AnsweredBy[]): readonly string[] {
  const byHand = new Set(answeredBy.filter(({ source }) => source === 'synthetic').map(({ slot }) => slot));
  const name = (loser: Loser): string =>
    `${said(loser.name)} of ${said(loser.slot)}${byHand.has(loser.slot) ? ' (written by hand)' : ''}`;
  const scored = losers
    .filter(({ vetoes }) => vetoes.length === 0)
    .map(
      (loser) => `${name(loser)} ${loser.reason}${loser.total === null ? '' : ` with ${share(loser.total)}`}`,
    );
  const out = losers
    .filter(({ vetoes }) => vetoes.length > 0)
    .map(
      (loser) =>
        `- ${name(loser)} vetoed: ` +
        `${loser.vetoes.map((veto) => `${veto.code} (${phrase(phraseOfVeto(veto))})`).join('; ')}`,
    );
  return [...packed(scored), ...out];
}

/** A phrase with what evidence says as code. */
export function phrase(parts: readonly Piece[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : said(part.said))).join('');
}
