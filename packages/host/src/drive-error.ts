/**
 * Why a run can not be driven.
 *
 * @module
 */
import type { Rejection } from '@assay/kernel';
import type { CallNotesFault } from './note.js';
import type { LoadError } from './load.js';

/**
 * Why a run can not be driven (on). `rejected`: its genesis is not opened, or (code `unfed`) it is a fork
 * that lacks answers of its parent: call `fork` again, or (`base_mismatch`, `base_closed`, `base_went_on`,
 * `base_under_way`) a continuation whose base, in the same store, is not what it says, was closed, went on,
 * or has calls begun and not answered: see {@link drive}; `exists`: this id has a ledger with another
 * genesis; `notes`: the notes of its calls cannot be read or written, so none is made; else as in
 * {@link LoadError}.
 */
export type DriveError =
  | LoadError
  | { readonly code: 'rejected'; readonly rejection: Rejection }
  | { readonly code: 'exists'; readonly run_id: string }
  | CallNotesFault;
