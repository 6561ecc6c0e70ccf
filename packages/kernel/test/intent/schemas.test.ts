import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { defaultPolicy, parseInterpretations, SeedText } from '@assay/kernel/intent';
import { blueprintSchema, refusalReportSchema, verificationPackSchema } from '@assay/kernel/schemas';
import { interpretationsSchema, policySchema } from '../../src/schemas/artifacts.js';
import { verifyDocumentSchema } from '../../src/schemas/documents.js';
import { lawRuns } from '../../tools/laws.js';
import { validator } from '../../tools/validator.js';
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
  it('schemas/policy-equals-parser: the schema takes exactly the policies the kernel takes', () => {
    const valid = [
      defaultPolicy,
      { ...defaultPolicy, proposers: ['a', 'b'], min_proposals: 2 },
    ] as unknown as readonly Json[];
    fc.assert(
      fc.property(
        nearValid(valid),
        (value) => (policySchema(value) === null) === (parsePolicy(value)._tag === 'Right'),
      ),
      runs,
    );
  });

  it('schemas/interpretations-equal-parser: the JSON Schema takes what the kernel takes, and little else', () => {
    const seed = new SeedText(SEED);
    const takes = validator(interpretationsSchema);
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(nearValid(VALID), (value) => {
        const parsed = parseInterpretations(value, seed);
        if (parsed._tag === 'Right') taken += 1;
        else if (!takes(value)) refused += 1;
        // Spans, contradictions and moments are judged beyond the schema.
        return parsed._tag === 'Right'
          ? takes(value)
          : !takes(value) || BEYOND.test((parsed.left.detail as { readonly path: string }).path);
      }),
      runs,
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(0);
  });
});

const BEYOND = /\/(?:contradictions\/\d+|end|quote|actor|condition|exception|atom\/value)$/;

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
    expect(blueprintSchema(artifactOf(run, 'blueprint') ?? null)).toBeNull();
    expect(verificationPackSchema(artifactOf(run, 'verification_pack') ?? null)).toBeNull();
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
    expect(refusalReportSchema(artifactOf(run, 'refusal_report') ?? null)).toBeNull();
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
    expect(verifyDocumentSchema(document) === null).toBe(true);
    expect(
      verifyDocumentSchema({
        results: [{ ...document.results[0], checks: { integrity: verdict } }],
      }) === null,
    ).toBe(false);
  });
});
