/**
 * Two ledgers side by side number their records, and so their request ids, differently as soon as one has a
 * rejected answer more; another run id changes every node id. Here such names become labels.
 */
import {
  isObject,
  type ArtifactPayload,
  type ClosePayload,
  type DecisionPayload,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type RecordedProposal,
} from '@assay/kernel';

/** One decision with the answers that led to it and the results that follow it. */
export type DecisionStep = {
  /** Positions of the proposals: rejected ones first, the accepted one last; none for the first decision. */
  readonly proposals: readonly number[];
  /** Position of the decision, or null if the ledger ends before it. */
  readonly decision: number | null;
  /** Positions of the decision, its artifacts and its close. */
  readonly results: readonly number[];
};

/** A ledger cut into decisions. */
export function listSteps(records: readonly EvidenceRecord[]): readonly DecisionStep[] {
  const steps: { proposals: number[]; decision: number | null; results: number[] }[] = [];
  let next: { proposals: number[]; decision: number | null; results: number[] } = {
    proposals: [],
    decision: null,
    results: [],
  };
  for (const [position, { kind }] of records.entries()) {
    if (kind === 'proposal') next.proposals.push(position);
    if (kind === 'decision') {
      next.decision = position;
      next.results.push(position);
      steps.push(next);
      next = { proposals: [], decision: null, results: [] };
    }
    if (kind === 'artifact' || kind === 'close') steps.at(-1)?.results.push(position);
  }
  return next.proposals.length === 0 ? steps : [...steps, next];
}

/**
 * What a ledger's own names stand for, so that two ledgers can be compared: request ids by decision and
 * index, node ids by decision and place, record and artifact hashes by the step they belong to, the run's id.
 */
export function collectLabels(
  records: readonly EvidenceRecord[],
  steps: readonly DecisionStep[],
): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const genesis = records[0]?.payload as Genesis | undefined;
  if (records[0] !== undefined) labels.set(records[0].record_hash, 'genesis');
  if (genesis !== undefined) labels.set(genesis.run_id, 'run');
  for (const id of Object.keys(genesis?.base?.snapshot?.open ?? {})) labels.set(id, `carried request ${id}`);
  for (const [number, { proposals, results }] of steps.entries()) {
    for (const [index, position] of [...proposals, ...results].entries()) {
      const record = records[position];
      if (record === undefined) continue;
      labels.set(record.record_hash, `record ${index} of decision ${number}`);
      if (record.payload !== undefined) labelPayload(record, number, labels);
    }
  }
  return labels;
}

function labelPayload(
  { kind, payload }: EvidenceRecord,
  decision: number,
  labels: Map<string, string>,
): void {
  if (kind === 'artifact') {
    const { name, artifact_hash } = payload as unknown as ArtifactPayload;
    labels.set(artifact_hash, `artifact ${name} of decision ${decision}`);
  }
  if (kind !== 'decision') return;
  const { requests, graph } = payload as unknown as DecisionPayload;
  for (const [index, { id }] of requests.entries())
    labels.set(id, `request ${index} of decision ${decision}`);
  for (const [index, { id }] of (graph?.nodes ?? []).entries())
    labels.set(id, `node ${index} of decision ${decision}`);
}

/** What of a proposal a machine sees: its provenance, and hashes that follow from the rest, are left out. */
export function seenProposal(payload: Json | undefined, labels: ReadonlyMap<string, string>): Json {
  if (!isObject(payload)) return null;
  const { request_id, source, proposer, confidence, value, failure, at_us, spent, cites } =
    payload as unknown as RecordedProposal;
  return {
    request_id: labels.get(request_id) ?? request_id,
    source,
    proposer,
    confidence,
    value,
    failure,
    at_us,
    spent,
    cites,
  };
}

/**
 * What of a derived record is the machine's own: without hashes and ids, which follow from run id and place.
 */
export function ownContent({ kind, payload }: EvidenceRecord, labels: ReadonlyMap<string, string>): Json {
  if (payload === undefined) return null;
  const labelled = (id: string): string => labels.get(id) ?? id;
  switch (kind) {
    case 'decision': {
      const { events, requests, withdrawn, graph } = payload as unknown as DecisionPayload;
      const asks = requests.map(({ body, accepts, attempts, ...ask }) => ({
        kind: ask.kind,
        body,
        accepts,
        attempts,
      }));
      const nodes = (graph?.nodes ?? []).map((node) => ({ kind: node.kind, payload: node.payload }));
      const edges = (graph?.edges ?? []).map((edge) => ({
        kind: edge.kind,
        from: labelled(edge.from_id),
        to: labelled(edge.to_id),
      }));
      return { events, requests: asks, withdrawn: withdrawn.map(labelled), nodes, edges };
    }
    case 'artifact': {
      const { name, content } = payload as unknown as ArtifactPayload;
      return { name, content };
    }
    case 'close': {
      const { status, reasons } = payload as unknown as ClosePayload;
      return { status, reasons };
    }
    default:
      return payload;
  }
}
