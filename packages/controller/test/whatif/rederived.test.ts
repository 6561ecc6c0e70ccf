/**
 * What was erased of a run and follows from its answers is made again, so that no round is missing where it
 * is shown or compared.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EvidenceRecord } from '@assay/kernel';
import { roundsIn } from '../../src/index.js';
import { rederived } from '../../src/whatif/rederived.js';

const FIXTURES = new URL('../../../../golden-fixtures/', import.meta.url);
const goldens = readdirSync(FIXTURES).filter((name) => name.startsWith('controller-'));
const recordsOf = (name: string): readonly EvidenceRecord[] =>
  readFileSync(new URL(`${name}/ledger.jsonl`, FIXTURES), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);

function erased(
  records: readonly EvidenceRecord[],
  isErased: (record: EvidenceRecord, index: number) => boolean,
): readonly EvidenceRecord[] {
  return records.map((record, index) => {
    if (!isErased(record, index)) return record;
    const { payload: _payload, ...envelope } = record;
    return envelope as EvidenceRecord;
  });
}

const follows = new Set(['decision', 'rejection', 'artifact']);

describe.each(goldens)('%s', (name) => {
  const records = recordsOf(name);

  it('is made whole again where all that follows from its answers is erased', () => {
    const cut = erased(records, ({ kind }) => follows.has(kind));
    expect(roundsIn(cut)).toEqual([]);
    expect(rederived(cut)).toEqual(records);
  });

  it(
    'keeps what cannot be made again as it is: behind an erased answer nothing follows, and ' +
      'a changed answer makes another run',
    () => {
      const answers = records.flatMap(({ kind }, index) => (kind === 'proposal' ? [index] : []));
      const middle = answers[Math.floor(answers.length / 2)] ?? 0;
      const cut = erased(records, ({ kind }, index) => index === middle || kind === 'decision');
      const made = rederived(cut);
      expect(made.map(({ payload }) => payload !== undefined)).toEqual(
        records.map(({ kind }, index) => index < middle || (index > middle && kind !== 'decision')),
      );
      const other = cut.map((record, index) =>
        index === answers[0]
          ? ({ ...record, payload: { ...(record.payload as object), value: null } } as EvidenceRecord)
          : record,
      );
      expect(rederived(other).slice(answers[0])).toEqual(other.slice(answers[0]));
    },
  );
});

it('leaves records alone of which nothing is erased, and those of nobody', () => {
  const records = recordsOf('controller-accept');
  expect(rederived(records)).toBe(records);
  expect(rederived([])).toEqual([]);
  const headless = erased(records, (_, index) => index === 0);
  expect(rederived(headless)).toEqual(headless);
});
