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
      return `find the ${goal.which} file${where(goal.filter)} and write its name to ${inQuotes(goal.to)}`;
    case 'count':
      return `count all files${where(goal.filter)} and write the number to ${inQuotes(goal.to)}`;
    case 'list':
      return `list all files${where(goal.filter)} sorted into ${inQuotes(goal.to)}`;
    case 'measure':
      return `count the ${goal.unit} of ${inQuotes(goal.of)} and write the number to ${inQuotes(goal.to)}`;
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
      return `sum ${columnIn(goal.column)} in ${inQuotes(goal.of)} and write the sum to ${inQuotes(goal.to)}`;
    case 'duplicates':
      return `find all duplicate files${where(goal.filter)} and write their names to ${inQuotes(goal.to)}`;
    case 'sizes':
      return `report the total size per extension${where(goal.filter)} into ${inQuotes(goal.to)}`;
    case 'outside':
      return goal.words;
    default:
      return absurd(goal);
  }
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
