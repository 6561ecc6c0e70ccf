import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalize,
  hashCanonical,
  orThrow,
  type DecisionPayload,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import { foldOpenTable, tallyLedger } from '@assay/testing';
import { native } from './native.js';
import {
  ask,
  failing,
  go,
  payloadAt,
  puppet,
  start,
  telling,
  type Puppet,
  type PuppetRun,
} from './puppet.js';
import { draws } from '../../tools/laws.ts';

function bytesOf(value: unknown): number {
  return orThrow(canonicalize(value)).length;
}

/**
 * The rule, from records and the machine's encoding after each decision alone. Returns the state hash each
 * decision must carry (null where none), in order.
 */
function expectedHashes(
  records: readonly EvidenceRecord[],
  encodings: ReadonlyMap<number, Json>,
): readonly (string | null)[] {
  const expected: (string | null)[] = [];
  const artifacts: Record<string, Json> = {};
  let length: number | null = null;
  let since = 0;
  let inGroup = 0;
  for (const [index, { kind, payload }] of records.entries()) {
    if (kind === 'artifact' || kind === 'close') inGroup += bytesOf(payload);
    if (kind === 'proposal' || kind === 'rejection') {
      since += inGroup + bytesOf(payload);
      inGroup = 0;
    }
    if (kind !== 'decision') continue;
    let end = index + 1;
    for (; records[end]?.kind === 'artifact'; end += 1) {
      const { name, artifact_hash } = records[end]?.payload as {
        readonly name: string;
        readonly artifact_hash: string;
      };
      artifacts[name] = artifact_hash;
    }
    const state = {
      t: 'state',
      machine: encodings.get(index) ?? null,
      open: Object.fromEntries(foldOpenTable(records.slice(0, end))),
      artifacts,
    };
    const isAnchored = length === null || since >= length;
    expected.push(isAnchored ? orThrow(hashCanonical(state)) : null);
    if (isAnchored) {
      length = bytesOf(state);
      since = 0;
      // Neither the decision nor its artifacts count after a hash.
      inGroup = -groupBytes(records, index + 1, end);
    } else {
      inGroup = bytesOf(payload);
    }
  }
  return expected;
}

function groupBytes(records: readonly EvidenceRecord[], from: number, to: number): number {
  return records.slice(from, to).reduce((sum, { payload }) => sum + bytesOf(payload), 0);
}

function carriedHashes(records: readonly EvidenceRecord[]): readonly (string | null)[] {
  return records
    .filter(({ kind }) => kind === 'decision')
    .map(({ payload }) => (payload as DecisionPayload).state_hash);
}

describe('state_hash: carried first, and whenever n >= L', () => {
  it('L and n recomputed from the records alone, over random runs whose states shrink and grow', () => {
    const step = fc.record({
      event: fc.integer({ min: 0, max: 900 }),
      artifact: fc.integer({ min: 0, max: 500 }),
      sort: fc.constantFrom('tell', 'tell', 'tell', 'reject', 'stranger', 'lost'),
    });
    let nulls = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const encodings = new Map<number, Json>();
        const opening = start({ asks: [ask({ attempts: 0 })], events: ['x'.repeat(300)] }, puppet, {
          options: { sha256: native },
        });
        const records = [...opening.records];
        encodings.set(1, puppet.encode(opening.run.state));
        let { run } = opening;
        for (const { event, artifact, sort } of steps) {
          const [id] = [...run.open][0] ?? [''];
          const next = proposalOf(id, sort, event, artifact);
          const taken = go(run, next);
          if (taken.rejection === null) encodings.set(records.length + 1, puppet.encode(taken.run.state));
          records.push(...taken.records);
          run = taken.run;
        }
        const expected = expectedHashes(records, encodings);
        nulls += expected.filter((hash) => hash === null).length;
        expect(carriedHashes(records)).toEqual(expected);
      }),
      { numRuns: draws(1_000), seed: 11 },
    );
    expect(nulls).toBeGreaterThan(draws(500));
  });

  function proposalOf(id: string, sort: string, event: number, artifact: number): unknown {
    if (sort === 'reject') return failing(id, {}, { provenance: { note: 'x'.repeat(event) } });
    if (sort === 'stranger') return telling(id, {}, { source: 'human', spent: { tokens: event } });
    if (sort === 'lost') return telling('0.0', {}, { provenance: { note: 'x'.repeat(event) } });
    return telling(id, {
      events: ['x'.repeat(event)],
      asks: [ask({ attempts: 0 })],
      ...(artifact > 250 ? { artifacts: { a: 'y'.repeat(artifact) } } : {}),
    });
  }

  it('close carries the hash of the State after its group: the decision’s own where that has one', () => {
    fc.assert(
      fc.property(tallyLedger({ sha256: native, isClosed: true }), ({ records }) => {
        const decision = records.findLast(({ kind }) => kind === 'decision')?.payload as DecisionPayload;
        const close = records.at(-1)?.payload as { readonly state_hash: string };
        expect(close.state_hash).toMatch(/^[0-9a-f]{64}$/);
        if (decision.state_hash !== null) expect(close.state_hash).toBe(decision.state_hash);
      }),
      { numRuns: draws(200), seed: 12 },
    );
  });

  /** A state of 10,000 bytes, so that small answers do not pay for a hash. */
  const large = (machine: Puppet = puppet): PuppetRun =>
    start({ asks: [ask({ attempts: 0 })], events: ['x'.repeat(10_000)] }, machine, {
      options: { sha256: native },
    }).run;

  it('where the decision carries none, close still does, and it is H of the State', () => {
    const step = go(
      large(),
      telling('1.0', { artifacts: { a: 1 }, outcome: { status: 'success', reasons: [] } }),
    );
    expect(payloadAt(step, 1)['state_hash']).toBeNull();
    const artifact_hash = orThrow(hashCanonical(1));
    expect(payloadAt(step, -1)['state_hash']).toBe(
      orThrow(
        hashCanonical({
          t: 'state',
          machine: puppet.encode(step.run.state),
          open: {},
          artifacts: { a: artifact_hash },
        }),
      ),
    );
  });

  it('n >= L exactly: one byte fewer carries none', () => {
    const base = large();
    const { stateBytes } = base.pace;
    const sizeOf = (fill: number): number =>
      bytesOf(go(base, telling('1.0', {}, { provenance: { fill: 'x'.repeat(fill) } })).records[0]?.payload);
    const fill = stateBytes - sizeOf(0);
    expect(sizeOf(fill)).toBe(stateBytes);
    expect(
      payloadAt(go(base, telling('1.0', {}, { provenance: { fill: 'x'.repeat(fill) } })), 1)['state_hash'],
    ).not.toBeNull();
    expect(
      payloadAt(go(base, telling('1.0', {}, { provenance: { fill: 'x'.repeat(fill - 1) } })), 1)[
        'state_hash'
      ],
    ).toBeNull();
  });

  it('the State has rejections and spent of each open request, zeros kept, and the latest artifact of a name', () => {
    let run = start({ asks: [ask({ attempts: 0 }), ask({ attempts: 0 })], artifacts: { a: 1 } }).run;
    run = go(run, failing('1.0', {}, { spent: { tokens: 0, ms: 2 } })).run;
    const step = go(
      run,
      telling(
        '1.1',
        { artifacts: { a: 2, b: 3 }, events: ['e'] },
        { provenance: { fill: 'x'.repeat(5_000) } },
      ),
    );
    const [first] = start({ asks: [ask({ attempts: 0 })] }).run.open;
    const state = {
      t: 'state',
      machine: { log: ['e'] },
      open: { '1.0': { rejections: 1, spent: { tokens: 0, ms: 2 }, request: first?.[1].request } },
      artifacts: { a: orThrow(hashCanonical(2)), b: orThrow(hashCanonical(3)) },
    };
    expect(payloadAt(step, 1)['state_hash']).toBe(orThrow(hashCanonical(state)));
  });
});
