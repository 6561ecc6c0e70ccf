import {
  canonicalize,
  encodeLine,
  INTEGRITY_CODES,
  orThrow,
  utf8Bytes,
  validateRun,
  validateRunFile,
  type Json,
  type JsonObject,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { chain, fileOf, hashOf, LedgerBuilder, reforge, type Draft } from '../../tools/ledger-builder.js';
import { faultIn, itemAt, lines, rechained, rehashed, sample, sha256, verdictOf } from './samples.js';

const met = new Set<string>();
const H = hashOf('other');

function expectVerdict(got: string, expected: string): void {
  expect(got).toBe(expected);
  met.add(expected.split('@')[0] ?? '');
}

const built = (ledger: LedgerBuilder): string => verdictOf(fileOf(ledger.records()));
const cases = (
  table: readonly (readonly [what: string, verdict: () => string, expected: string])[],
): void => {
  it.each(table)('%s', (_, verdict, expected) => expectVerdict(verdict(), expected));
};

/**
 * One edit of the sample in each row: of a payload, of a record's line as it stands, or of a draft, with the rest
 * chained again. `<other>`, `<seed>`, `<claim>` and `<edge>` stand for their hashes.
 */
type Fault = {
  readonly what: string;
  readonly how?: 'rehash' | 'draft' | 'line';
  readonly at: number;
  readonly set?: JsonObject;
  readonly drop?: readonly string[];
  readonly fault: string | null;
  readonly path?: string;
  readonly got?: Json;
};

describe('the sample', () => {
  cases([['holds', () => built(sample()), 'held']]);

  const hashes = (): { readonly [name: string]: string } => {
    const { nodes, edges } = (itemAt(sample().records(), 5).payload as JsonObject)['graph'] as {
      readonly nodes: readonly [{ readonly id: string }];
      readonly edges: readonly [{ readonly id: string; readonly to_id: string }];
    };
    return {
      other: H,
      seed: edges[0].to_id,
      claim: nodes[0].id,
      edge: edges[0].id,
      'hash of s': hashOf('s'),
      'hash of c': hashOf('c'),
    };
  };
  const names = hashes();
  const faults = JSON.parse(
    readFileSync(new URL('faults.json', import.meta.url), 'utf8').replaceAll(
      /<([a-z ]+)>/g,
      (_, name: string) => names[name] ?? '',
    ),
  ) as readonly Fault[];
  const textOf = (value: Json): string => new TextDecoder().decode(orThrow(canonicalize(value)));
  const edited = ({ how, at, set = {}, drop = [] }: Fault): Uint8Array => {
    const edit = (object: object): JsonObject =>
      Object.fromEntries(Object.entries({ ...object, ...set }).filter(([key]) => !drop.includes(key)));
    const records = sample().records();
    if (how === 'line')
      return utf8Bytes(
        records.map((one, index) => `${index === at ? textOf(edit(one)) : encodeLine(one)}\n`).join(''),
      );
    if (how === 'draft')
      return fileOf(
        chain(sample().drafts.map((one, index) => (index === at ? (edit(one) as unknown as Draft) : one))),
      );
    return fileOf(
      reforge(records, (payload, index) =>
        index !== at ? undefined : how === 'rehash' ? rehashed(edit(payload)) : edit(payload),
      ),
    );
  };

  it.each(faults)('$what: $fault at $path', (row) => {
    const result = validateRunFile(edited(row), { sha256 });
    if (row.fault === null) expect(result._tag).toBe('Right');
    else {
      const { check, code, record, detail } = faultIn(result);
      expect([check, `${code}@${record}`, detail.path]).toEqual(['integrity', row.fault, row.path]);
      if (row.got !== undefined) expect(detail.got).toEqual(row.got);
      // What was expected is for people: some text, or the value itself.
      if (typeof detail.expected === 'string') expect(detail.expected).toMatch(/\w/);
      met.add(code);
    }
  });
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
    ['no final newline', () => verdictOf(whole().subarray(0, -1)), 'final_newline@12'],
    ['cut inside the last line', () => verdictOf(whole().subarray(0, -2)), 'encoding@12'],
  ]);
});

describe('envelope', () => {
  cases([
    ['no object', () => lines((all) => all.map((line, index) => (index === 3 ? '[]' : line))), 'shape@3'],
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
  cases([
    ['gap', () => rechained((drafts) => drafts.filter((_, index) => index !== 3)), 'ts@3'],
    ['ts_base with a #', () => built(new LedgerBuilder({ ts_base: 'a#b' }).decide()), 'ts@0'],
    [
      'ts_base of 65 characters',
      () => built(new LedgerBuilder({ ts_base: 'a'.repeat(65) }).decide()),
      'ts@0',
    ],
    ['sequence above twelve digits', () => built(continuation(1_000_000_000_000).decide()), 'ts@0'],
    ['the last sequence there is', () => built(continuation(999_999_999_999)), 'held'],
    ['and none after it', () => built(continuation(999_999_999_999).decide()), 'ts@1'],
    ['decision twice', () => built(sample().decide()), 'order@13'],
    ['two closes', () => built(sample().close()), 'order@13'],
    ['proposal after close', () => built(sample().propose('5.0', 1)), 'order@13'],
    [
      'close after a rejection',
      () => built(new LedgerBuilder().decide().propose('0.0', 1).reject('not_open').close()),
      'order@4',
    ],
    [
      'artifacts swapped',
      () => built(new LedgerBuilder().decide().artifact('b', 1).artifact('a', 1)),
      'order@3',
    ],
    [
      'artifact name twice',
      () => built(new LedgerBuilder().decide().artifact('a', 1).artifact('a', 2)),
      'order@3',
    ],
    [
      'artifact names of two decisions',
      () =>
        built(
          new LedgerBuilder()
            .decide({ asks: [1] })
            .artifact('b', 1)
            .propose('1.0', 1)
            .decide()
            .artifact('a', 2),
        ),
      'held',
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
    ['assay/9', () => built(foreign('assay/9')), 'held'],
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
  ]);
});

describe('an erased genesis', () => {
  it('is judged by its time alone by hashes alone, too', () => {
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
  cases([
    ['run id with ~', () => built(new LedgerBuilder({ run_id: 'a~b~~' }).decide()), 'held'],
    [
      'base and cite with ~',
      () =>
        built(
          new LedgerBuilder({ base: { run_id: '0~', count: 1, hash: H, snapshot: null } })
            .decide()
            .propose('0.0', 1, { cites: [{ run_id: 'a~', count: 1, hash: H }] }),
        ),
      'held',
    ],
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
    built(new LedgerBuilder({ first: 5, base: { run_id: 'r', count: 5, hash: H, snapshot } }).decide());
  cases([
    [
      'fractions in policy and input',
      () => built(new LedgerBuilder({ policy: 0.5, input: [0.25] }).decide()),
      'held',
    ],
    ['a sound continuation', () => based(state([1], 2)), 'held'],
    ['fraction in a snapshot', () => based(state(0.5, 2)), 'number@0'],
    ['fraction in a carried request', () => based(state(1, 0.5)), 'number@0'],
    [
      'token deep in a policy',
      () => built(new LedgerBuilder({ policy: [[{ $blob: 1 }]] }).decide()),
      'token@0',
    ],
  ]);
});

afterAll(() => {
  expect(INTEGRITY_CODES.filter((code) => !met.has(code))).toEqual([]);
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
