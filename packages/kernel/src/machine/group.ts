/**
 * From a machine's decision to a group of records: decision, artifacts by name, close.
 * Source: ledger format, "Payloads", "Grammar", "State hash"; 001 §1.
 */
import type { Admitted } from '../canonical/admit.js';
import { composeArray, composeObject, composeToken, type Part } from '../canonical/compose.js';
import { ARTIFACT_NAMES_MAX, OPEN_REQUESTS_MAX } from '../canonical/limits.js';
import { utf8Length } from '../text.js';
import type { PersistentMap } from '../collections/persistent-map.js';
import { edgeId, nodeId, type Graph } from '../graph/graph.js';
import { EDGE_KINDS, type GraphEdge, NODE_KINDS } from '../graph/kinds.js';
import { hashText, type Digest } from '../hash/sha256.js';
import { compareText, type Json } from '../json.js';
import { RECORDS_MAX } from '../ledger/head.js';
import { SOURCES, compareRequestIds, logicalTime, type RecordKind } from '../ledger/names.js';
import type { Request, Status } from '../ledger/payloads.js';
import { fitsLine, makeRecord, type EvidenceRecord, type Place } from '../ledger/record.js';
import { err, InvariantError, ok, type Result } from '../result.js';
import { admitDerived, requireName } from './derived.js';
import { opened, type OpenTable } from './request-table.js';
import type { Run } from './run.js';
import { kernelValue, stateText } from './state.js';
import type { Ask, Decision, Outcome } from './types.js';

/**
 * Where a group starts: the run with its proposal recorded (or just its genesis), the answered request gone.
 */
export type Start<S, I, E extends Json, A extends Json> = Run<S, I, E, A> & { readonly isFirst: boolean };

/** A derived group: the run after it, and its records. */
export type Group<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  readonly records: readonly EvidenceRecord[];
};

/**
 * Derives a decision's group. Left `limit`: a record would not fit a line, or too many requests would be
 * open. Faults of the machine are defects.
 */
export function deriveGroup<S, I, E extends Json, A extends Json>(
  start: Start<S, I, E, A>,
  decision: Decision<E, A>,
): Result<'limit', Group<S, I, E, A>> {
  const { outcome } = decision;
  const events = composeArray(decision.events.map((event) => admitDerived(event, 'decision/events')));
  const state = fold(start, events);
  const asked = readAsks(decision.asks ?? [], start.count, outcome);
  const withdrawn = readWithdrawn(decision.withdraw ?? [], start.open);
  const open = settle(start.open, asked, withdrawn);
  if (open.size > OPEN_REQUESTS_MAX) return err('limit');
  const drawn = draw(start, decision);
  const artifacts = readArtifacts(start, decision.artifacts ?? {});
  const hashes = artifacts.reduce((table, { name, hash }) => table.set(name, hash), start.artifacts);
  if (hashes.size > ARTIFACT_NAMES_MAX) return err('limit');
  const isAnchored = start.isFirst || start.pace.payloadBytes >= start.pace.stateBytes;
  const text =
    isAnchored || outcome !== undefined ? stateText(start.machine.encode(state), open, hashes) : null;
  // Measured where it is hashed: both encode it, once.
  const stateBytes = text === null ? 0 : utf8Length(text);
  const stateHash = text === null ? null : hashText(text, start.sha256);
  const chain = new Chain(start);
  chain.add(
    'decision',
    decisionPayload(events, asked, withdrawn, drawn.addition, isAnchored ? stateHash : null),
  );
  for (const { payload } of artifacts) chain.add('artifact', payload);
  if (outcome !== undefined && stateHash !== null)
    chain.add(
      'close',
      closePayload(outcome, chain.count, drawn.graph.root(start.sha256), hashes, stateHash, open),
    );
  if (!chain.fits) return err('limit');
  const pace =
    isAnchored && text !== null
      ? { stateBytes, payloadBytes: 0, isAnchored }
      : {
          stateBytes: start.pace.stateBytes,
          payloadBytes: start.pace.payloadBytes + chain.payloadBytes,
          isAnchored,
        };
  const { machine, genesis, genesisRecord, sha256 } = start;
  const { count, hash } = chain;
  // Field by field, as where groups start: a spread of so many costs the runtime as much as two digests.
  const run = {
    machine,
    genesis,
    genesisRecord,
    state,
    open,
    artifacts: hashes,
    graph: drawn.graph,
    count,
    hash,
    outcome: outcome?.status ?? null,
    pace,
    sha256,
  };
  return ok({ run, records: chain.records });
}

/** Records under construction after a run's last one. */
export class Chain {
  readonly records: EvidenceRecord[] = [];
  fits = true;
  payloadBytes = 0;
  count: number;
  hash: Digest;
  private readonly start: Pick<Run<unknown, unknown>, 'genesis' | 'sha256'>;

  constructor(start: Pick<Run<unknown, unknown>, 'genesis' | 'sha256' | 'count' | 'hash'>) {
    this.start = start;
    this.count = start.count;
    this.hash = start.hash;
  }

  /** Adds a record, or notes that it does not fit a line. */
  add(kind: RecordKind, payload: Admitted): void {
    const place: Place = { ts: logicalTime(this.start.genesis.ts_base, this.count), kind, parent: this.hash };
    this.fits &&= this.count < RECORDS_MAX && fitsLine(place, payload);
    if (!this.fits) return;
    this.adopt(makeRecord(place, payload, this.start.sha256), payload.bytes);
  }

  /** Takes a record that is the next one already. */
  adopt(record: EvidenceRecord, payloadBytes: number): void {
    this.records.push(record);
    this.payloadBytes += payloadBytes;
    this.count += 1;
    this.hash = record.record_hash;
  }
}

function fold<S, I, E extends Json, A extends Json>(start: Start<S, I, E, A>, events: Admitted): S {
  let state = start.state;
  for (const event of events.value as readonly E[]) state = start.machine.evolve(state, event);
  return state;
}

/** A request, and as an admitted value. */
type Asked = { readonly request: Request; readonly admitted: Admitted };

function readAsks(asks: readonly Ask[], sequence: number, outcome: Outcome | undefined): readonly Asked[] {
  if (outcome !== undefined && asks.length > 0)
    throw new InvariantError('decision/asks', 'a decision with an outcome opens no request');
  return asks.map((ask, index) => {
    const label = `decision/asks/${index}`;
    // Each field is read once: what was checked is what is recorded.
    const { kind: named, body: given, attempts: allowed } = ask;
    const accepts = [...ask.accepts];
    if (
      accepts.length === 0 ||
      new Set(accepts).size !== accepts.length ||
      !accepts.every((source) => SOURCES.includes(source))
    ) {
      throw new InvariantError(`${label}/accepts`, 'expected sources, none twice');
    }
    if (!Number.isSafeInteger(allowed) || allowed < 0)
      throw new InvariantError(
        `${label}/attempts`,
        `expected an integer of at least 0, got ${String(allowed)}`,
      );
    const body = admitDerived(given, `${label}/body`);
    const kind = requireName(named, `${label}/kind`);
    const id = `${sequence}.${index}`;
    // -0 becomes 0.
    const attempts = allowed + 0;
    const sources = composeArray(accepts.map(composeToken));
    // Keys in canonical order: the state text is then the runtime's own writing of the row.
    const parts: readonly Part[] = [
      ['accepts', sources],
      ['attempts', composeToken(attempts)],
      ['body', body],
      ['id', composeToken(id)],
      ['kind', composeToken(kind)],
    ];
    return {
      request: Object.freeze({ accepts: Object.freeze(accepts), attempts, body: body.value, id, kind }),
      admitted: composeObject(parts),
    };
  });
}

function readWithdrawn(ids: readonly string[], open: OpenTable): readonly string[] {
  const known = new Set<string>();
  for (const id of ids) {
    if (!open.has(id) || known.has(id))
      throw new InvariantError(
        'decision/withdraw',
        `${JSON.stringify(id)} is not open, is being answered, or named twice`,
      );
    known.add(id);
  }
  return [...known];
}

function settle(before: OpenTable, asked: readonly Asked[], withdrawn: readonly string[]): OpenTable {
  let open = before;
  for (const id of withdrawn) open = open.delete(id);
  for (const { request } of asked) open = open.set(request.id, opened(request));
  return open;
}

type Drawn = { readonly graph: Graph; readonly addition: Admitted };

/** What a decision adds to the graph: new ids only. A missing end, a cycle or an unknown kind is a defect. */
function draw<S, I, E extends Json, A extends Json>(
  start: Start<S, I, E, A>,
  decision: Decision<E, A>,
): Drawn {
  const nodes: Admitted[] = [];
  const edges: GraphEdge[] = [];
  const runId = start.genesis.run_id;
  let graph = start.graph;
  for (const { kind, payload } of decision.graph?.nodes ?? []) {
    if (!NODE_KINDS.includes(kind))
      throw new InvariantError('decision/graph', `unknown node kind ${String(kind)}`);
    const admitted = admitDerived(payload, 'decision/graph/nodes');
    const payloadHash = hashText(admitted.text, start.sha256);
    const id = nodeId(runId, kind, payloadHash, start.sha256);
    if (graph.hasNode(id)) continue;
    graph = graph.withNode(id, kind);
    nodes.push(
      composeObject([
        ['id', composeToken(id)],
        ['kind', composeToken(kind)],
        ['payload', admitted],
        ['payload_hash', composeToken(payloadHash)],
      ]),
    );
  }
  for (const { kind, from_id, to_id } of decision.graph?.edges ?? []) {
    if (!EDGE_KINDS.includes(kind))
      throw new InvariantError('decision/graph', `unknown edge kind ${String(kind)}`);
    const id = edgeId(runId, { kind, from_id, to_id }, start.sha256);
    if (graph.hasEdge(id)) continue;
    const next = graph.withEdge(id, { kind, from_id, to_id });
    if (next._tag === 'Left')
      throw new InvariantError('decision/graph', `${next.left.code}: ${kind} from ${from_id} to ${to_id}`);
    graph = next.right;
    edges.push({ id, kind, from_id, to_id });
  }
  const isEmpty = nodes.length === 0 && edges.length === 0;
  return {
    graph,
    addition: isEmpty
      ? composeToken(null)
      : composeObject([
          ['edges', kernelValue(edges)],
          ['nodes', composeArray(nodes)],
        ]),
  };
}

const STATUSES: readonly Status[] = ['success', 'refused'];

type NamedArtifact = { readonly name: string; readonly hash: Digest; readonly payload: Admitted };

function readArtifacts<S, I, E extends Json, A extends Json>(
  start: Start<S, I, E, A>,
  artifacts: { readonly [name: string]: Json },
): readonly NamedArtifact[] {
  return Object.entries(artifacts)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]) => {
      const content = admitDerived(value, `decision/artifacts/${requireName(name, 'decision/artifacts')}`);
      const hash = hashText(content.text, start.sha256);
      const parts: readonly Part[] = [
        ['artifact_hash', composeToken(hash)],
        ['content', content],
        ['name', composeToken(name)],
      ];
      return { name, hash, payload: composeObject(parts) };
    });
}

function decisionPayload(
  events: Admitted,
  asked: readonly Asked[],
  withdrawn: readonly string[],
  graph: Admitted,
  stateHash: Digest | null,
): Admitted {
  return composeObject([
    ['events', events],
    ['graph', graph],
    ['requests', composeArray(asked.map(({ admitted }) => admitted))],
    ['state_hash', composeToken(stateHash)],
    ['withdrawn', composeArray(withdrawn.map(composeToken))],
  ]);
}

function closePayload(
  outcome: Outcome,
  sequence: number,
  dagRoot: Digest,
  artifacts: PersistentMap<Digest>,
  stateHash: Digest,
  open: OpenTable,
): Admitted {
  const { reasons } = outcome;
  if (typeof reasons === 'string') throw new InvariantError('decision/outcome/reasons', 'expected a list');
  if (!STATUSES.includes(outcome.status))
    throw new InvariantError('decision/outcome/status', `unknown status ${String(outcome.status)}`);
  for (const code of reasons) requireName(code, 'decision/outcome/reasons');
  if (outcome.status === 'refused' && reasons.length === 0)
    throw new InvariantError('decision/outcome/reasons', 'a refusal needs a reason');
  return kernelValue({
    status: outcome.status,
    reasons,
    dag_root_hash: dagRoot,
    artifact_hashes: Object.fromEntries(artifacts),
    record_count: sequence + 1,
    state_hash: stateHash,
    open_requests: open.sorted(compareRequestIds).map(([id]) => id),
  });
}
