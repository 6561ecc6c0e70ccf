import {
  begin,
  encodeLine,
  ok,
  OUTSIDE_LIMITS,
  utf8Length,
  type EvidenceRecord,
  type Failed,
  type Follower,
  type Json,
  type JsonObject,
  type Machine,
  type Replayable,
  type Result,
  advance,
  openRequests,
  openRun,
  orThrow,
  replayable,
} from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJson } from '../../kernel/tools/arbitrary-ledger.js';
import { erase, hashOf, reforge } from '../../kernel/tools/ledger-builder.js';
import { here, machines, noted, refusal, sha256, start, success, tell } from '../tools/runs.js';
import { draws } from '../../kernel/tools/laws.ts';

/** What following came to: everything a follower shows, or its failure, at each record. */
function followed(
  records: readonly EvidenceRecord[],
  known: readonly Replayable[],
  withLines: boolean,
): readonly unknown[] {
  const shown: unknown[] = [];
  let at: Result<Failed, Follower> | null = null;
  for (const given of records) {
    // A copy: what is taken as it stands is frozen in place.
    const record = JSON.parse(JSON.stringify(given)) as EvidenceRecord;
    const options = { sha256, checked: true };
    at =
      at === null
        ? begin(known, record, options)
        : at.right.feed(record, withLines ? utf8Length(encodeLine(record)) : undefined);
    if (at._tag === 'Left') return [...shown, at.left];
    const { head, due, outcome, artifacts, summary_hash } = at.right;
    shown.push({
      head,
      due,
      outcome,
      artifacts,
      summary_hash,
      snapshot: at.right.snapshot(),
      nodes: at.right.dag.nodeCount,
    });
  }
  return shown;
}

function expectSame(
  records: readonly EvidenceRecord[],
  known: readonly Replayable[] = machines,
): readonly unknown[] {
  const whole = followed(records, known, true);
  expect(whole).toEqual(followed(records, known, false));
  return whole;
}

/** Takes any answer as an event's hash, so that only the limits of what is given can be in the way. */
const any: Machine<null, Json, string, null> = {
  name: 'any',
  version: 1,
  open: () =>
    ok({
      state: null,
      decision: { events: [], asks: [{ kind: 'x', body: null, accepts: ['tool'], attempts: 0 }] },
    }),
  parse: (value) => ok(value),
  decide: (_state, answer, context) =>
    ok({
      events: [answer.input._tag === 'Right' ? context.hash(answer.input.right) : 'none'],
      asks: [{ kind: 'x', body: null, accepts: ['tool'], attempts: 0 }],
    }),
  evolve: () => null,
  encode: () => null,
  decode: () => ok(null),
};

function answered(value: Json): readonly EvidenceRecord[] {
  const opened = orThrow(
    openRun(
      any,
      { run_id: 'any', ts_base: 't', policy: null, input: null, base: null, engine: null },
      { sha256 },
    ),
  );
  const [request] = openRequests(opened.run);
  const proposal = {
    request_id: request?.id ?? '',
    source: 'tool',
    proposer: 'p',
    confidence: null,
    value,
    failure: null,
    at_us: null,
    spent: {},
    cites: [],
    provenance: {},
  };
  return [...opened.records, ...orThrow(advance(opened.run, proposal)).records];
}

describe('a proposal taken as it was recorded', () => {
  it('replay/checked-line-equals-plain: sound ledgers, forged ones, and those with erased records', () => {
    const lost = { failure: { code: 'lost', final: false, detail: { n: 1 } } } as const;
    for (const { records } of [
      success(),
      refusal(),
      tell(start(), lost, here, noted('a'), { ...here, source: 'tool' }),
    ]) {
      expect(expectSame(records)).toHaveLength(records.length);
      for (const [index, { kind }] of records.entries()) {
        if (kind === 'genesis') continue;
        expectSame(erase(records, [index]));
        expectSame([...records.slice(0, index), ...records.slice(index + 1)]);
      }
    }
    const { records } = success();
    const changed = (change: Record<string, Json>): readonly unknown[] =>
      expectSame(
        reforge(records, (payload, index) => (index === 2 ? rehashed({ ...payload, ...change }) : undefined)),
      );
    expect(changed({ value: { option: 'here' } }).at(-1)).toMatchObject({ code: 'differs', record: 3 });
    expect(changed({ request_id: '9.9' }).at(-1)).toMatchObject({ code: 'differs', record: 3 });
    expect(changed({ source: 'tool' }).at(-1)).toMatchObject({ code: 'differs', record: 3 });
    expect(changed({ spent: { ms: Number.MAX_SAFE_INTEGER, s: 5 } }).at(-1)).toMatchObject({
      code: 'differs',
      record: 4,
    });
    expect(changed({ provenance: { $sealed: hashOf(1) } })).toHaveLength(records.length);
  });

  it('replay/checked-line-equals-plain: any value', () => {
    const run = { seed: 20_260_105, numRuns: draws(1_000) };
    console.log(`recorded: seed ${run.seed}`);
    fc.assert(
      fc.property(arbitraryJson(), (value) => {
        const records = answered(value);
        expect(expectSame(records, [replayable(any)])).toHaveLength(records.length);
      }),
      run,
    );
  });

  it('keeps to the limits of what may be given, and names them as ever', () => {
    const known = [replayable(any)];
    const nested = (levels: number): Json => (levels === 0 ? 0 : [nested(levels - 1)]);
    const inObject = (levels: number): Json => (levels === 0 ? 0 : { a: inObject(levels - 1) });
    const { depth, values, keyBytes, bytes } = OUTSIDE_LIMITS;
    // The proposal itself is one level; it has ten fields and four containers beside the value.
    const fixed = 1 + 10;
    const at: readonly (readonly [string, (more: number) => Json])[] = [
      ['depth', (more) => nested(depth - 1 + more)],
      ['depth', (more) => inObject(depth - 1 + more)],
      ['values', (more) => Array.from({ length: values - fixed + more }, () => 0)],
      ['key_size', (more) => ({ ['k'.repeat(keyBytes + more)]: 1 })],
      ['key_size', (more) => ({ ['é'.repeat(keyBytes / 2) + 'k'.repeat(more)]: 1 })],
      ['size', (more) => 'x'.repeat(bytes - sizeOf('') + more)],
    ];
    for (const [code, value] of at) {
      const sound = answered(value(0));
      expect(expectSame(sound, known), code).toHaveLength(sound.length);
      const over = reforge(answered(0), (payload, index) =>
        index === 2 ? { ...payload, value: value(1) } : undefined,
      );
      expect(expectSame(over, known).at(-1), code).toMatchObject({
        code: 'differs',
        record: 2,
        got: 'inadmissible',
      });
    }
  });
});

/** A proposal payload whose own hash is computed again, as integrity asks. */
function rehashed(proposal: JsonObject): JsonObject {
  const { source = null, confidence = null, value = null } = proposal;
  return { ...proposal, proposal_hash: hashOf({ source, confidence, value }) };
}

/** Bytes of the proposal of `answered` with a text for its value. */
function sizeOf(text: string): number {
  const proposal = answered(text)[2];
  const { proposal_hash: _, ...given } = proposal?.payload as { readonly proposal_hash: string };
  return utf8Length(JSON.stringify(given));
}
