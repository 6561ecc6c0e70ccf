/** The refusal report: why nothing was decided, and what would have to change. Source: 001 §3; intent I15. */
import { isArray, isObject, type Json } from '../json.js';
import type { Loser, OpenQuestion } from './blueprint.js';
import type { Policy } from './policy.js';

/** Version of the report's shape. */
export const REFUSAL_FORMAT = 'assay-refusal-report/1';

/** Why a run is refused: closed, in the order in which several are listed. Source: intent I15. */
export const REASON_CODES = [
  'empty_seed',
  'max_steps',
  'insufficient_proposals',
  'proposer_gave_up',
  'no_valid_interpretation',
  'below_min_score',
  'ambiguous',
  'nothing_actionable',
  'contradiction_budget',
  'max_depth',
  'max_nodes',
  'limit_bytes',
] as const;
/** One of {@link REASON_CODES}. */
export type ReasonCode = (typeof REASON_CODES)[number];

/**
 * One reason: the limit it names (null if none does), its value, the value needed, and what bears it out.
 */
export type Reason = {
  readonly code: ReasonCode;
  readonly limit: keyof Policy | null;
  readonly value: number | null;
  readonly needed: number | null;
  readonly detail: Json;
};

/** What a slot answered: enough to find its proposal in the ledger. */
export type AnswerCited = {
  readonly slot: string;
  readonly proposal_hash: string | null;
  readonly readings: number;
  readonly failure: string | null;
  readonly why: string | null;
};

/**
 * The artifact `refusal_report`, with the contract's fields. `evidence_record_hashes` holds the genesis of
 * the run; the answers are cited by proposal_hash, since the hash of a record depends on the order of arrival
 * and an artifact does not.
 */
export type RefusalReport = {
  readonly format: typeof REFUSAL_FORMAT;
  readonly run_id: string;
  readonly seed_hash: string;
  readonly status: 'refused';
  readonly reason_codes: readonly ReasonCode[];
  readonly evidence_record_hashes: readonly string[];
  readonly policy_suggestions: readonly string[];
  readonly reasons: readonly Reason[];
  readonly answers: readonly AnswerCited[];
  readonly readings: readonly Loser[];
  readonly questions: readonly OpenQuestion[];
};

/** What a report is made of besides its reasons. */
export type RefusalParts = {
  readonly runId: string;
  readonly seedHash: string;
  readonly genesisHash: string;
  readonly answers: readonly AnswerCited[];
  readonly readings: readonly Loser[];
  readonly questions: readonly OpenQuestion[];
};

/** Builds the report; reasons in the order of their codes. */
export function makeRefusal(reasons: readonly Reason[], parts: RefusalParts): RefusalReport {
  const listed = [...reasons].sort((a, b) => REASON_CODES.indexOf(a.code) - REASON_CODES.indexOf(b.code));
  return {
    format: REFUSAL_FORMAT,
    run_id: parts.runId,
    seed_hash: parts.seedHash,
    status: 'refused',
    reason_codes: listed.map(({ code }) => code),
    evidence_record_hashes: [parts.genesisHash],
    policy_suggestions: listed.map(suggestionFor),
    reasons: listed,
    answers: parts.answers,
    readings: parts.readings,
    questions: parts.questions,
  };
}

/** The fixed sentence of a reason: the limit, its value, the value needed. */
export function suggestionFor({ code, limit, value, needed, detail }: Reason): string {
  const raise = `${limit ?? 'limit'} is ${value ?? 'unset'}; this run needs ${needed ?? 'another'}.`;
  switch (code) {
    case 'empty_seed':
      return 'seed_text holds no words: give the request in words.';
    case 'max_steps':
      return `${raise} Raise max_steps or name fewer proposers.`;
    case 'insufficient_proposals':
      return (
        `min_proposals is ${value ?? 0}; ${needed ?? 0} answered with a reading. Lower ` +
        'min_proposals, or name proposers that can read this text.'
      );
    case 'proposer_gave_up':
      return (
        `${whoGaveUp(detail)} gave up: name another in proposers, or write the request as ` +
        'sentences that say what must, should or must not be, and split a long one.'
      );
    case 'no_valid_interpretation':
      return 'Every reading was vetoed: change the pin that conflicts, or let the proposers answer again.';
    case 'below_min_score':
      return (
        `min_score is ${value ?? 0}; the best reading has ${needed ?? 0}. Lower min_score, or ` +
        'say more of the request as demands.'
      );
    case 'ambiguous':
      return (
        `min_margin is ${value ?? 0}; the two best readings contradict each other and are ` +
        `${needed ?? 0} apart. Pin the choice, or lower min_margin.`
      );
    case 'nothing_actionable':
      return (
        'No demand rests on words of the request: say what must be, with a number or a test, and ' +
        'answer the open questions.'
      );
    case 'contradiction_budget':
      return `${raise} Pin one side of each contradiction, or change the request.`;
    case 'max_depth':
    case 'max_nodes':
      return `${raise} Raise ${code}, or split the request.`;
    case 'limit_bytes':
      return 'The answer would not fit a record of the ledger: split the request, or let proposers answer with less.';
  }
}

/** Slots that gave up and why: `rules (too_long), hand (no reading)`. */
function whoGaveUp(detail: Json): string {
  const text = (value: Json | undefined, other: string): string =>
    typeof value === 'string' ? value : other;
  const named = (isArray(detail) ? detail : [])
    .filter(isObject)
    .map(({ slot, why }) => `${text(slot, 'a proposer')} (${text(why, 'no reading')})`);
  return named.length === 0 ? 'A proposer' : named.join(', ');
}
