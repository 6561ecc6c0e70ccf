/**
 * A recorded run under changes: a fork of it that is given the recorded answers again. Nothing is performed,
 * and nobody is asked. Source: ledger format, "Base".
 */
import {
  type DerivedRecord,
  err,
  type EvidenceRecord,
  field,
  hashCanonical,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  ok,
  orThrow,
  type Proposal,
  type Rejection,
  type Request,
  type Result,
  type Sha256,
  type Status,
} from '@assay/kernel';
import type { OpenFork } from '@assay/kernel/fork';
import { isEqual } from './change.js';
import type { DerivedParent } from './parent.js';

/** Who answers where an answer was taken out. */
const LEFT_OUT = 'fixture:what-if';

/** How answers are given. `isLeftOut`: answers that are taken out; in their place the proposer is unavailable. */
export type Refeeding = { readonly input: Json; readonly isLeftOut: (answered: Answered) => boolean };

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

/**
 * Opens a run anew and feeds it the first `count` records of its parent.
 * Errors: those of `forkRun` and `openRun`.
 */
export type Reopen = (count: number) => Result<Rejection, OpenFork>;

/**
 * Gives the answers of a run again. An answer goes to the lowest open request of the same kind and body,
 * fields of a changed input, and items of its lists wherever a body quotes them, aside. What is opened is fed
 * up to the first answer that is not given unchanged.
 * Errors: those of `open`; `inadmissible` and `proposal_shape` {path, record} for an answer that cannot be
 * recorded.
 */
export function refeed(
  open: Reopen,
  parent: DerivedParent,
  { input, isLeftOut }: Refeeding,
  sha256: Sha256,
): Result<Rejection, Refed> {
  const changed = changedFields(parent.genesis.input, input);
  const asks = askingWithout(changed, listParts(parent.genesis.input, input, changed), sha256);
  const answers = answersIn(parent.records);
  const isExact = (one: Answered): boolean =>
    (changed.size === 0 || asks.exactly(one.request) === asks.question(one.request)) && !isLeftOut(one);
  const count = Math.min(answers.find((one) => !isExact(one))?.index ?? parent.end, parent.end);
  const opened = open(count);
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

/** An item of a list of the input as it was and as it would be: one question, whichever a body quotes. */
type Part = readonly [was: Json, is: Json];

function listParts(was: Json, is: Json, changed: ReadonlySet<string>): readonly Part[] {
  if (!isObject(was) || !isObject(is)) return [];
  return [...changed].flatMap((key): readonly Part[] => {
    const [before, after] = [was[key], is[key]];
    if (before === undefined || after === undefined || !isArray(before) || !isArray(after)) return [];
    if (before.length !== after.length) return [];
    return before.flatMap((item, at): readonly Part[] => {
      const other = after[at] ?? null;
      return isObject(item) && isObject(other) && !isEqual(item, other) ? [[item, other]] : [];
    });
  });
}

function askingWithout(changed: ReadonlySet<string>, parts: readonly Part[], sha256: Sha256): Asking {
  const hashValue = (value: Json): string => orThrow(hashCanonical(value, sha256));
  const asking = (left: (body: Json) => Json): ((request: Request) => string) => {
    const known = new WeakMap<Request, string>();
    return (request) => {
      const text = known.get(request) ?? hashValue([request.kind, left(request.body)]);
      known.set(request, text);
      return text;
    };
  };
  return {
    exactly: asking((body) => body),
    question: asking((body) => masked(isObject(body) ? without(body, changed) : body, parts)),
  };
}

/** A body in which each changed item of the input stands as it was. */
function masked(value: Json, parts: readonly Part[]): Json {
  if (parts.length === 0) return value;
  if (isArray(value)) return value.map((item) => masked(item, parts));
  if (!isObject(value)) return value;
  const part = parts.find(([, is]) => isEqual(value, is));
  if (part !== undefined) return part[0];
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, parts)]));
}

function without(body: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.has(key)));
}

function changedFields(was: Json, is: Json): ReadonlySet<string> {
  const [before, after] = [was, is].map((value) => new Map(isObject(value) ? Object.entries(value) : []));
  const keys = [...(before?.keys() ?? []), ...(after?.keys() ?? [])];
  return new Set(keys.filter((key) => !isEqual(before?.get(key) ?? null, after?.get(key) ?? null)));
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

/** An answer to a request that was taken up: `index` is its record's position. */
export type Answered = { readonly index: number; readonly answer: Proposal; readonly request: Request };

/** The answers to open requests, in order; those carried over from a base among them. */
export function answersIn(records: readonly DerivedRecord[]): readonly Answered[] {
  const asked = new Map<string, Request>();
  return records.flatMap((record, index): readonly Answered[] => {
    if (record.kind === 'genesis')
      for (const { request } of Object.values(record.payload.base?.snapshot?.open ?? {}))
        asked.set(request.id, request);
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

/** The requests that are open after these records. */
export function openIn(records: readonly DerivedRecord[]): readonly Request[] {
  const open = new Map<string, Request>();
  let answering = '';
  for (const record of records) {
    if (record.kind === 'genesis')
      for (const { request } of Object.values(record.payload.base?.snapshot?.open ?? {}))
        open.set(request.id, request);
    if (record.kind === 'proposal') answering = record.payload.request_id;
    if (record.kind !== 'decision') continue;
    open.delete(answering);
    for (const id of record.payload.withdrawn) open.delete(id);
    for (const request of record.payload.requests) open.set(request.id, request);
  }
  return [...open.values()];
}

/** What an answer may be called by to leave it out: who gave it, its slot, the kind of its request, its source. */
export function listNames({ answer, request: { kind, body } }: Answered): readonly string[] {
  const slot = isObject(body) ? field(body, 'slot') : null;
  return [answer.proposer, ...(typeof slot === 'string' ? [slot] : []), kind, answer.source];
}
