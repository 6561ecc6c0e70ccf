/**
 * The committed vectors of runs, recomputed twice: by replaying them with the kernel, and by folds over the
 * records with fast-json-stable-stringify and node:crypto. A difference is a finding.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import stringify from 'fast-json-stable-stringify';
import { describe, expect, it } from 'vitest';
import {
  compareRequestIds,
  follow,
  formatHeadLine,
  isRequestId,
  orThrow,
  parseHeadLine,
  validateRunFile,
  utf8Bytes,
  type ClosePayload,
  type DecisionPayload,
  type EvidenceRecord,
  type Head,
  type Json,
  type RunFollower,
} from '@assay/kernel';
import {
  foldOpenTable,
  tally,
  type BallotBody,
  type NoticeBody,
  type TallyAnswer,
  type TallyEvent,
  type TallyState,
} from '@assay/testing';

function load(name: string): unknown {
  return JSON.parse(
    readFileSync(new URL(`../../../../vectors/${name}.json`, import.meta.url), 'utf8'),
  ) as unknown;
}
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const recordsOf = (lines: readonly string[]): readonly EvidenceRecord[] =>
  lines.map((line) => JSON.parse(line) as EvidenceRecord);
type TallyFollower = RunFollower<TallyState, TallyAnswer, TallyEvent, BallotBody | NoticeBody>;

/** The follower after each record. */
function followAll(records: readonly EvidenceRecord[]): readonly TallyFollower[] {
  const first: TallyFollower = orThrow(follow(tally, records[0] as EvidenceRecord));
  const followers = [first];
  for (const record of records.slice(1)) followers.push(orThrow((followers.at(-1) ?? first).feed(record)));
  return followers;
}

type Table = { readonly after: number; readonly open: Json };
type Requests = {
  readonly tables: readonly {
    readonly name: string;
    readonly lines: readonly string[];
    readonly tables: readonly Table[];
  }[];
  readonly ids: readonly { readonly id: string; readonly is_request_id: boolean }[];
  readonly order: { readonly given: readonly string[]; readonly sorted: readonly string[] };
};

describe('vectors/requests.json', () => {
  const { tables, ids, order } = load('requests') as Requests;

  it.each(tables)('the table after each group: $name', ({ lines, tables: expected }) => {
    expect(validateRunFile(utf8Bytes(lines.map((line) => `${line}\n`).join('')))._tag).toBe('Right');
    const records = recordsOf(lines);
    const followers = followAll(records);
    for (const { after, open } of expected) {
      expect(Object.fromEntries(foldOpenTable(records.slice(0, after)))).toEqual(open);
      expect(Object.fromEntries(followers[after - 1]?.run.open ?? [])).toEqual(open);
    }
    expect(expected.at(-1)?.after).toBe(records.length);
  });

  it.each(ids)('$id', ({ id, is_request_id }) => {
    expect(isRequestId(id)).toBe(is_request_id);
    const [sequence = '', index = '', ...rest] = id.split('.');
    const isPlain = (digits: string): boolean =>
      /^[0-9]+$/.test(digits) && !digits.endsWith('\n') && String(BigInt(digits)) === digits;
    expect(
      rest.length === 0 &&
        isPlain(sequence) &&
        isPlain(index) &&
        sequence.length <= 12 &&
        BigInt(index) <= 65_535n,
    ).toBe(is_request_id);
  });

  it('ids sort as two integers', () => {
    expect([...order.given].sort(compareRequestIds)).toEqual(order.sorted);
    const weight = (id: string): bigint =>
      id.split('.').reduce((sum, part) => sum * 65_536n + BigInt(part), 0n);
    expect([...order.given].sort((a, b) => (weight(a) < weight(b) ? -1 : 1))).toEqual(order.sorted);
  });
});

type Stated = {
  readonly record: number;
  readonly state: string;
  readonly length: number;
  readonly since: number | null;
  readonly state_hash: string | null;
};
type States = {
  readonly ledgers: readonly {
    readonly name: string;
    readonly lines: readonly string[];
    readonly states: readonly Stated[];
    readonly close: string | null;
  }[];
};

describe('vectors/state-hash.json', () => {
  const { ledgers } = load('state-hash') as States;

  it.each(ledgers)('$name', ({ lines, states, close }) => {
    const records = recordsOf(lines);
    const followers = followAll(records);
    let length: number | null = null;
    let counted = 0;
    for (const { record, state, state_hash, ...expected } of states) {
      const end = endOfGroup(records, record);
      const { run } = followers[record] as (typeof followers)[number];
      const since =
        length === null
          ? null
          : records
              .slice(counted, record)
              .reduce((sum, { payload }) => sum + Buffer.byteLength(stringify(payload)), 0);
      const table = Object.fromEntries(foldOpenTable(records.slice(0, end)));
      expect(JSON.parse(state)).toMatchObject({ t: 'state', machine: tally.encode(run.state), open: table });
      expect(stringify(JSON.parse(state))).toBe(state);
      expect({ length: Buffer.byteLength(state), since }).toEqual(expected);
      expect((records[record]?.payload as DecisionPayload).state_hash).toBe(state_hash);
      expect(state_hash).toBe(length === null || (since ?? 0) >= length ? sha256(state) : null);
      if (state_hash !== null) [length, counted] = [Buffer.byteLength(state), end];
    }
    const last = records.at(-1);
    expect(last?.kind === 'close' ? (last.payload as unknown as ClosePayload).state_hash : null).toBe(close);
    if (close !== null) expect(sha256(states.at(-1)?.state ?? '')).toBe(close);
  });

  it('has n equal to L, and one below', () => {
    const edge = (name: string): Stated | undefined =>
      ledgers.find((ledger) => ledger.name === name)?.states[1];
    const [first] = ledgers.find(({ name }) => name === 'n equals L')?.states ?? [];
    expect([edge('n equals L')?.since, edge('n is one below L')?.since]).toEqual([
      first?.length,
      (first?.length ?? 0) - 1,
    ]);
    expect([edge('n equals L')?.state_hash === null, edge('n is one below L')?.state_hash === null]).toEqual([
      false,
      true,
    ]);
  });
});

function endOfGroup(records: readonly EvidenceRecord[], decision: number): number {
  const next = records.findIndex(
    ({ kind }, index) => index > decision && kind !== 'artifact' && kind !== 'close',
  );
  return next === -1 ? records.length : next;
}

type Heads = {
  readonly ledgers: readonly {
    readonly name: string;
    readonly lines: readonly string[];
    readonly heads: readonly {
      readonly run_id: string;
      readonly count: number;
      readonly hash: string;
      readonly line: string;
    }[];
    readonly summary_hash: string | null;
  }[];
  readonly lines: readonly {
    readonly line: string;
    readonly head: { readonly count: number; readonly hash: string } | null;
  }[];
};

describe('vectors/heads.json', () => {
  const { ledgers, lines } = load('heads') as Heads;

  it.each(ledgers)('$name', ({ lines: ledger, heads, summary_hash }) => {
    const records = recordsOf(ledger);
    const followers = followAll(records);
    for (const [index, { line, ...head }] of heads.entries()) {
      expect(followers[index]?.head).toEqual(head);
      expect(formatHeadLine(followers[index]?.head as Head)).toBe(line);
      expect(line).toBe(
        `assay-head:1:${Number(records[index]?.ts.split('#')[1]) + 1}:${records[index]?.record_hash ?? ''}`,
      );
    }
    expect(followers.at(-1)?.summary_hash).toBe(summary_hash);
    if (summary_hash === null) return;
    const { artifact_hashes, dag_root_hash } = records.at(-1)?.payload as unknown as ClosePayload;
    expect(
      sha256(stringify({ artifact_hashes, dag_root_hash, ledger_last_hash: records.at(-1)?.record_hash })),
    ).toBe(summary_hash);
  });

  it.each(lines)('$line', ({ line, head }) => {
    const read = parseHeadLine(line);
    expect(read._tag === 'Right' ? read.right : null).toEqual(head);
  });
});
