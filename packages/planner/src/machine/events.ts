/**
 * Events of a planner's run. They name ids and differences and explain all of the state. Source: 000 §1, §2.E;
 * dec-K74.
 */
import type { Digest, Json, JsonObject } from '@assay/kernel';
import type { Estimate } from '../plan/plan.js';
import type { Policy } from '../policy/policy.js';
import type { Check } from '../protocol/answers.js';
import type { AskKind, Feedback, LibraryRow } from '../protocol/bodies.js';
import type { Answers } from '../protocol/requests.js';
import type { Constraint } from '../protocol/constraint.js';
import type { Known, Resolver } from '../protocol/resolver.js';
import type { Amounts, GoalNode, NodeStatus, Output } from './node.js';
import type { Capability, GoalInput, NodePlan } from './state.js';

/** One paired entry: what one account gives another. `from` null: a grant from outside. */
export type Transfer = {
  readonly from: string | null;
  readonly to: string;
  readonly amounts: Amounts;
};

/** Everything that happens. */
export type PlannerEvent =
  | { readonly t: 'opened'; readonly policy: Policy; readonly input: GoalInput }
  | { readonly t: 'constraint'; readonly constraint: Constraint }
  | { readonly t: 'registered'; readonly resolver: Known }
  | {
      readonly t: 'read';
      readonly history: string;
      readonly off: Answers['library']['off'];
      readonly aliases: Answers['library']['aliases'];
    }
  | {
      readonly t: 'node';
      readonly key: string;
      readonly id: Digest;
      readonly parent: string | null;
      readonly kind: 'goal' | 'build';
      readonly task: string;
      readonly title: string;
      readonly capability: string;
      readonly level: number;
      readonly core: readonly string[];
      readonly inherited: readonly string[];
      readonly inputs: readonly Digest[];
      readonly after: readonly string[];
    }
  | {
      readonly t: 'moved';
      readonly node: string;
      readonly from: NodeStatus;
      readonly to: NodeStatus;
      readonly cause: string;
    }
  | { readonly t: 'ready'; readonly node: string }
  | { readonly t: 'taken'; readonly node: string }
  | {
      readonly t: 'asked';
      readonly id: string;
      readonly kind: AskKind;
      readonly node: string;
      readonly resolver: string | null;
      readonly reserve: Amounts;
    }
  | {
      readonly t: 'settled';
      readonly id: string;
      readonly spent: Amounts;
      readonly overrun: boolean;
      readonly at_us: number | null;
    }
  | { readonly t: 'funded'; readonly why: string; readonly transfers: readonly Transfer[] }
  | { readonly t: 'refunded'; readonly node: string; readonly amounts: Amounts }
  | { readonly t: 'eligible'; readonly node: string; readonly ids: readonly string[] }
  | {
      readonly t: 'selected';
      readonly node: string;
      readonly ids: readonly string[];
      readonly implied: readonly string[];
    }
  | { readonly t: 'conflict'; readonly node: string; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly t: 'dropped'; readonly node: string; readonly ids: readonly string[] }
  | { readonly t: 'routed'; readonly node: string; readonly steps: readonly string[]; readonly why: string }
  | { readonly t: 'retried'; readonly node: string; readonly code: string }
  | {
      readonly t: 'made';
      readonly node: string;
      readonly output: Output;
      readonly last: boolean;
      readonly checks: readonly Check[];
      readonly manifest: Resolver | null;
    }
  | { readonly t: 'checked'; readonly node: string; readonly checks: readonly Check[] }
  | { readonly t: 'gap'; readonly node: string; readonly capability: string; readonly rationale: string }
  | {
      readonly t: 'planned';
      readonly node: string;
      readonly version: number;
      readonly file: JsonObject;
      readonly carries: NodePlan['carries'];
      readonly needs: NodePlan['needs'];
      readonly unchecked: readonly string[];
    }
  | { readonly t: 'calibrated'; readonly node: string; readonly by: GoalNode['calibrated'] }
  | { readonly t: 'rolled_up'; readonly node: string; readonly status: string; readonly lines: Json }
  | { readonly t: 'core'; readonly node: string; readonly cores: Json; readonly survey: readonly string[] }
  | {
      readonly t: 'surveyed';
      readonly node: string;
      readonly file: JsonObject;
      readonly tasks: readonly string[];
    }
  | {
      readonly t: 'repaired';
      readonly node: string;
      readonly choice: readonly (readonly [task: string, approach: string])[];
      readonly label: string;
      readonly changes: readonly (readonly [task: string, approach: string])[];
      readonly replan: boolean;
    }
  | { readonly t: 'judged'; readonly node: string; readonly fits: boolean; readonly report: JsonObject }
  | { readonly t: 'solver'; readonly node: string; readonly used: boolean }
  | { readonly t: 'held'; readonly node: string | null }
  | { readonly t: 'question'; readonly node: string; readonly text: string }
  | {
      readonly t: 'verified';
      readonly node: string;
      readonly verdict: 'SAT' | 'UNSAT';
      readonly sigma_ppm: number;
      readonly checks: readonly Check[];
      readonly why: string | null;
    }
  | { readonly t: 'mismatch'; readonly node: string; readonly said: string; readonly derived: string }
  | {
      readonly t: 'attempt';
      readonly node: string;
      readonly index: number;
      readonly resolver: string;
      readonly verdict: 'SAT' | 'UNSAT';
      readonly sigma_ppm: number;
      readonly failure_mode: string | null;
      readonly feedback: Feedback | null;
    }
  | { readonly t: 'exhausted'; readonly node: string; readonly resolver: string }
  /** Nobody plays it here: exhausted without a try. */
  | { readonly t: 'missing'; readonly node: string; readonly resolver: string }
  /** A person says how a tool is run; the words are never taken from a ledger and run. */
  | { readonly t: 'declared'; readonly name: string; readonly command: readonly string[] }
  | { readonly t: 'advised'; readonly node: string; readonly advice: string }
  | ({ readonly t: 'actual'; readonly node: string } & NonNullable<GoalNode['actual']>)
  | {
      readonly t: 'estimated';
      readonly node: string;
      readonly task: string;
      readonly minutes: Estimate;
      readonly amounts: readonly Estimate[];
      readonly done: boolean;
    }
  | { readonly t: 'reopened'; readonly node: string; readonly to: NodeStatus; readonly cause: string }
  | { readonly t: 'superseded'; readonly node: string; readonly cause: string }
  | { readonly t: 'rescoped'; readonly node: string }
  | { readonly t: 'gated'; readonly node: string; readonly sigma_path_ppm: number | null }
  | { readonly t: 'flagged'; readonly node: string; readonly why: string }
  | {
      readonly t: 'capability';
      readonly fingerprint: string;
      readonly tag: string;
      readonly status: Capability['status'];
      readonly resolver: string | null;
      readonly node: string | null;
      readonly budget_class: number | null;
    }
  | { readonly t: 'waits_for'; readonly node: string; readonly build: string }
  | { readonly t: 'released'; readonly node: string; readonly build: string }
  | {
      readonly t: 'coupled';
      readonly node: string;
      readonly eligible: readonly string[];
      readonly core: readonly string[];
    }
  | { readonly t: 'consistent'; readonly conflicts: number }
  | { readonly t: 'library_write'; readonly rows: readonly LibraryRow[] }
  | { readonly t: 'ending'; readonly status: 'success' | 'refused'; readonly reasons: readonly string[] };
