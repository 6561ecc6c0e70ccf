/** Changes in forged copies never reach the records they are made from. */
import { expect, test } from 'vitest';
import type { EvidenceRecord, HeadLine, Json } from '@assay/kernel';
import { forge, isAsAnnounced, judgeForged, rerun, withChanges } from '@assay/verifier/attacks';
import { ATTACKS } from '../src/attacks/forge.js';
import { tellingEdit } from '../src/attacks/edit.ts';
import { machines, sha256, success } from '../tools/runs.ts';

const deepFrozen = (value: Json): Json => {
  if (typeof value === 'object' && value !== null)
    for (const item of Object.values(Object.freeze(value))) deepFrozen(item as Json);
  return value;
};

test('a change makes a frozen copy, shares the rest and leaves the original alone', () => {
  const value = deepFrozen({ a: [{ b: 1 }, { c: 2 }], d: { e: 'x' } });
  const before = JSON.stringify(value);
  const forged = withChanges(value, { at: ['a', 0, 'b'], to: 7 }, { at: ['f'], to: true }) as {
    readonly a: readonly Json[];
    readonly d: Json;
  };
  expect(forged).toEqual({ a: [{ b: 7 }, { c: 2 }], d: { e: 'x' }, f: true });
  expect(JSON.stringify(value)).toBe(before);
  expect([Object.isFrozen(forged), Object.isFrozen(forged.a), Object.isFrozen(forged.a[0])]).toEqual([
    true,
    true,
    true,
  ]);
  expect(forged.d).toBe((value as { readonly d: Json }).d);
  expect(withChanges(value, { at: [], to: null })).toBe(null);
});

test('the telling edit is the first number, wherever it lies; form and __proto__ are left alone', () => {
  const value = deepFrozen(JSON.parse('{"t":1,"__proto__":{"x":1},"a/b":[["id",{"n~":4}]]}') as Json);
  expect(tellingEdit(value, '/payload')).toEqual({
    path: '/payload/a~1b/0/1/n~0',
    from: 4,
    to: 5,
    value: JSON.parse('{"t":1,"__proto__":{"x":1},"a/b":[["id",{"n~":5}]]}') as Json,
  });
});

test.each(ATTACKS)('%s on a copy ends as announced, whatever machine made the ledger', (attack) => {
  const { records, head } = told();
  const before = JSON.stringify(records);
  const forged = forge(attack, records, { machines, sha256 });
  if (forged === null) throw new Error('nothing was forged');
  expect(JSON.stringify(records)).toBe(before);
  expect(isAsAnnounced(attack, judgeForged('copy', forged.bytes, head, { machines, sha256 }))).toBe(true);
});

test('without its machine a ledger is not derived again, and answers derived as they were are the same ledger', () => {
  const { records } = told();
  expect(forge('rederive', records, { machines: [], sha256 })).toBe(null);
  expect(rerun(records, { machines, sha256 }, null)).toEqual(records);
});

function told(): { readonly records: readonly EvidenceRecord[]; readonly head: HeadLine } {
  const { records } = success();
  const last = records.at(-1);
  if (last === undefined) throw new Error('no record');
  return { records, head: { count: records.length, hash: last.record_hash } };
}
