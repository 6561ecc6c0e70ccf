/**
 * `assay plan check`: what a plan costs, whether it fits, and the least change that makes it fit. No model, no
 * ledger.
 *
 * @module
 */
import { planDocument, planPicture, raisedCaps, type RaisedCap } from '@assay/planner/picture';
import { checkPlan, type Plan } from '@assay/planner/schedule';
import { drawPicture } from '@assay/views';
import { planOf, readPlan } from '../../files/plan-file.js';
import { nameOf } from '../../files/read.js';
import { amountIn, capIn, deadlineIn, withCaps, type GivenCap } from '../../options/caps.js';
import { EXIT, type ExitCode } from '../../problems/exit.js';
import { misuse } from '../../problems/problem.js';
import { commandLine } from '../../terminal/quote.js';
import { inked, show } from '../../terminal/shown.js';
import type { Context } from '../context.js';

/** What a call is given. */
export type PlanCheckOptions = {
  readonly cap: readonly string[];
  readonly deadline?: string;
  readonly template?: string;
  readonly size: string;
  readonly rate?: string;
};

const UNIT = 'cents';
const EXITS = { SAT: EXIT.done, TIGHT: EXIT.done, UNSAT: EXIT.no, UNKNOWN: EXIT.unchecked } as const;

/**
 * Judges a plan as it stands, and prints what repairs it. Exit 0 where it fits, 1 where it does not, whether or
 * not it can be repaired, 4 where a figure is missing. Raises `Stop`.
 */
export async function planCheck(
  { output }: Context,
  path: string | undefined,
  options: PlanCheckOptions,
): Promise<ExitCode> {
  const caps = options.cap.map(capIn);
  const deadline = options.deadline === undefined ? null : deadlineIn(options.deadline);
  const plan = await planFrom(path, options, caps, deadline);
  const report = checkPlan(plan);
  const next = nextCommand(path, options, caps, deadline, raisedCaps(plan, report));
  const name = path === undefined ? (options.template ?? '') : nameOf(path);
  output.document({ plan: name, ...planDocument(plan, report), next: next === null ? [] : [next] });
  for (const line of drawPicture(planPicture(plan, report))) output.line(inked(line));
  if (next !== null) {
    output.line();
    output.line(show`next        ${commandLine(next)}`);
  }
  output.brief(show`${name}: ${report.before.status}`);
  return EXITS[report.before.status];
}

async function planFrom(
  path: string | undefined,
  options: PlanCheckOptions,
  caps: readonly GivenCap[],
  deadline: GivenCap | null,
): Promise<Plan> {
  const { template, size, rate } = options;
  if ((path === undefined) === (template === undefined))
    throw misuse(
      'missing_argument',
      'name a plan file or a template, and not both',
      'plan check',
      'see assay plan check --help',
    );
  if (path !== undefined) return withCaps(await readPlan(path), caps, deadline);
  const { templatePlan } = await import('@assay/rules/plans');
  const cap = caps.findLast(({ id }) => id === 'cost');
  if (cap !== undefined && rate === undefined)
    throw misuse(
      'missing_argument',
      'a cap on the cost needs what an hour costs',
      '--rate',
      'give --rate, such as 60usd',
    );
  const made = templatePlan(template ?? '', {
    size: amountIn(size, '', '--size'),
    rate: rate === undefined ? 0 : amountIn(rate, UNIT, '--rate'),
    unit: UNIT,
    cap: cap === undefined ? null : { op: cap.op, amount: amountIn(cap.text, UNIT, '--cap cost') },
    deadline: null,
  });
  if (made._tag === 'Left') {
    const { code, name, detail } = made.left;
    throw misuse(
      'bad_value',
      `${name}: ${code} (${detail})`,
      `--${code === 'unknown_template' ? 'template' : name}`,
      `it takes ${detail}`,
    );
  }
  return withCaps(planOf(made.right, template ?? ''), caps, deadline);
}

/** The command that tries the caps under which the plan fits; null where none helps or is needed. */
function nextCommand(
  path: string | undefined,
  { template, size, rate }: PlanCheckOptions,
  caps: readonly GivenCap[],
  deadline: GivenCap | null,
  needed: readonly RaisedCap[],
): readonly string[] | null {
  if (needed.length === 0 || path === '-') return null;
  const isNeeded = (id: string): boolean => needed.some(({ held }) => held.id === id);
  const spelt = (id: string, op: string, text: string): readonly string[] =>
    id === 'deadline'
      ? ['--deadline', `${op === '<' ? '<' : ''}${text}`]
      : ['--cap', `${id}${op === '<' ? '<' : '='}${text}`];
  return [
    'assay',
    'plan',
    'check',
    ...(path === undefined
      ? ['--template', template ?? '', '--size', size]
      : [path.startsWith('-') ? `./${path}` : path]),
    ...(rate === undefined ? [] : ['--rate', rate]),
    ...[...caps, ...(deadline === null ? [] : [deadline])]
      .filter(({ id }) => !isNeeded(id))
      .flatMap(({ id, op, text }) => spelt(id, op, text)),
    ...needed.flatMap(({ held, to }) => spelt(held.id, held.op, String(to))),
  ];
}
