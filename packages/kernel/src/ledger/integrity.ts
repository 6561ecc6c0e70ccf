/**
 * The rules that look at one payload alone: its shape, its numbers, its tokens, the hash it carries.
 * Source: ledger format, "Payloads", "Numbers and keys", "Tokens".
 */
import { encodeJson, encodeScalar } from '../canonical/encode.js';
import { utf8Length, withUtf8Before } from '../text.js';
import type { Sha256 } from '../hash/sha256.js';
import type { Json } from '../json.js';
import { finding, type Finding } from './faults.js';
import { isReservedCode, type RecordKind } from './names.js';
import {
  PAYLOADS,
  type ArtifactPayload,
  type ClosePayload,
  type DecisionPayload,
  type Genesis,
  type RecordedProposal,
  type RejectionPayload,
} from './payloads.js';
import { isIntegral, locateTokenFault } from './values.js';

/** A payload whose shape was found sound, with its kind. */
export type TypedPayload =
  | { readonly kind: 'genesis'; readonly payload: Genesis }
  | { readonly kind: 'proposal'; readonly payload: RecordedProposal }
  | { readonly kind: 'decision'; readonly payload: DecisionPayload }
  | { readonly kind: 'rejection'; readonly payload: RejectionPayload }
  | { readonly kind: 'artifact'; readonly payload: ArtifactPayload }
  | { readonly kind: 'close'; readonly payload: ClosePayload };

/**
 * payload_shape, number and token of one payload, in this order. `isFirst`: the first decision of a
 * ledger, which carries a state hash. `bytes`: its canonical text where it is at hand, which says at once that
 * most payloads hold no token. Linear in the payload.
 */
export function judgePayload(
  kind: RecordKind,
  payload: Json,
  isFirst: boolean,
  bytes: Uint8Array | null = null,
): Finding | null {
  const typed = { kind, payload } as unknown as TypedPayload;
  const path = PAYLOADS[kind](payload) ?? formFault(typed, isFirst);
  if (path !== null) return finding('payload_shape', { path: `/payload${path}` });
  return judgeNumbers(typed) ?? (bytes?.includes(DOLLAR) === false ? null : judgeTokens(payload));
}

/** Where a payload breaks what a shape cannot say alone. */
function formFault(typed: TypedPayload, isFirst: boolean): string | null {
  switch (typed.kind) {
    case 'genesis':
      return typed.payload.base?.run_id === typed.payload.run_id ? '/base/run_id' : null;
    case 'decision': {
      const { graph, state_hash } = typed.payload;
      if (graph !== null && graph.nodes.length + graph.edges.length === 0) return '/graph';
      return isFirst && state_hash === null ? '/state_hash' : null;
    }
    case 'rejection':
      return typed.payload.detail !== null && isReservedCode(typed.payload.code) ? '/detail' : null;
    default:
      return null;
  }
}

/**
 * Typed numbers have passed as integers, so whole payloads are walked but for policy, input and a proposal's
 * own value.
 */
function judgeNumbers(typed: TypedPayload): Finding | null {
  switch (typed.kind) {
    case 'genesis':
      return isIntegral(typed.payload.base) ? null : finding('number', { path: '/payload/base' });
    case 'proposal':
      return isIntegral(typed.payload.failure)
        ? null
        : finding('number', { path: '/payload/failure/detail' });
    default:
      return isIntegral(typed.payload) ? null : finding('number', { path: '/payload' });
  }
}

/** The key of a token begins with it. */
const DOLLAR = 0x24;

function judgeTokens(payload: Json): Finding | null {
  const fault = locateTokenFault(payload);
  return fault === null ? null : finding('token', { path: `/payload${fault.path}`, got: fault.code });
}

/**
 * proposal_hash = H({source, confidence, value}). `payload`: the proposal payload's canonical bytes, at whose
 * end the value stands, so that it need not be encoded again. Source: 001 §2.4; ledger format, "Payloads".
 */
export function judgeProposalHash(
  proposal: RecordedProposal,
  payload: Uint8Array,
  sha256: Sha256,
): Finding | null {
  const { source, confidence, proposal_hash, proposer, request_id } = proposal;
  const { at_us, cites, failure, provenance, spent } = proposal;
  const free = utf8Length([at_us, cites, confidence, failure, provenance, spent].map(encodeJson).join(''));
  const before =
    BEFORE_VALUE + free + proposal_hash.length + proposer.length + request_id.length + source.length;
  const expected = withUtf8Before(
    `{"confidence":${encodeScalar(confidence)},"source":"${source}","value":`,
    payload.subarray(before),
    sha256,
  );
  return expected === proposal_hash
    ? null
    : finding('proposal_hash', { path: '/payload/proposal_hash', expected, got: proposal_hash });
}

/** Everything that stands before a proposal's value, but for the values of the other keys. */
const BEFORE_VALUE = (
  '{"at_us":,"cites":,"confidence":,"failure":,"proposal_hash":"","proposer":"",' +
  '"provenance":,"request_id":"","source":"","spent":,"value":'
).length;

/**
 * artifact_hash = H(content). `payload`: the artifact payload's canonical bytes, in which the content stands
 * at a known place. Source: 001 §2.6.
 */
export function judgeArtifactHash(
  artifact: ArtifactPayload,
  payload: Uint8Array,
  sha256: Sha256,
): Finding | null {
  const after = artifact.name.length + AFTER_CONTENT;
  const expected = sha256(payload.subarray(BEFORE_CONTENT, payload.length - after));
  return expected === artifact.artifact_hash
    ? null
    : finding('artifact_hash', { path: '/payload/artifact_hash', expected, got: artifact.artifact_hash });
}

const BEFORE_CONTENT = '{"artifact_hash":"","content":'.length + 64;
const AFTER_CONTENT = ',"name":""}'.length;
