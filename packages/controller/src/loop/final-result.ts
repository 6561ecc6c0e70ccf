/**
 * What a task ends with: one FinalResult, from R7 alone. It names everything that is unmet, and on abandon it
 * carries what was reached and what could be done next. Source: 002 §R7 `FinalResult`; 003 §9, Law 0; dec-G4,
 * dec-G17; law-G12.
 */
import type { Json, Spent } from '@assay/kernel';
import type { Figure } from '../ggs/rational.js';
import type { Role } from '../protocol/roles.js';

/**
 * A criterion that is not met when a task ends. `verdict`: `not_run` where its sub-task never ran, or nothing
 * was merged.
 */
export type Unmet = {
  readonly criterion: string;
  readonly text: string;
  readonly hard: boolean;
  readonly verdict: 'fail' | 'none' | 'not_run' | 'ambiguous';
  readonly failure_class: string | null;
  readonly evidence: string;
};

/** What could be done next, from a template: `code` is API, `text` is for people. */
export type NextMove = { readonly code: string; readonly text: string };

/** Who answers for what went wrong. Source: 002 "Accountability Map". */
export type Accountable = {
  readonly failure: string;
  readonly role: Role;
  readonly criterion: string | null;
};

/** Loss and its parts at the end. Source: 002 §R7. */
type LossShown = {
  readonly D: Figure;
  readonly P: Figure;
  readonly Omega: Figure;
  readonly L: Figure;
};

/** The artifact `final_result`. Source: 002 §R7 `FinalResult`. */
export type FinalResult = {
  readonly format: 'assay/final-result/1';
  readonly directive: 'accept' | 'success' | 'abandon';
  readonly prev_directive: string;
  readonly reason: string;
  /**
   * Why a role gave up, where one did: the code it gave, such as `tool_unavailable`; of a call that was never
   * answered its class, or `no_answer` where the reason is another.
   */
  readonly why: string | null;
  readonly summary: string;
  readonly output: Json;
  /**
   * What sub-tasks of the last plan brought, where nothing was merged: also those that failed, said so
   * (dec-G17).
   */
  readonly partial: readonly {
    readonly subtask: string;
    readonly intent: string;
    readonly status: 'matched' | 'failed';
    readonly output: string;
  }[];
  readonly loss: LossShown;
  readonly grad_l: Figure;
  readonly replans: number;
  readonly unmet: readonly Unmet[];
  readonly next_moves: readonly NextMove[];
  readonly accountable: readonly Accountable[];
  /** Role calls, those of them in a row, and calls of tools. Source: 003 §10. */
  readonly costs: {
    readonly calls: number;
    readonly sequential_calls: number;
    readonly tool_calls: number;
    readonly spent: Spent;
  };
};
