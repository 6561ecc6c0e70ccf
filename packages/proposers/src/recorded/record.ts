/** A recording made from the records of a run: what each slot answered, found again by what it was asked. */
import {
  compareRequestIds,
  err,
  field,
  isArray,
  isObject,
  ok,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type Request,
  type Result,
} from '@assay/kernel';
import { askHash, parseRecording, RECORDING_FORMAT, type RecordingError } from './recording.js';

/** Why nothing can be recorded: no answer that `keep` takes, or one that a recording cannot hold. */
export type RecordError = { readonly code: 'none' } | RecordingError;

/** A recording as a document, and the slots it answers for. */
export type Recorded = { readonly document: JsonObject; readonly slots: readonly string[] };

/**
 * Makes a recording of the answers that closed their requests, those that `keep` takes, in the order of their
 * requests. An answer to one ask that two requests shared is kept once. A failure is final in it, since
 * nobody will be asked again. `slotOf`: who a request asked, the `slot` of its body by default. The records
 * must be of a run whose integrity holds. Errors: {@link RecordError}. Linear.
 */
export function makeRecording(
  records: readonly EvidenceRecord[],
  keep: (proposal: JsonObject, request: Request) => boolean,
  slotOf: (request: Request) => string | null = slotIn,
): Result<RecordError, Recorded> {
  const entries = new Map<string, JsonObject>();
  const slots: string[] = [];
  for (const { request, proposal } of answersIn(records)) {
    if (!keep(proposal, request)) continue;
    const ask = { kind: request.kind, body: request.body };
    const hash = askHash(ask);
    if (hash === null || entries.has(hash)) continue;
    entries.set(hash, { ask_hash: hash, ask, proposal: makeAnswer(proposal) });
    const slot = slotOf(request);
    if (slot !== null) slots.push(slot);
  }
  if (entries.size === 0) return err({ code: 'none' });
  const document = { format: RECORDING_FORMAT, entries: [...entries.values()] };
  const read = parseRecording(document);
  return read._tag === 'Left' ? read : ok({ document, slots: [...new Set(slots)] });
}

function slotIn({ body }: Request): string | null {
  const slot = isObject(body) ? field(body, 'slot') : undefined;
  return typeof slot === 'string' ? slot : null;
}

type Answered = { readonly request: Request; readonly proposal: JsonObject };

/** Each answer that a decision follows, with what it answers. */
function answersIn(records: readonly EvidenceRecord[]): readonly Answered[] {
  const open = new Map<string, Request>();
  const found: Answered[] = [];
  let proposal: JsonObject | null = null;
  for (const { kind, payload } of records) {
    if (payload === undefined || !isObject(payload)) continue;
    if (kind === 'decision') {
      const id = proposal === null ? undefined : field(proposal, 'request_id');
      const request = typeof id === 'string' ? open.get(id) : undefined;
      if (proposal !== null && request !== undefined) found.push({ request, proposal });
      const opened = field(payload, 'requests');
      for (const each of isArray(opened) ? (opened as unknown as readonly Request[]) : [])
        open.set(each.id, each);
    }
    proposal = kind === 'proposal' ? payload : null;
  }
  return found.toSorted((one, other) => compareRequestIds(one.request.id, other.request.id));
}

function makeAnswer({ source, proposer, confidence, value, failure, provenance }: JsonObject): JsonObject {
  const failed: Json = failure !== undefined && isObject(failure) ? { ...failure, final: true } : null;
  return {
    source: source ?? null,
    proposer: proposer ?? null,
    confidence: confidence ?? null,
    value: value ?? null,
    failure: failed,
    provenance: provenance ?? {},
  };
}
