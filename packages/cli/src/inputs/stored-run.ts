/**
 * What a stored run was begun with, from its first record.
 *
 * @module
 */
import { isArray, type Json, type JsonObject } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { loadRun, soundRecord, StoreReadError, type Identity, type Store } from '@assay/host';
import { misuse, unsound } from '../problem.js';
import { driveProblem } from '../running/run-request.js';
import { objectIn, textIn, valueIn } from './fields.js';
import { storeProblem } from './store.js';

/** A run of the intent machine as its genesis has it. `text`: its request, "" where an earlier run holds it. */
export type StoredRun = { readonly identity: Identity; readonly slots: readonly string[]; readonly text: string };

/** Reads the first record of a stored run. Raises `Stop`: `no_run`, `store_line`, `other_machine`, `machine_version`, and those of the store. */
export async function storedRun(store: Store, runId: string, place: string): Promise<StoredRun> {
  const genesis = await firstPayload(store, runId, place);
  const machine = objectIn(genesis, 'machine');
  const [name, version] = [textIn(machine, 'name'), machine['version']];
  if (name !== intent.name) throw misuse('other_machine', `this is a run of ${name === '' ? 'no known machine' : name}, and nobody here answers for it`, runId, 'drive it with @assay/host, by the program that began it');
  if (version !== intent.version) throw misuse('machine_version', `this run was begun by version ${JSON.stringify(version)} of ${name}, and this is version ${intent.version}`, runId, 'go on with the version of Assay that began it');
  return { identity: { run_id: runId, ts_base: textIn(genesis, 'ts_base') }, slots: textsIn(valueIn(objectIn(genesis, 'policy'), 'proposers')), text: textIn(objectIn(genesis, 'input'), 'seed_text') };
}

/** The slots whose requests are open. Reads the whole run and derives it again. Raises `Stop` where it does not hold. */
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
  throw unsound('store_line', 'the first record of the stored run is no genesis', place, 'nothing was changed; restore the run from a copy');
}

function objectOf(value: Json): JsonObject {
  return objectIn({ value }, 'value');
}

function textsIn(value: Json): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
