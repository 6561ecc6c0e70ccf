import {
  err,
  ok,
  RunIntegrity,
  validateRun,
  validateRunFile,
  validateChain,
  type EvidenceRecord,
  type Json,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { describe, expect, it } from 'vitest';
import { chain, fileOf, hashOf, LedgerBuilder, reforge } from '../../tools/ledger-builder.js';
import { itemAt, sample } from './samples.js';

const encode = (record: EvidenceRecord): Uint8Array => fileOf([record]).subarray(0, -1);

describe('RunIntegrity', () => {
  it('asks what lies outside of each sound payload, and gives what is wrong there as the detail of token', () => {
    const asked: Json[] = [];
    const integrity = new RunIntegrity({
      outside: (payload) => {
        asked.push(payload);
        return asked.length === 3 ? { path: '/payload/value', expected: 'an opening', got: null } : null;
      },
    });
    const records = sample().records();
    const said = records.slice(0, 3).map((record) => integrity.feed(encode(record)));
    expect(said.map(({ _tag }) => _tag)).toEqual(['Right', 'Right', 'Left']);
    expect(said[2]).toEqual(
      err({
        check: 'integrity',
        code: 'token',
        record: 2,
        detail: { path: '/payload/value', expected: 'an opening', got: null },
      }),
    );
    expect(asked).toEqual(records.slice(0, 3).map(({ payload }) => payload));
  });

  it("takes the name of no other record for an artifact's", () => {
    const { drafts } = new LedgerBuilder().decide().artifact('b', 1);
    expect(
      validateRun(chain([...drafts, { ts: 't#000000000003', kind: 'proposal', payload: { name: 'a' } }])),
    ).toMatchObject({ left: { code: 'payload_shape', record: 3 } });
  });
});

describe('validateRun', () => {
  it('says what a sound ledger is', () => {
    const records = sample().records();
    const last = itemAt(records, -1);
    const result = validateRun(records);
    expect(result).toMatchObject({
      right: {
        run_id: 'run-1',
        isForeign: false,
        records: 13,
        first: 0,
        count: 13,
        hash: last.record_hash,
        genesis_hash: records[0]?.record_hash,
        outcome: 'success',
        isInsideGroup: false,
        erased: null,
      },
    });
    const { dag_root_hash, artifact_hashes } = last.payload as { dag_root_hash: Json; artifact_hashes: Json };
    const summary = hashOf({ ledger_last_hash: last.record_hash, dag_root_hash, artifact_hashes });
    expect(result).toMatchObject({ right: { summary_hash: summary } });
  });

  it('accepts what validateChain accepts, and adds the grammar', () => {
    const odd = chain([{ ts: 'a', kind: 'genesis', payload: { format: 'assay/0' } }]);
    expect(validateChain(odd)._tag).toBe('Right');
    expect(validateRun(odd)).toMatchObject({
      left: { check: 'integrity', code: 'ts', record: 0, detail: { path: '/ts' } },
    });
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'encoding'],
    ['a NaN', { v: Number.NaN }, 'encoding'],
    ['depth', deep(300), 'depth'],
    ['depth beyond any walk', deep(2_000), 'depth'],
    ['too many marks', Array.from({ length: 262_146 }, () => 0), 'size'],
    ['no record', { v: 1 }, 'shape'],
  ])('a value that is %s', (_, value, code) =>
    expect(validateRun([value])).toMatchObject({ left: { code, record: 0 } }),
  );
});

describe('RunIntegrity', () => {
  it('counts, gives records back, and stays at its first fault', () => {
    const records = sample().records();
    const integrity = new RunIntegrity();
    expect(integrity.feed(encode(itemAt(records, 0)))).toEqual({ _tag: 'Right', right: records[0] });
    const fault = integrity.feed(encode(itemAt(records, 2)));
    expect(fault).toMatchObject({ left: { code: 'parent', record: 1 } });
    expect(integrity.records).toBe(1);
    expect(integrity.feed(encode(itemAt(records, 1)))).toEqual(fault);
    expect(integrity.feedRecord(records[1])).toEqual(fault);
    expect(integrity.finish()).toEqual(fault);
  });

  it('says when a group is open', () => {
    const records = sample().records();
    const inside = records
      .map((_, index) => validateRun(records.slice(0, index + 1)))
      .map((result) => result._tag === 'Right' && result.right.isInsideGroup);
    expect(inside).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      false,
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('holds every line to a reference encoder where one is given', () => {
    const file = fileOf(sample().records());
    const ordered = (value: Json): string =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? `{${Object.keys(value)
            .sort()
            .map((key) => `${JSON.stringify(key)}:${ordered((value as Record<string, Json>)[key] ?? null)}`)
            .join(',')}}`
        : Array.isArray(value)
          ? `[${(value as Json[]).map(ordered).join(',')}]`
          : JSON.stringify(value);
    expect(validateRunFile(file, { reference: (value) => ok(ordered(value)) })._tag).toBe('Right');
    expect(validateRunFile(file, { reference: () => err(0) })).toMatchObject({
      left: { code: 'encoding', record: 0 },
    });
    expect(validateRunFile(file, { reference: () => ok('') })).toMatchObject({
      left: { code: 'encoding', record: 0 },
    });
  });
});

describe('HashOnlyIntegrity', () => {
  const judge = (records: readonly EvidenceRecord[]): string => {
    const integrity = new HashOnlyIntegrity();
    for (const record of records) integrity.feed(encode(record));
    const result = integrity.finish();
    return result._tag === 'Right' ? 'held' : `${result.left.code}@${result.left.record}`;
  };
  const forge = (at: number, payload: Json): EvidenceRecord[] =>
    reforge(sample().records(), (_, index) => (index === at ? payload : undefined));

  it('does not see into payloads, and does see what is outside of them', () => {
    expect(judge(sample().records())).toBe('held');
    expect(judge(forge(3, 'anything'))).toBe('held');
    expect(judge(forge(0, { format: 'assay/0', ts_base: 't' }))).toBe('payload_shape@0');
    expect(judge(forge(12, {}))).toBe('payload_shape@12');
    expect(judge([])).toBe('empty@0');
    expect(judge(chain(new LedgerBuilder().decide().push('rejection', null).drafts))).toBe('order@2');
    expect(
      judge(
        sample()
          .records()
          .filter((_, index) => index !== 4),
      ),
    ).toBe('parent@4');
  });
});

function deep(levels: number): Json {
  let value: Json = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
