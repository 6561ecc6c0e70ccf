/** The contract's engine: a synchronous run, and its replay. Source: 001 §2.4, §2.6, §2.7. */
import type { Graph } from '../graph/graph.js';
import type { Digest } from '../hash/sha256.js';
import type { Json, JsonObject } from '../json.js';
import type { Source } from '../ledger/names.js';
import type { Failure, Proposal, Request } from '../ledger/payloads.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { advance } from '../machine/advance.js';
import { openRun } from '../machine/open-run.js';
import { openRequests, type KernelOptions, type Step } from '../machine/run.js';
import type { Rejection } from '../machine/types.js';
import { isObject, field } from '../json.js';
import type { FollowOptions, Follower } from '../replay/follower.js';
import { summaryHash } from '../replay/follower.js';
import type { Failed } from '../replay/failed.js';
import { replayable, replayWith, type Replayable } from '../replay/replay.js';
import { InvariantError, ok, type Result } from '../result.js';
import { completePolicy } from './policy.js';
import { intent, type InterpretationsBody } from './machine.js';
import type { Interpretation } from './interpretation.js';
import type { IntentEvent, IntentState } from './state.js';

/**
 * What a synchronous proposer returns: a value with its evidence, or a failure. Missing fields mean nothing
 * was given.
 */
export type Proposed = {
  readonly source: Source;
  readonly value: Json;
  readonly confidence?: number | null;
  readonly failure?: Failure | null;
  readonly provenance?: JsonObject;
};

/**
 * A synchronous proposer of readings. The contract's two arguments, and the whole body of the request after
 * them. Source: 001 §2.4.
 */
export type InterpretationProposer = {
  /** The name under which its proposals are recorded. */
  readonly proposer: string;
  readonly proposeInterpretations: (seed_hash: string, n: number, body: InterpretationsBody) => Proposed;
};

/** What a run of the engine gives. Source: 001 §2.6. */
export type RunResult = {
  readonly records: readonly EvidenceRecord[];
  readonly dag: Graph;
  readonly artifacts: { readonly [name: string]: Json };
  readonly summary_hash: Digest;
};

/**
 * Runs the engine to its end with one synchronous proposer, which answers every slot of the policy; fields that
 * the policy leaves out are filled in, so genesis records it whole. Errors:
 * those of opening a run; nothing is recorded then. What a proposer returns that cannot be recorded is
 * recorded as the failure `malformed`; what it throws is thrown. Source: 001 §2.6.
 *
 * @example
 * ```ts
 * runEngine('run-1', 'Uploads must finish within 2 s.', null, defaultPolicy, proposer, '2026-01-01T00:00:00Z');
 * ```
 */
export function runEngine(
  run_id: string,
  seed_text: string,
  pin: Json,
  policy: Json,
  proposer: InterpretationProposer,
  ts_base: string,
  options?: KernelOptions,
): Result<Rejection, RunResult> {
  const genesis = { run_id, ts_base, policy: completePolicy(policy), input: { seed_text, pin } };
  const opened = openRun(intent, genesis, options);
  if (opened._tag === 'Left') return opened;
  let step: IntentStep = opened.right;
  const records = [...step.records];
  while (step.run.outcome === null) {
    const [request] = openRequests(step.run);
    if (request === undefined) throw new InvariantError('runEngine', 'an open run waits for nothing');
    step = answer(step, request, proposer);
    records.push(...step.records);
  }
  return ok({
    records,
    dag: step.run.graph,
    artifacts: readArtifacts(records),
    summary_hash: summaryHash(step.run),
  });
}

/** The machine as one of a list: what verifiers and hosts are given. */
export const intentReplayable: Replayable = replayable(intent);

/**
 * Replays a ledger of this machine: chain validated, every decision derived again. Errors: those of
 * `replayWith`. Source: 001 §2.7.
 */
export function replay(records: Iterable<EvidenceRecord>, options?: FollowOptions): Result<Failed, Follower> {
  return replayWith([intentReplayable], records, options);
}

type IntentStep = Step<IntentState, readonly Interpretation[], IntentEvent, InterpretationsBody>;

function answer(
  step: IntentStep,
  request: Request<InterpretationsBody>,
  proposer: InterpretationProposer,
): IntentStep {
  const { seed_hash, n } = request.body;
  const proposed = proposer.proposeInterpretations(seed_hash, n, request.body);
  const failure = proposed.failure ?? null;
  const given: Proposal = {
    request_id: request.id,
    source: proposed.source,
    proposer: proposer.proposer,
    confidence: failure === null ? (proposed.confidence ?? null) : null,
    value: failure === null ? proposed.value : null,
    failure,
    at_us: null,
    spent: {},
    cites: [],
    provenance: proposed.provenance ?? {},
  };
  const next = advance(step.run, given);
  if (next._tag === 'Right') return next.right;
  const { code, path } = next.left;
  const malformed: Failure = {
    code: 'malformed',
    final: false,
    detail: { code, path: path.slice(0, PATH_UNITS_MAX).toWellFormed(), text: '' },
  };
  const again = advance(step.run, {
    ...given,
    confidence: null,
    value: null,
    failure: malformed,
    provenance: {},
  });
  if (again._tag === 'Right') return again.right;
  throw new InvariantError(
    'runEngine/proposer',
    `${again.left.code} at "${again.left.path}": its name or source cannot be recorded`,
  );
}

const PATH_UNITS_MAX = 1_024;

function readArtifacts(records: readonly EvidenceRecord[]): { readonly [name: string]: Json } {
  const found = new Map<string, Json>();
  for (const { kind, payload } of records) {
    if (kind !== 'artifact' || !isObject(payload)) continue;
    const name = field(payload, 'name');
    if (typeof name === 'string') found.set(name, field(payload, 'content') ?? null);
  }
  return Object.fromEntries(found);
}
