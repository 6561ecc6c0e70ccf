/**
 * A recorded run under changes: a fork of it that is given the recorded answers again. Nothing is performed,
 * and nobody is asked. Source: ledger format, "Base".
 *
 * @module
 */
import {
  err,
  field,
  hashCanonical,
  isObject,
  ok,
  orThrow,
  type DerivedRecord,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type JsonObject,
  type Proposal,
  type Rejection,
  type Request,
  type Result,
  type Status,
} from '@assay/kernel';
import type { Forkable, OpenFork } from '@assay/kernel/fork';
import { nativeSha256 } from '@assay/host';

/** Who answers where an answer was taken out. */
const LEFT_OUT = 'fixture:what-if';

/** What is changed. `isLeftOut`: answers that are taken out; in their place the proposer is unavailable. */
export type WhatIfChanges = {
  readonly policy: Json;
  readonly input: Json;
  readonly runId: string;
  readonly isLeftOut: (answered: Answered) => boolean;
};

/**
 * The fork. `unknown`: what it asks and nobody answered. `assumed`: positions of recorded answers that went to
 * a request which differs in a changed field of the input. `left_out`, `left_over`: positions of those taken
 * out, and of those that the fork did not ask for.
 */
export type Refed = {
  readonly records: readonly EvidenceRecord[];
  readonly outcome: Status | null;
  readonly unknown: readonly Request[];
  readonly assumed: readonly number[];
  readonly left_out: readonly number[];
  readonly left_over: readonly number[];
};

/** A run that was derived again. `end`: how many of its records make whole groups. */
export type DerivedParent = {
  readonly genesis: Genesis;
  readonly records: readonly DerivedRecord[];
  readonly end: number;
};

/**
 * Forks a run. An answer goes to the lowest open request of the same kind and body, fields of a changed input
 * aside. The base ends before the first answer that is not given unchanged: what follows is the fork's own.
 * Errors: those of `forkRun`; `inadmissible` and `proposal_shape` {path, record} for an answer that the fork
 * cannot record.
 */
export function refeed(
  fork: Forkable,
  parent: DerivedParent,
  { policy, input, runId, isLeftOut }: WhatIfChanges,
): Result<Rejection, Refed> {
  const { run_id, ts_base, machine } = parent.genesis;
  const asks = askingWithout(changedFields(parent.genesis.input, input));
  const answers = answersIn(parent.records);
  const isExact = (one: Answered): boolean =>
    asks.exactly(one.request) === asks.question(one.request) && !isLeftOut(one);
  const count = Math.min(answers.find((one) => !isExact(one))?.index ?? parent.end, parent.end);
  const last = parent.records[count - 1];
  if (last === undefined) return err({ code: 'base_mismatch', detail: { run_id, count } });
  const base = { run_id, count, hash: last.record_hash, snapshot: null };
  const opened = fork(
    { run_id: runId, ts_base, policy, input, base, engine: machine.engine },
    parent.records,
  );
  if (opened._tag === 'Left') return opened;
  let step: OpenFork = opened.right;
  const records = [...step.records];
  const found = { assumed: [] as number[], left_out: [] as number[], left_over: [...step.leftOver] };
  for (const one of answers.filter(({ index }) => index >= count)) {
    const { index, answer, request } = one;
    const target =
      step.outcome === null
        ? step.open.find((open) => asks.question(open) === asks.question(request))
        : undefined;
    if (target === undefined) {
      found.left_over.push(index);
      continue;
    }
    const isOut = isLeftOut(one);
    const isAssumed = !isOut && asks.exactly(target) !== asks.exactly(request);
    if (isOut) found.left_out.push(index);
    if (isAssumed) found.assumed.push(index);
    const given = isOut ? unavailable(answer) : isAssumed ? asRecorded(answer, target) : answer;
    const told = step.tell({ ...given, request_id: target.id });
    if (told._tag === 'Left')
      return err({ code: told.left.code, detail: { path: told.left.path, record: index } });
    step = told.right;
    records.push(...step.records);
  }
  const { outcome } = step;
  return ok({ records, outcome, unknown: outcome === null ? step.open : [], ...found });
}

/** What a request asks: `question` leaves the changed fields of the input aside. */
type Asking = { readonly [way in 'exactly' | 'question']: (request: Request) => string };

function askingWithout(changed: ReadonlySet<string>): Asking {
  const asking = (left: (body: Json) => Json): ((request: Request) => string) => {
    const known = new WeakMap<Request, string>();
    return (request) => {
      const text = known.get(request) ?? hashOf([request.kind, left(request.body)]);
      known.set(request, text);
      return text;
    };
  };
  return {
    exactly: asking((body) => body),
    question: asking((body) => (isObject(body) ? without(body, changed) : body)),
  };
}

function hashOf(value: Json): string {
  return orThrow(hashCanonical(value, nativeSha256));
}

function without(body: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.has(key)));
}

function changedFields(was: Json, is: Json): ReadonlySet<string> {
  const [before, after] = [was, is].map((value) => new Map(isObject(value) ? Object.entries(value) : []));
  const keys = [...(before?.keys() ?? []), ...(after?.keys() ?? [])];
  return new Set(
    keys.filter((key) => hashOf([before?.get(key) ?? null]) !== hashOf([after?.get(key) ?? null])),
  );
}

/** An answer to a request that was taken up: `index` is its record's position. */
export type Answered = { readonly index: number; readonly answer: Proposal; readonly request: Request };

/** The answers to open requests, in order. */
export function answersIn(records: readonly DerivedRecord[]): readonly Answered[] {
  const asked = new Map<string, Request>();
  return records.flatMap((record, index): readonly Answered[] => {
    if (record.kind === 'decision')
      for (const request of record.payload.requests) asked.set(request.id, request);
    if (record.kind !== 'proposal') return [];
    const { proposal_hash: _, ...answer } = record.payload;
    const request = asked.get(answer.request_id);
    const next = records[index + 1];
    const isLate = next?.kind === 'rejection' && next.payload.code === 'not_open';
    return request === undefined || isLate ? [] : [{ index, answer, request }];
  });
}

/** What `--without` may call an answer by: who gave it, its slot, what kind of request it was. */
export function namesOf({ answer, request: { kind, body } }: Answered): readonly string[] {
  const slot = isObject(body) ? field(body, 'slot') : null;
  return [answer.proposer, ...(typeof slot === 'string' ? [slot] : []), kind];
}

/** What a live model said is not said live to another request. */
function asRecorded(answer: Proposal, { accepts }: Request): Proposal {
  return answer.source === 'live_model' && accepts.includes('recorded_model')
    ? { ...answer, source: 'recorded_model' }
    : answer;
}

/** Nobody answers, for good, at the moment of the answer that is taken out. */
function unavailable({ request_id, at_us }: Proposal): Proposal {
  return {
    request_id,
    source: 'synthetic',
    proposer: LEFT_OUT,
    confidence: null,
    value: null,
    failure: { code: 'unavailable', final: true, detail: { code: 'left_out' } },
    at_us,
    spent: {},
    cites: [],
    provenance: {},
  };
}
