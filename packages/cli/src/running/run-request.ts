/**
 * Deciding one request: what `run` and `demo` share.
 *
 * @module
 */
import { isArray, type EvidenceRecord, type Head, type Json, type JsonObject, type Status } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { drive, memoryStore, type DriveError, type Ports, type Store } from '@assay/host';
import { textIn, valueIn } from '../inputs/fields.js';
import type { Identity } from '../inputs/identity.js';
import { storeProblem } from '../inputs/store.js';
import { misuse, Stop, unreachable } from '../problem.js';
import { EXIT } from '../exit.js';
import { resultsIn } from './documents.js';
import { recordsIn } from './records-in.js';

/** What a run is made from. `place`: how messages name the store. */
export type RunRequest = { readonly identity: Identity; readonly policy: JsonObject; readonly input: JsonObject; readonly ports: Ports; readonly store: Store | null; readonly place: string };

/** A run that ended: its records, its head, how it ended, and its results. */
export type Ended = { readonly records: readonly EvidenceRecord[]; readonly head: Head; readonly status: Status; readonly reasons: readonly string[]; readonly artifacts: ReadonlyMap<string, Json> };

/** Drives the intent machine over a request to its end. Raises `Stop`. */
export async function runRequest({ identity, policy, input, ports, store, place }: RunRequest): Promise<Ended> {
  const kept = store ?? memoryStore();
  try {
    const driven = await drive(intent, { ...identity, policy, input }, { store: kept, ports });
    if (driven._tag === 'Left') throw driveProblem(driven.left, identity, place);
    const { end, head } = driven.right;
    if (end !== 'success' && end !== 'refused') throw new Stop({ code: 'run_open', message: `the run did not end (${end})`, place, remedy: 'run it again', exit: EXIT.unreachable });
    const records = await recordsIn(kept, identity.run_id, place);
    return { records, head, status: end, reasons: reasonsOf(records), artifacts: resultsIn(records) };
  } finally {
    await kept.close();
  }
}

function driveProblem(error: DriveError, { run_id }: Identity, place: string): Stop {
  switch (error.code) {
    case 'rejected':
      return rejected(error.rejection.code, error.rejection.detail);
    case 'exists':
      return misuse('run_exists', 'another run is stored under this name', run_id, 'give another --run-id');
    case 'store':
      return storeProblem(error.error, place);
    case 'line':
      return unreachable('store_torn', `record ${error.record} of the stored run is damaged (${error.reason})`, place, 'assay verify says more; restore the file from a copy');
    case 'ledger':
      return unreachable('store_ledger', `the stored run does not replay: ${error.failed.code} at record ${error.failed.record}`, place, 'assay verify says more');
  }
}

/** The machine's own words for a policy, pin or request it does not take. */
function rejected(code: string, detail: Json): Stop {
  const rule = textIn(detail, 'rule');
  const said = rule === '' ? JSON.stringify(detail) : rule;
  const place = ['field', 'key', 'path'].map((key) => textIn(detail, key)).find((text) => text !== '') ?? '';
  const remedies: { readonly [code: string]: string } = {
    bad_policy: 'correct this field of --policy',
    bad_pin: 'write pins like --pin no_card_data=true or --pin latency.p99="<= 200 ms"',
    bad_input: 'give a shorter or another request',
    inadmissible: 'see docs/formats/limits.md',
  };
  return misuse(code, `the run cannot be opened: ${said}`, place, remedies[code] ?? 'see docs/formats/payloads.md');
}

function reasonsOf(records: readonly EvidenceRecord[]): readonly string[] {
  const reasons = valueIn(records.at(-1)?.payload, 'reasons');
  return isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [];
}
