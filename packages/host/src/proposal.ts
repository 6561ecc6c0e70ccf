/**
 * From a port's answer to the proposal that is recorded. Nothing here can fail: what is no answer becomes
 * the failure that says so. Source: machine interface, "After inadmissible or proposal_shape".
 */
import {
  type AdmissionError,
  admit,
  cutText,
  type Failure,
  isObject,
  type Json,
  type JsonObject,
  OUTSIDE_LIMITS,
  type Proposal,
  type Refused,
  type Request,
  type Result,
} from '@assay/kernel';
import type { Port } from './port.js';

/** UTF-16 units kept of a malformed answer's text. Source: machine interface. */
const MALFORMED_TEXT_MAX = 16_384;
/** UTF-16 units kept of the path to its fault. Source: machine interface. */
const MALFORMED_PATH_MAX = 1_024;

/** In whose name an answer is recorded. */
export type Speaker = Pick<Port, 'source' | 'proposer'>;

/** Who speaks where the host itself must answer: no port took the request. */
const HOST = { source: 'rule', proposer: 'host' } as const;

/**
 * The proposal an answer stands for, as it is given to the kernel to judge: own properties are taken over as
 * they are (no getter is called), request, source and proposer are the host's. An answer that throws when it
 * is looked at stands for itself, and no kernel takes it.
 */
export function makeProposal(request: Request, port: Speaker, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const proposal = { ...NOTHING };
  try {
    for (const key of Reflect.ownKeys(answer)) {
      const slot = Reflect.getOwnPropertyDescriptor(answer, key);
      if (slot !== undefined && !(typeof key === 'string' && BOUND.has(key)))
        Reflect.defineProperty(proposal, key, slot);
    }
  } catch {
    return answer;
  }
  return Object.assign(proposal, { request_id: request.id, source: port.source, proposer: port.proposer });
}

/** The answer "nothing acceptable came". */
export function makeFailure(request: Request, port: Speaker, failure: Failure): Proposal {
  return { ...NOTHING, request_id: request.id, source: port.source, proposer: port.proposer, failure };
}

/** The answer to a request for which there is no port, or none that can be asked: `detail` says why. */
export function unanswerable(request: Request, detail: Json): Proposal {
  return makeFailure(request, HOST, { code: 'unavailable', final: true, detail });
}

/**
 * The failure recorded for an answer the kernel would not record, in the order to be tried: with the cost the
 * answer states, then without, since the cost can be what is wrong (its shape, or a sum out of range). The
 * second is admissible by construction.
 */
export function malformed(
  request: Request,
  port: Speaker,
  answer: unknown,
  refused: Refused,
): readonly unknown[] {
  const value = ownValue(answer, 'value');
  const raw = typeof answer === 'string' ? answer : typeof value === 'string' ? value : '';
  const detail: Json = {
    code: refused.code,
    path: cutText(refused.path, MALFORMED_PATH_MAX),
    text: cutText(raw, MALFORMED_TEXT_MAX),
  };
  const at = ownValue(answer, 'at_us');
  const at_us = Number.isSafeInteger(at) && Number(at) >= 0 ? Math.abs(Number(at)) : null;
  const failure = { ...makeFailure(request, port, { code: 'malformed', final: false, detail }), at_us };
  const spent = objectIn(ownValue(answer, 'spent'));
  return spent === null ? [failure] : [{ ...failure, spent }, failure];
}

/** What a proposal holds where its speaker says nothing. */
export const NOTHING: Omit<Proposal, 'request_id' | 'source' | 'proposer'> = {
  confidence: null,
  value: null,
  failure: null,
  at_us: null,
  spent: {},
  cites: [],
  provenance: {},
};
const BOUND: ReadonlySet<string> = new Set(['request_id', 'source', 'proposer']);

/** An own data property; undefined where there is none or looking for it throws. No getter is called. */
export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.getOwnPropertyDescriptor(value, key)?.value;
  } catch {
    return undefined;
  }
}

/**
 * An owned, frozen copy of a value as the kernel admits it. What throws when it is looked at is no plain
 * value.
 */
export function copyValue(value: unknown): Result<AdmissionError, Json> {
  try {
    const admitted = admit(value, OUTSIDE_LIMITS);
    return admitted._tag === 'Left' ? admitted : { _tag: 'Right', right: admitted.right.value };
  } catch {
    return { _tag: 'Left', left: { code: 'not_plain', path: '' } };
  }
}

/** The copy of an object; null for everything else, text and arrays too. */
export function objectIn(value: unknown): JsonObject | null {
  // A text is seen to be none before it is copied, however long it is.
  if (typeof value !== 'object') return null;
  const copy = copyValue(value);
  return copy._tag === 'Right' && isObject(copy.right) ? copy.right : null;
}
