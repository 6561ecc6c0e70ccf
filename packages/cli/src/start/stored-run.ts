/** A stored run before anything is asked: what it was begun with, and how far it is. */
import { existsSync } from 'node:fs';
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { soundRecord, readSequence, StoreReadError, type Identity, type Store } from '@assay/host';
import type { MachineName } from '@assay/views/machines';
import { claimedRun } from '../files/claim.js';
import { STORED, onlyRun } from '../files/ledger.js';
import { storeProblem } from '../files/store.js';
import { misuse, unsound } from '../problems/problem.js';
import { objectIn, textIn, valueIn } from '../terminal/shown.js';
import type { Where } from './places.js';

/** Records, open requests and cost of a run. */
export type SoFar = {
  readonly records: number;
  readonly open: number;
  readonly spent: { readonly [unit: string]: number };
};

/**
 * Counts what a store has of a run; null where it has none, or cannot be read: whoever drives it says why.
 * Nothing is derived or judged, so it is for showing alone. Reads the whole run.
 */
export async function storedSoFar(store: Pick<Store, 'read'>, runId: string): Promise<SoFar | null> {
  let records = 0;
  const open = new Set<string>();
  const spent = new Map<string, number>();
  let answered = '';
  try {
    for await (const line of store.read(runId)) {
      const record = soundRecord(line);
      if (record === null) return null;
      const { kind, payload = null, ts } = record;
      records = (readSequence(ts) ?? 0) + 1;
      if (kind === 'genesis') for (const id of carriedIn(payload)) open.add(id);
      if (kind === 'proposal') {
        answered = textIn(payload, 'request_id');
        for (const [unit, amount] of Object.entries(objectIn(payload, 'spent')))
          if (typeof amount === 'number') spent.set(unit, (spent.get(unit) ?? 0) + amount);
      }
      if (kind === 'decision') {
        for (const id of [answered, ...textsIn(payload, 'withdrawn')]) open.delete(id);
        for (const request of listIn(payload, 'requests')) open.add(textIn(request, 'id'));
      }
    }
  } catch (error) {
    if (error instanceof StoreReadError) return null;
    throw error;
  }
  return records === 0 ? null : { records, open: open.size, spent: Object.fromEntries(spent) };
}

/** Requests that a continuation takes over. */
function carriedIn(genesis: Json): readonly string[] {
  return Object.keys(objectIn(objectIn(objectIn(genesis, 'base'), 'snapshot'), 'open'));
}

function textsIn(value: Json, key: string): readonly string[] {
  return listIn(value, key).filter((item) => typeof item === 'string');
}

function listIn(value: Json, key: string): readonly Json[] {
  const list = isObject(value) ? valueIn(value, key) : null;
  return isArray(list) ? list : [];
}

/** A run as its genesis has it. `machine`: its name, "" for none. */
export type StartedRun = {
  readonly identity: Identity;
  readonly machine: string;
  readonly by: MachineName;
  readonly policy: JsonObject;
  readonly input: JsonObject;
};

/** Which run is meant by `STORE#RUN`, a folder of results, or a store with one run. Raises `Stop`: `option_needed`. */
export async function runNamed(given: string): Promise<{ readonly where: Where; readonly run_id: string }> {
  const isFolder = existsSync(given);
  const [, url, run] = STORED.exec(given) ?? (isFolder ? null : NO_STORE.exec(given)) ?? [];
  if (url === undefined) return { where: { output: given }, run_id: claimedRun(given).run_id };
  return { where: { store: url }, run_id: run ?? (await onlyRun(url)) };
}

/** The run of a memory or a library, `URL` or `URL#RUN`, which many runs share. Raises `Stop`: `store_url`. */
export function sharedNamed(given: string, kind: string): { readonly url: string; readonly run: string } {
  const [url = '', run = kind] = given.split('#', 2);
  if (/^(?:file|sqlite|postgres|postgresql|redis):/.test(url)) return { url, run };
  throw misuse(
    'store_url',
    `a ${kind} is kept in a store`,
    `--${kind} ${given}`,
    `give its address, such as file:./${kind}; add #RUN if its run has another name than ${kind}`,
  );
}

/** What is meant for a store and is none: whoever opens it says so. */
const NO_STORE = /^(?=.*#|[a-z]+:\/\/)([^#]*)(?:#(.*))?$/s;

/** Reads the first record of a stored run. Raises `Stop`: `no_run`, `store_line`, and those of the store. */
export async function storedRun(store: Store, runId: string, place: string): Promise<StartedRun> {
  const genesis = await firstPayload(store, runId, place);
  const machine = objectIn(genesis, 'machine');
  return {
    identity: { run_id: runId, ts_base: textIn(genesis, 'ts_base') },
    machine: textIn(machine, 'name'),
    by: {
      name: textIn(machine, 'name'),
      version: Number(valueIn(machine, 'version')),
      engine: textIn(machine, 'engine') || null,
    },
    policy: objectIn(genesis, 'policy'),
    input: objectIn(genesis, 'input'),
  };
}

async function firstPayload(store: Store, runId: string, place: string): Promise<JsonObject> {
  try {
    for await (const line of store.read(runId)) {
      const record = soundRecord(line);
      if (record?.kind === 'genesis' && record.payload !== undefined) return requireObject(record.payload);
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

function requireObject(value: Json): JsonObject {
  return objectIn({ value }, 'value');
}
