/**
 * Reading what came from outside: admitted whole, then by its closed shape.
 * Source: machine interface, "Order of checks"; ledger format, "Payloads".
 */
import { admit, type Admitted } from '../canonical/admit.js';
import { composeObject, composeToken, type Part } from '../canonical/compose.js';
import { encodeJson } from '../canonical/encode.js';
import { OUTSIDE_LIMITS } from '../canonical/limits.js';
import { hashText, type Sha256 } from '../hash/sha256.js';
import { define, isObject, type Json, type JsonObject } from '../json.js';
import { PROPOSAL, type Proposal } from '../ledger/payloads.js';
import { parseShape } from '../ledger/shape.js';
import { isIntegral, locateTokenFault } from '../ledger/values.js';
import { err, ok, type Result } from '../result.js';
import type { Refused, SeenProposal } from './types.js';

/** A proposal fit to be recorded: typed, and as the admitted payload of its record. */
export type ReadProposal = { readonly proposal: Proposal; readonly payload: Admitted };

/** Reads a proposal. Errors: `inadmissible` (admission and token codes as reason), then `proposal_shape`. */
export function readProposal(given: unknown, sha256: Sha256): Result<Refused, ReadProposal> {
  const admitted = admit(given, OUTSIDE_LIMITS);
  if (admitted._tag === 'Left')
    return err({ code: 'inadmissible', path: admitted.left.path, reason: admitted.left.code });
  const token = locateTokenFault(admitted.right.value, admitted.right.text);
  if (token !== null) return err({ code: 'inadmissible', path: token.path, reason: token.code });
  const shaped = parseShape<Proposal>(PROPOSAL, admitted.right.value);
  if (shaped._tag === 'Left') return err(misshapen(shaped.left.path));
  const proposal = shaped.right;
  if (proposal.failure !== null && !isIntegral(proposal.failure.detail))
    return err(misshapen('/failure/detail'));
  return ok({ proposal, payload: withHash(proposal, admitted.right, sha256) });
}

/** A proposal as machines see it. */
export function seen(proposal: Proposal): SeenProposal {
  const { provenance: _, ...rest } = proposal;
  return Object.freeze(rest);
}

/** The Left of a proposal whose shape is wrong at a path. */
export function misshapen(path: string): Refused {
  return { code: 'proposal_shape', path, reason: null };
}

/** A recorded proposal as it was given: without the hash the kernel added. */
export function withoutHash(payload: Json): Json {
  if (!isObject(payload)) return payload;
  const given: { [key: string]: Json } = {};
  for (const key of Object.keys(payload))
    if (key !== 'proposal_hash') define(given, key, payload[key] ?? null);
  return given;
}

/**
 * The payload of the proposal's record. Keys of a proposal in canonical order are known, so its text is
 * cut where `proposal_hash` belongs and where the value stands instead of being written again.
 */
function withHash(proposal: Proposal, admitted: Admitted, sha256: Sha256): Admitted {
  const { at_us, cites, confidence, failure, proposer, provenance, request_id, source, spent } = proposal;
  const before = encodeJson({ at_us, cites, confidence, failure }).slice(0, -1);
  const between = encodeJson({ proposer, provenance, request_id, source, spent }).slice(1, -1);
  const valueText = admitted.text.slice(before.length + 1 + between.length + ',"value":'.length, -1);
  const proposal_hash = hashText(
    `{"confidence":${encodeJson(confidence)},"source":"${source}","value":${valueText}}`,
    sha256,
  );
  const member = `"proposal_hash":"${proposal_hash}"`;
  return {
    value: Object.freeze({ ...(proposal satisfies JsonObject), proposal_hash }),
    text: `${before},${member},${between},"value":${valueText}}`,
    bytes: admitted.bytes + member.length + 1,
    depth: admitted.depth,
    structure: admitted.structure + 1,
  };
}

/** The payload of a rejection's record. */
export function rejectionPayload(code: string, detail: Admitted): Admitted {
  const parts: readonly Part[] = [
    ['code', composeToken(code)],
    ['detail', detail],
  ];
  return composeObject(parts);
}
