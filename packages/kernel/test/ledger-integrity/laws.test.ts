import { createHash } from 'node:crypto';
import {
  LineSplitter,
  orThrow,
  validateChain,
  validateRun,
  validateRunFile as validate,
  type Digest,
  type EvidenceRecord,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryLedger } from '../../tools/arbitrary-ledger.js';
import { erase, fileOf, LedgerBuilder } from '../../tools/ledger-builder.js';
import { draws } from '../../tools/laws.ts';

const sha256 = (bytes: Uint8Array): Digest => createHash('sha256').update(bytes).digest('hex') as Digest;
const validateRunFile = (bytes: Uint8Array | Iterable<Uint8Array>): ReturnType<typeof validate> =>
  validate(bytes, { sha256 });

const SEED = 20_260_101;
const RUNS = { seed: SEED, numRuns: draws(1_000) };
/** How each byte is changed. */
const FLIPS = process.env['ASSAY_LANE'] === 'long' ? [1, 32, 128] : [1];
console.log(`ledger-integrity laws: seed ${SEED}, ${RUNS.numRuns} runs each`);

const small = (): readonly EvidenceRecord[] => {
  const ledger = new LedgerBuilder({ input: 'hé' }).decide({
    asks: [1, 2],
    graph: { nodes: [{ kind: 'seed', payload: 1 }], edges: [] },
  });
  ledger
    .propose('1.0', { a: 0.5 })
    .reject('unclear')
    .propose('1.0', 'x')
    .decide({ asks: [3] })
    .artifact('a', [1])
    .artifact('b', 'c')
    .propose('9.9', null)
    .reject('not_open');
  return ledger
    .propose('1.1', true)
    .decide({ withdrawn: ['5.0'] })
    .close()
    .records();
};

describe('laws of integrity', () => {
  it('ledger/append-then-verify: a sound ledger holds, as values and as bytes', () => {
    fc.assert(
      fc.property(arbitraryLedger(), (records) => {
        const byValue = validateRun(records, { sha256 });
        const byBytes = validateRunFile(fileOf(records));
        expect(byValue._tag).toBe('Right');
        expect(byBytes).toEqual(byValue);
        expect(validateChain(records, sha256)._tag).toBe('Right');
      }),
      RUNS,
    );
  });

  it('ledger/prefix-stable: each prefix of records of a sound ledger holds and is open unless whole', () => {
    fc.assert(
      fc.property(arbitraryLedger(), fc.nat(), (records, at) => {
        const cut = 1 + (at % records.length);
        const summary = orThrow(validateRun(records.slice(0, cut), { sha256 }));
        expect(summary.records).toBe(cut);
        expect(summary.hash).toBe(records[cut - 1]?.record_hash);
        expect(summary.outcome).toBe(
          records[cut - 1]?.kind === 'close' ? orThrow(validateRun(records, { sha256 })).outcome : 'open',
        );
      }),
      RUNS,
    );
  });

  it('lines/split-equals-whole: chunks of any size give the same verdict', () => {
    fc.assert(
      fc.property(
        arbitraryLedger(),
        fc.infiniteStream(fc.integer({ min: 1, max: 700 })),
        fc.nat(),
        (records, sizes, drop) => {
          const whole = fileOf(records);
          const file = whole.subarray(0, whole.length - (drop % 40));
          const chunks: Uint8Array[] = [];
          for (let from = 0; from < file.length; ) {
            const size = sizes.next().value as number;
            chunks.push(file.subarray(from, from + size));
            from += size;
          }
          expect(validateRunFile(chunks)).toEqual(validateRunFile(file));
        },
      ),
      RUNS,
    );
  });

  it('ledger/erasure-holds: any payloads but those of genesis and close may go', () => {
    fc.assert(
      fc.property(arbitraryLedger(), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (records, picks) => {
        const able = records.flatMap(({ kind }, index) =>
          kind === 'genesis' || kind === 'close' ? [] : [index],
        );
        const gone = [...new Set(picks.map((pick) => able[pick % able.length] ?? 1))].sort((a, b) => a - b);
        const erased = orThrow(validateRunFile(fileOf(erase(records, gone)))).erased;
        expect(erased).toEqual({ record: gone[0], count: gone.length });
      }),
      RUNS,
    );
  });

  it('hash-only/holds-what-strict-holds: and gives the same facts', () => {
    fc.assert(
      fc.property(arbitraryLedger(), (records) => {
        expect(hashOnly(fileOf(records))).toEqual(validateRunFile(fileOf(records)));
      }),
      RUNS,
    );
  });
});

describe('one small ledger, exhaustively', () => {
  it('no byte of it can change and keep integrity, hash-only or strict', () => {
    const file = fileOf(small());
    expect(validateRunFile(file)._tag).toBe('Right');
    const codes = new Map<string, number>();
    for (let at = 0; at < file.length; at += 1) {
      for (const flip of FLIPS) {
        const forged = file.slice();
        forged[at] = (forged[at] ?? 0) ^ flip;
        const fault = validateRunFile(forged);
        if (fault._tag === 'Right') throw new Error(`byte ${at} ^ ${flip} held`);
        if (flip === 1) expect(hashOnly(forged)._tag, `byte ${at}`).toBe('Left');
        codes.set(fault.left.code, (codes.get(fault.left.code) ?? 0) + 1);
      }
    }
    expect([...codes.keys()].sort()).toEqual(
      ['encoding', 'final_newline', 'parent', 'payload_hash', 'record_hash', 'shape', 'version']
        .filter((code) => codes.has(code))
        .sort(),
    );
    expect(codes.get('encoding')).toBeGreaterThan(100);
  });

  it('every byte prefix is empty, cut inside a line, unended, or an open ledger', () => {
    const records = small();
    const file = fileOf(records);
    let line = 0;
    for (let length = 0; length <= file.length; length += 1) {
      const result = validateRunFile(file.subarray(0, length));
      const last = file[length - 1];
      if (length > 0 && last === 0x0a) line += 1;
      if (length === 0) expect(result).toMatchObject({ left: { code: 'empty', record: 0 } });
      else if (last === 0x0a) expect(result).toMatchObject({ right: { records: line } });
      else
        expect(result).toMatchObject({
          left: { code: file[length] === 0x0a ? 'final_newline' : 'encoding', record: line },
        });
    }
    expect(line).toBe(records.length);
  });
});

function hashOnly(file: Uint8Array): ReturnType<HashOnlyIntegrity['finish']> {
  const integrity = new HashOnlyIntegrity(sha256);
  const splitter = new LineSplitter();
  for (const line of [...splitter.push(file), ...splitter.end()]) integrity.feed(line.bytes, line.isEnded);
  return integrity.finish();
}
