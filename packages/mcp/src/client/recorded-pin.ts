/**
 * What a server was and declared when it answered last, from the run's own ledger: for a process that goes on
 * with it.
 *
 * @module
 */
import { field, isDigest, isObject, type Json } from '@assay/kernel';
import { soundRecord, type Store } from '@assay/host';
import type { McpPin } from './asker.js';

/**
 * The pin that the last accepted or rejected value of a proposer stands for; null where it has given none in
 * this run. Pass it as `pin`, so that a schema that changed between two processes is noticed. Reads the whole
 * ledger. Raises `StoreReadError`.
 */
export async function recordedPin(
  store: Pick<Store, 'read'>,
  runId: string,
  proposer: string,
): Promise<McpPin | null> {
  let pin: McpPin | null = null;
  for await (const line of store.read(runId)) {
    const record = soundRecord(line);
    if (
      record?.kind !== 'proposal' ||
      textAt(record.payload, 'proposer') !== proposer ||
      at(record.payload, 'failure') !== null
    )
      continue;
    const provenance = at(record.payload, 'provenance');
    const [schemaHash, server] = [at(provenance, 'schema_hash'), at(provenance, 'server')];
    if (isDigest(schemaHash))
      pin = {
        schemaHash,
        server: isObject(server)
          ? { name: textAt(server, 'name'), version: textAt(server, 'version') }
          : null,
      };
  }
  return pin;
}

function at(value: Json | undefined, key: string): Json {
  return value !== undefined && isObject(value) ? (field(value, key) ?? null) : null;
}

function textAt(value: Json | undefined, key: string): string {
  const text = at(value, key);
  return typeof text === 'string' ? text : '';
}
