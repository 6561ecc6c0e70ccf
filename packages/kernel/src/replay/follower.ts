/**
 * Following a ledger record by record: every decision derived again from the recorded answers.
 * Source: machine interface, `begin`, `Follower`; 001 §2.7, §4.5.
 */
import { PersistentMap } from '../collections/persistent-map.js';
import { composeObject, composeToken } from '../canonical/compose.js';
import type { Graph } from '../graph/graph.js';
import { hashText, type Digest, type Sha256 } from '../hash/sha256.js';
import { field, isObject, type Json } from '../json.js';
import { linkFault, parseEnvelope } from '../ledger/chain.js';
import { FORMAT, PAYLOADS, type Genesis, type Head, type Status } from '../ledger/payloads.js';
import { encodeLine, envelopeBytes, type Due, type EvidenceRecord } from '../ledger/record.js';
import { parseShape } from '../ledger/shape.js';
import { err, ok, type Result } from '../result.js';
import { advance, advanceRecorded } from '../machine/advance.js';
import { isNamed } from '../machine/named.js';
import { openRun } from '../machine/open-run.js';
import { withoutHash } from '../machine/proposal.js';
import { chooseDigest, type KernelOptions, type Run, type Step } from '../machine/run.js';
import { snapshot, type Snapshot } from '../machine/snapshot.js';
import type { Machine } from '../machine/types.js';
import { difference, failed, type Failed } from './failed.js';

/**
 * How to follow. `checked`: the integrity of what is fed was established already, so hashes are not computed
 * again.
 */
export type FollowOptions = KernelOptions & { readonly checked?: boolean };

/**
 * A ledger followed so far, as a value: `feed` gives the next one. It holds state, not records, so a
 * ledger of any length streams through it; keep a follower to pause, and go on feeding later.
 */
export type Follower = {
  /**
   * The follower after one more record. O(1) in the ledger, amortised. `lineBytes`: size of its line without
   * the line end, if it was read from one; with it a `checked` proposal is frozen in place and taken as it
   * stands, which saves a third of the work.
   */
  readonly feed: (record: EvidenceRecord, lineBytes?: number) => Result<Failed, Follower>;
  /** Records derived and not fed yet: with them the ledger ends at the end of a group. */
  readonly due: readonly EvidenceRecord[];
  /** The first record due, and its line without the line end; null if an answer comes next, or nothing. */
  readonly next: Due | null;
  /** The last record fed. */
  readonly head: Head;
  readonly genesis: Genesis;
  /** null while the ledger is open or its close is due. */
  readonly outcome: Status | null;
  /** The context graph after the last group begun. */
  readonly dag: Graph;
  /** The latest content of each artifact derived. */
  readonly artifacts: { readonly [name: string]: Json };
  /** H({ledger_last_hash, dag_root_hash, artifact_hashes}) of a closed run; null before. Source: 001 §2.6. */
  readonly summary_hash: Digest | null;
  /** Null unless nothing is due, the run is open and its last group carries a state hash. */
  readonly snapshot: () => Snapshot | null;
};

/** A follower of one known machine, which gives its run as well. */
export type RunFollower<S, I, E extends Json = Json, A extends Json = Json> = Omit<Follower, 'feed'> & {
  readonly feed: (record: EvidenceRecord, lineBytes?: number) => Result<Failed, RunFollower<S, I, E, A>>;
  /** The run after the last group begun; its ledger also needs the records in `due`. */
  readonly run: Run<S, I, E, A>;
};

/** Starts following a ledger of one known machine at its genesis. Errors: {@link Failed}. */
export function follow<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  genesisRecord: EvidenceRecord,
  options: FollowOptions = {},
): Result<Failed, RunFollower<S, I, E, A>> {
  const broken = brokenLink(genesisRecord, null, 0, options, chooseDigest(options));
  if (broken !== null) return err(broken);
  const genesis = readGenesis(genesisRecord);
  if (genesis._tag === 'Left') return genesis;
  const { run_id, ts_base, policy, input, base, machine: by } = genesis.right;
  if (!isNamed(machine, by)) return err(failed('unknown_machine', 0, { field: '/payload/machine', got: by }));
  const step = openRun(machine, { run_id, ts_base, policy, input, base, engine: by.engine }, options);
  if (step._tag === 'Left')
    return err(
      failed('differs', 0, {
        field: '/payload',
        expected: 'a genesis that this machine opens',
        got: { code: step.left.code, detail: step.left.detail },
      }),
    );
  const { run, records } = step.right;
  return new Following({
    run,
    group: records,
    met: 0,
    fed: 0,
    head: headBefore(genesisRecord, genesis.right),
    contents: collectContents(records, PersistentMap.empty()),
    options,
  }).feed(genesisRecord);
}

/**
 * Goes on following from a run that stands at the end of a group, for example one taken up from a snapshot.
 * `fed`: how many records of the ledger lie before.
 */
export function followFrom<S, I, E extends Json, A extends Json>(
  run: Run<S, I, E, A>,
  fed: number,
  options: FollowOptions = {},
): RunFollower<S, I, E, A> {
  return new Following({
    run,
    group: [],
    met: 0,
    fed,
    head: { run_id: run.genesis.run_id, count: run.count, hash: run.hash },
    contents: PersistentMap.empty(),
    options,
  });
}

type Position<S, I, E extends Json, A extends Json> = {
  readonly run: Run<S, I, E, A>;
  /** The last group derived, and how many records of it were fed. */
  readonly group: readonly EvidenceRecord[];
  readonly met: number;
  readonly fed: number;
  readonly head: Head;
  readonly contents: PersistentMap<Json>;
  readonly options: FollowOptions;
};

/** What deriving a record leaves as it was: where the ledger stands comes on top. */
type Under<S, I, E extends Json, A extends Json> = Omit<Position<S, I, E, A>, 'fed' | 'head' | 'options'>;

class Following<S, I, E extends Json, A extends Json> implements RunFollower<S, I, E, A> {
  private readonly at: Position<S, I, E, A>;

  constructor(at: Position<S, I, E, A>) {
    this.at = at;
  }

  get run(): Run<S, I, E, A> {
    return this.at.run;
  }

  get due(): readonly EvidenceRecord[] {
    return this.at.group.slice(this.at.met);
  }

  get next(): Due | null {
    const record = this.at.group[this.at.met];
    return record === undefined ? null : { record, line: encodeLine(record) };
  }

  get head(): Head {
    return this.at.head;
  }

  get genesis(): Genesis {
    return this.at.run.genesis;
  }

  get outcome(): Status | null {
    return this.isWhole ? this.at.run.outcome : null;
  }

  get dag(): Graph {
    return this.at.run.graph;
  }

  get artifacts(): { readonly [name: string]: Json } {
    return Object.fromEntries(this.at.contents.sorted());
  }

  get summary_hash(): Digest | null {
    const { run } = this.at;
    return this.outcome === null ? null : summaryHash(run);
  }

  snapshot = (): Snapshot | null => (this.isWhole ? snapshot(this.at.run) : null);

  feed = (record: EvidenceRecord, lineBytes?: number): Result<Failed, RunFollower<S, I, E, A>> => {
    const { options, fed, head, run, group, met } = this.at;
    const broken = fed === 0 ? null : brokenLink(record, head.hash, fed, options, run.sha256);
    if (broken !== null) return err(broken);
    const next = group[met];
    if (next !== undefined) return this.accept(next, record, this.at);
    const derived = this.derive(record, lineBytes);
    if (derived._tag === 'Left') return derived;
    const { run: after, records } = derived.right;
    const [proposal] = records;
    if (proposal === undefined) return err(failed('differs', fed));
    return this.accept(proposal, record, {
      run: after,
      group: records,
      met: 0,
      contents: collectContents(records, this.at.contents),
    });
  };

  private get isWhole(): boolean {
    return this.at.met === this.at.group.length;
  }

  private accept(
    derived: EvidenceRecord,
    record: EvidenceRecord,
    { run, group, met, contents }: Under<S, I, E, A>,
  ): Result<Failed, RunFollower<S, I, E, A>> {
    const { fed, head, options } = this.at;
    if (derived.record_hash !== record.record_hash) return err(difference(derived, record, fed));
    const count = fed === 0 ? head.count : head.count + 1;
    return ok(
      new Following({
        run,
        group,
        met: met + 1,
        fed: fed + 1,
        head: { run_id: head.run_id, count, hash: record.record_hash },
        contents,
        options,
      }),
    );
  }

  /** What follows from the next recorded answer. */
  private derive(record: EvidenceRecord, lineBytes: number | undefined): Result<Failed, Step<S, I, E, A>> {
    const { run, fed, options } = this.at;
    if (run.outcome !== null)
      return err(failed('differs', fed, { field: '/kind', expected: null, got: record.kind }));
    if (record.kind !== 'proposal')
      return err(failed('differs', fed, { field: '/kind', expected: 'proposal', got: record.kind }));
    if (record.payload === undefined) return err(failed('payload_erased', fed));
    const taken =
      options.checked === true && lineBytes !== undefined
        ? advanceRecorded(run, record, lineBytes - envelopeBytes(record))
        : null;
    if (taken !== null) return ok(taken);
    const step = advance(run, withoutHash(record.payload));
    if (step._tag === 'Right') return step;
    return err(
      failed('differs', fed, {
        field: `/payload${step.left.path}`,
        expected: 'a proposal that can be recorded',
        got: step.left.code,
      }),
    );
  }
}

/** H({ledger_last_hash, dag_root_hash, artifact_hashes}). Source: 001 §2.6. */
export function summaryHash<S, I, E extends Json, A extends Json>(run: Run<S, I, E, A>): Digest {
  const hashes = composeObject(
    run.artifacts.sorted().map(([name, hash]) => [name, composeToken(hash)] as const),
  );
  const summary = composeObject([
    ['artifact_hashes', hashes],
    ['dag_root_hash', composeToken(run.graph.root(run.sha256))],
    ['ledger_last_hash', composeToken(run.hash)],
  ]);
  return hashText(summary.text, run.sha256);
}

/**
 * The first rule of a chain's link that a record breaks, its closed envelope before its hashes; null if
 * all hold or were checked already.
 */
export function brokenLink(
  record: EvidenceRecord,
  parent: Digest | null,
  at: number,
  options: FollowOptions,
  sha256: Sha256,
): Failed | null {
  if (options.checked === true) return null;
  const envelope = parseEnvelope(record);
  const code = envelope._tag === 'Left' ? envelope.left : linkFault(envelope.right, parent, null, sha256);
  return code === null ? null : { ...failed(code, at), check: 'integrity' };
}

/**
 * Reads a genesis record. Errors: `payload_erased`, `unknown_format`, `differs` for a payload of the wrong
 * shape.
 */
export function readGenesis(record: EvidenceRecord): Result<Failed, Genesis> {
  if (record.kind !== 'genesis')
    return err(failed('unknown_format', 0, { field: '/kind', expected: 'genesis', got: record.kind }));
  if (record.payload === undefined) return err(failed('payload_erased', 0));
  const format = isObject(record.payload) ? field(record.payload, 'format') : undefined;
  if (format !== FORMAT)
    return err(
      failed('unknown_format', 0, { field: '/payload/format', expected: FORMAT, got: format ?? null }),
    );
  const genesis = parseShape<Genesis>(PAYLOADS.genesis, record.payload);
  return genesis._tag === 'Right'
    ? genesis
    : err(failed('differs', 0, { field: `/payload${genesis.left.path}`, expected: 'a genesis' }));
}

function headBefore(record: EvidenceRecord, genesis: Genesis): Head {
  const first = genesis.base !== null && genesis.base.snapshot !== null ? genesis.base.count : 0;
  return { run_id: genesis.run_id, count: first + 1, hash: record.record_hash };
}

function collectContents(
  records: readonly EvidenceRecord[],
  before: PersistentMap<Json>,
): PersistentMap<Json> {
  let contents = before;
  for (const record of records) {
    if (record.kind !== 'artifact' || !isObject(record.payload)) continue;
    const name = field(record.payload, 'name');
    if (typeof name === 'string') contents = contents.set(name, field(record.payload, 'content') ?? null);
  }
  return contents;
}
