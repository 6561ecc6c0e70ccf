/** The schema of evidence and the parser the kernel has for it are one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { parseEvidence } from '@assay/kernel/intent';
import { evidenceSchema } from '../../src/schemas/artifacts.js';
import { lawRuns } from '../../tools/laws.js';
import { nearValid } from './near-valid.js';
import { EVIDENCE_UNITS_MAX } from '../../src/intent/evaluate.js';

const runs = lawRuns('evidence schema', 2);
const VALID: readonly Json[] = [
  [
    { check_id: 'check-1', observed: 187.5, unit: 'ms', source: 'load test' },
    { check_id: 'check-2', observed: { n: 5, scale: 1 }, unit: null, source: '' },
  ],
  [
    { check_id: 'check-3', observed: true, source: 'walk through' },
    { check_id: 'check-4', observed: '2026-03-16', unit: 'date', source: 'contract' },
  ],
];
const takes = (value: Json): boolean => parseEvidence(value)._tag === 'Right';

describe('laws', () => {
  it('schemas/evidence-equals-parser: the schema takes exactly the evidence the kernel takes', () => {
    fc.assert(
      fc.property(nearValid(VALID), (value) => (evidenceSchema(value) === null) === takes(value)),
      runs,
    );
  });
});

describe('evidence at its edges', () => {
  const row = (observed: Json, unit: Json = null, id = 'c'): Json => [
    { check_id: id, observed, unit, source: 's' },
  ];
  it.each<readonly [Json, boolean]>([
    [[], true],
    [{}, false],
    [row(0.1), true],
    [row(-0), true],
    [row(1e21), false],
    [row(1e-7), true],
    [row(1e-10), false],
    [row(0.1234567891), false],
    [row(Number.MAX_SAFE_INTEGER), true],
    [row(Number.MAX_SAFE_INTEGER + 1), false],
    [row('x'.repeat(EVIDENCE_UNITS_MAX)), true],
    [row('x'.repeat(EVIDENCE_UNITS_MAX + 1)), false],
    [row(true, 'ms'), true],
    [row(true, ''), false],
    [row(true, 'a b'), false],
    [row(true, 'x'.repeat(65)), false],
    [row(true, '°C'), true],
    [row(true, '\u007f'), false],
    [row(null), false],
    [row({ n: 1, scale: 10 }), false],
  ])('%j: %s', (value, isTaken) => {
    expect([takes(value), evidenceSchema(value) === null]).toEqual([isTaken, isTaken]);
  });
});
