/**
 * Opening a gate: a new run, or one that is stored. Source: gate/G12, gate/G16.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { hashCanonical, isObject, orThrow, type Json, type JsonObject } from '@assay/kernel';
import {
  folderNotes,
  folderSnapshots,
  nativeSha256,
  openSequencer,
  type CallNotes,
  type OpenError,
  type Snapshots,
  type Store,
} from '@assay/host';
import { readErrno } from '@assay/host/files';
import { fileStore } from '@assay/host/store-file';
import { gate as machine } from '../machine/index.js';
import { KEEP_BYTES } from '../machine/tokens.js';
import { isLike } from '../policy/conditions.js';
import { readPolicy, type PolicyFile } from '../policy/policy.js';
import { GateError } from './errors.js';
import { Desk, nameRequest } from './desk.js';
import { Gate } from './gate.js';
import { describeError } from './recorded.js';
import { readCalls } from './stored-calls.js';

/** What a gate is opened with. */
export type GateOptions = {
  /** The policy, or the file it stands in. */
  readonly policy: string | PolicyFile;
  /** A store, or the folder of a file store, which then holds snapshots too. The gate closes it. */
  readonly store: Store | string;
  /** The id of the run. */
  readonly run: string;
  /** What the run is about: its id by default. */
  readonly about?: string;
  /** Patterns of tools that may be performed again under the same key after a crash. */
  readonly idempotent?: readonly string[];
  /** The folder in which other processes leave approvals. */
  readonly answers?: string;
  /**
   * Bytes of a result that are recorded whole: 2,048 by default; 0 records digests only. So long a text of an input is
   * recorded too, and at least 2,048 bytes.
   */
  readonly keep?: number;
  /** The time in microseconds since 1970. */
  readonly now?: () => number;
  /** Notes of begun calls, a durable line each: after a crash a call that never began is then not taken for lost. */
  readonly journal?: CallNotes;
  /** `fresh`: the callers' ids are not unique, so no call is found by its id. */
  readonly call_ids?: 'given' | 'fresh';
  /** Where snapshots lie. */
  readonly snapshots?: Snapshots;
  /** Another process performs the calls: those that are open when the gate is opened stay so. */
  readonly isElsewhere?: boolean;
};

/**
 * Opens a run of the gate, or the stored one of that id under the same policy. Calls that a crash cut off are settled:
 * made again where their tool is `idempotent` or they never began, else lost. Rejects with `GateError`; with
 * `StoreReadError` and the system's errors where a ledger, notes or answers cannot be read.
 */
export async function openGate(options: GateOptions): Promise<Gate> {
  const { run, about = run, idempotent = [], answers = null, keep = KEEP_BYTES, now = readClock } = options;
  // A caller without types leaves it out.
  if (typeof run !== 'string')
    throw new TypeError('openGate: give run, the id of the run, such as "ticket-81"');
  const folder = typeof options.store === 'string' ? options.store : null;
  if (folder !== null && /^[a-z][a-z0-9+.-]*:\/\//i.test(folder))
    throw new GateError('store_address', 'A text names a folder. Open the store of a server, and give that.');
  const store = typeof options.store === 'string' ? fileStore(options.store) : options.store;
  const snapshots = options.snapshots ?? (folder === null ? undefined : folderSnapshots(folder));
  const policy = readPolicy(await readPolicyFile(options.policy));
  if (policy._tag === 'Left') throw new GateError('bad_policy', policy.left.detail);
  const notes = {
    journal: options.journal ?? null,
    answers: answers === null ? null : folderNotes(answers),
  };
  const forget = await Promise.all([notes.journal?.anew?.(run), notes.answers?.anew?.(run)]);
  const opened = await openSequencer(
    machine,
    { run_id: run, ts_base: 'gate', policy: policy.right.given, input: { about, from: null } },
    { store, name: nameRequest, ...(snapshots === undefined ? {} : { snapshots }) },
  );
  if (opened._tag === 'Left') throw explain(opened.left, policy.right.given);
  const sequencer = opened.right;
  const { state, count } = sequencer.run;
  // What is noted under the name of a run that has no call yet is of one that was taken away.
  if (state.n === 0) for (const each of forget) await each?.();
  const isOpen = new Set(state.open.sorted((a, b) => Number(a) - Number(b)).map(([n]) => Number(n)));
  const calls = await readCalls(store, run, count, isOpen);
  const hasFreshIds = options.call_ids === 'fresh';
  const isElsewhere = options.isElsewhere ?? false;
  const desk = new Desk({ sequencer, calls, keep, now, notes });
  const gate = new Gate({ desk, store, answers, hasFreshIds, isElsewhere });
  if (!isElsewhere) await desk.settleLost((tool) => isLike(idempotent, tool));
  await gate.collect();
  return gate;
}

function readClock(): number {
  return Date.now() * 1_000;
}

async function readPolicyFile(policy: string | PolicyFile): Promise<Json> {
  if (typeof policy !== 'string') return policy;
  try {
    return JSON.parse(await readFile(policy, 'utf8')) as Json;
  } catch (error) {
    throw new GateError('policy_file', { path: policy, reason: readErrno(error) ?? describeError(error) });
  }
}

function explain(error: OpenError, given: JsonObject): GateError {
  switch (error.code) {
    case 'other_policy': {
      const recorded = isObject(error.recorded) ? error.recorded : {};
      const text = (value: Json | undefined): string | null =>
        value === undefined ? null : orThrow(hashCanonical(value, nativeSha256));
      const keys = Object.keys(given).filter((key) => text(given[key]) !== text(recorded[key]));
      return new GateError('other_policy', { keys });
    }
    case 'store':
      return new GateError('store', error.error);
    case 'over':
      return new GateError('over', 'This run has ended. Give another run.');
    case 'rejected':
      return new GateError(error.rejection.code, error.rejection.detail);
    case 'line':
    case 'ledger':
      return new GateError('ledger', error);
  }
}
