/** What the panels of an intent run need, folded from its records. */
import { field, isObject, type Json } from '../json.js';
import type { Genesis, Status } from '../ledger/payloads.js';
import type { DerivedRecord } from '../records/run-view.js';
import type { Blueprint } from '../intent/blueprint.js';
import type { VerificationPack } from '../intent/pack.js';
import type { RefusalReport } from '../intent/refusal.js';
import type { IntentEvent } from '../intent/state.js';

/** A result and its record. */
export type Held<T> = { readonly content: T; readonly record: number };

/**
 * One recorded answer. `readings`: how many were accepted; `code`: why none was. `exceeded`: the limit that the
 * failure names, with what was needed and what is allowed.
 */
export type Reply = {
  readonly record: number;
  readonly proposer: string;
  readonly source: string;
  readonly slot: string | null;
  readonly readings: number | null;
  readonly code: string | null;
  readonly exceeded: string | null;
};

/** A run so far. `request`: null if the run continues another, which holds it. */
export type IntentFold = {
  readonly runId: string;
  readonly request: string | null;
  readonly replies: readonly Reply[];
  readonly decidedAt: number | null;
  readonly blueprint: Held<Blueprint> | null;
  readonly pack: Held<VerificationPack> | null;
  readonly refusal: Held<RefusalReport> | null;
  readonly status: Status | null;
};

const REPLIES_MAX = 2_000;

/** Before the first record. */
export function start({ run_id, input }: Genesis): IntentFold {
  const text = isObject(input) ? field(input, 'seed_text') : undefined;
  return {
    runId: run_id,
    request: typeof text === 'string' ? text : null,
    replies: [],
    decidedAt: null,
    blueprint: null,
    pack: null,
    refusal: null,
    status: null,
  };
}

/** One record more. */
export function fold(seen: IntentFold, record: DerivedRecord, position: number): IntentFold {
  switch (record.kind) {
    case 'genesis':
      return seen;
    case 'proposal': {
      const { proposer, source, failure } = record.payload;
      const exceeded = failure === null ? null : renderExceeded(failure.detail);
      const reply = { record: position, proposer, source, slot: null, readings: null, code: null, exceeded };
      return { ...seen, replies: [...seen.replies, reply].slice(-REPLIES_MAX) };
    }
    case 'rejection':
      return { ...seen, replies: told(seen.replies, { code: record.payload.code }) };
    case 'decision': {
      const events = record.payload.events as readonly IntentEvent[];
      const answered = events.find((event) => event.t === 'answered');
      const replies = answered === undefined ? seen.replies : told(seen.replies, readParts(answered.answer));
      return { ...seen, decidedAt: position, replies };
    }
    case 'artifact':
      return held(seen, record.payload.name, record.payload.content, position);
    case 'close':
      return { ...seen, status: record.payload.status };
  }
}

function renderExceeded(detail: Json): string | null {
  if (!isObject(detail)) return null;
  const [limit, value, needed] = ['limit', 'value', 'needed'].map((key) => field(detail, key));
  return typeof limit === 'string' && typeof value === 'number' && typeof needed === 'number'
    ? `${limit} ${needed}, at most ${value}`
    : null;
}

function readParts(answer: Extract<IntentEvent, { readonly t: 'answered' }>['answer']): Partial<Reply> {
  return answer.t === 'answered'
    ? { slot: answer.slot, readings: answer.readings.length }
    : { slot: answer.slot, code: answer.why ?? answer.code };
}

/** The last reply with what came of it. */
function told(replies: readonly Reply[], parts: Partial<Reply>): readonly Reply[] {
  const last = replies.at(-1);
  return last === undefined ? replies : [...replies.slice(0, -1), { ...last, ...parts }];
}

function held(seen: IntentFold, name: string, content: unknown, record: number): IntentFold {
  switch (name) {
    case 'blueprint':
      return { ...seen, blueprint: { content: content as Blueprint, record } };
    case 'verification_pack':
      return { ...seen, pack: { content: content as VerificationPack, record } };
    case 'refusal_report':
      return { ...seen, refusal: { content: content as RefusalReport, record } };
    default:
      return seen;
  }
}
