/** Thresholds of blame: exact where a number flips the run once, intervals where it does so more often. */
import { describe, expect, test } from 'vitest';
import { advance, field, isObject, ok, openRun, orThrow, type Json, type Machine } from '@assay/kernel';
import { blame, derivedAgain, NO_CHANGE, readSound, redecider } from '@assay/verifier/impact';
import { encodeFile } from '@assay/verifier/attacks';
import { sha256 } from '../tools/runs.ts';

type State = { readonly micros: number };
/** Events hold whole numbers alone; a policy may hold fractions. */
type Event = { readonly micros: number };
const UNIT = 1_000_000;

/** Says yes below 40 and from 71 to 80; nothing else of its policy counts. */
const gate: Machine<State, Json, Event, null> = {
  name: 'gate',
  version: 1,
  open: ({ policy }) => {
    const ask = { kind: 'ask', body: null, accepts: ['rule'], attempts: 1 } as const;
    const at = isObject(policy) ? field(policy, 'at') : null;
    const micros = typeof at === 'number' ? Math.floor(at * UNIT) : 0;
    return ok({ state: { micros: 0 }, decision: { events: [{ micros }], asks: [ask] } });
  },
  parse: (value) => ok(value),
  decide: ({ micros }) => {
    const at = micros / UNIT;
    const isYes = at < 40 || (at > 70 && at <= 80);
    return ok({
      events: [],
      outcome: isYes ? { status: 'success', reasons: [] } : { status: 'refused', reasons: ['no'] },
    });
  },
  evolve: (_state, event) => event,
  encode: (state) => state,
  decode: (json) => ok(json as unknown as State),
};

const by = redecider(gate, { sha256 });
const answer = { source: 'rule', proposer: 'desk', confidence: null, value: 1, failure: null } as const;
const rest = { at_us: null, spent: {}, cites: [], provenance: {} };

function blamed(a: number, b: number): ReturnType<typeof blame> {
  const policy = { at: a, note: 'a' };
  const opened = orThrow(
    openRun(gate, { run_id: 'r', ts_base: 't', policy, input: null, base: null, engine: null }, { sha256 }),
  );
  const told = orThrow(advance(opened.run, { request_id: '1.0', ...answer, ...rest }));
  const bytes = encodeFile([...opened.records, ...told.records]);
  const parent = orThrow(derivedAgain(by.replays, orThrow(readSound([bytes], sha256))));
  return blame(parent, by, [policy, { at: b, note: 'b' }], { change: NO_CHANGE, sha256 });
}

describe('blame/thresholds', () => {
  test.each([
    [10, 60, { stays: 39, flips: 40 }],
    [60, 10, { stays: 40, flips: 39 }],
    // Fractions: the value before 40 that a ledger can hold.
    [0.5, 60.5, { stays: 40 - 2 ** -47, flips: 40 }],
  ])('from %d to %d', (a, b, threshold) => {
    expect(blamed(a, b)).toMatchObject({
      right: { set: [{ path: 'at', was: a, would_be: b }], isWhole: true, thresholds: [{ threshold }] },
    });
  });

  test('more than one stretch: the intervals, and no threshold', () => {
    const intervals = [
      { from: 10, to: 39, result: 'same' },
      { from: 40, to: 70, result: 'flips' },
      { from: 71, to: 80, result: 'same' },
      { from: 81, to: 90, result: 'flips' },
    ];
    expect(blamed(10, 90)).toMatchObject({ right: { thresholds: [{ threshold: null, intervals }] } });
  });

  test('policies that end the run the same', () => {
    expect(blamed(10, 80)).toMatchObject({ left: { code: 'no_flip' } });
  });
});
