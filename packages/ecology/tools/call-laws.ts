/** What a ledger says of its effects: each is held before it is made, and settled once (L38, L39). */
import type { EvidenceRecord, JsonObject } from '@assay/kernel';
import type { EcologyEvent } from '../src/index.js';

type Asked = { readonly id: string; readonly kind: string; readonly body: JsonObject };

/** The effects of a ledger. `faults`: where a law is broken, in words. `calls`: metered calls by their request. */
export type Effects = {
  readonly faults: readonly string[];
  readonly requests: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, string>;
  readonly ended: ReadonlySet<string>;
};

/** Looks through a ledger, record by record: what holds of the whole holds of every prefix. */
export function findEffects(records: readonly Pick<EvidenceRecord, 'kind' | 'payload'>[]): Effects {
  const [faults, requests, calls]: [string[], Set<string>, Map<string, string>] = [[], new Set(), new Map()];
  const [begun, ended] = [new Set<string>(), new Set<string>()];
  for (const { kind, payload } of records) {
    if (kind !== 'decision') continue;
    const decided = payload as never as {
      readonly events: readonly EcologyEvent[];
      readonly requests: readonly Asked[];
    };
    for (const event of decided.events) {
      if (event.t === 'called') {
        if (begun.has(event.i)) faults.push(`${event.i} begins twice`);
        begun.add(event.i);
      }
      if (event.t !== 'came') continue;
      if (!begun.has(event.i)) faults.push(`${event.i} ends and never began`);
      if (ended.has(event.i)) faults.push(`${event.i} ends twice`);
      ended.add(event.i);
    }
    for (const { id, kind: of, body } of decided.requests) {
      requests.add(id);
      if (of !== 'effect') continue;
      const hold = decided.events.find((event) =>
        'call' in body
          ? event.t === 'called' && event.i === body['call']
          : event.t === 'waits' && event.a === body['agent'],
      );
      if (hold === undefined) faults.push(`${id} is asked for and nothing is held`);
      if (hold?.t !== 'called') continue;
      const { agent, target, digest } = hold.v;
      const said = JSON.stringify({ agent, by: body['by'] ?? null, call: hold.i, digest, target });
      const names = JSON.stringify(Object.fromEntries(Object.entries(body).toSorted()));
      if (said !== names) faults.push(`${id} is asked for otherwise than it is held`);
      calls.set(id, hold.i);
    }
  }
  return { faults, requests, calls, ended };
}
