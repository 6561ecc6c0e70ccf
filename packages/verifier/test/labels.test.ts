import { makeContinuation, snapshot, type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { diffLedgers, type DiffPlace, type LedgerDiff } from '@assay/verifier';
import { chain, erase, reforge } from '../../kernel/tools/ledger-builder.js';
import { here, noted, refusal, start, success, tell, there } from '../tools/runs.js';

const base = success().records;
const elsewhere = success({ run_id: 'poll-2', ts_base: 'u' }).records;
const lastDecision = base.findLastIndex(({ kind }) => kind === 'decision');
const artifact = base.findIndex(({ kind }) => kind === 'artifact');

/** The ledger with other events in its last decision. */
const saying = (records: readonly EvidenceRecord[], ...events: readonly Json[]): readonly EvidenceRecord[] =>
  reforge(records, (payload, index) => (index === lastDecision ? { ...payload, events } : undefined));
const differ = (a: readonly Json[], b: readonly Json[]): string =>
  diffLedgers(saying(base, ...a), saying(elsewhere, ...b)).kind;
const hashAt = (records: readonly EvidenceRecord[], index: number): Json =>
  records[index]?.record_hash ?? null;
const payloadAt = (records: readonly EvidenceRecord[], index: number): JsonObject =>
  records[index]?.payload as JsonObject;

describe('a name of the ledger’s own, inside what a machine says', () => {
  it('is compared by what it stands for: the run', () => {
    expect(differ(['poll-1'], ['poll-2'])).toBe('equal');
    expect(differ(['poll-1'], ['tally'])).toBe('differs');
  });

  it('a record, by decision and place', () => {
    // Before the last decision's own hash is made anew, all others stand.
    for (let index = 1; index < lastDecision; index += 1) {
      if (base[index]?.kind === 'rejection') continue;
      expect(differ([hashAt(base, index)], [hashAt(elsewhere, index)])).toBe('equal');
      expect(differ([hashAt(base, index)], [hashAt(elsewhere, index === 1 ? 2 : 1)])).toBe('differs');
    }
  });

  it('a node, and a request', () => {
    const nodes = (records: readonly EvidenceRecord[]): string[] =>
      records.flatMap(({ kind, payload }) =>
        kind === 'decision'
          ? (
              (payload as { readonly graph?: { readonly nodes: readonly { readonly id: string }[] } | null })
                .graph?.nodes ?? []
            ).map(({ id }) => id)
          : [],
      );
    const [left, right] = [nodes(base), nodes(elsewhere)];
    expect(left.length).toBeGreaterThan(2);
    for (const [index, id] of left.entries()) {
      expect(differ([id], [right[index] ?? ''])).toBe('equal');
      expect(differ([id], [right[(index + 1) % right.length] ?? ''])).toBe('differs');
    }
    expect(differ(['1.0'], ['1.0'])).toBe('equal');
    expect(differ(['1.0'], ['1.1'])).toBe('differs');
    expect(differ(['1.0'], ['9.9'])).toBe('differs');
  });

  it('an artifact, by its name and decision', () => {
    const [one, two] = [payloadAt(base, artifact), payloadAt(base, artifact + 1)];
    const other = reforge(elsewhere, (payload, index) =>
      index === artifact ? { ...payload, artifact_hash: 'its-hash' } : undefined,
    );
    const after = (records: readonly EvidenceRecord[], text: Json): readonly EvidenceRecord[] =>
      reforge(records, (payload, index) =>
        index === lastDecision ? { ...payload, events: [text] } : undefined,
      );
    expect(one['name']).not.toBe(two['name']);
    expect(diffLedgers(after(base, one['artifact_hash'] ?? null), after(other, 'its-hash')).kind).toBe(
      'equal',
    );
    expect(diffLedgers(after(base, two['artifact_hash'] ?? null), after(other, 'its-hash')).kind).toBe(
      'differs',
    );
    // The same text as name of a request and not of an artifact is not the same thing.
    expect(diffLedgers(after(base, one['name'] ?? null), after(other, 'its-hash')).kind).toBe('differs');
  });

  it('a request carried over from before, which has no decision here', () => {
    let told = tell(start(), here);
    for (let note = 0; snapshot(told.run) === null; note += 1) told = tell(told, noted(String(note)));
    const taken = snapshot(told.run);
    if (taken === null) throw new Error('no snapshot');
    const child = start({ run_id: 'child', base: makeContinuation(taken) }).records;
    const carried = Object.keys(makeContinuation(taken).snapshot?.open ?? {});
    expect(carried.length).toBeGreaterThan(1);
    const withdrawing = (id: string | undefined): readonly EvidenceRecord[] =>
      reforge(child, (payload, index) => (index === 1 ? { ...payload, withdrawn: [id ?? ''] } : undefined));
    expect(diffLedgers(withdrawing(carried[0]), withdrawing(carried[0])).kind).toBe('equal');
    expect(diffLedgers(withdrawing(carried[0]), withdrawing(carried[1])).kind).toBe('differs');
  });
});

describe('answers', () => {
  it('that answer the same request are equal, whatever the request is called', () => {
    const renamed = (records: readonly EvidenceRecord[]): readonly EvidenceRecord[] => {
      const changed = JSON.parse(
        JSON.stringify(records).replaceAll(/"(\d+)\.(\d)"/g, '"7$1.$2"'),
      ) as typeof records;
      return chain(changed);
    };
    expect(JSON.stringify(renamed(base))).toContain('"71.0"');
    expect(diffLedgers(base, renamed(base))).toEqual({ kind: 'equal', decisions: 5, givenDifferently: [] });
    expect(diffLedgers(renamed(base), base)).toEqual({ kind: 'equal', decisions: 5, givenDifferently: [] });
  });

  it('that answer another request differ there', () => {
    const other = reforge(base, (payload, index) =>
      index === 4 ? { ...payload, request_id: '1.1' } : undefined,
    );
    expect(diffLedgers(base, other)).toMatchObject({ kind: 'equal', givenDifferently: ['proposal'] });
    const shorter = tell(start(), { value: { option: 'nowhere' } }, here);
    expect(diffLedgers(shorter.records, tell(shorter, noted('a')).records)).toMatchObject({
      kind: 'differs',
      proposal: {
        field: '',
        left: null,
        right: { request_id: expect.stringMatching(/^request \d+ of decision 0$/) },
      },
    });
  });
});

describe('comparing two ledgers', () => {
  const swapped = (diff: LedgerDiff): LedgerDiff => {
    const turned = ({ a, b, left, right, field }: DiffPlace): DiffPlace => ({
      a: b,
      b: a,
      left: right,
      right: left,
      field,
    });
    return diff.kind === 'equal'
      ? diff
      : { ...diff, at: turned(diff.at), proposal: diff.proposal === null ? null : turned(diff.proposal) };
  };

  it('the other way round the sides change places, and nothing else changes', () => {
    const ledgers = [
      base,
      elsewhere,
      refusal().records,
      saying(base, 1),
      start().records,
      tell(start(), here, there).records,
      tell(start({ policy: { voters: 3, quorum: 1, attempts: 2 } }), here).records,
      erase(base, [1, 5]),
      [] as readonly EvidenceRecord[],
    ];
    const cuts = base.map((_, index) => base.slice(0, index));
    for (const one of [base, elsewhere, refusal().records])
      for (const other of [...ledgers, ...cuts])
        expect(diffLedgers(other, one)).toEqual(swapped(diffLedgers(one, other)));
  });

  it('a ledger cut short differs from the whole at the first decision it lacks, or in nothing', () => {
    for (const [length, { kind }] of base.entries()) {
      const cut = base.slice(0, length);
      const decisions = cut.filter((record) => record.kind === 'decision').length;
      const diff = diffLedgers(cut, base);
      // What a group still lacks is missing in the group's own decision.
      const inside = kind === 'artifact' || kind === 'close' ? decisions - 1 : decisions;
      expect(diff).toMatchObject({
        kind: 'differs',
        decision: inside,
        at: { a: null, field: '', left: null },
      });
    }
  });
});
