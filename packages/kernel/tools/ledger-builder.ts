/**
 * Sound ledgers without a machine: every rule of integrity kept, no decision derived. For tests of
 * integrity, forgeries and benches.
 *
 * @module
 */
import {
  compareRequestIds,
  edgeId,
  encodeLine,
  hashCanonical,
  logicalTime,
  nobleSha256,
  nodeId,
  orThrow,
  recordHash,
  rootHash,
  utf8Bytes,
  type Digest,
  type EdgeKind,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type NodeKind,
  type Sha256,
} from '@assay/kernel';

/** H of a value; throws on what is not admitted. */
export function hashOf(value: Json, sha256: Sha256 = nobleSha256): Digest {
  return orThrow(hashCanonical(value, sha256));
}

/** The bytes of a ledger file. */
export function fileOf(records: readonly EvidenceRecord[]): Uint8Array {
  return utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
}

/** Any record, sound or not: what a forger writes. */
export type Draft = {
  readonly v?: number;
  readonly ts: string;
  readonly kind: string;
  readonly payload?: Json;
  readonly payload_hash?: Digest;
};

/**
 * Chains drafts: payload hashes (kept where the payload is erased), parents and record hashes computed, ts as
 * given.
 */
export function chain(drafts: readonly Draft[], sha256: Sha256 = nobleSha256): EvidenceRecord[] {
  const records: EvidenceRecord[] = [];
  let parent: Digest | null = null;
  for (const { ts, kind, payload, payload_hash } of drafts) {
    const hash: Digest =
      payload === undefined ? (payload_hash ?? hashOf(null, sha256)) : hashOf(payload, sha256);
    const record_hash = recordHash({ ts, kind, parent }, hash, sha256);
    const envelope = { v: 1 as const, ts, kind, parent, payload_hash: hash, record_hash };
    records.push(payload === undefined ? envelope : { ...envelope, payload });
    parent = record_hash;
  }
  return records;
}

/**
 * The same ledger with some payloads changed (undefined leaves it as it is) and everything re-chained: a
 * careful forger's work.
 */
export function reforge(
  records: readonly EvidenceRecord[],
  change: (payload: JsonObject, index: number, kind: string) => Json | undefined,
): EvidenceRecord[] {
  return chain(
    records.map((record, index) => ({
      ...record,
      ...(record.payload === undefined
        ? {}
        : { payload: change(record.payload as JsonObject, index, record.kind) ?? record.payload }),
    })),
  );
}

/** The same ledger with the payloads at some positions removed. */
export function erase(records: readonly EvidenceRecord[], positions: readonly number[]): EvidenceRecord[] {
  return records.map((record, index) => {
    if (!positions.includes(index)) return record;
    const { payload: _, ...rest } = record;
    return rest;
  });
}

/** What a decision adds, in local terms: nodes by kind and payload, edges by node ids. */
export type GraphDraft = {
  readonly nodes: readonly { readonly kind: NodeKind; readonly payload: Json }[];
  readonly edges: readonly { readonly kind: EdgeKind; readonly from_id: Digest; readonly to_id: Digest }[];
};

/** A decision in local terms. */
export type DecisionDraft = {
  readonly events?: readonly Json[];
  readonly asks?: readonly Json[];
  readonly withdrawn?: readonly string[];
  readonly graph?: GraphDraft | null;
  readonly state_hash?: Digest | null;
};

const STATE_HASH = hashOf('state');

/** Writes one sound ledger. */
export class LedgerBuilder {
  readonly drafts: Draft[] = [];
  readonly open: Set<string> = new Set();
  readonly artifacts: Map<string, Digest> = new Map();
  readonly nodes: Set<Digest> = new Set();
  readonly edges: Set<Digest> = new Set();
  readonly runId: string;
  private readonly tsBase: string;
  private readonly first: number;
  private readonly sha256: Sha256;
  private answering: string | null = null;

  constructor(
    genesis: Partial<{
      readonly run_id: string;
      readonly ts_base: string;
      readonly policy: Json;
      readonly input: Json;
      readonly base: Json;
      readonly first: number;
    }> = {},
    sha256: Sha256 = nobleSha256,
  ) {
    const { run_id = 'run-1', ts_base = 't', policy = {}, input = 'hello', base = null, first = 0 } = genesis;
    this.runId = run_id;
    this.tsBase = ts_base;
    this.first = first;
    this.sha256 = sha256;
    this.push('genesis', {
      format: 'assay/0',
      run_id,
      machine: { name: 'none', version: 1, engine: null },
      ts_base,
      policy,
      input,
      base,
    });
  }

  /** Sequence of the next record. */
  get sequence(): number {
    return this.first + this.drafts.length;
  }

  /** The records so far, chained. */
  records(): EvidenceRecord[] {
    return chain(this.drafts, this.sha256);
  }

  /** Any record, as it is. */
  push(kind: string, payload: Json): this {
    this.drafts.push({ ts: logicalTime(this.tsBase, this.sequence), kind, payload });
    return this;
  }

  propose(request_id: string, value: Json, more: Readonly<Record<string, Json>> = {}): this {
    this.answering = request_id;
    const { source = 'rule', confidence = null } = more;
    const proposal_hash = hashOf({ source, confidence, value }, this.sha256);
    return this.push('proposal', {
      request_id,
      source,
      proposer: 'p',
      confidence,
      value,
      failure: null,
      at_us: null,
      spent: {},
      cites: [],
      provenance: {},
      proposal_hash,
      ...more,
    });
  }

  reject(code: string, detail: Json = null): this {
    return this.push('rejection', { code, detail });
  }

  decide({ events = [], asks = [], withdrawn = [], graph = null, state_hash }: DecisionDraft = {}): this {
    const sequence = this.sequence;
    if (this.answering !== null) this.open.delete(this.answering);
    this.answering = null;
    for (const id of withdrawn) this.open.delete(id);
    const requests = asks.map((body, index) => ({
      id: `${sequence}.${index}`,
      kind: 'ask',
      body,
      accepts: ['rule', 'human'],
      attempts: 2,
    }));
    for (const { id } of requests) this.open.add(id);
    const isFirst = this.drafts.length === 1;
    return this.push('decision', {
      events,
      requests,
      withdrawn,
      graph: graph === null ? null : this.addition(graph),
      state_hash: state_hash ?? (isFirst ? STATE_HASH : null),
    });
  }

  artifact(name: string, content: Json): this {
    const artifact_hash = hashOf(content, this.sha256);
    this.artifacts.set(name, artifact_hash);
    return this.push('artifact', { name, content, artifact_hash });
  }

  close(status: 'success' | 'refused' = 'success', more: Readonly<Record<string, Json>> = {}): this {
    return this.push('close', {
      status,
      reasons: status === 'success' ? [] : ['no_reason'],
      dag_root_hash: rootHash([...this.nodes].sort(), [...this.edges].sort(), this.sha256),
      artifact_hashes: Object.fromEntries(this.artifacts),
      record_count: this.sequence + 1,
      state_hash: STATE_HASH,
      open_requests: [...this.open].sort(compareRequestIds),
      ...more,
    });
  }

  /** The id a node of this run has. */
  nodeId(kind: NodeKind, payload: Json): Digest {
    return nodeId(this.runId, kind, hashOf(payload, this.sha256), this.sha256);
  }

  private addition({ nodes, edges }: GraphDraft): Json {
    const added = nodes.map(({ kind, payload }) => ({
      id: this.nodeId(kind, payload),
      kind,
      payload,
      payload_hash: hashOf(payload, this.sha256),
    }));
    const drawn = edges.map((edge) => ({ ...edge, id: edgeId(this.runId, edge, this.sha256) }));
    for (const { id } of added) this.nodes.add(id);
    for (const { id } of drawn) this.edges.add(id);
    return { nodes: added, edges: drawn };
  }
}
