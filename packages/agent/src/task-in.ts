/**
 * What a perceiver understood, from the records of a run.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import type { TaskSpec } from '@assay/controller';

/** The task in words, and the earlier turn that it refers to; null where nothing was understood. */
export function taskIn(records: readonly EvidenceRecord[]): Pick<TaskSpec, 'intent' | 'refers_to'> | null {
  for (const { kind, payload } of records) {
    const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
    const said = isArray(events) ? events.find((event) => memberOf(event, 'kind') === 'TaskSpec') : undefined;
    if (said === undefined) continue;
    const body = memberOf(said, 'body');
    const [intent, refers_to] = [memberOf(body, 'intent'), memberOf(body, 'refers_to')];
    return {
      intent: typeof intent === 'string' ? intent : '',
      refers_to: typeof refers_to === 'number' ? refers_to : null,
    };
  }
  return null;
}

function memberOf(value: Json, key: string): Json {
  return isObject(value) ? (field(value, key) ?? null) : null;
}
