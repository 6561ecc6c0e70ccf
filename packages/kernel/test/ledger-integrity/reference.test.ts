import { canonicalize, orThrow, validateRunFile } from '@assay/kernel';
import { referenceEncode } from '@assay/kernel/reference';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJson } from '../../tools/arbitrary-ledger.js';
import { fileOf } from '../../tools/ledger-builder.js';
import { sample } from './samples.js';
import { draws } from '../../tools/laws.ts';

describe('the reference encoder', () => {
  it('canonical/equals-reference: both encoders write the same text', () => {
    const run = { seed: 20_260_103, numRuns: draws(1_000) };
    console.log(`canonical/equals-reference: seed ${run.seed}`);
    fc.assert(
      fc.property(arbitraryJson(), (value) => {
        expect(orThrow(referenceEncode(value))).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(orThrow(canonicalize(value))),
        );
      }),
      run,
    );
  });

  it('refuses what admission refuses, and only writes what it admits', () => {
    expect(referenceEncode({ a: [undefined] })).toEqual({
      _tag: 'Left',
      left: { code: 'undefined', path: '/a/0' },
    });
    expect(referenceEncode({ toJSON: () => 1 })).toMatchObject({ _tag: 'Left' });
    expect(referenceEncode({ b: -0, a: 1.5e-7, '\u{1f600}': 1, '\ufb33': '/\u2028' })).toEqual({
      _tag: 'Right',
      right: '{"a":1.5e-7,"b":0,"\u{1f600}":1,"\ufb33":"/\u2028"}',
    });
  });

  it('agrees with a sound ledger, line by line', () => {
    expect(validateRunFile(fileOf(sample().records()), { reference: referenceEncode })._tag).toBe('Right');
  });
});
