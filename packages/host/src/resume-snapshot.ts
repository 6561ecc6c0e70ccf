/** Taking up a run from a snapshot that its ledger bears out. Source: ledger format, "Snapshot file". */
import {
  encodeLine,
  field,
  isArray,
  isObject,
  linkFault,
  parseRecordLine,
  readCanonical,
  resumeRun,
  type EvidenceRecord,
  type Json,
  type KernelOptions,
  type Machine,
  type Result,
  type Run,
  type Snapshot,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { goOn, LastGroup, type LoadError, readPayload, type Stored } from './load.js';
import { readFault, readSequence, type Store } from './store.js';

/**
 * Why a snapshot is not used. `unreadable`: it is no snapshot of this machine's; `genesis`, `head`, `state`,
 * `graph`: the ledger says otherwise; `ledger`: what the ledger holds itself is not sound, or not what is
 * derived.
 */
export type SnapshotFault = 'unreadable' | 'genesis' | 'head' | 'state' | 'graph' | 'ledger';

/** A run taken up from a snapshot, or why it was not. Errors of the store as {@link LoadError}. */
export async function takeUpFrom<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  bytes: Uint8Array,
  store: Pick<Store, 'read'>,
  isTrusted: boolean,
  options: KernelOptions,
): Promise<Result<LoadError, Stored<S, I, E, A>> | SnapshotFault> {
  const text = readCanonical(bytes);
  if (text._tag === 'Left') return 'unreadable';
  const resumed = resumeRun(machine, text.right.value, options);
  if (resumed._tag === 'Left') return 'unreadable';
  const given = text.right.value as unknown as Snapshot;
  const run = resumed.right;
  try {
    const fault = isTrusted ? await lastGroupFault(given, run, store) : await wholeFault(given, run, store);
    if (fault !== null) return fault;
  } catch (error) {
    return readFault(error);
  }
  const gone = await goOn(run, store, run.count, options);
  return gone ?? 'ledger';
}

/**
 * Reads every record up to the snapshot's head: hashes, links, order; what the snapshot holds is what they
 * say.
 */
async function wholeFault<S, I, E extends Json, A extends Json>(
  given: Snapshot,
  run: Run<S, I, E, A>,
  store: Pick<Store, 'read'>,
): Promise<SnapshotFault | null> {
  const integrity = new HashOnlyIntegrity(run.sha256);
  const group = new LastGroup();
  const ids = new GraphIds();
  let count = 0;
  for await (const line of store.read(run.genesis.run_id)) {
    const sound = integrity.feed(line);
    if (sound._tag === 'Left') return 'ledger';
    const record = sound.right;
    if (count === 0 && encodeLine(given.genesis) !== decodeText(line)) return 'genesis';
    count = (readSequence(record.ts) ?? 0) + 1;
    if (count > run.count) return 'head';
    if (record.kind === 'decision') {
      // Most decisions neither draw a graph nor are the last: they are not parsed.
      const isLast = count + run.artifacts.size >= run.count;
      const decision =
        isLast || Buffer.from(line.buffer, line.byteOffset, line.byteLength).includes(GRAPH)
          ? readPayload(line)
          : null;
      ids.add(decision);
      group.begin(decision);
    } else {
      group.add(record);
    }
    if (count === run.count)
      return group.fault(given, record, run.sha256) ?? (ids.equal(given.graph) ? null : 'graph');
  }
  return 'head';
}

/** Reads the first record, and the last group before the snapshot's head. */
async function lastGroupFault<S, I, E extends Json, A extends Json>(
  given: Snapshot,
  run: Run<S, I, E, A>,
  store: Pick<Store, 'read'>,
): Promise<SnapshotFault | null> {
  const runId = run.genesis.run_id;
  for await (const line of store.read(runId)) {
    if (encodeLine(given.genesis) !== decodeText(line)) return 'genesis';
    break;
  }
  // A decision's group ends with an artifact for each name at most.
  const from = Math.max(0, run.count - 1 - run.artifacts.size);
  const group = new LastGroup();
  let before: EvidenceRecord | null = null;
  let count = from;
  for await (const line of store.read(runId, from)) {
    const envelope = parseRecordLine(line);
    if (envelope._tag === 'Left') return 'ledger';
    const record: EvidenceRecord = envelope.right;
    if (linkFault(record, before === null ? record.parent : before.record_hash, null, run.sha256) !== null)
      return 'ledger';
    before = record;
    count = (readSequence(record.ts) ?? 0) + 1;
    if (record.kind === 'decision') group.begin(record.payload ?? null);
    else group.add(record);
    if (count >= run.count) return count === run.count ? group.fault(given, record, run.sha256) : 'head';
  }
  return 'head';
}

/** Ids of all nodes and edges that decisions named. */
class GraphIds {
  private readonly nodes: Set<string> = new Set();
  private readonly edges: Set<string> = new Set();

  add(decision: Json): void {
    const graph = isObject(decision) ? field(decision, 'graph') : undefined;
    if (graph === undefined || !isObject(graph)) return;
    collect(field(graph, 'nodes'), this.nodes);
    collect(field(graph, 'edges'), this.edges);
  }

  equal({ nodes, edges }: Snapshot['graph']): boolean {
    return (
      areEach(nodes, this.nodes) &&
      areEach(
        edges.map(({ id }) => id),
        this.edges,
      )
    );
  }
}

/**
 * True where a list names each id of a set and no other, once: a name that stands twice would hide one that
 * is missing.
 */
function areEach(given: readonly string[], ids: ReadonlySet<string>): boolean {
  return given.length === ids.size && new Set(given).size === ids.size && given.every((id) => ids.has(id));
}

function collect(items: Json | undefined, into: Set<string>): void {
  if (!isArray(items)) return;
  for (const item of items) {
    const id = isObject(item) ? field(item, 'id') : undefined;
    if (typeof id === 'string') into.add(id);
  }
}

const GRAPH = '"graph":{';

function decodeText(line: Uint8Array): string {
  return new TextDecoder().decode(line);
}
