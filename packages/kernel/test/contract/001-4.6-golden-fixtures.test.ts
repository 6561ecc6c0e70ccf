/** 001 §4.6 Golden fixtures: what each locks, and that an empty or missing lock is an error. */
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { compareFixture } from '@assay/verifier';
import { listGoldens, readGolden, readRecords } from '../../tools/goldens.ts';

const names = listGoldens('intent');
const lockOf = (name: string): { readonly [field: string]: Json } =>
  readGolden(name, 'expected.json') as {
    readonly [field: string]: Json;
  };

const LOCKED = [
  'summary_hash',
  'ledger_last_hash',
  'dag_root_hash',
  'artifact_hashes',
  'chosen',
  'node_count',
  'edge_count',
  'node_kinds',
] as const;

describe('001 §4.6 golden fixtures', () => {
  it.each(names)('001 §4.6 %s locks all of it', (name) => {
    const lock = lockOf(name);
    for (const field of LOCKED) expect(lock, field).toHaveProperty(field);
    const kinds = Object.values(lock['node_kinds'] as { readonly [kind: string]: number });
    expect(kinds.reduce((sum, count) => sum + count, 0)).toBe(lock['node_count']);
    expect((lock['chosen'] as { readonly value: string }).value).not.toBe('');
  });

  it.each(LOCKED)('001 §4.6 without %s, or with it empty or different, a fixture fails', (field) => {
    const name = 'intent-contradiction-settled';
    const [records, lock] = [readRecords(name), lockOf(name)];
    expect(compareFixture(records, lock)).toEqual({ _tag: 'Right', right: null });
    const { [field]: _, ...missing } = lock;
    const others: readonly Json[] = [
      missing,
      { ...lock, [field]: null },
      { ...lock, [field]: '' },
      { ...lock, [field]: {} },
      { ...lock, [field]: typeof lock[field] === 'number' ? 0 : 'f'.repeat(64) },
    ];
    for (const broken of others)
      expect(compareFixture(records, broken as { readonly [field: string]: Json })).not.toEqual({
        _tag: 'Right',
        right: null,
      });
  });
});
