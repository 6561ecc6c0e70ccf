/**
 * How a task ended, in a few lines. Source: 002 §R7 `FinalResult`; 003 §9, Law 0.
 *
 * @module
 */
import type { FinalResult, RoundSeen } from '@assay/controller';
import { cut } from '../../terminal/cut.js';
import { show, styled, type Shown } from '../../terminal/shown.js';
import { causeLines, type Cause } from './cause.js';
import { roundLine } from './live.js';

const TEXT_POINTS = 100;
/** Begins with why, which is said in codes before it as well. */
const SUMMARY_POINTS = 200;
const LISTED = 6;

/**
 * A result: the rounds, what it came to, why, everything unmet, what could be done next, who answers for it.
 */
export function finalLines(
  result: FinalResult,
  rounds: readonly RoundSeen[],
  cause: Cause | null,
): readonly Shown[] {
  const { directive, reason, why, summary, unmet, next_moves, accountable, costs } = result;
  const style = directive === 'abandon' ? 'open' : 'good';
  return [
    ...rounds.map(roundLine),
    show`result      ${styled(style, show`${directive}`)}   ${reason}${why === null ? '' : ` (${why})`}: ${cut(summary, SUMMARY_POINTS)}`,
    ...causeLines(cause),
    ...listed(
      unmet.map(
        ({ text, verdict, hard, evidence }) =>
          show`not met     ${hard ? 'hard: ' : ''}${cut(text, TEXT_POINTS)} (${verdict}${evidence === '' ? '' : `: ${cut(evidence, TEXT_POINTS)}`})`,
      ),
      'criteria',
    ),
    ...listed(
      next_moves.map(({ text }) => show`next move   ${cut(text, TEXT_POINTS)}`),
      'moves',
    ),
    ...listed(
      accountable.map(
        ({ role, failure, criterion }) =>
          show`answers     ${role} for ${failure}${criterion === null ? '' : ` (${criterion})`}`,
      ),
      'roles',
    ),
    show`calls       ${costs.calls} of roles, ${costs.sequential_calls} of them in a row`,
  ];
}

function listed(lines: readonly Shown[], what: string): readonly Shown[] {
  return lines.length <= LISTED
    ? lines
    : [
        ...lines.slice(0, LISTED),
        show`            and ${lines.length - LISTED} further ${what}; assay show has all`,
      ];
}
