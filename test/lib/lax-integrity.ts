/**
 * Integrity with any of its rules switched off, to show that each forgery is caught by the rule that claims
 * it and by no other. Written anew and slowly, in one pass over values; the payload shapes are the kernel's.
 */
import {
  compareRequestIds,
  edgeId,
  EDGE_KINDS,
  INTEGRITY_CODES,
  isDigest,
  isIntegral,
  nodeId,
  NODE_KINDS,
  PAYLOADS,
  rootHash,
  sha256Hex,
  tokenFault,
  type Digest,
  type EdgeKind,
  type IntegrityCode,
  type Json,
  type JsonObject,
  type NodeKind,
} from '@assay/kernel';
import { readLax, textOf, walk, type LaxLine } from './lax-reader.ts';

/** The first fault of a ledger under the rules left on, or null. */
export type LaxFault = { readonly code: IntegrityCode; readonly record: number };

type Fields = { readonly [key: string]: never };
type Finding = IntegrityCode | null;
const ENVELOPE = ['kind', 'parent', 'payload', 'payload_hash', 'record_hash', 'ts', 'v'];
const FOLLOWERS: { readonly [kind: string]: readonly string[] } = {
  '': ['genesis'],
  genesis: ['decision'],
  decision: ['artifact', 'close', 'proposal'],
  artifact: ['artifact', 'close', 'proposal'],
  rejection: ['proposal'],
  proposal: ['decision', 'rejection'],
  close: [],
};

/** What every rule finds in a line; `isRead`: some JSON can be made out of it. */
type LaxFindings = { readonly isRead: boolean; readonly codes: readonly IntegrityCode[] };

/** Judges each line of a ledger file by every rule. */
export function findFaults(bytes: Uint8Array): readonly LaxFindings[] {
  const ledger = new LaxLedger();
  return readLax(bytes).map((line) => {
    const isRead = line.value !== undefined;
    return { isRead, codes: [...line.faults, ...(isRead ? ledger.judge(line) : [])] };
  });
}

/** The first fault by the rules that are not in `off`. */
export function laxIntegrity(lines: readonly LaxFindings[], off: readonly IntegrityCode[]): LaxFault | null {
  const isOn = (code: IntegrityCode): boolean => !off.includes(code);
  let record = 0;
  for (const { isRead, codes } of lines) {
    if (!isRead && !isOn('encoding')) continue;
    const found = codes.filter(isOn);
    const code = INTEGRITY_CODES.find((known) => found.includes(known));
    if (code !== undefined) return { code, record };
    record += 1;
  }
  return record === 0 && isOn('empty') ? { code: 'empty', record } : null;
}

/** What is known of the ledger so far. Every rule says what it finds; nothing stops at a fault. */
class LaxLedger {
  private position = 0;
  private hash: Json = null;
  private kind = '';
  private genesis: { readonly run_id: string; readonly ts_base: string } = { run_id: '', ts_base: '' };
  private artifact = '';
  private answering: string | null = null;
  /** False once an erased payload hid what is open, or what the graph holds. */
  private isTableKnown = true;
  private isGraphKnown = true;
  private readonly open = new Set<string>();
  private readonly artifacts = new Map<string, string>();
  private readonly nodes = new Set<Digest>();
  private readonly edges = new Set<Digest>();
  /** Requests that the last decision opened. */
  private opening = 0;
  /** Ends of the edges that may not close a cycle. */
  private readonly rests: (readonly [Digest, Digest])[] = [];

  judge({ value }: LaxLine): IntegrityCode[] {
    const record = value as Fields;
    const { v, ts, kind, parent, payload, payload_hash, record_hash } = record as {
      readonly [key: string]: Json;
    };
    const keys = Object.keys(record);
    const isWhole =
      keys.every((key) => ENVELOPE.includes(key)) &&
      keys.length >= 6 &&
      typeof ts === 'string' &&
      typeof kind === 'string';
    const found: Finding[] = [
      isWhole &&
      Number.isInteger(v) &&
      isDigest(payload_hash) &&
      isDigest(record_hash) &&
      (parent === null || isDigest(parent))
        ? null
        : 'shape',
      v === 1 ? null : 'version',
    ];
    if (payload !== undefined)
      found.push(sha256Hex(textOf(payload)) === payload_hash ? null : 'payload_hash');
    found.push(
      sha256Hex(
        textOf({
          v: v ?? null,
          ts: ts ?? null,
          kind: kind ?? null,
          parent: parent ?? null,
          payload_hash: payload_hash ?? null,
        }),
      ) === record_hash
        ? null
        : 'record_hash',
    );
    found.push(parent === this.hash ? null : 'parent');
    if (this.position === 0 && kind === 'genesis') this.genesis = payload as unknown as LaxLedger['genesis'];
    found.push(ts === `${this.genesis.ts_base}#${String(this.position).padStart(12, '0')}` ? null : 'ts');
    found.push(...this.follows(String(kind), payload as unknown as Fields));
    if (payload === undefined) this.forget(String(kind));
    else found.push(...this.content(String(kind), payload));
    this.hash = record_hash ?? null;
    this.kind = String(kind);
    this.position += 1;
    return found.filter((code) => code !== null);
  }

  private forget(kind: string): void {
    if (kind === 'proposal' || kind === 'decision') this.isTableKnown = false;
    if (kind === 'decision') {
      this.isGraphKnown = false;
      this.opening = 0;
    }
    this.answering = null;
  }

  private follows(kind: string, payload: Fields | undefined): Finding[] {
    const isNext = FOLLOWERS[this.kind]?.includes(kind) === true;
    const name = String(kind === 'artifact' ? payload?.['name'] : '');
    const isSorted = name === '' || name > this.artifact;
    this.artifact = name;
    return [isNext && isSorted ? null : 'order'];
  }

  private content(kind: string, payload: Json): Finding[] {
    const shape =
      PAYLOADS[kind as keyof typeof PAYLOADS](payload) === null ? null : ('payload_shape' as const);
    const isFirst = kind === 'decision' && this.position === 1;
    const found: Finding[] = [
      shape,
      isFirst && (payload as Fields)['state_hash'] === null ? 'payload_shape' : null,
    ];
    const isTyped = kind === 'proposal' || kind === 'genesis' || isIntegral(payload);
    const isMarked = (item: JsonObject): boolean =>
      Object.hasOwn(item, '$sealed') || Object.hasOwn(item, '$blob');
    found.push(
      isTyped ? null : 'number',
      walk(payload).some((item) => isMarked(item) && tokenFault(item) !== null) ? 'token' : null,
    );
    // A payload of no known shape has no meaning to go on with.
    const isKnown = shape === null || ['genesis', 'proposal', 'close'].includes(kind);
    return isKnown ? [...found, ...this.means(kind, payload as Fields)] : found;
  }

  private means(kind: string, payload: Fields): Finding[] {
    switch (kind) {
      case 'proposal': {
        this.answering = payload['request_id'] ?? null;
        const { source, confidence, value, proposal_hash } = payload as { readonly [key: string]: Json };
        return [
          sha256Hex(
            textOf({ source: source ?? null, confidence: confidence ?? null, value: value ?? null }),
          ) === proposal_hash
            ? null
            : 'proposal_hash',
        ];
      }
      case 'rejection':
        return [
          !this.isTableKnown || this.open.has(this.answering ?? '') === (payload['code'] !== 'not_open')
            ? null
            : 'request_id',
        ];
      case 'decision':
        return [...this.requests(payload), ...this.graph(payload['graph'] ?? null)];
      case 'artifact':
        this.artifacts.set(payload['name'] ?? '', payload['artifact_hash'] ?? '');
        return [
          sha256Hex(textOf(payload['content'] ?? null)) === payload['artifact_hash'] ? null : 'artifact_hash',
        ];
      case 'close':
        return [this.agrees(payload) ? null : 'close'];
      default:
        return [];
    }
  }

  private requests(payload: {
    readonly requests?: readonly { readonly id: string }[];
    readonly withdrawn?: readonly string[];
  }): Finding[] {
    const gone = [...(this.answering === null ? [] : [this.answering]), ...(payload.withdrawn ?? [])].map(
      (id) => this.open.delete(id),
    );
    this.answering = null;
    this.opening = payload.requests?.length ?? 0;
    const named = (payload.requests ?? []).map(
      ({ id }, index) => this.open.add(id) !== undefined && id === `${this.position}.${index}`,
    );
    return [...(this.isTableKnown ? gone : []), ...named].map((isSound) => (isSound ? null : 'request_id'));
  }

  private graph(
    addition: {
      readonly nodes: readonly { id: Digest; kind: NodeKind; payload: Json; payload_hash: Digest }[];
      readonly edges: readonly { id: Digest; kind: EdgeKind; from_id: Digest; to_id: Digest }[];
    } | null,
  ): Finding[] {
    const { run_id } = this.genesis;
    const found: boolean[] = [];
    for (const { id, kind, payload, payload_hash } of addition?.nodes ?? []) {
      found.push(
        NODE_KINDS.includes(kind) &&
          sha256Hex(textOf(payload)) === payload_hash &&
          nodeId(run_id, kind, payload_hash) === id &&
          !this.nodes.has(id),
      );
      this.nodes.add(id);
    }
    for (const { id, kind, from_id, to_id } of addition?.edges ?? []) {
      const isSound =
        EDGE_KINDS.includes(kind) &&
        edgeId(run_id, { kind, from_id, to_id }) === id &&
        !this.edges.has(id) &&
        (!this.isGraphKnown || (this.nodes.has(from_id) && this.nodes.has(to_id)));
      found.push(isSound && (kind === 'contradicts' || !this.reaches(to_id, from_id, new Set())));
      this.edges.add(id);
      if (kind !== 'contradicts') this.rests.push([from_id, to_id]);
    }
    return found.map((isSound) => (isSound ? null : 'graph'));
  }

  private reaches(from: Digest, to: Digest, seen: Set<Digest>): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return this.rests.some(([start, end]) => start === from && this.reaches(end, to, seen));
  }

  private agrees(close: {
    readonly artifact_hashes?: Json;
    readonly dag_root_hash?: string;
    readonly record_count?: number;
    readonly open_requests?: Json;
  }): boolean {
    return (
      (!this.isGraphKnown ||
        close.dag_root_hash === rootHash([...this.nodes].sort(), [...this.edges].sort())) &&
      textOf(close.artifact_hashes ?? null) === textOf(Object.fromEntries(this.artifacts)) &&
      close.record_count === this.position + 1 &&
      this.opening === 0 &&
      (!this.isTableKnown ||
        textOf(close.open_requests ?? null) === textOf([...this.open].sort(compareRequestIds)))
    );
  }
}
