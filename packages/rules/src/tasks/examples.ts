/**
 * One request of each family, for whoever asks what the rules understand. Source: 003 §R1.
 *
 * @module
 */
import type { Family } from './goal.js';

/** A request that the grammar reads as this family. */
export type FamilyExample = { readonly family: Exclude<Family, 'outside'>; readonly said: string };

/** One for each family that can be done in a workspace, in the order of the guide. */
export const FAMILY_EXAMPLES: readonly FamilyExample[] = Object.freeze([
  { family: 'extreme', said: 'find the largest file and write its name to report.md' },
  { family: 'count', said: 'count all txt files and write the number to count.txt' },
  { family: 'list', said: 'list all files containing "TODO" into todo.txt' },
  { family: 'measure', said: 'count the lines of app.log and write the number to lines.txt' },
  { family: 'collect', said: 'concatenate all md files into all.md' },
  { family: 'copy', said: 'copy notes.txt to backup/notes.txt' },
  { family: 'move', said: 'rename notes.txt to old.txt' },
  { family: 'create', said: 'write "hello" to hello.txt' },
  { family: 'remove', said: 'delete old.txt' },
  { family: 'sum', said: 'add up column 2 of sales.csv and write it to total.txt' },
  { family: 'duplicates', said: 'find duplicate files and write their names to twins.txt' },
  { family: 'sizes', said: 'report the total size per extension into sizes.txt' },
]);
