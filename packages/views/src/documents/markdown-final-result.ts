/**
 * The result of a controller run as a Markdown document for people. Source: 002 §R7 `FinalResult`; 003 §9,
 * Laws 0 and 2.
 */
import { field, isArray, isObject, type Json } from '@assay/kernel';
import { said, section, share } from './markdown.js';

/**
 * Renders what a task ended with: what was reached, everything that is unmet, what could be done next, and
 * who answers for it. Takes anybody's JSON and shows what it finds; null if it is no result of this
 * format. Every text in it is a code span. Pure; ends in a line feed.
 */
export function renderFinalResultMarkdown(result: Json): string | null {
  if (!isObject(result) || field(result, 'format') !== 'assay/final-result/1') return null;
  const at = (key: string): Json => field(result, key) ?? null;
  const losses = ['D', 'P', 'Omega', 'L'].map((name) => `${name} ${figure(inside(at('loss'), name))}`);
  const costs = at('costs');
  return [
    `# ${TITLES.get(word(at('directive'))) ?? 'Ended'}: ${said(word(at('directive')))}`,
    '',
    `${said(word(at('summary')))} Reason: ${said(word(at('reason')))}, after ` +
      `${said(word(at('prev_directive')))}; ${number(at('replans'))} replans; ` +
      `${losses.join(', ')}.`,
    ...section(
      'Not met',
      rows(at('unmet')).map(
        (unmet) =>
          '- ' +
          `${inside(unmet, 'hard') === true ? '**hard** ' : ''}${said(word(inside(unmet, 'text')))} ` +
          '· ' +
          `${said(word(inside(unmet, 'verdict')))}${renderClass(inside(unmet, 'failure_class'))}` +
          renderEvidence(inside(unmet, 'evidence')),
      ),
    ),
    ...section('Output', at('output') === null ? [] : [`- ${said(renderText(at('output')))}`]),
    ...section(
      'Reached in part',
      rows(at('partial')).map(
        (part) =>
          `- ${said(word(inside(part, 'intent')))} (${said(word(inside(part, 'status')))}): ` +
          `${said(word(inside(part, 'output')))}`,
      ),
    ),
    ...section(
      'What could be done next',
      rows(at('next_moves')).map((move) => `- ${said(word(inside(move, 'text')))}`),
    ),
    ...section(
      'Which role failed',
      rows(at('accountable')).map(
        (row) =>
          `- ${said(word(inside(row, 'role')))}: ` +
          `${said(word(inside(row, 'failure')))}${
            word(inside(row, 'criterion')) === '' ? '' : ` (${said(word(inside(row, 'criterion')))})`
          }`,
      ),
    ),
    '',
    `Role calls: ${number(inside(costs, 'calls'))}, of them ` +
      `${number(inside(costs, 'sequential_calls'))} in a row. Spent: ` +
      `${spent(inside(costs, 'spent'))}.`,
    '',
  ].join('\n');
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ['accept', 'Done'],
  ['success', 'Close enough'],
  ['abandon', 'Not achieved'],
]);

function inside(value: Json, key: string): Json {
  return isObject(value) ? (field(value, key) ?? null) : null;
}

function rows(value: Json): readonly Json[] {
  return isArray(value) ? value : [];
}

function word(value: Json): string {
  return typeof value === 'string' ? value : '';
}

function number(value: Json): string {
  return typeof value === 'number' ? String(value) : '?';
}

function renderText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value); // display
}

function figure(value: Json): string {
  const ppm = inside(value, 'ppm');
  return typeof ppm === 'number' && ppm >= 0 ? share(ppm) : '?';
}

function renderClass(value: Json): string {
  return value === null ? '' : `, ${said(word(value))}`;
}

function renderEvidence(value: Json): string {
  return word(value) === '' ? '' : ` · seen: ${said(word(value))}`;
}

function spent(value: Json): string {
  const units = isObject(value) ? Object.entries(value) : [];
  return units.length === 0
    ? 'nothing'
    : units.map(([unit, amount]) => `${number(amount)} ${said(unit)}`).join(', ');
}
