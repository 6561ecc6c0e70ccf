/**
 * What a stored run was begun with, from its first record.
 *
 * @module
 */
import { isArray, type Json, type JsonObject } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { loadRun, soundRecord, StoreReadError, type Identity, type Store } from '@assay/host';
import { misuse, unsound } from '../../problems/problem.js';
import { driveProblem } from './run-request.js';
import { objectIn, textIn, valueIn } from '../../terminal/fields.js';
import { storeProblem } from '../../files/store.js';

/** A run as its genesis has it. `machine`: its name, "" for none. */
export type Begun = {
  readonly identity: Identity;
  readonly machine: string;
  readonly version: Json;
  readonly policy: JsonObject;
  readonly input: JsonObject;
};

/** What the intent machine is asked in a run. `text`: its request, "" where an earlier run holds it. */
export type AskedRun = { readonly slots: readonly string[]; readonly text: string };

/** Reads the first record of a stored run. Raises `Stop`: `no_run`, `store_line`, and those of the store. */
export async function storedRun(store: Store, runId: string, place: string): Promise<Begun> {
  const genesis = await firstPayload(store, runId, place);
  const machine = objectIn(genesis, 'machine');
  return {
    identity: { run_id: runId, ts_base: textIn(genesis, 'ts_base') },
    machine: textIn(machine, 'name'),
    version: valueIn(machine, 'version'),
    policy: objectIn(genesis, 'policy'),
    input: objectIn(genesis, 'input'),
  };
}

/**
 * What a run of the intent machine is asked. Raises `Stop`: `other_machine`, `never_ends` for a memory,
 * `machine_version`.
 */
export function askedIn(begun: Begun): AskedRun {
  const { machine, identity } = begun;
  if (machine === MEMORY)
    throw misuse(
      'never_ends',
      'this is a memory, which runs share and which never ends: there is nothing to go on with',
      identity.run_id,
      'look into it with assay memory inspect; assay control --memory goes on telling it',
    );
  if (machine !== intent.name)
    throw misuse(
      'other_machine',
      `this is a run of ${machine === '' ? 'no known machine' : machine}, and nobody here answers for it`,
      identity.run_id,
      'drive it with @assay/host, by the program that began it',
    );
  requireVersion(begun, intent.version);
  return { slots: textsIn(valueIn(begun.policy, 'proposers')), text: textIn(begun.input, 'seed_text') };
}

/** Raises `Stop`, `machine_version`, where a run was begun by another version of its machine. */
export function requireVersion({ machine, version, identity }: Begun, ours: number): void {
  if (version !== ours)
    throw misuse(
      'machine_version',
      `this run was begun by version ${JSON.stringify(version)} of ${machine}, and this is version ${ours}`,
      identity.run_id,
      'go on with the version of Assay that began it',
    );
}

/** The name of the memory machine, which is loaded only where a memory is asked. */
const MEMORY = 'memory';

/**
 * The slots whose requests are open. Reads the whole run and derives it again. Raises `Stop` where it does
 * not hold.
 */
export async function openSlots(store: Store, runId: string, place: string): Promise<ReadonlySet<string>> {
  const loaded = await loadRun(intent, runId, store);
  if (loaded._tag === 'Left') throw driveProblem(loaded.left, runId, place);
  return new Set([...loaded.right.run.open].map(([, { request }]) => textIn(request.body, 'slot')));
}

async function firstPayload(store: Store, runId: string, place: string): Promise<JsonObject> {
  try {
    for await (const line of store.read(runId)) {
      const record = soundRecord(line);
      if (record?.kind === 'genesis' && record.payload !== undefined) return objectOf(record.payload);
      break;
    }
  } catch (error) {
    throw error instanceof StoreReadError ? storeProblem(error.error, place) : error;
  }
  throw unsound(
    'store_line',
    'the first record of the stored run is no genesis',
    place,
    'nothing was changed; restore the run from a copy',
  );
}

function objectOf(value: Json): JsonObject {
  return objectIn({ value }, 'value');
}

function textsIn(value: Json): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
