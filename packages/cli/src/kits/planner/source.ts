/**
 * Where a plan comes from: a file, or a template.
 *
 * @module
 */
import { readPlan, readPlanValue, type ReadPlan } from '../../files/plan-file.js';
import { amountIn, MONEY_UNIT, withCaps, type GivenCap } from '../../options/caps.js';
import { misuse } from '../../problems/problem.js';

/** The options of a template. */
export type SourceOptions = {
  readonly template?: string;
  readonly size: string;
  readonly rate?: string;
};

/** The plan of a file or a template, under other bounds. Raises `Stop`. */
export async function planSource(
  path: string | undefined,
  options: SourceOptions,
  caps: readonly GivenCap[],
  deadline: GivenCap | null,
  command: string,
): Promise<ReadPlan> {
  const { template, size, rate } = options;
  if ((path === undefined) === (template === undefined))
    throw misuse(
      'missing_argument',
      'name a plan file or a template, and not both',
      command,
      `see assay ${command} --help`,
    );
  if (path !== undefined) return under(await readPlan(path), caps, deadline);
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
    rate: rate === undefined ? 0 : amountIn(rate, MONEY_UNIT, '--rate'),
    unit: MONEY_UNIT,
    cap: cap === undefined ? null : { op: cap.op, amount: amountIn(cap.text, MONEY_UNIT, '--cap cost') },
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
  return under(readPlanValue(made.right, template ?? ''), caps, deadline);
}

function under({ file, plan }: ReadPlan, caps: readonly GivenCap[], deadline: GivenCap | null): ReadPlan {
  return { file, plan: withCaps(plan, caps, deadline) };
}
