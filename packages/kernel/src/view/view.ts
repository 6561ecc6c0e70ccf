/** What a machine's view is: functions from a run to plain data. */
import type { Json, JsonObject } from '../json.js';
import type { Genesis } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import type { Rejection } from '../machine/types.js';
import type { DerivedRecord } from '../records/run-view.js';
import type { Result } from '../result.js';
import type { Described, Knob, NextMove, Page, Picture, Turned, ViewFile } from './picture.js';

/**
 * Parts of artifacts, by name, as JSON pointers ("" is the whole artifact), that tell how a result was reached, such
 * as scores and losers. Two runs that differ there alone end the same.
 */
export type Account = { readonly [artifact: string]: readonly string[] };

/**
 * What a change does to the single things that a run decides, such as the calls of a gate: `total` of `unit`, each run
 * a `run`. `counts`: of each kind of change in the order in which they are told, 0 too. `groups`: changes that are
 * alike, with an example: its number in the run from 1, and what it is, from evidence. `note`: what this does not say.
 * Source: gate/G20.
 */
export type Compared = {
  readonly unit: string;
  readonly run: string;
  readonly total: number;
  readonly counts: readonly { readonly kind: string; readonly count: number }[];
  readonly groups: readonly {
    readonly kind: string;
    readonly what: string;
    readonly why: string;
    readonly count: number;
    readonly example: { readonly at: number; readonly text: string };
  }[];
  readonly note: string;
};

/** Compares a run with the same run decided anew; records of both were derived. */
export type Compare = (was: readonly EvidenceRecord[], would: readonly EvidenceRecord[]) => Compared;

/**
 * What a machine shows. A view is given only what was derived again: every record is whole, its events are
 * the machine's own, and `state` is its state. All functions are total and pure. `fold` gets each record
 * after the genesis with its position in the file; F holds what the panels need and no more.
 */
export type View<S, F> = {
  readonly machine: string;
  readonly versions: readonly number[];
  /** Which parts of artifacts only tell how a result was reached. Left out: every difference of an artifact counts. */
  readonly account?: Account;
  /**
   * A policy file as a genesis records it: such a file takes the place of a recorded policy. Left out: its fields are
   * laid over the recorded ones. `isRecorded`: a recorded policy is given, which acts then where it only watched, since
   * settings are laid over it.
   */
  readonly completePolicy?: (file: JsonObject, isRecorded?: boolean) => Json;
  readonly start: (genesis: Genesis) => F;
  readonly fold: (fold: F, record: DerivedRecord, position: number) => F;
  /** One record in a line. `fold`: of the records up to it. */
  readonly describe: (record: DerivedRecord, fold: F) => Described;
  /** The panels of these pages; a panel of another page is dropped, so a cheap one may come along. */
  readonly show: (fold: F, state: S, pages: readonly Page[]) => Picture;
  /** Empty where nothing can be asked. */
  readonly knobs: (fold: F, state: S) => readonly Knob[];
  /** The policy with knobs turned; other knobs than those of `knobs` are an error. */
  readonly turn: (policy: Json, changes: readonly Turned[]) => Result<Rejection, Json>;
  /** What the run writes beside its ledger. */
  readonly files: (fold: F, state: S) => readonly ViewFile[];
  /** What to type next; the argument `{ledger}` stands for the file. */
  readonly next: (fold: F, state: S) => readonly NextMove[];
};
