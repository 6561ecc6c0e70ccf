/**
 * What keeps a run from being copied.
 *
 * @module
 */
import type { StoreError } from '../store.js';

/** Which of the two stores. */
export type Side = 'from' | 'to';

/**
 * Why what is stored of a run does not hold. `name`: it has no name of a run; `integrity`: at this record;
 * `other_run`: it is the ledger of another run, or of none (null); `missing`: it is listed and cannot be
 * found; `run_id`: the store itself saw that it is another's.
 */
export type Invalid =
  | { readonly why: 'name' | 'missing' }
  | { readonly why: 'integrity'; readonly code: string; readonly record: number }
  | { readonly why: 'other_run'; readonly run_id: string | null }
  | { readonly why: 'run_id'; readonly error: StoreError };

/**
 * What keeps one run from being copied. `not_rederived`: the machine decides otherwise. `exists`: the target
 * has another ledger of this name, with so many records. `source_changed`: it is not what was judged;
 * `copy_differs`: what arrived is not what was sent; `store`: what a store says of this run. `isStored`: it
 * was found after the records were there.
 */
export type CopyFault =
  | { readonly code: 'invalid'; readonly side: Side; readonly isStored: boolean; readonly found: Invalid }
  | { readonly code: 'not_rederived'; readonly found: { readonly code: string; readonly record: number } }
  | { readonly code: 'exists'; readonly count: number }
  | { readonly code: 'source_changed' | 'copy_differs' }
  | { readonly code: 'store'; readonly side: Side; readonly error: StoreError };

/** What ends a copy of many runs: a store that is gone, or a source somebody writes to. */
export type CopyEnd =
  | { readonly code: 'changed_meanwhile' }
  | { readonly code: 'store'; readonly side: Side; readonly error: StoreError };
