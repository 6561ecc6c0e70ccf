/**
 * What a perceiver understood, from the records of a run.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { TaskSpec } from '../../index.js';
import { eventsIn } from '../records/fields.js';

/** The task in words, and the earlier turn that it refers to; null if nothing was understood. */
export function taskIn(records: readonly EvidenceRecord[]): Pick<TaskSpec, 'intent' | 'refers_to'> | null {
  for (const record of records) {
    const said = eventsIn(record).find((event) => readText(event, 'kind') === 'TaskSpec');
    if (said === undefined) continue;
    const body = readField(said, 'body');
    const refers_to = readField(body, 'refers_to');
    return { intent: readText(body, 'intent'), refers_to: typeof refers_to === 'number' ? refers_to : null };
  }
  return null;
}
