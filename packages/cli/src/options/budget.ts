/**
 * `--budget UNIT=N`: the most that a run may spend.
 *
 * @module
 */
import { isName, type Spent } from '@assay/kernel';
import { misuse } from '../problems/problem.js';

/** Reads budgets. `units`: in which the proposers of the run are counted. Raises `Stop`: `bad_value`. */
export function readBudget(given: readonly string[], units: ReadonlySet<string>): Spent {
  const limits: { [unit: string]: number } = {};
  for (const option of given) {
    const [, unit = '', amount = ''] = /^([^=]*)=(.*)$/s.exec(option) ?? [];
    const limit = /^\d{1,15}$/.test(amount) ? Number(amount) : null;
    if (limit === null || !isName(unit))
      throw misuse(
        'bad_value',
        'a budget needs a unit and a whole number',
        `--budget ${option}`,
        'give --budget output_tokens=20000, or --budget usd_micros=500000 with --llm prices=FILE',
      );
    if (Object.hasOwn(limits, unit))
      throw misuse('bad_value', `the budget of ${unit} is given twice`, `--budget ${option}`, 'give it once');
    if (!units.has(unit))
      throw misuse(
        'bad_value',
        `no proposer of this run counts ${unit}`,
        `--budget ${option}`,
        units.size === 0
          ? 'name a language model with --proposer; other proposers cost nothing'
          : `they count ${[...units].join(', ')}; money needs --llm prices=FILE`,
      );
    limits[unit] = limit;
  }
  return limits;
}
