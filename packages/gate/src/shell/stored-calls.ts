/**
 * The calls of a stored run, read back from its ledger. Source: gate/G14, gate/G16.
 *
 * @module
 */
import type { Digest, Json } from '@assay/kernel';
import type { Store } from '@assay/host';
import type { GateEvent } from '../machine/events.js';
import { isWhole } from '../machine/tokens.js';
import { CALLS_KEPT, Calls, makeCall, type NotedIn } from './calls.js';

/** A call is a proposal and a decision, and so is its end. */
const RECORDS_PER_CALL = 4;

type Line = {
  readonly kind: string;
  readonly payload: {
    readonly value: {
      readonly principal: string;
      readonly tool: string;
      readonly call_id: string;
      readonly digest: Digest;
      readonly input: Json;
      readonly result?: Json;
    } | null;
    readonly provenance: { readonly noted?: NotedIn };
    readonly events: readonly GateEvent[];
  };
};

/**
 * Reads the last calls of a run of `count` records whose ledger holds, and all that are open: `isOpen` by number.
 * Raises `StoreReadError`.
 */
export async function readCalls(
  store: Pick<Store, 'read'>,
  runId: string,
  count: number,
  openCalls: ReadonlySet<number>,
): Promise<Calls> {
  const from = Math.max(0, count - CALLS_KEPT * RECORDS_PER_CALL);
  const calls = await readFrom(store, runId, from);
  const isMissing = [...openCalls].some((n) => !calls.open.has(n));
  return isMissing && from > 0 ? readFrom(store, runId, 0) : calls;
}

async function readFrom(store: Pick<Store, 'read'>, runId: string, from: number): Promise<Calls> {
  const calls = new Calls();
  const decoder = new TextDecoder();
  let answer: Line['payload'] | null = null;
  for await (const bytes of store.read(runId, from)) {
    const { kind, payload } = JSON.parse(decoder.decode(bytes)) as Line;
    if (kind === 'proposal') answer = payload;
    if (kind !== 'decision' || answer === null) continue;
    for (const event of payload.events) fold(calls, event, answer);
  }
  return calls;
}

function fold(calls: Calls, event: GateEvent, { value, provenance }: Line['payload']): void {
  const noted = provenance.noted ?? null;
  switch (event.t) {
    case 'allowed':
    case 'asked':
    case 'watched': {
      if (value === null) return;
      const { principal, tool, call_id, digest, input } = value;
      const known = isWhole(input) ? { value: input } : null;
      const phase = event.t === 'asked' ? 'waiting' : 'allowed';
      const decided = { n: event.n, rules: event.rules, phase, input: known, noted } as const;
      calls.add(makeCall({ principal, tool, id: call_id, digest }, decided));
      return;
    }
    case 'approved':
      Object.assign(calls.open.get(event.n) ?? {}, { noted, phase: 'allowed' });
      return;
    case 'declined':
    case 'settled': {
      const call = calls.open.get(event.n);
      if (call === undefined) return;
      const end =
        event.t === 'settled'
          ? { ok: event.ok, why: event.why, ...(value?.result === undefined ? {} : { result: value.result }) }
          : { ok: false, why: event.why === '' ? 'declined' : event.why };
      calls.finish(call, end, false);
      return;
    }
    default:
  }
}
