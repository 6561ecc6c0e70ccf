/**
 * Replay over a list of machines. Source: machine interface, `replayable`, `begin`, `replayWith`; 001 §2.7.
 */
import type { Json } from '../json.js';
import type { EvidenceRecord } from '../ledger/record.js';
import { isNamed } from '../machine/named.js';
import { chooseDigest, type KernelOptions } from '../machine/run.js';
import { readSnapshot, resumeRun } from '../machine/snapshot.js';
import type { Machine, Rejection } from '../machine/types.js';
import { err, ok, type Result } from '../result.js';
import { failed, type Failed } from './failed.js';
import {
  brokenLink,
  follow,
  followFrom,
  readGenesis,
  type FollowOptions,
  type Follower,
} from './follower.js';

/**
 * A machine of which only its decisions are known: what lets machines of different types stand in one list.
 */
export type Replayable = {
  readonly name: string;
  readonly version: number;
  readonly engine?: string | null | undefined;
  readonly begin: (genesisRecord: EvidenceRecord, options?: FollowOptions) => Result<Failed, Follower>;
  readonly resume: (snapshot: unknown, options?: FollowOptions) => Result<Rejection, Follower>;
};

/** Makes a machine replayable; the options given here hold wherever none are given later. */
export function replayable<S, I, E extends Json, A extends Json>(
  machine: Machine<S, I, E, A>,
  defaults: KernelOptions = {},
): Replayable {
  return {
    name: machine.name,
    version: machine.version,
    engine: machine.engine,
    begin: (genesisRecord, options) => follow(machine, genesisRecord, { ...defaults, ...options }),
    resume: (snapshot, options) => {
      const run = resumeRun(machine, snapshot, { ...defaults, ...options });
      if (run._tag === 'Left') return run;
      const first = run.right.genesis.base?.snapshot ? run.right.genesis.base.count : 0;
      return ok(followFrom(run.right, run.right.count - first, { ...defaults, ...options }));
    },
  };
}

/**
 * Starts a replay with the machine its genesis names. Errors: those of the chain, `unknown_format`,
 * `unknown_machine`, `payload_erased`, `differs`.
 */
export function begin(
  replayables: readonly Replayable[],
  genesisRecord: EvidenceRecord,
  options?: FollowOptions,
): Result<Failed, Follower> {
  const broken = brokenLink(genesisRecord, null, 0, options ?? {}, chooseDigest(options));
  if (broken !== null) return err(broken);
  const genesis = readGenesis(genesisRecord);
  if (genesis._tag === 'Left') return genesis;
  const by = genesis.right.machine;
  const machine = replayables.find((known) => isNamed(known, by));
  if (machine === undefined) return err(failed('unknown_machine', 0, { field: '/payload/machine', got: by }));
  return machine.begin(genesisRecord, options);
}

/**
 * Goes on from a snapshot with the machine it names. Errors: those of reading a snapshot, `snapshot_machine`.
 */
export function resume(
  replayables: readonly Replayable[],
  snapshot: unknown,
  options?: FollowOptions,
): Result<Rejection, Follower> {
  const read = readSnapshot(snapshot, options);
  if (read._tag === 'Left') return read;
  const by = read.right.genesis.machine;
  const machine = replayables.find((known) => isNamed(known, by));
  return machine === undefined
    ? err({ code: 'snapshot_machine', detail: by })
    : machine.resume(snapshot, options);
}

/**
 * Replays a ledger: the chain validated, every decision derived again, graph, artifacts and summary hash
 * with it. Errors: {@link Failed}; an empty ledger is `unknown_format`. Source: 001 §2.7.
 */
export function replayWith(
  replayables: readonly Replayable[],
  records: Iterable<EvidenceRecord>,
  options?: FollowOptions,
): Result<Failed, Follower> {
  let follower: Result<Failed, Follower> | null = null;
  for (const record of records) {
    follower = follower === null ? begin(replayables, record, options) : follower.right.feed(record);
    if (follower._tag === 'Left') return follower;
  }
  return follower ?? err(failed('unknown_format', 0, { expected: 'a genesis', got: null }));
}
