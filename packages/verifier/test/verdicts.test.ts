import {
  makeContinuation,
  formatHeadLine,
  ok,
  orThrow,
  parseHeadLine,
  RECORDS_MAX,
  snapshot,
  type EvidenceRecord,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { chain, erase, hashOf, LedgerBuilder, reforge } from '../../kernel/tools/ledger-builder.js';
import { CHECKS, verify, VerifyStream, type VerifyOptions } from '@assay/verifier';
import { fileOf, machines, refusal, sha256, start, success, tell, here, noted } from '../tools/runs.js';

const judge = (
  records: readonly EvidenceRecord[],
  options: VerifyOptions = {},
): ReturnType<typeof verify>['document'] =>
  verify('run', fileOf(records), { machines, sha256, ...options }).document;
const told = (document: ReturnType<typeof judge>): string[] =>
  CHECKS.map((check) => {
    const { verdict, code, record } = document.checks[check];
    return [verdict, ...(code === null ? [] : [code]), ...(record === null ? [] : [`@${record}`])].join(' ');
  });
const headOf = (records: readonly EvidenceRecord[]): NonNullable<VerifyOptions['head']> => ({
  count: records.length,
  hash: records.at(-1)?.record_hash ?? hashOf(0),
});
const UNSIGNED = ['not_checked unsigned', 'not_checked no_witness'];
const AFTER_FAULT = ['not_checked integrity', 'not_checked integrity', 'not_checked integrity'];

describe('a sound ledger', () => {
  it('of a closed run holds, and is whole where a head says so', () => {
    const { records } = success();
    expect(told(judge(records))).toEqual(['held', 'held', 'not_checked no_head', ...UNSIGNED]);
    const document = judge(records, { head: headOf(records) });
    expect(told(document)).toEqual(['held', 'held', 'held', ...UNSIGNED]);
    expect(document).toMatchObject({
      file: 'run',
      head: { run_id: 'poll-1', ...headOf(records) },
      outcome: 'success',
      due: 0,
    });
    expect(Object.keys(document)).toEqual(['file', 'head', 'outcome', 'due', 'checks']);
    expect(Object.keys(document.checks)).toEqual(CHECKS);
    for (const check of CHECKS)
      expect(Object.keys(document.checks[check])).toEqual(['verdict', 'code', 'record', 'count', 'detail']);
  });

  it('of a refused run holds', () => {
    expect(judge(refusal().records)).toMatchObject({
      outcome: 'refused',
      checks: { rederivation: { verdict: 'held' } },
    });
  });

  it('cut after any record holds, is open, and says how many records are due', () => {
    const { records } = success();
    const due = records.slice(1).map((_, index) => judge(records.slice(0, index + 1)));
    for (const document of due)
      expect(told(document)).toEqual(['held', 'held', 'not_checked no_head', ...UNSIGNED]);
    expect(due.every(({ outcome }) => outcome === 'open')).toBe(true);
    expect(due.map((document) => document.due).slice(0, 4)).toEqual([1, 0, 1, 0]);
    // The last group: proposal, decision, two artifacts, close.
    expect(due.map((document) => document.due).slice(-4)).toEqual([4, 3, 2, 1]);
  });

  it('comes in chunks of any size', () => {
    const file = fileOf(success().records);
    for (const size of [1, 7, 4_096, file.length]) {
      const stream = new VerifyStream('run', { machines, sha256 });
      for (let from = 0; from < file.length; from += size) stream.push(file.subarray(from, from + size));
      expect(stream.end().document).toEqual(verify('run', file, { machines, sha256 }).document);
    }
  });
});

describe('integrity', () => {
  it('failed: the others were not checked, and there is no head', () => {
    const { records } = success();
    const file = fileOf(records);
    file[file.length - 3] = 0x78;
    const { document } = verify('run', file, { machines, sha256, head: headOf(records) });
    expect(told(document)).toEqual([
      `failed encoding @${records.length - 1}`,
      ...AFTER_FAULT,
      'not_checked integrity',
    ]);
    expect(document).toMatchObject({ head: null, outcome: 'open', due: null });
    expect(verify('run', new Uint8Array(), { machines }).document.checks.integrity).toMatchObject({
      verdict: 'failed',
      code: 'empty',
      record: 0,
      count: 1,
    });
  });

  it('stops at the first fault', () => {
    const stream = new VerifyStream('run', { machines, sha256 });
    stream.push(fileOf(success().records.slice(1)));
    expect(stream.isDecided).toBe(true);
    stream.push(fileOf(success().records));
    expect(stream.records).toBe(0);
    expect(stream.end().document.checks.integrity).toMatchObject({ code: 'parent', record: 0 });
  });

  it('the records before a fault are still derived again', () => {
    const { records } = success();
    const forged = reforge(records, (payload, index) =>
      index === 3 ? { ...payload, code: 'unclear' } : undefined,
    );
    const cut = [...forged.slice(0, 8), ...forged.slice(9)];
    expect(told(judge(cut))).toEqual(['failed parent @8', 'failed differs @3', ...AFTER_FAULT]);
    expect(told(judge([...records.slice(0, 8), ...records.slice(9)]))).toEqual([
      'failed parent @8',
      'not_checked integrity',
      ...AFTER_FAULT,
    ]);
  });

  it('says what was erased, and where', () => {
    const document = judge(erase(success().records, [5, 3]));
    expect(document.checks.integrity).toEqual({
      verdict: 'held',
      code: null,
      record: 3,
      count: 2,
      detail: { records: success().records.length, remarks: ['payload_erased'] },
    });
    expect(document.checks.rederivation.verdict).toBe('held');
  });

  it('holds lines to a reference encoder', () => {
    expect(judge(success().records, { reference: () => ok('{}') }).checks.integrity).toMatchObject({
      verdict: 'failed',
      code: 'encoding',
      record: 0,
    });
  });
});

describe('rederivation', () => {
  const { records } = success();
  const at = (kind: string): number => records.findLastIndex((record) => record.kind === kind);
  const changed = (index: number, change: (payload: JsonObject) => Json): string =>
    told(
      judge(reforge(records, (payload, position) => (position === index ? change(payload) : undefined))),
    )[1] ?? '';

  it.each<[string, () => string, string]>([
    ['a decision', () => changed(5, (decision) => ({ ...decision, events: [] })), 'failed differs @5'],
    [
      'a state hash forged',
      () => changed(1, (decision) => ({ ...decision, state_hash: hashOf(1) })),
      'failed differs @1',
    ],
    [
      'a rejection code',
      () => changed(3, (rejection) => ({ ...rejection, code: 'other' })),
      'failed differs @3',
    ],
    [
      'a rejection detail',
      () => changed(3, (rejection) => ({ ...rejection, detail: 1 })),
      'failed differs @3',
    ],
    [
      'an outcome',
      () => changed(at('close'), (close) => ({ ...close, status: 'refused', reasons: ['no_quorum'] })),
      `failed differs @${at('close')}`,
    ],
    [
      'the close state hash',
      () => changed(at('close'), (close) => ({ ...close, state_hash: hashOf(1) })),
      `failed differs @${at('close')}`,
    ],
    [
      'a policy',
      () => changed(0, (genesis) => ({ ...genesis, policy: { voters: 3, quorum: 1, attempts: 3 } })),
      'failed differs @1',
    ],
    [
      'a policy no machine opens',
      () => changed(0, (genesis) => ({ ...genesis, policy: null })),
      'failed differs @0',
    ],
    [
      'a spent beyond any sum',
      () => changed(2, (proposal) => ({ ...proposal, spent: { ms: Number.MAX_SAFE_INTEGER, s: 1 } })),
      'failed differs @4',
    ],
    [
      'provenance alone',
      () => changed(2, (proposal) => ({ ...proposal, provenance: { model: 'other' } })),
      'held',
    ],
  ])('%s', (_, verdict, expected) => expect(verdict()).toBe(expected));

  it('of a continuation whose sequence would need thirteen digits is a verdict, and no defect', () => {
    const taken = snapshot(start({ run_id: 'base' }).run);
    if (taken === null) throw new Error('no snapshot');
    for (const room of [0, 1, 2, 3]) {
      const base = { ...makeContinuation(taken), count: RECORDS_MAX - 2 - room };
      const opened = start({ base }).records;
      const [genesis, last] = [opened[0]?.payload as Json, opened[1]?.payload as Json];
      const ledger = new LedgerBuilder({ first: base.count })
        .push('decision', last)
        .propose('1.0', { option: 'here' }, { source: 'human' })
        .decide()
        .artifact('a', 1)
        .close();
      const records = chain(
        ledger.drafts.map((draft, index) => ({
          ...draft,
          ts: draft.ts.replace(/^.*#/, 't#'),
          ...(index === 0 ? { payload: genesis } : {}),
        })),
      );
      for (const count of [3, records.length]) {
        const [integrity, rederivation] = told(judge(records.slice(0, count)));
        const first = 2 + room;
        expect([room, integrity]).toEqual([room, first < count ? `failed ts @${first}` : 'held']);
        expect([room, rederivation]).toEqual([
          room,
          room === 0
            ? 'not_checked integrity'
            : room < 3
              ? 'failed differs @2'
              : count === 3
                ? 'held'
                : 'failed differs @3',
        ]);
      }
    }
  });

  it('says which field differs', () => {
    const forged = reforge(records, (payload, index) =>
      index === 3 ? { ...payload, code: 'other' } : undefined,
    );
    expect(judge(forged).checks.rederivation).toMatchObject({
      count: 1,
      detail: { field: '/payload/code', expected: 'unknown_option', got: 'other' },
    });
  });

  it('finds a decision that was forged and then erased', () => {
    const forged = reforge(records, (payload, index) =>
      index === 5 ? { ...payload, events: [] } : undefined,
    );
    expect(told(judge(erase(forged, [5])))).toEqual([
      'held @5',
      'failed differs @5',
      'not_checked no_head',
      ...UNSIGNED,
    ]);
    expect(told(judge(erase(records, [5])))[1]).toBe('held');
  });

  it('is not checked from an erased proposal on, and nothing is due', () => {
    const document = judge(erase(records.slice(0, 8), [4]));
    expect(told(document)).toEqual([
      'held @4',
      'not_checked payload_erased @4',
      'not_checked no_head',
      ...UNSIGNED,
    ]);
    expect(document.due).toBe(0);
    // A forgery before the erased proposal is still found.
    const forged = reforge(records, (payload, index) =>
      index === 3 ? { ...payload, code: 'other' } : undefined,
    );
    expect(told(judge(erase(forged, [4])))[1]).toBe('failed differs @3');
  });

  it('is not checked without the machine or its version, or in a foreign chain', () => {
    expect(told(judge(records, { machines: [] }))[1]).toBe('not_checked unknown_machine @0');
    expect(judge(records.slice(0, 1), { machines: [] }).due).toBeNull();
    expect(judge(records, { machines: [] }).due).toBe(0);
    expect(
      changed(0, (genesis) => ({ ...genesis, machine: { name: 'tally', version: 99, engine: null } })),
    ).toBe('not_checked unknown_machine @0');
    const foreign = reforge(records, (payload, index) =>
      index === 0 ? { ...payload, format: 'assay/9' } : undefined,
    );
    const document = judge(foreign, { expect: [{ key: 'run', value: 'poll-1' }] });
    expect(told(document)).toEqual([
      'held',
      'not_checked unknown_format @0',
      'failed expectation',
      ...UNSIGNED,
    ]);
    expect(document).toMatchObject({
      head: { run_id: null, count: records.length },
      outcome: 'open',
      due: null,
      checks: { integrity: { detail: { remarks: ['foreign_chain'] } } },
    });
  });

  it('stops at a limit of the verifier, and not before it', () => {
    const limited = judge(records, { limits: { records: 4 } });
    expect(limited.checks.rederivation).toMatchObject({
      verdict: 'not_checked',
      code: 'limit',
      record: 4,
      count: records.length - 4,
    });
    expect(judge(records, { limits: { records: records.length } }).checks.rederivation.verdict).toBe('held');
    const bytes = fileOf(records).length;
    expect(judge(records, { limits: { bytes } }).checks.rederivation.verdict).toBe('held');
    expect(judge(records, { limits: { bytes: bytes - 1 } }).checks.rederivation).toMatchObject({
      code: 'limit',
      record: records.length - 1,
      count: 1,
    });
    const forged = reforge(records, (payload, index) =>
      index === 3 ? { ...payload, code: 'other' } : undefined,
    );
    expect(told(judge(forged, { limits: { records: 4 } }))[1]).toBe('failed differs @3');
    expect(told(judge(forged, { limits: { records: 3 } }))[1]).toBe('not_checked limit @3');
  });
});

describe('hash-only', () => {
  it('says that it is, and never more than it looked at', () => {
    const { records } = success();
    const document = judge(records, { hashOnly: true, head: headOf(records) });
    expect(told(document)).toEqual(['held', 'not_checked limit @0', 'held', ...UNSIGNED]);
    expect(document).toMatchObject({
      due: null,
      outcome: 'success',
      checks: {
        integrity: { detail: { hash_only: { mode: 'hash_only' } } },
        rederivation: { count: records.length, detail: { mode: 'hash_only' } },
      },
    });
    const edited = records.map((record, index) => (index === 5 ? { ...record, payload: {} } : record));
    expect(told(judge(edited, { hashOnly: true }))).toEqual([
      'failed payload_hash @5',
      ...AFTER_FAULT,
      'not_checked integrity',
    ]);
  });
});

describe('completeness', () => {
  const { records } = success();
  const open = tell(start(), here, noted('a')).records;
  const whole = (given: readonly EvidenceRecord[], options: VerifyOptions): string =>
    told(judge(given, options))[2] ?? '';
  const expecting = (key: 'machine' | 'policy' | 'input' | 'run', value: string): string =>
    whole(records, { expect: [{ key, value }] });

  it.each<[string, () => string, string]>([
    ['closed, its own head', () => whole(records, { head: headOf(records) }), 'held'],
    ['open, its own head', () => whole(open, { head: headOf(open) }), 'not_checked open_run'],
    ['cut tail', () => whole(records.slice(0, -1), { head: headOf(records) }), 'failed truncated'],
    ['cut tail without head', () => whole(records.slice(0, -1), {}), 'not_checked no_head'],
    [
      'goes on after the head',
      () => whole(records, { head: headOf(records.slice(0, 5)) }),
      'not_checked beyond_head @5',
    ],
    [
      'another hash inside',
      () => whole(records, { head: { count: 5, hash: hashOf(1) } }),
      'failed head_mismatch @4',
    ],
    [
      'another hash at the end',
      () => whole(records, { head: { count: records.length, hash: hashOf(1) } }),
      `failed head_mismatch @${records.length - 1}`,
    ],
    [
      'closed, head further on',
      () => whole(records, { head: { count: records.length + 1, hash: hashOf(1) } }),
      `failed head_mismatch @${records.length - 1}`,
    ],
    ['machine', () => expecting('machine', 'tally@1'), 'not_checked no_head'],
    ['another machine version', () => expecting('machine', 'tally@2'), 'failed expectation @0'],
    [
      'policy',
      () => expecting('policy', hashOf({ voters: 3, quorum: 2, attempts: 2 })),
      'not_checked no_head',
    ],
    ['another policy', () => expecting('policy', hashOf({})), 'failed expectation @0'],
    [
      'input',
      () => expecting('input', hashOf({ question: 'Where?', options: ['here', 'there'] })),
      'not_checked no_head',
    ],
    ['another input', () => expecting('input', ''), 'failed expectation @0'],
    ['run', () => expecting('run', 'poll-1'), 'not_checked no_head'],
    ['another run', () => expecting('run', 'poll-2'), 'failed expectation @0'],
    [
      'expectation before head',
      () => whole(records, { head: headOf(records), expect: [{ key: 'run', value: 'x' }] }),
      'failed expectation @0',
    ],
  ])('%s', (_, verdict, expected) => expect(verdict()).toBe(expected));

  it('counts records beyond and short of a head', () => {
    expect(judge(records, { head: headOf(records.slice(0, 5)) }).checks.completeness.count).toBe(
      records.length - 5,
    );
    expect(judge(records.slice(0, -3), { head: headOf(records) }).checks.completeness).toMatchObject({
      record: null,
      count: 3,
      detail: { expected: headOf(records) },
    });
    expect(judge(records, { expect: [{ key: 'run', value: 'x' }] }).checks.completeness.detail).toEqual({
      key: 'run',
      expected: 'x',
      got: 'poll-1',
    });
  });

  it('reads heads as they are printed', () => {
    const head = orThrow(parseHeadLine(formatHeadLine(headOf(records))));
    expect(whole(records, { head })).toBe('held');
  });
});
