/**
 * What the panels of a gate need, folded from its records. Source: gate/G21.
 *
 * @module
 */
import { admit, PersistentMap, type DerivedRecord, type Genesis, type Json } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import type { DecidedEvent, GateEvent, Verdict, Why } from '../machine/events.js';

/** One call. `did`: how it ended, null while it is under way; `end`: when, microseconds. */
export type CallSeen = {
  readonly n: number;
  readonly record: number;
  readonly isWatched: boolean;
  readonly verdict: Verdict;
  readonly why: Why;
  readonly rules: readonly string[];
  readonly budget: string | null;
  readonly at: number;
  readonly proposer: string;
  readonly principal: string;
  readonly tool: string;
  readonly input: string;
  readonly did: string | null;
  readonly end: number | null;
  readonly person: string | null;
  readonly result: string;
};

/** A run so far. Of calls the first are kept, and all that wait for a person. */
export type GateFold = {
  readonly about: string;
  readonly calls: PersistentMap<CallSeen>;
  readonly count: number;
  readonly refused: readonly CallSeen[];
  readonly answer: { readonly proposer: string; readonly value: Json; readonly at_us: number | null } | null;
  readonly from: number | null;
  readonly isClosed: boolean;
};

const CALLS_MAX = 1_500;
const REFUSED_MAX = 400;
const TEXT_MAX = 160;

/** Before the first record. */
export function start({ input }: Genesis): GateFold {
  return {
    about: readText(input, 'about'),
    calls: PersistentMap.empty(),
    count: 0,
    refused: [],
    answer: null,
    from: null,
    isClosed: false,
  };
}

/** One record more. */
export function fold(seen: GateFold, record: DerivedRecord, position: number): GateFold {
  switch (record.kind) {
    case 'proposal': {
      const { proposer, value, at_us } = record.payload;
      return { ...seen, answer: { proposer, value, at_us } };
    }
    case 'decision':
      return (record.payload.events as unknown as readonly GateEvent[]).reduce(
        (folded, event) => foldEvent(folded, event, position),
        seen,
      );
    case 'close':
      return { ...seen, isClosed: true };
    default:
      return seen;
  }
}

function foldEvent(seen: GateFold, event: GateEvent, position: number): GateFold {
  switch (event.t) {
    case 'allowed':
    case 'asked':
    case 'denied':
    case 'watched': {
      const call = readCall(seen, event, position);
      const isKept = seen.calls.size < CALLS_MAX || event.t === 'asked';
      const isRefused = call.verdict === 'denied' && seen.refused.length < REFUSED_MAX;
      return {
        ...seen,
        calls: isKept ? seen.calls.set(String(event.n), call) : seen.calls,
        count: seen.count + 1,
        refused: isRefused ? [...seen.refused, call] : seen.refused,
        from: seen.from ?? event.at,
      };
    }
    case 'approved':
    case 'declined': {
      const person =
        event.t === 'declined' && event.why === 'closed' ? null : (seen.answer?.proposer ?? null);
      return change(seen, event.n, { person, did: event.t === 'declined' ? 'declined' : null });
    }
    case 'settled': {
      const { value = null, at_us = null } = seen.answer ?? {};
      const given = readField(value, 'result');
      const bytes = readField(value, 'bytes');
      const result =
        typeof given === 'string'
          ? cutText(given)
          : given !== null
            ? renderInput(given)
            : typeof bytes === 'number'
              ? `${bytes} bytes`
              : '';
      const did = event.ok ? 'done' : event.why === '' ? 'failed' : event.why;
      return change(seen, event.n, { did, end: at_us, result });
    }
    default:
      return seen;
  }
}

function readCall({ answer }: GateFold, event: DecidedEvent, record: number): CallSeen {
  const { proposer = '', value = null } = answer ?? {};
  return {
    ...{ n: event.n, record, at: event.at, why: event.why, rules: event.rules },
    isWatched: event.t === 'watched',
    verdict: event.t === 'watched' ? event.would : event.t,
    budget: 'budget' in event ? (event.budget ?? null) : null,
    proposer,
    principal: readText(value, 'principal'),
    tool: readText(value, 'tool'),
    input: renderInput(readField(value, 'input')),
    ...{ did: null, end: null, person: null, result: '' },
  };
}

function change(seen: GateFold, n: number, more: Partial<CallSeen>): GateFold {
  const call = seen.calls.get(String(n));
  return call === undefined ? seen : { ...seen, calls: seen.calls.set(String(n), { ...call, ...more }) };
}

/** A value of evidence in one line, cut: JSON, and a text with quotes as it is, in quotes that it does not hold. */
export function renderInput(value: Json): string {
  const admitted = admit(value);
  const text = admitted._tag === 'Left' ? '' : admitted.right.text;
  return cutText(text).replace(/"((?:[^"\\]|\\.)*)"/g, (json, inner: string) => {
    const quote = ["'", '`'].find((each) => !inner.includes(each));
    const isPlain = !inner.includes('\\') || !/^(?:[^\\]|\\["\\])*$/.test(inner);
    return isPlain || quote === undefined ? json : quote + inner.replace(/\\(.)/g, '$1') + quote;
  });
}

function cutText(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - 1)}…`;
}
