import { readFileSync, readdirSync } from 'node:fs';
import { ledgerRecord, orThrow, runView, type EvidenceRecord } from '@assay/kernel';
import { describe, expect, it } from 'vitest';

const GOLDENS = 'golden-fixtures';
const records = (name: string): readonly EvidenceRecord[] =>
  readFileSync(`${GOLDENS}/${name}/ledger.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
const runs = readdirSync(GOLDENS).filter((name) => /^(?:intent|controller|memory|tally)-/.test(name));

describe('typed records', () => {
  it('every record of a golden run has the type of its kind', () => {
    for (const name of runs)
      for (const record of records(name)) expect(ledgerRecord(record), name).toBe(record);
  });

  it('what is none of a run has no type', () => {
    const [genesis] = records('intent-unicode');
    if (genesis === undefined) throw new Error('no record');
    expect(ledgerRecord({ ...genesis, kind: 'toString' })).toBeNull();
    expect(ledgerRecord({ ...genesis, kind: 'close' })).toBeNull();
    const { payload: _, ...erased } = genesis;
    expect(ledgerRecord(erased)).toBe(erased);
  });
});

describe('a run by its parts', () => {
  it('says where each part stands', () => {
    for (const name of runs) {
      const all = records(name);
      const view = orThrow(runView(all));
      expect(view.genesis).toBe(all[0]?.payload);
      for (const [id, { record }] of view.requests)
        expect(JSON.stringify(all[record]?.payload)).toContain(`"id":"${id}"`);
      const answered = [...view.answers.values()].flat();
      expect(answered.map(({ record }) => record).sort((a, b) => a - b)).toEqual(
        all.flatMap(({ kind }, index) => (kind === 'proposal' ? [index] : [])),
      );
      for (const { record, rejection } of answered)
        expect(rejection).toBe(all[record + 1]?.kind === 'rejection' ? all[record + 1]?.payload : null);
      expect(view.close?.value).toBe(all.find(({ kind }) => kind === 'close')?.payload);
      expect(view.erased).toBe(0);
    }
  });

  it('counts what is erased, and needs a genesis', () => {
    const all = records('controller-correction');
    const erase = (at: number): readonly EvidenceRecord[] =>
      all.map((record, index) => {
        const { payload: _, ...rest } = record;
        return index === at ? rest : record;
      });
    const proposal = all.findIndex(({ kind }) => kind === 'proposal');
    const view = orThrow(runView(erase(proposal)));
    expect(view.erased).toBe(1);
    expect([...view.answers.values()].flat()).toHaveLength(
      all.filter(({ kind }) => kind === 'proposal').length - 1,
    );
    expect(runView(erase(0))).toMatchObject({ left: { code: 'payload_erased', record: 0 } });
    expect(runView(all.slice(1))).toMatchObject({ left: { code: 'no_run', record: 0 } });
    expect(runView([...all, ...all])).toMatchObject({ left: { code: 'no_run', record: all.length } });
    expect(runView([])).toMatchObject({ left: { code: 'no_run', record: 0 } });
  });

  it('carries the requests of its base', () => {
    const view = orThrow(runView(records('tally-continuation')));
    const carried = Object.keys(view.genesis.base?.snapshot?.open ?? {});
    expect(carried.length).toBeGreaterThan(0);
    for (const id of carried) expect(view.requests.get(id)).toMatchObject({ record: 0, value: { id } });
  });
});
