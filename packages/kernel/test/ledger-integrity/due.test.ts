import { createHash } from 'node:crypto';
import {
  encodeLine,
  follow,
  orThrow,
  RunIntegrity,
  utf8Bytes,
  type Digest,
  type Due,
  type EvidenceRecord,
  type IntegrityFault,
  type Result,
  type RunFollower,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import {
  tally,
  tallyLedger,
  type BallotBody,
  type NoticeBody,
  type TallyAnswer,
  type TallyEvent,
  type TallyState,
} from '@assay/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../tools/laws.js';
import { chain, type Draft } from '../../tools/ledger-builder.js';

const RUNS = lawRuns('integrity with what is due');
const sha256 = (bytes: Uint8Array): Digest => createHash('sha256').update(bytes).digest('hex') as Digest;

type Judge = Pick<RunIntegrity, 'feed' | 'finish'>;
type Follower = RunFollower<TallyState, TallyAnswer, TallyEvent, BallotBody | NoticeBody>;

const linesOf = (records: readonly EvidenceRecord[]): readonly Uint8Array[] =>
  records.map((record) => utf8Bytes(encodeLine(record)));

/** What a judge says of each line; given what is due, as long as the ledger is what the machine derives. */
function judged(
  judge: Judge,
  lines: readonly Uint8Array[],
  isGivenDue: boolean,
): {
  readonly said: readonly Result<IntegrityFault, EvidenceRecord>[];
  readonly end: ReturnType<Judge['finish']>;
  readonly met: number;
} {
  const said: Result<IntegrityFault, EvidenceRecord>[] = [];
  let follower: Follower | null = null;
  let isFollowing = isGivenDue;
  let met = 0;
  for (const line of lines) {
    const due: Due | null = isFollowing ? ((follower as Follower | null)?.next ?? null) : null;
    const result = judge.feed(line, true, due);
    said.push(result);
    if (due !== null && result._tag === 'Right' && result.right === due.record) met += 1;
    if (!isFollowing || result._tag === 'Left') continue;
    const record: EvidenceRecord =
      result.right.payload === null
        ? (JSON.parse(new TextDecoder().decode(line)) as EvidenceRecord)
        : result.right;
    const fed: Result<unknown, Follower> =
      follower === null
        ? follow(tally, record, { sha256, checked: true })
        : (follower as Follower).feed(record, line.length);
    if (fed._tag === 'Right') follower = fed.right;
    else isFollowing = false;
  }
  return { said, end: judge.finish(), met };
}

type Damage = {
  readonly at: number;
  readonly bit: number;
  readonly how: 'none' | 'flip' | 'drop' | 'swap' | 'twice' | 'forge';
};
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  bit: fc.nat(7),
  how: fc.constantFrom<Damage['how']>('none', 'flip', 'drop', 'swap', 'twice', 'forge'),
});

/** A ledger after one change; a forger makes every hash anew. */
function damaged(records: readonly EvidenceRecord[], { at, bit, how }: Damage): readonly Uint8Array[] {
  const index = at % records.length;
  const lines = [...linesOf(records)];
  const [line, next] = [
    lines[index] ?? new Uint8Array(0),
    lines[(index + 1) % lines.length] ?? new Uint8Array(0),
  ];
  switch (how) {
    case 'none':
      return lines;
    case 'flip':
      return lines.with(
        index,
        line.map((byte, place) => (place === at % line.length ? byte ^ (1 << bit) : byte)),
      );
    case 'drop':
      return lines.toSpliced(index, 1);
    case 'swap':
      return lines.with(index, next).with((index + 1) % lines.length, line);
    case 'twice':
      return lines.toSpliced(index, 0, line);
    case 'forge': {
      const drafts: readonly Draft[] = records.map((record, place) =>
        place === index && record.kind === 'decision'
          ? { ...record, payload: { ...(record.payload as object), withdrawn: [], events: [] } }
          : record,
      );
      return linesOf(chain(drafts));
    }
  }
}

describe('what is due', () => {
  it('integrity/due-changes-nothing: strict, each line of a sound or damaged ledger is judged as without it', () => {
    let met = 0;
    fc.assert(
      fc.property(tallyLedger({ sha256 }), damage, ({ records }, change) => {
        const lines = damaged(records, change);
        const told = judged(new RunIntegrity({ sha256 }), lines, true);
        const plain = judged(new RunIntegrity({ sha256 }), lines, false);
        expect([told.said, told.end]).toEqual([plain.said, plain.end]);
        met += told.met;
      }),
      RUNS,
    );
    expect(met).toBeGreaterThan(RUNS.numRuns);
  });

  it('integrity/due-changes-nothing: hash-only likewise, but for what is read of a record', () => {
    const outline = ({ said, end }: ReturnType<typeof judged>): readonly unknown[] => [
      ...said.map((one) => (one._tag === 'Left' ? one : one.right.record_hash)),
      end,
    ];
    fc.assert(
      fc.property(tallyLedger({ sha256 }), damage, ({ records }, change) => {
        const lines = damaged(records, change);
        expect(outline(judged(new HashOnlyIntegrity(sha256), lines, true))).toEqual(
          outline(judged(new HashOnlyIntegrity(sha256), lines, false)),
        );
      }),
      RUNS,
    );
  });

  it('saves the two digests of a line that is its text, and none of another line', () => {
    const { records } = fc.sample(tallyLedger({ sha256, isClosed: true }), {
      seed: RUNS.seed,
      numRuns: 1,
    })[0] ?? { records: [] };
    const [genesis, decision] = linesOf(records);
    const due = orThrow(follow(tally, records[0] as EvidenceRecord, { sha256 })).next;
    const digests = (given: Due | null): number => {
      let count = 0;
      const integrity = new RunIntegrity({
        sha256: (bytes) => {
          count += 1;
          return sha256(bytes);
        },
      });
      orThrow(integrity.feed(genesis ?? new Uint8Array(0)));
      const before = count;
      expect(orThrow(integrity.feed(decision ?? new Uint8Array(0), true, given))).toEqual(records[1]);
      return count - before;
    };
    expect(digests(due)).toBe(digests(null) - 2);
    expect(digests(due === null ? null : { ...due, line: `${due.line} ` })).toBe(digests(null));
  });

  const closed = (): readonly EvidenceRecord[] =>
    fc.sample(tallyLedger({ sha256, isClosed: true }), { seed: RUNS.seed, numRuns: 1 })[0]?.records ?? [];
  const dueOf = (record: EvidenceRecord): Due => ({ record, line: encodeLine(record) });
  const judges = (): readonly Judge[] => [new RunIntegrity({ sha256 }), new HashOnlyIntegrity(sha256)];

  it('is nothing before the first record', () => {
    const [genesis, decision] = closed() as [EvidenceRecord, EvidenceRecord];
    for (const judge of judges())
      expect(judge.feed(utf8Bytes(encodeLine(decision)), true, dueOf(decision))).toMatchObject({
        left: { code: 'parent', record: 0 },
      });
    for (const judge of judges())
      expect(judge.feed(utf8Bytes(encodeLine(genesis)), true, dueOf(genesis))).toMatchObject({
        right: genesis,
      });
  });

  it('stands where it stands: a record of another place is out of place, due or not', () => {
    const records = closed();
    for (const at of [0, 2, 3, records.length - 1]) {
      for (const judge of judges()) {
        orThrow(judge.feed(linesOf(records)[0] as Uint8Array));
        expect(
          judge.feed(linesOf(records)[at] as Uint8Array, true, dueOf(records[at] as EvidenceRecord)),
        ).toMatchObject({ left: { code: 'parent', record: 1 } });
      }
    }
    // Linked to where it comes, and still at the wrong time or out of order.
    const wrong = (change: Partial<Draft>): EvidenceRecord =>
      chain(
        records.slice(0, 2).map((record, place): Draft => (place === 1 ? { ...record, ...change } : record)),
      )[1] as EvidenceRecord;
    for (const [change, code] of [
      [{ ts: 't#000000000007' }, 'ts'],
      [{ kind: 'artifact' }, 'order'],
    ] as const) {
      for (const judge of judges()) {
        orThrow(judge.feed(linesOf(records)[0] as Uint8Array));
        expect(judge.feed(utf8Bytes(encodeLine(wrong(change))), true, dueOf(wrong(change)))).toMatchObject({
          left: { code, record: 1 },
        });
      }
    }
  });

  it('spares no line the reference encoder', () => {
    const lines = linesOf(closed());
    for (const at of [1, 2]) {
      let seen = 0;
      const other = new RunIntegrity({
        sha256,
        reference: (value) => ({
          _tag: 'Right',
          right: (seen += 1) > at ? 'another text' : JSON.stringify(value),
        }),
      });
      for (const line of lines.slice(0, at)) orThrow(other.feed(line));
      expect(other.feed(lines[at] as Uint8Array, true, dueOf(closed()[at] as EvidenceRecord))).toMatchObject({
        left: { code: 'encoding', record: at },
      });
    }
  });
});
