/**
 * What a perceiver understood, from the records of a run.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord } from '@assay/kernel';
import type { TaskSpec } from '@assay/controller';
import { textIn, valueIn } from '../inputs/fields.js';

/** The task in words, and the earlier turn that it refers to; null where nothing was understood. */
export function taskIn(records: readonly EvidenceRecord[]): Pick<TaskSpec, 'intent' | 'refers_to'> | null {
  for (const { kind, payload } of records) {
    const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
    const said = isArray(events) ? events.find((event) => textIn(event, 'kind') === 'TaskSpec') : undefined;
    if (said === undefined) continue;
    const body = valueIn(said, 'body');
    const refers_to = valueIn(body, 'refers_to');
    return { intent: textIn(body, 'intent'), refers_to: typeof refers_to === 'number' ? refers_to : null };
  }
  return null;
}
