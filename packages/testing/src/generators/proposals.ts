/** Random proposals: good ones, rejected ones, failing ones, and what is no proposal at all. */
import {
  FAILURE_CODES,
  SOURCES,
  type Failure,
  type Json,
  type Proposal,
  type Request,
  type Source,
} from '@assay/kernel';
import fc from 'fast-check';
import { admittedJson, integralJson } from './json.js';

/** What a proposal carries beside its answer. */
type Attendant = Pick<Proposal, 'proposer' | 'confidence' | 'at_us' | 'spent' | 'cites' | 'provenance'>;

/** Random costs: up to three units, zeros among them. */
function anySpent(): fc.Arbitrary<Proposal['spent']> {
  return fc
    .dictionary(fc.constantFrom('tokens', 'usd_micros', 'ms'), fc.oneof(fc.constant(0), fc.nat(1_000_000)), {
      maxKeys: 3,
    })
    .map((spent) => ({ ...spent }));
}

/** What a proposal carries beside its answer, at random; confidences are fractions. */
function anyAttendant(): fc.Arbitrary<Attendant> {
  return ATTENDANT;
}

// Arbitraries are built once: building them costs more than drawing from them.
const ATTENDANT: fc.Arbitrary<Attendant> = fc.record({
  proposer: fc.constantFrom('fixture:a', 'rules@1', 'model/x:2026-01-01', 'P'),
  confidence: fc.oneof(
    fc.constant(null),
    fc.integer({ min: 0, max: 1_000 }).map((permille) => permille / 1_000),
  ),
  at_us: fc.oneof(fc.constant(null), fc.nat()),
  spent: anySpent(),
  cites: fc.constant([]),
  provenance: fc.oneof(
    fc.constant({}),
    admittedJson({ depthMax: 1 }).map((note) => ({ note })),
  ),
});

/** A proposal with nothing beside its answer: for tests that say what they mean. */
export function plainProposal(
  request_id: string,
  answer: { readonly value: Json } | { readonly failure: Failure },
  more: Partial<Proposal> = {},
): Proposal {
  const said =
    'failure' in answer ? { value: null, failure: answer.failure } : { value: answer.value, failure: null };
  return {
    request_id,
    source: 'synthetic',
    proposer: 'fixture:test',
    confidence: null,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
    ...said,
    ...more,
  };
}

/** A proposal that answers a request with a value, from a source the request accepts. */
export function goodProposal(request: Request, value: Json): fc.Arbitrary<Proposal> {
  return fc
    .tuple(anyAttendant(), fc.constantFrom(...request.accepts))
    .map(([rest, source]) => ({ ...rest, request_id: request.id, source, value, failure: null }));
}

/** Any failure: every code, final or not, with structured detail. */
function anyFailure(): fc.Arbitrary<Failure> {
  return FAILURE;
}

const FAILURE: fc.Arbitrary<Failure> = fc.record({
  code: fc.constantFrom(...FAILURE_CODES),
  final: fc.boolean(),
  detail: fc.oneof(fc.constant(null), integralJson(1)),
});

/** A proposal that says why no value came; any source may. */
export function failingProposal(
  request: Request,
  failure: fc.Arbitrary<Failure> = anyFailure(),
): fc.Arbitrary<Proposal> {
  return fc.tuple(anyAttendant(), fc.constantFrom(...SOURCES), failure).map(([rest, source, failed]) => ({
    ...rest,
    confidence: null,
    request_id: request.id,
    source,
    value: null,
    failure: failed,
  }));
}

/**
 * A proposal with a value from a source the request does not accept, or null if it accepts every source.
 */
export function strangerProposal(request: Request, value: Json): fc.Arbitrary<Proposal> | null {
  const others: readonly Source[] = SOURCES.filter((source) => !request.accepts.includes(source));
  return others.length === 0
    ? null
    : fc
        .tuple(anyAttendant(), fc.constantFrom(...others))
        .map(([rest, source]) => ({ ...rest, request_id: request.id, source, value, failure: null }));
}

/** A proposal to a request that never was: sequence 0 is the genesis, which opens none. */
export function lostProposal(): fc.Arbitrary<Proposal> {
  return LOST;
}

const LOST: fc.Arbitrary<Proposal> = fc
  .tuple(ATTENDANT, admittedJson({ depthMax: 1 }), fc.nat(9))
  .map(([rest, value, index]) => ({
    ...rest,
    request_id: `0.${index}`,
    source: 'synthetic',
    value,
    failure: null,
  }));
