import {
  encodeLine,
  INTEGRITY_CODES,
  utf8Bytes,
  validateRun,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { afterAll, describe, expect, it } from 'vitest';
import { chain, fileOf, hashOf, LedgerBuilder } from '../../tools/ledger-builder.js';
import {
  forged,
  itemAt,
  lines,
  rechained,
  rehashed,
  replaced,
  sample,
  verdictOf,
  without,
} from './samples.js';

const met = new Set<string>();
const H = hashOf('other');

function expectVerdict(got: string, expected: string): void {
  expect(got).toBe(expected);
  met.add(expected.split('@')[0] ?? '');
}

const cases = (
  table: readonly (readonly [what: string, verdict: () => string, expected: string])[],
): void => {
  it.each(table)('%s', (_, verdict, expected) => expectVerdict(verdict(), expected));
};

describe('the sample', () => {
  cases([['holds', () => verdictOf(fileOf(sample().records())), 'held']]);
});

describe('bytes', () => {
  const whole = (): Uint8Array => fileOf(sample().records());
  const joined = (...parts: (Uint8Array | string)[]): Uint8Array =>
    new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? utf8Bytes(part) : part))));
  cases([
    ['no byte', () => verdictOf(new Uint8Array()), 'empty@0'],
    ['one line end', () => verdictOf(utf8Bytes('\n')), 'encoding@0'],
    ['a line of 16 MiB and a byte', () => verdictOf(new Uint8Array(16_777_217).fill(0x20)), 'size@0'],
    [
      'a line of 16 MiB and a byte, ended',
      () => verdictOf(joined(whole(), utf8Bytes(`"${'x'.repeat(16_777_215)}"\n`))),
      'size@13',
    ],
    [
      'a line of 16 MiB is no fault of size',
      () => verdictOf(utf8Bytes(`"${'x'.repeat(16_777_214)}"\n`)),
      'shape@0',
    ],
    ['262,145 marks', () => verdictOf(utf8Bytes(`[${'0,'.repeat(262_144)}0]\n`)), 'size@0'],
    ['262,144 marks', () => verdictOf(utf8Bytes(`[${'0,'.repeat(262_143)}0]\n`)), 'shape@0'],
    ['marks inside strings', () => verdictOf(utf8Bytes(`"${'[{,'.repeat(100_000)}"\n`)), 'shape@0'],
    ['depth 100,000', () => verdictOf(utf8Bytes('['.repeat(100_000))), 'depth@0'],
    ['depth 257', () => verdictOf(utf8Bytes(`${'['.repeat(257)}${']'.repeat(257)}\n`)), 'depth@0'],
    ['depth 256', () => verdictOf(utf8Bytes(`${'['.repeat(256)}${']'.repeat(256)}\n`)), 'shape@0'],
    [
      '300,000 empty objects: size wins over depth',
      () => verdictOf(utf8Bytes('{}'.repeat(300_000) + '['.repeat(300))),
      'size@0',
    ],
    ['byte order mark', () => verdictOf(joined(Uint8Array.of(0xef, 0xbb, 0xbf), whole())), 'encoding@0'],
    ['carriage returns', () => lines((all) => all.map((line) => `${line}\r`)), 'encoding@0'],
    ['blank line at the end', () => verdictOf(joined(whole(), '\n')), 'encoding@13'],
    [
      'blank line inside',
      () => lines((all) => all.flatMap((line, index) => (index === 4 ? ['', line] : [line]))),
      'encoding@4',
    ],
    [
      'space',
      () => lines((all) => all.map((line, index) => (index === 2 ? line.replace('{', '{ ') : line))),
      'encoding@2',
    ],
    [
      'duplicate key',
      () =>
        lines((all) =>
          all.map((line, index) =>
            index === 2 ? line.replace('"at_us":null', '"at_us":null,"at_us":null') : line,
          ),
        ),
      'encoding@2',
    ],
    [
      'key order',
      () =>
        lines((all) =>
          all.map((line, index) =>
            index === 1 ? line.replace('"ts":"t#000000000001","v":1', '"v":1,"ts":"t#000000000001"') : line,
          ),
        ),
      'encoding@1',
    ],
    [
      '1e-07',
      () => lines((all) => all.map((line, index) => (index === 2 ? line.replace('0.5', '1e-07') : line))),
      'encoding@2',
    ],
    ['1.0', () => lines((all) => all.map((line) => line.replace('"v":1}', '"v":1.0}'))), 'encoding@0'],
    ['minus zero', () => lines((all) => all.map((line) => line.replace('"v":1}', '"v":-0}'))), 'encoding@0'],
    [
      'unsafe number',
      () => lines((all) => all.map((line) => line.replace('"v":1}', '"v":9007199254740992}'))),
      'encoding@0',
    ],
    [
      'lone surrogate escape',
      () => lines((all) => all.map((line) => line.replace('"hello"', '"\\ud800"'))),
      'encoding@0',
    ],
    ['byte FF in a string', () => verdictOf(replaceByte(whole(), 'hello', 0xff)), 'encoding@0'],
    [
      'CESU-8',
      () =>
        verdictOf(
          joined(utf8Bytes('"'), Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), utf8Bytes('"\n')),
        ),
      'encoding@0',
    ],
    [
      'raw U+2028 and U+0085 do not end a line',
      () => forged(0, (genesis) => ({ ...genesis, input: '\u2028\u0085' })),
      'held',
    ],
    ['no final newline', () => verdictOf(whole().subarray(0, -1)), 'final_newline@12'],
    ['cut inside the last line', () => verdictOf(whole().subarray(0, -2)), 'encoding@12'],
  ]);
});

describe('envelope', () => {
  cases([
    ['no object', () => lines((all) => all.map((line, index) => (index === 3 ? '[]' : line))), 'shape@3'],
    ['extra key', () => replaced(3, (record) => ({ ...record, x: 1 })), 'shape@3'],
    ['missing key', () => replaced(3, (record) => without(record, 'ts')), 'shape@3'],
    ['v true', () => replaced(3, (record) => ({ ...record, v: true })), 'shape@3'],
    ['v 1.5', () => replaced(3, (record) => ({ ...record, v: 1.5 })), 'shape@3'],
    ['v 2', () => replaced(3, (record) => ({ ...record, v: 2 })), 'version@3'],
    ['v -1', () => replaced(3, (record) => ({ ...record, v: -1 })), 'version@3'],
    ['ts no text', () => replaced(3, (record) => ({ ...record, ts: 1 })), 'shape@3'],
    ['kind no text', () => replaced(3, (record) => ({ ...record, kind: null })), 'shape@3'],
    ['parent no hash', () => replaced(3, (record) => ({ ...record, parent: 'x' })), 'shape@3'],
    [
      'upper-case hash',
      () => replaced(3, (record) => ({ ...record, record_hash: record.record_hash.toUpperCase() })),
      'shape@3',
    ],
    [
      'payload edited',
      () => replaced(3, (record) => ({ ...record, payload: { code: 'other', detail: null } })),
      'payload_hash@3',
    ],
    [
      'payload hash edited',
      () => replaced(3, (record) => ({ ...record, payload_hash: H })),
      'payload_hash@3',
    ],
    [
      'erased, payload hash edited',
      () => replaced(3, (record) => without({ ...record, payload_hash: H }, 'payload')),
      'record_hash@3',
    ],
    ['ts edited', () => replaced(3, (record) => ({ ...record, ts: 't#000000000009' })), 'record_hash@3'],
    ['kind edited', () => replaced(3, (record) => ({ ...record, kind: 'decision' })), 'record_hash@3'],
    ['record hash edited', () => replaced(3, (record) => ({ ...record, record_hash: H })), 'record_hash@3'],
    ['record dropped', () => lines((all) => all.filter((_, index) => index !== 3)), 'parent@3'],
    ['first record dropped', () => lines((all) => all.slice(1)), 'parent@0'],
    [
      'records swapped',
      () => lines((all) => [...all.slice(0, 2), all[3] ?? '', all[2] ?? '', ...all.slice(4)]),
      'parent@2',
    ],
    [
      'record doubled',
      () => lines((all) => all.flatMap((line, index) => (index === 3 ? [line, line] : [line]))),
      'parent@4',
    ],
  ]);
});

describe('logical time and order', () => {
  const retime = (at: number, ts: string): string =>
    rechained((drafts) => drafts.map((draft, index) => (index === at ? { ...draft, ts } : draft)));
  cases([
    ['gap', () => rechained((drafts) => drafts.filter((_, index) => index !== 3)), 'ts@3'],
    ['another base', () => retime(3, 'u#000000000003'), 'ts@3'],
    ['eleven digits', () => retime(3, 't#00000000003'), 'ts@3'],
    ['Arabic digits', () => retime(3, 't#00000000000٣'), 'ts@3'],
    ['not from 0', () => retime(0, 't#000000000001'), 'ts@0'],
    ['genesis without ts_base', () => forged(0, (genesis) => without(genesis, 'ts_base')), 'ts@0'],
    [
      'ts_base with a #',
      () => verdictOf(fileOf(new LedgerBuilder({ ts_base: 'a#b' }).decide().records())),
      'ts@0',
    ],
    [
      'ts_base of 65 characters',
      () => verdictOf(fileOf(new LedgerBuilder({ ts_base: 'a'.repeat(65) }).decide().records())),
      'ts@0',
    ],
    [
      'sequence above twelve digits',
      () => verdictOf(fileOf(continuation(1_000_000_000_000).decide().records())),
      'ts@0',
    ],
    ['the last sequence there is', () => verdictOf(fileOf(continuation(999_999_999_999).records())), 'held'],
    ['and none after it', () => verdictOf(fileOf(continuation(999_999_999_999).decide().records())), 'ts@1'],
    [
      'unknown kind',
      () =>
        rechained((drafts) =>
          drafts.map((draft, index) => (index === 3 ? { ...draft, kind: 'note' } : draft)),
        ),
      'order@3',
    ],
    ['decision twice', () => verdictOf(fileOf(sample().decide().records())), 'order@13'],
    [
      'second genesis',
      () =>
        rechained((drafts) => [
          ...drafts.slice(0, 12),
          ...drafts.slice(0, 1).map((draft) => ({ ...draft, ts: 't#000000000012' })),
        ]),
      'order@12',
    ],
    ['two closes', () => verdictOf(fileOf(sample().close().records())), 'order@13'],
    ['proposal after close', () => verdictOf(fileOf(sample().propose('5.0', 1).records())), 'order@13'],
    [
      'close after a rejection',
      () =>
        verdictOf(
          fileOf(new LedgerBuilder().decide().propose('0.0', 1).reject('not_open').close().records()),
        ),
      'order@4',
    ],
    [
      'artifacts swapped',
      () => verdictOf(fileOf(new LedgerBuilder().decide().artifact('b', 1).artifact('a', 1).records())),
      'order@3',
    ],
    [
      'artifact name twice',
      () => verdictOf(fileOf(new LedgerBuilder().decide().artifact('a', 1).artifact('a', 2).records())),
      'order@3',
    ],
    [
      'artifact names of two decisions',
      () =>
        verdictOf(
          fileOf(
            new LedgerBuilder()
              .decide({ asks: [1] })
              .artifact('b', 1)
              .propose('1.0', 1)
              .decide()
              .artifact('a', 2)
              .records(),
          ),
        ),
      'held',
    ],
    [
      'artifact out of order under a name that is none',
      () => forged(7, (artifact) => ({ ...artifact, name: 'A b' })),
      'order@7',
    ],
    [
      'artifact whose name is no text',
      () => forged(7, (artifact) => ({ ...artifact, name: 1 })),
      'payload_shape@7',
    ],
  ]);
});

describe('foreign chains', () => {
  const foreign = (format: Json): LedgerBuilder => {
    const ledger = new LedgerBuilder();
    ledger.drafts[0] = { ts: 'whenever', kind: 'genesis', payload: { format } };
    return ledger.push('anything', [1.5, { $sealed: 1 }]);
  };
  it('assay/9 is judged up to parent, and said so', () => {
    expect(validateRun(foreign('assay/9').records())).toMatchObject({
      right: { isForeign: true, run_id: null, records: 2, outcome: 'open', first: 0 },
    });
    expect(validateRun(new LedgerBuilder().records().slice(0, 0))).toMatchObject({
      left: { code: 'empty', record: 0 },
    });
  });
  cases([
    ['assay/9', () => verdictOf(fileOf(foreign('assay/9').records())), 'held'],
    [
      'another first kind',
      () => rechained((drafts) => [{ ts: 'x', kind: 'start', payload: 1 }, ...drafts]),
      'held',
    ],
    [
      'another first kind, erased',
      () => rechained((drafts) => [{ ts: 'x', kind: 'start' }, ...drafts]),
      'held',
    ],
    ['genesis payload no object', () => rechained(() => [{ ts: 'x', kind: 'genesis', payload: [] }]), 'held'],
    ['genesis without format', () => rechained(() => [{ ts: 'x', kind: 'genesis', payload: {} }]), 'held'],
    [
      'erased genesis is ours',
      () =>
        rechained((drafts) =>
          drafts.map(({ payload, ...draft }, index) =>
            index === 0 ? draft : { ...draft, payload: payload ?? null },
          ),
        ),
      'payload_shape@0',
    ],
  ]);
});

describe('an erased genesis', () => {
  const shown =
    (ts: string, kind = 'genesis') =>
    (): string =>
      rechained((drafts) =>
        drafts.map(({ payload, ...draft }, index) =>
          index === 0 ? { ...draft, ts, kind } : { ...draft, payload: payload ?? null },
        ),
      );
  cases([
    ...['t#000000000000', 't#000000000005', 'u#999999999999', `${'a'.repeat(64)}#000000000000`].map(
      (ts) => [`${ts} may be its time`, shown(ts), 'payload_shape@0'] as const,
    ),
    ...[
      '',
      't',
      't#00000000000',
      't#0000000000000',
      't#00000000000a',
      't#000000000NaN',
      't#00000000000٣',
      '#000000000000',
      'a b#000000000000',
      'a#b#000000000000',
      `${'a'.repeat(65)}#000000000000`,
    ].map((ts) => [`${ts} may not`, shown(ts), 'ts@0'] as const),
    ['of another kind is foreign, whatever its time', shown('x', 'start'), 'held'],
  ]);
  it('is that to the hash-only judge, too', () => {
    for (const [ts, code] of [
      ['t#000000000007', 'payload_shape'],
      ['x', 'ts'],
    ] as const) {
      const integrity = new HashOnlyIntegrity();
      integrity.feed(utf8Bytes(encodeLine(itemAt(chain([{ ts, kind: 'genesis' }]), 0))));
      expect(integrity.finish()).toMatchObject({ left: { code, record: 0 } });
    }
  });
});

describe('payload shapes', () => {
  const set = (at: number, key: string, value: Json) => (): string =>
    forged(at, (payload) => ({ ...payload, [key]: value }));
  const request = { id: '5.0', kind: 'ask', body: 4, accepts: ['rule'], attempts: 0 };
  const asked = (change: JsonObject) => (): string =>
    forged(5, (decision) => ({ ...decision, requests: [{ ...request, ...change }] }));
  const shape = (at: number): string => `payload_shape@${at}`;
  cases([
    ['genesis extra key', set(0, 'x', 1), shape(0)],
    ['run id CON', set(0, 'run_id', 'Con.x'), shape(0)],
    ['run id with a slash', set(0, 'run_id', '../x'), shape(0)],
    ['machine name', set(0, 'machine', { name: 'Big', version: 1, engine: null }), shape(0)],
    ['machine version 1.5', set(0, 'machine', { name: 'none', version: 1.5, engine: null }), shape(0)],
    ['machine version below 0', set(0, 'machine', { name: 'none', version: -1, engine: null }), 'held'],
    [
      'base of the same run',
      set(0, 'base', { run_id: 'run-1', count: 1, hash: H, snapshot: null }),
      shape(0),
    ],
    ['base of another run', set(0, 'base', { run_id: 'run-0', count: 1, hash: H, snapshot: null }), 'held'],
    ['base count 0', set(0, 'base', { run_id: 'run-0', count: 0, hash: H, snapshot: null }), shape(0)],
    ['source', set(2, 'source', 'me'), shape(2)],
    ['proposer', set(2, 'proposer', 'a b'), shape(2)],
    ['confidence 1.5', set(2, 'confidence', 1.5), shape(2)],
    ['request id 01.0', set(2, 'request_id', '01.0'), shape(2)],
    ['request id index 65536', set(2, 'request_id', '1.65536'), shape(2)],
    ['at_us below 0', set(2, 'at_us', -1), shape(2)],
    ['spent below 0', set(2, 'spent', { tokens: -1 }), shape(2)],
    ['spent 1.5', set(2, 'spent', { tokens: 1.5 }), shape(2)],
    ['cites without count', set(2, 'cites', [{ run_id: 'r', hash: H }]), shape(2)],
    ['provenance no object', set(2, 'provenance', []), shape(2)],
    ['failure beside a value', set(2, 'failure', { code: 'lost', final: false, detail: null }), shape(2)],
    [
      'failure code',
      () =>
        forged(2, (proposal) =>
          rehashed({ ...proposal, value: null, failure: { code: 'no', final: false, detail: null } }),
        ),
      shape(2),
    ],
    ['proposal extra key', set(2, 'x', 1), shape(2)],
    ['first decision without state hash', set(1, 'state_hash', null), shape(1)],
    ['request accepts none', asked({ accepts: [] }), shape(5)],
    ['request accepts one twice', asked({ accepts: ['rule', 'rule'] }), shape(5)],
    ['request attempts below 0', asked({ attempts: -1 }), shape(5)],
    ['request kind', asked({ kind: '' }), shape(5)],
    ['withdrawn no id', set(5, 'withdrawn', ['x']), shape(5)],
    ['graph key', set(5, 'graph', { nodes: [] }), shape(5)],
    ...['not_open', 'source_not_accepted', 'exhausted', 'limit_bytes'].map(
      (code) =>
        [
          `detail of ${code}, which is the kernel's`,
          () => forged(3, (payload) => ({ ...payload, code, detail: {} })),
          shape(3),
        ] as const,
    ),
    ['detail of a code that is the machine’s', set(3, 'detail', {}), 'held'],
    ['a kernel’s code without detail', set(3, 'code', 'malformed'), 'held'],
    ['graph of nothing', set(5, 'graph', { nodes: [], edges: [] }), shape(5)],
    [
      'run id with ~',
      () => verdictOf(fileOf(new LedgerBuilder({ run_id: 'a~b~~' }).decide().records())),
      'held',
    ],
    [
      'base and cite with ~',
      () =>
        verdictOf(
          fileOf(
            new LedgerBuilder({ base: { run_id: '0~', count: 1, hash: H, snapshot: null } })
              .decide()
              .propose('0.0', 1, { cites: [{ run_id: 'a~', count: 1, hash: H }] })
              .records(),
          ),
        ),
      'held',
    ],
    ['request id of twelve digits', set(8, 'request_id', '999999999999.65535'), 'held'],
    ['request id of thirteen', set(8, 'request_id', '1000000000000.0'), shape(8)],
    ['rejection code', set(3, 'code', 'No'), shape(3)],
    ['artifact name', set(6, 'name', 'A'), shape(6)],
    ['status maybe', set(12, 'status', 'maybe'), shape(12)],
    ['refused without reason', set(12, 'status', 'refused'), shape(12)],
    ['state hash of a close null', set(12, 'state_hash', null), shape(12)],
    [
      'close erased',
      () =>
        rechained((drafts) =>
          drafts.map(({ payload, ...draft }, index) =>
            index === 12 ? draft : { ...draft, payload: payload ?? null },
          ),
        ),
      shape(12),
    ],
    ['token in place of a typed field', set(3, 'code', { $sealed: H }), shape(3)],
  ]);
});

describe('numbers and tokens', () => {
  const state = (machine: Json, body: Json): Json => ({
    t: 'state',
    machine,
    open: {
      '0.0': {
        rejections: 0,
        spent: {},
        request: { id: '0.0', kind: 'ask', body, accepts: ['rule'], attempts: 1 },
      },
    },
    artifacts: {},
  });
  const based = (snapshot: Json): string =>
    verdictOf(
      fileOf(
        new LedgerBuilder({ first: 5, base: { run_id: 'r', count: 5, hash: H, snapshot } })
          .decide()
          .records(),
      ),
    );
  const events =
    (...all: Json[]) =>
    (): string =>
      forged(5, (decision) => ({ ...decision, events: all }));
  cases([
    ['fraction in an event', events([{ a: 0.5 }]), 'number@5'],
    [
      'fraction in a node',
      () =>
        forged(5, (decision) => ({
          ...decision,
          graph: { nodes: [{ id: H, kind: 'claim', payload: 0.5, payload_hash: H }], edges: [] },
        })),
      'number@5',
    ],
    ['fraction in a rejection', () => forged(3, (rejection) => ({ ...rejection, detail: 0.5 })), 'number@3'],
    [
      'fraction in an artifact',
      () => forged(6, (artifact) => ({ ...artifact, content: [0.5], artifact_hash: hashOf([0.5]) })),
      'number@6',
    ],
    [
      'fraction in failure.detail',
      () =>
        forged(2, (proposal) =>
          rehashed({ ...proposal, value: null, failure: { code: 'lost', final: false, detail: 0.5 } }),
        ),
      'number@2',
    ],
    [
      'fraction in provenance',
      () => forged(2, (proposal) => ({ ...proposal, provenance: { t: 0.5 } })),
      'held',
    ],
    [
      'fractions in policy and input',
      () => verdictOf(fileOf(new LedgerBuilder({ policy: 0.5, input: [0.25] }).decide().records())),
      'held',
    ],
    ['a sound continuation', () => based(state([1], 2)), 'held'],
    ['fraction in a snapshot', () => based(state(0.5, 2)), 'number@0'],
    ['fraction in a carried request', () => based(state(1, 0.5)), 'number@0'],
    ['sealed and blob', events({ $sealed: H }, { $blob: { bytes: 0, media: '', sha256: H } }), 'held'],
    ['sealed beside a key', events({ $sealed: H, a: 1 }), 'token@5'],
    ['sealed without hash', events({ $sealed: 'x' }), 'token@5'],
    ['blob beside sealed', events({ $sealed: H, $blob: { bytes: 0, media: '', sha256: H } }), 'token@5'],
    ['blob without media', events({ $blob: { bytes: 0, sha256: H } }), 'token@5'],
    ['blob media of 129', events({ $blob: { bytes: 0, media: 'x'.repeat(129), sha256: H } }), 'token@5'],
    [
      'blob of 1.5 bytes in an event is a number first',
      events({ $blob: { bytes: 1.5, media: '', sha256: H } }),
      'number@5',
    ],
    [
      'blob of 1.5 bytes in a value',
      () =>
        forged(2, (proposal) =>
          rehashed({ ...proposal, value: { $blob: { bytes: 1.5, media: '', sha256: H } } }),
        ),
      'token@2',
    ],
    [
      'token deep in a policy',
      () => verdictOf(fileOf(new LedgerBuilder({ policy: [[{ $blob: 1 }]] }).decide().records())),
      'token@0',
    ],
    [
      'token in provenance',
      () => forged(2, (proposal) => ({ ...proposal, provenance: { $sealed: 1 } })),
      'token@2',
    ],
  ]);
});

describe('hashes inside payloads', () => {
  cases([
    ['proposal value', () => forged(2, (proposal) => ({ ...proposal, value: 1 })), 'proposal_hash@2'],
    ['proposal source', () => forged(2, (proposal) => ({ ...proposal, source: 'human' })), 'proposal_hash@2'],
    [
      'proposal confidence',
      () => forged(2, (proposal) => ({ ...proposal, confidence: 1 })),
      'proposal_hash@2',
    ],
    ['artifact content', () => forged(6, (artifact) => ({ ...artifact, content: [2] })), 'artifact_hash@6'],
    ['artifact hash', () => forged(6, (artifact) => ({ ...artifact, artifact_hash: H })), 'artifact_hash@6'],
  ]);
});

describe('close', () => {
  const set = (key: string, value: Json) => (): string => forged(12, (close) => ({ ...close, [key]: value }));
  cases([
    ['dag root', set('dag_root_hash', H), 'close@12'],
    ['artifact hashes: another', set('artifact_hashes', { a: H, b: hashOf('c') }), 'close@12'],
    ['artifact hashes: one less', set('artifact_hashes', { a: hashOf([1]) }), 'close@12'],
    [
      'artifact hashes: one more',
      set('artifact_hashes', { a: hashOf([1]), b: hashOf('c'), c: H }),
      'close@12',
    ],
    ['count', set('record_count', 12), 'close@12'],
    ['count 0', set('record_count', 0), 'close@12'],
    ['open requests: none', set('open_requests', []), 'close@12'],
    ['open requests: one more', set('open_requests', ['5.0', '5.1']), 'close@12'],
  ]);
});

afterAll(() => {
  const reachable = INTEGRITY_CODES.filter((code) => !met.has(code));
  expect(reachable).toEqual(['request_id', 'graph']);
});

function continuation(first: number): LedgerBuilder {
  return new LedgerBuilder({
    first,
    base: {
      run_id: 'r',
      count: first,
      hash: H,
      snapshot: { t: 'state', machine: null, open: {}, artifacts: {} },
    },
  });
}

function replaceByte(file: Uint8Array, text: string, byte: number): Uint8Array {
  const at = new TextDecoder().decode(file).indexOf(text);
  const changed = file.slice();
  changed[at] = byte;
  return changed;
}
