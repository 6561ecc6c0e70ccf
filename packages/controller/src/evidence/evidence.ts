/**
 * What a run shows of its sub-tasks: a fold over its records, for whoever decides or judges the next move.
 * Feed it every record in order, those that `onAppend` hands over and, on resume, those of the store; of a
 * continuation its base first. It trusts what it is fed: records that this machine derived. Source: calls/C4.
 */
import {
  ledgerRecord,
  PersistentMap,
  type EvidenceRecord,
  type Json,
  type RecordedProposal,
  type Request,
} from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { CallSeen } from '../protocol/claims.js';
import type { Bodies, CallAnswer, Correction, MustNot } from '../protocol/requests.js';
import type { SubTask } from '../protocol/plan.js';
import type { Tool } from '../protocol/tools.js';
import type { ControllerEvent, Message } from '../loop/events.js';

/** A call that was made. */
export type EvidenceCall = Pick<CallSeen, 'tool' | 'target' | 'status' | 'code' | 'attempt'> &
  Pick<CallAnswer, 'output' | 'output_bytes' | 'digest' | 'why'> & {
    readonly t: 'call';
    readonly n: number;
    readonly input: Json;
  };

/** What happened in a sub-task, in order. */
export type EvidenceItem =
  | EvidenceCall
  | { readonly t: 'claim'; readonly output: string; readonly rests_on: readonly number[] }
  | ({ readonly t: 'correction' } & Correction);

/** An answer to the open `step` that was turned away, and why. */
type TurnedAway = { readonly code: string; readonly detail: Json };

/**
 * What there is of one sub-task. `prior`: outputs of earlier groups; `allowed`: calls it may make in all;
 * `turned_away`: answers to its open request.
 */
export type SubTaskEvidence = {
  readonly subtask: SubTask;
  readonly must_not: Pick<MustNot, 'tools' | 'targets'>;
  readonly prior: readonly { readonly intent: string; readonly output: string }[];
  readonly allowed: number;
  readonly items: readonly EvidenceItem[];
  readonly turned_away: readonly TurnedAway[];
};

/**
 * What a run shows. `text`: the user's words; `plan`: ids of this round's sub-tasks, in the order of the plan;
 * `round`: what there is of each.
 */
export type Evidence = {
  readonly text: string;
  readonly tools: readonly Tool[];
  readonly must_not: Pick<MustNot, 'tools' | 'targets'>;
  readonly plan: readonly string[];
  readonly round: PersistentMap<SubTaskEvidence>;
  readonly asked: PersistentMap<Request>;
  readonly answer: RecordedProposal | null;
};

/** Before the first record. */
export const NO_EVIDENCE: Evidence = Object.freeze({
  text: '',
  tools: [],
  must_not: { tools: [], targets: [] },
  plan: [],
  round: PersistentMap.empty<SubTaskEvidence>(),
  asked: PersistentMap.empty<Request>(),
  answer: null,
});

/** The evidence after one more record. A record that is none of a run changes nothing. */
export function withRecord(evidence: Evidence, given: EvidenceRecord): Evidence {
  const record = ledgerRecord(given);
  if (record?.payload === undefined) return evidence;
  switch (record.kind) {
    case 'genesis': {
      // A continuation has its base before it.
      if (record.payload.base !== null) return evidence;
      const { input, policy } = record.payload;
      const tools = readField(policy, 'tools');
      return {
        ...NO_EVIDENCE,
        text: readText(input, 'text'),
        tools: (tools ?? []) as unknown as readonly Tool[],
      };
    }
    case 'proposal':
      return { ...evidence, answer: record.payload };
    case 'rejection':
      return { ...turnedAway(evidence, record.payload), answer: null };
    case 'decision': {
      const heard = record.payload.events.reduce(withEvent, stepTaken(evidence));
      const asked = record.payload.requests.reduce(
        (open, request) => open.set(request.id, request),
        evidence.answer === null ? heard.asked : heard.asked.delete(evidence.answer.request_id),
      );
      const plan = record.payload.requests.find(({ kind }) => kind === 'plan');
      const must_not = plan === undefined ? heard.must_not : readBodyAs(plan, 'plan').must_not;
      return { ...heard, asked, must_not, answer: null };
    }
    default:
      return evidence;
  }
}

/** What there is of a sub-task of this round; null where there is none of this id. */
export function subTaskIn({ round }: Evidence, id: string): SubTaskEvidence | null {
  return round.get(id) ?? null;
}

/** Its calls, in order: the n-th has the number n. */
export function callsIn({ items }: SubTaskEvidence): readonly EvidenceCall[] {
  return items.flatMap((item) => (item.t === 'call' ? [item] : []));
}

/** The request that the answer at hand is for. */
function requestIn({ answer, asked }: Evidence): Request | null {
  return answer === null ? null : (asked.get(answer.request_id) ?? null);
}

function turnedAway(evidence: Evidence, { code, detail }: TurnedAway): Evidence {
  const request = requestIn(evidence);
  if (request?.kind !== 'step') return evidence;
  const said = evidence.answer?.failure?.detail ?? null;
  return changed(evidence, readBodyAs(request, 'step').subtask, (of) => ({
    ...of,
    turned_away: [...of.turned_away, { code, detail: detail ?? said }],
  }));
}

function stepTaken(evidence: Evidence): Evidence {
  const request = requestIn(evidence);
  if (request?.kind !== 'step') return evidence;
  return changed(evidence, readBodyAs(request, 'step').subtask, (of) => ({ ...of, turned_away: [] }));
}

function withEvent(evidence: Evidence, given: Json): Evidence {
  const event = given as unknown as ControllerEvent;
  if (event.t === 'called') return called(evidence, event);
  return event.t === 'message' ? heard(evidence, event) : evidence;
}

function called(
  evidence: Evidence,
  { subtask, n, call }: Extract<ControllerEvent, { readonly t: 'called' }>,
): Evidence {
  const request = requestIn(evidence);
  if (request?.kind !== 'call') return evidence;
  const { input } = readBodyAs(request, 'call');
  const { tool, target, status, code, attempt } = call;
  const value = evidence.answer?.value as unknown as CallAnswer | null | undefined;
  // An answer that was not accepted is none: the call has its failure as code.
  const { output, output_bytes, digest, why } =
    value?.status === status && value.code === code ? value : NOTHING;
  const item: EvidenceCall = {
    t: 'call',
    n,
    tool,
    input,
    target,
    status,
    code,
    attempt,
    output,
    output_bytes,
    digest,
    why,
  };
  return changed(evidence, subtask, (of) => ({ ...of, items: [...of.items, item] }));
}

const NOTHING = { output: '', output_bytes: 0, digest: null, why: null } as const;

function heard(evidence: Evidence, { kind, body }: Message): Evidence {
  switch (kind) {
    case 'DispatchManifest':
      return {
        ...evidence,
        plan: body.subtasks.map(({ id }) => id),
        round: PersistentMap.from(
          body.subtasks.map((subtask) => [subtask.id, begun(subtask, evidence)] as const),
        ),
      };
    case 'SubTask': {
      const prior = evidence.plan.flatMap((id) => {
        const other = evidence.round.get(id);
        return other !== undefined && isBefore(evidence, other, body.subtask) ? [readPrior(other)] : [];
      });
      return changed(evidence, body.subtask, (of) => ({ ...of, prior, allowed: body.calls }));
    }
    case 'ExecutionResult': {
      const { subtask, output, rests_on } = body;
      return changed(evidence, subtask, (of) => ({
        ...of,
        items: [...of.items, { t: 'claim', output, rests_on }],
      }));
    }
    case 'CorrectionSignal': {
      const { subtask, what_was_wrong, what_to_do, calls } = body;
      return changed(evidence, subtask, (of) => ({
        ...of,
        items: [...of.items, { t: 'correction', what_was_wrong, what_to_do, calls }],
      }));
    }
    default:
      return evidence;
  }
}

function begun(subtask: SubTask, { must_not }: Evidence): SubTaskEvidence {
  const { tools, targets } = must_not;
  return { subtask, must_not: { tools, targets }, prior: [], allowed: 0, items: [], turned_away: [] };
}

function isBefore({ round }: Evidence, { subtask }: SubTaskEvidence, id: string): boolean {
  return subtask.sequence < (round.get(id)?.subtask.sequence ?? 0);
}

/** A group is over before the next begins: the last claim of each of its sub-tasks matched. */
function readPrior({ subtask, items }: SubTaskEvidence): SubTaskEvidence['prior'][number] {
  const claim = items.findLast((item) => item.t === 'claim');
  return { intent: subtask.intent, output: claim?.t === 'claim' ? claim.output : '' };
}

function changed(evidence: Evidence, id: string, change: (of: SubTaskEvidence) => SubTaskEvidence): Evidence {
  const before = evidence.round.get(id);
  return before === undefined ? evidence : { ...evidence, round: evidence.round.set(id, change(before)) };
}

/** This machine made the request, so its body is of its kind. */
function readBodyAs<K extends keyof Bodies>(request: Request, _kind: K): Bodies[K] {
  return request.body as unknown as Bodies[K];
}
