/**
 * Forgeries of what a gate decides: a refusal, an approval, a budget, a label. Every hash is computed again, so that
 * only deciding again tells.
 *
 * @module
 */
import { forger, goldenTwin, is } from './golden.mjs';

const RUNS = [
  ['twin-gate-support', 'a support agent behind a gate', 'gate-support'],
  ['twin-gate-budgets', 'budgets of tokens and calls', 'gate-budgets'],
  ['twin-gate-labels', 'no mail after the web', 'gate-labels'],
];

/** Forgeries of a gate. */
export function gateForgeries() {
  const [support, budgets, labels] = RUNS.map(([twin, , from]) => forger(from, twin));
  return [
    support.event(
      'gate-refusal-turned',
      'a refused call shown as one that a rule allowed',
      is('denied', ({ n }) => n === 2),
      (event) => {
        Object.assign(event, { t: 'allowed', rules: ['allow read_file'], books: [] });
      },
    ),
    support.event(
      'gate-approval-moved',
      'the approval of one call moved to another',
      is('approved'),
      (event) => void (event.n = 6),
    ),
    budgets.event(
      'gate-count-lowered',
      'a call shown as if it had cost nothing',
      is('settled', ({ n }) => n === 1),
      (event) => void (event.costs = [['tokens', 40, 0, null]]),
    ),
    labels.event(
      'gate-label-dropped',
      'a principal that read the web shown without its label',
      is('allowed', ({ n }) => n === 2),
      (event) => void (event.who = ['main', []]),
    ),
  ];
}

/** The honest runs. */
export function gateTwins() {
  return RUNS.map((run) => goldenTwin(...run));
}
