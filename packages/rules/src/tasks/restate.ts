/**
 * A goal in words, which the grammar reads back as the same goal. Source: 003 §R1 "the user's goal,
 * faithfully restated".
 *
 * @module
 */
import { absurd } from '@assay/kernel';
import type { Filter, Goal } from './goal.js';
import { inQuotes } from './tokens.js';

/** The words of a goal. */
export function restated(goal: Goal): string {
  switch (goal.family) {
    case 'extreme':
      return `find the ${goal.which} file${where(goal.filter)}${into(' and write its name to', goal)}`;
    case 'count':
      return `count all files${where(goal.filter)}${into(' and write the number to', goal)}`;
    case 'list':
      return `list all files${where(goal.filter)} sorted${into(' into', goal)}`;
    case 'measure':
      return `count the ${goal.unit} of ${inQuotes(goal.of)}${into(' and write the number to', goal)}`;
    case 'collect':
      return `concatenate all files${where(goal.filter)} into ${inQuotes(goal.to)}`;
    case 'copy':
      return `copy ${inQuotes(goal.of)} to ${inQuotes(goal.to)}`;
    case 'move':
      return `move ${inQuotes(goal.of)} to ${inQuotes(goal.to)}`;
    case 'create':
      return `create the file ${inQuotes(goal.to)} with the text ${inQuotes(goal.text)}`;
    case 'remove':
      return `delete the file ${inQuotes(goal.of)}`;
    case 'sum':
      return `sum ${columnIn(goal.column)} in ${inQuotes(goal.of)}${into(' and write the sum to', goal)}`;
    case 'duplicates':
      return `find all duplicate files${where(goal.filter)}${into(' and write their names to', goal)}`;
    case 'sizes':
      return `report the total size per extension${where(goal.filter)}${into(' into', goal)}`;
    case 'answer':
      return restated(goal.goal);
    case 'outside':
      return goal.words;
    default:
      return absurd(goal);
  }
}

/** Where the answer goes; nothing where it is only said. */
function into(words: string, { to }: { readonly to: string }): string {
  return to === '' ? '' : `${words} ${inQuotes(to)}`;
}

function columnIn(column: number | string | null): string {
  if (column === null) return 'the numbers';
  return `the column ${typeof column === 'number' ? column : inQuotes(column)}`;
}

function where({ ext, name, contains, under }: Filter): string {
  const typed =
    ext !== null
      ? ` with the extension ${inQuotes(ext)}`
      : name !== null
        ? ` matching ${inQuotes(name)}`
        : '';
  const holding = contains === null ? '' : ` containing the text ${inQuotes(contains)}`;
  return `${typed}${holding}${under === null ? '' : ` in the folder ${inQuotes(under)}`}`;
}
