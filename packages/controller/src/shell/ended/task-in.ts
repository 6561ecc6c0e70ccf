/**
 * What a perceiver understood, from the records of a run.
 *
 * @module
 */
import type { EvidenceRecord } from '@assay/kernel';
import type { TaskSpec } from '../../index.js';
import { eventsIn, textIn, valueIn } from '../records/fields.js';

/** The task in words, and the earlier turn that it refers to; null if nothing was understood. */
export function taskIn(records: readonly EvidenceRecord[]): Pick<TaskSpec, 'intent' | 'refers_to'> | null {
  for (const record of records) {
    const said = eventsIn(record).find((event) => textIn(event, 'kind') === 'TaskSpec');
    if (said === undefined) continue;
    const body = valueIn(said, 'body');
    const refers_to = valueIn(body, 'refers_to');
    return { intent: textIn(body, 'intent'), refers_to: typeof refers_to === 'number' ? refers_to : null };
  }
  return null;
}
