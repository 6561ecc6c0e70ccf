/**
 * `assay check PLAN`: what a plan costs, whether it fits, and the least change that makes it fit. No model, no
 * ledger.
 *
 * @module
 */
import { planDocument, planPicture, raisedCaps, type RaisedCap } from '@assay/planner/picture';
import { checkPlan } from '@assay/planner/schedule';
import { drawPicture } from '@assay/views';
import { shortenName } from '../files/read.js';
import { capIn, isTemplate, planSource, type GivenCap, type GoalOptions } from '../kits/planner/goal.js';
import { EXIT, type ExitCode } from '../problems/problem.js';
import { commandLine } from '../terminal/quote.js';
import { inked, show } from '../terminal/shown.js';
import { deciding } from '../terminal/signals.js';
import type { Context } from '../call/output.js';

const EXITS = { SAT: EXIT.done, TIGHT: EXIT.done, UNSAT: EXIT.no, UNKNOWN: EXIT.unchecked } as const;

/**
 * Judges a plan as it stands, and prints what repairs it. Exit 0 where it fits, 1 where it does not, whether or
 * not it can be repaired, 4 where a figure is missing. Raises `Stop`.
 */
export async function checkPlanFile(
  { output }: Context,
  given: string | undefined,
  options: GoalOptions,
): Promise<ExitCode> {
  const caps = options.cap.map(capIn);
  const { plan } = await planSource(given, caps, 'check');
  const path = given ?? '';
  // A signal that came meanwhile is heeded first.
  await new Promise((resolve) => setImmediate(resolve));
  deciding();
  const report = checkPlan(plan);
  const next = nextCommand(path, caps, raisedCaps(plan, report));
  const name = isTemplate(path) ? (path.split(',')[0] ?? '') : shortenName(path);
  output.document({ plan: name, ...planDocument(plan, report), next: next === null ? [] : [next] });
  for (const line of drawPicture(planPicture(plan, report))) output.line(inked(line));
  if (next !== null) {
    output.line();
    output.line(show`next        ${commandLine(next)}`);
  }
  output.brief(show`${name}: ${report.before.status}`);
  return EXITS[report.before.status];
}

/** The command that tries the caps under which the plan fits; null where none helps or is needed. */
function nextCommand(
  path: string,
  caps: readonly GivenCap[],
  needed: readonly RaisedCap[],
): readonly string[] | null {
  if (needed.length === 0 || path === '-') return null;
  const isNeeded = (id: string): boolean => needed.some(({ held }) => held.id === id);
  const spelt = (id: string, op: string, text: string): readonly string[] => [
    '--cap',
    `${id}${op === '<' ? '<' : '='}${text}`,
  ];
  return [
    'assay',
    'check',
    path.startsWith('-') ? `./${path}` : path,
    ...caps.filter(({ id }) => !isNeeded(id)).flatMap(({ id, op, text }) => spelt(id, op, text)),
    ...needed.flatMap(({ held, to }) => spelt(held.id, held.op, String(to))),
  ];
}
