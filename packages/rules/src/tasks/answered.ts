/**
 * How the rules say which file was found.
 *
 * @module
 */
import type { Goal } from './goal.js';
import { inQuotes } from './tokens.js';

/**
 * What stands before the name in the summary of a turn, and behind it; both empty for goals that find no
 * single file.
 */
export function answeredAs(goal: Goal): readonly [before: string, behind: string] {
  return goal.family === 'extreme'
    ? [`the ${goal.which} file is `, `; its name stands in ${inQuotes(goal.to)}`]
    : ['', ''];
}
