/**
 * What a stored run was begun with, from its first record.
 *
 * @module
 */
import type { Json, JsonObject } from '@assay/kernel';
import { soundRecord, StoreReadError, type Identity, type Store } from '@assay/host';
import { unsound } from '../problems/problem.js';
import { objectIn, textIn, valueIn } from '../terminal/fields.js';
import { storeProblem } from '../files/store.js';

/** A run as its genesis has it. `machine`: its name, "" for none. */
export type Begun = {
  readonly identity: Identity;
  readonly machine: string;
  readonly version: Json;
  readonly policy: JsonObject;
  readonly input: JsonObject;
};

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
