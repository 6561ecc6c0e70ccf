import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { defaultPolicy, parseInterpretations, SeedText } from '@assay/kernel/intent';
import { blueprintSchema, refusalReportSchema, verificationPackSchema } from '@assay/kernel/schemas';
import { interpretationsSchema, policySchema } from '../../src/schemas/inputs.js';
import { verifyDocumentSchema } from '../../src/schemas/verify-document.js';
import { lawRuns } from '../../tools/laws.js';
import { nearValid } from './near-valid.js';
import { amount, artifactOf, claimOn, flag, played, policyWith, reading } from './tools.js';
import { parsePolicy } from '../../src/intent/policy.js';

const runs = lawRuns('intent schemas', 2);
const SEED = 'Uploads must finish within 2 s. The app must not store card data by 2026-03-16.';
const FAST = claimOn(SEED, 'Uploads must finish within 2 s', { atom: amount('uploads.time', '<=', 2, 's') });
const CARD = claimOn(SEED, 'must not store card data', { modality: 'must_not', atom: flag('card_data') });
const DATE = claimOn(SEED, 'by 2026-03-16', {
  atom: { key: 'app.date', op: '<=', value: '2026-03-16', unit: 'date' },
});
const ASKED = claimOn(SEED, 'finish', {
  kind: 'question',
  atom: { key: 'question', op: '=', value: 'vague', unit: null },
});
const VALID = [
  [reading('all', [FAST, CARD, DATE, ASKED], { assumptions: ['the clock is right'] })],
  [
    reading('scoped', [
      { ...FAST, scope: { actor: { start: 0, end: 7 }, condition: null, exception: { start: 1, end: 2 } } },
    ]),
    reading('none', []),
  ],
] as unknown as readonly Json[];

describe('laws', () => {
  it('schemas/policy-equals-parser: zod takes exactly the policies the kernel takes', () => {
    const valid = [
      defaultPolicy,
      { ...defaultPolicy, proposers: ['a', 'b'], min_proposals: 2 },
    ] as unknown as readonly Json[];
    fc.assert(
      fc.property(
        nearValid(valid),
        (value) => policySchema.safeParse(value).success === (parsePolicy(value)._tag === 'Right'),
      ),
      runs,
    );
  });

  it('schemas/interpretations-equal-parser: zod takes exactly the lists of readings the kernel takes', () => {
    const seed = new SeedText(SEED);
    const takes = (value: Json): boolean => {
      const parsed = parseInterpretations(value, seed);
      // Whether a quote lies in the seed is beyond a schema.
      return (
        parsed._tag === 'Right' || (parsed.left.detail as { readonly rule: string }).rule === 'outside_seed'
      );
    };
    fc.assert(
      fc.property(
        nearValid(VALID),
        (value) => interpretationsSchema.safeParse(value).success === takes(value),
      ),
      runs,
    );
  });
});

describe('artifacts', () => {
  it('a success fits its schemas', () => {
    const vague = claimOn(SEED, 'Uploads', {
      kind: 'question',
      atom: { key: 'question', op: '=', value: 'vague', unit: null },
    });
    const run = played(
      SEED,
      {
        a: [reading('all', [FAST, CARD, DATE, vague]), reading('fast', [FAST])],
        b: [reading('all', [FAST, CARD, DATE, vague])],
      },
      policyWith({ proposers: ['a', 'b'] }),
      { budget: '<= 50 EUR' },
    );
    expect(blueprintSchema.safeParse(artifactOf(run, 'blueprint'))).toMatchObject({ success: true });
    expect(verificationPackSchema.safeParse(artifactOf(run, 'verification_pack'))).toMatchObject({
      success: true,
    });
  });

  it('a refusal fits its schema', () => {
    const run = played(
      SEED,
      {
        a: [
          reading('stores', [{ ...CARD, modality: 'must' }]),
          reading('long', [{ ...FAST, atom: amount('x', '=', 3, 's') }]),
        ],
      },
      policyWith({ proposers: ['a'] }),
      { no_card_data: true },
    );
    expect(refusalReportSchema.safeParse(artifactOf(run, 'refusal_report'))).toMatchObject({ success: true });
  });

  it('a verification document has five verdicts', () => {
    const verdict = { verdict: 'not_checked', code: 'no_head', record: null, count: 0, detail: null };
    const checks = {
      integrity: { ...verdict, verdict: 'held', code: null },
      rederivation: verdict,
      completeness: verdict,
      authorship: verdict,
      time: verdict,
    };
    const document = {
      results: [{ file: 'run.ledger.jsonl', head: null, outcome: 'open', due: null, checks }],
    };
    expect(verifyDocumentSchema.safeParse(document).success).toBe(true);
    expect(
      verifyDocumentSchema.safeParse({
        results: [{ ...document.results[0], checks: { integrity: verdict } }],
      }).success,
    ).toBe(false);
  });
});
