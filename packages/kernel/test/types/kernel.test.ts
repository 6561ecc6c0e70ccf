import {
  canonicalize,
  orThrow,
  sha256Hex,
  validateChain,
  type AdmissionError,
  type Digest,
  type EvidenceRecord,
  type Json,
  type Ledger,
  type Result,
} from '@assay/kernel';
import { describe, expectTypeOf, it } from 'vitest';
import type { ChainError } from '../../src/ledger/chain.js';

describe('types', () => {
  it('a digest is text, and text is no digest', () => {
    expectTypeOf<Digest>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<Digest>();
    expectTypeOf(sha256Hex('')).toEqualTypeOf<Digest>();
  });

  it('results carry their errors', () => {
    expectTypeOf(canonicalize).returns.toEqualTypeOf<Result<AdmissionError, Uint8Array>>();
    expectTypeOf<Ledger['append']>().returns.toEqualTypeOf<Result<AdmissionError, EvidenceRecord>>();
    expectTypeOf(validateChain([])).toExtend<Result<ChainError, unknown>>();
    expectTypeOf(orThrow(canonicalize(1))).toEqualTypeOf<Uint8Array>();
  });

  it('what goes in may be anything, what is kept is read-only JSON', () => {
    expectTypeOf(canonicalize).parameter(0).toBeUnknown();
    expectTypeOf<EvidenceRecord['payload']>().toEqualTypeOf<Json | undefined>();
    expectTypeOf<Ledger['records']>().toEqualTypeOf<readonly EvidenceRecord[]>();
    expectTypeOf<{ a: number[] }>().toExtend<Json>();
    expectTypeOf<Date>().not.toExtend<Json>();
    expectTypeOf<undefined>().not.toExtend<Json>();
  });
});
