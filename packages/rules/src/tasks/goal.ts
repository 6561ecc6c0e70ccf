/**
 * What a request can ask of a workspace, as data: the task families of the rules. Source: 003 §R1, §R2.
 *
 * @module
 */
import type { Unit } from '@assay/controller/steps';

/**
 * Which files are meant: all that fit. `ext`: small letters, no dot. `name`: a pattern of `*` and `?`.
 * `under`: a folder.
 */
export type Filter = {
  readonly under: string | null;
  readonly ext: string | null;
  readonly name: string | null;
  readonly contains: string | null;
};

/** Which file of all is meant. */
export const EXTREMES = ['largest', 'smallest', 'newest', 'oldest'] as const;
/** One of {@link EXTREMES}. */
export type Extreme = (typeof EXTREMES)[number];

/** What a request can need that no workspace has. */
export type Outside = 'web_search' | 'mail' | 'calendar';

/** One goal. Paths are as `insidePath` of the step language gives them. */
export type Goal =
  | { readonly family: 'extreme'; readonly which: Extreme; readonly filter: Filter; readonly to: string }
  | { readonly family: 'count'; readonly filter: Filter; readonly to: string }
  | { readonly family: 'list'; readonly filter: Filter; readonly to: string }
  | { readonly family: 'measure'; readonly unit: Unit; readonly of: string; readonly to: string }
  | { readonly family: 'collect'; readonly filter: Filter; readonly to: string }
  | { readonly family: 'copy'; readonly of: string; readonly to: string }
  | { readonly family: 'move'; readonly of: string; readonly to: string }
  | { readonly family: 'create'; readonly text: string; readonly to: string }
  | { readonly family: 'remove'; readonly of: string }
  | {
      readonly family: 'sum';
      readonly of: string;
      readonly column: number | string | null;
      readonly to: string;
    }
  | { readonly family: 'duplicates'; readonly filter: Filter; readonly to: string }
  | { readonly family: 'sizes'; readonly filter: Filter; readonly to: string }
  | { readonly family: 'answer'; readonly goal: Asked }
  | { readonly family: 'outside'; readonly needs: Outside; readonly words: string };

/** Families of which the answer can be said, and need not be written. */
export const ANSWERED = ['extreme', 'count', 'list', 'measure', 'sum', 'duplicates', 'sizes'] as const;
/** A goal whose answer is the result of the task: `to` is empty. Source: calls/C9. */
export type Asked = Extract<Goal, { readonly family: (typeof ANSWERED)[number] }>;

/** Families, in the order of the guide. */
export const FAMILIES = [
  'extreme',
  'count',
  'list',
  'measure',
  'collect',
  'copy',
  'move',
  'create',
  'remove',
  'sum',
  'duplicates',
  'sizes',
  'outside',
] as const;
/** What is wanted: the kind of goal. */
export type Family = Goal['family'];

/** All files. */
export const ALL_FILES: Filter = Object.freeze({ under: null, ext: null, name: null, contains: null });

/**
 * A file that words behind a goal can mean. `path`: null where only the answer names it. `as`: what the goal
 * made of it.
 */
export type FileMeant =
  | { readonly path: string; readonly as: 'read' | 'written' }
  | { readonly path: null; readonly as: Extreme };

/**
 * The files that are there when a goal was reached and that its words name, or that it found; `that file` is
 * one of them where there is only one.
 */
export function filesMeantBy(goal: Goal): readonly FileMeant[] {
  switch (goal.family) {
    case 'remove':
    case 'answer':
    case 'outside':
      return [];
    case 'copy':
    case 'measure':
    case 'sum':
      return [
        { path: goal.of, as: 'read' },
        { path: goal.to, as: 'written' },
      ];
    case 'extreme':
      return [
        { path: null, as: goal.which },
        { path: goal.to, as: 'written' },
      ];
    default:
      return [{ path: goal.to, as: 'written' }];
  }
}
