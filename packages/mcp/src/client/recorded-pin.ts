/**
 * What a server was and declared when it answered last, from the run's own ledger: for a process that goes on
 * with it.
 *
 * @module
 */
import { isDigest, isObject } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
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
      readText(record.payload, 'proposer') !== proposer ||
      readField(record.payload, 'failure') !== null
    )
      continue;
    const provenance = readField(record.payload, 'provenance');
    const [schemaHash, server] = [readField(provenance, 'schema_hash'), readField(provenance, 'server')];
    if (isDigest(schemaHash))
      pin = {
        schemaHash,
        server: isObject(server)
          ? { name: readText(server, 'name'), version: readText(server, 'version') }
          : null,
      };
  }
  return pin;
}
