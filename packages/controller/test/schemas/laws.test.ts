/** Schemas take what the parsers of the machine take: they are made from the same shapes. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { nearValid } from '../../../kernel/test/intent/near-valid.ts';
import { lawRuns } from '../../../kernel/tools/laws.ts';
import { validator } from '../../../kernel/tools/validator.js';
import { defaultPolicy, literalGgsPolicy, parsePolicy } from '../../src/index.js';
import { defaultGgsPolicy, GGS_POLICY } from '../../src/ggs/policy.js';
import { POLICY } from '../../src/policy/policy.js';
import { ASK_KINDS, parseAnswer, REQUESTS, type AskKind } from '../../src/protocol/requests.js';
import { policyWith } from '../lib/playing.js';
import { readRecords } from '../../../kernel/tools/goldens.ts';

const runs = lawRuns('controller schemas', 2);
const FOLDER = new URL('../../../../golden-fixtures/', import.meta.url);
const DIGEST = 'a'.repeat(64);

const POLICIES = [
  policyWith(),
  policyWith({
    ggs: literalGgsPolicy,
    roles: { ...defaultPolicy.roles, R2: 'b', R4b: 'a' },
    ranks: [
      { proposer: 'a', rank: 2 },
      { proposer: 'b', rank: 2 },
    ],
  }),
  { ...defaultPolicy, ranks: [{ proposer: 'a', rank: 0 }] },
] as unknown as readonly Json[];

const CALL = {
  status: 'ok',
  code: null,
  why: null,
  output: 'b',
  output_bytes: 1,
  digest: DIGEST,
  target: 'a',
  irreversible: false,
  loses: null,
};
const CRITERION = {
  text: 'it is there',
  mode: 'verifiable',
  hard: true,
  check: { path: 'a', at: [1, null] },
};
/** Answers that no golden run has, with every optional part. */
const FULL: Readonly<Record<AskKind, readonly Json[]>> = {
  clock: [{ t_us: 0 }],
  perceive: [
    { label: 'report', intent: 'write it', constraints: { scope: 'here', deadline_us: 5 }, refers_to: 4 },
  ],
  recall: [
    {
      at_us: 1,
      tags: [
        { space: 'tool:a', entity: 'env:local', attention_nano: 2, decision_nano: -1, action: 'caution' },
      ],
      rules: [{ space: 'tool:a', entity: 'env:local', id: DIGEST, content: 'x', sigma_ppm: -1_000_000 }],
      failures: ['hung'],
      left_out: { tags: 0, rules: 1 },
    },
  ],
  plan: [
    {
      follows: [0],
      task_criteria: [CRITERION],
      subtasks: [
        {
          label: '',
          sequence: 1,
          intent: 'do',
          context: '',
          success_criteria: [CRITERION],
          tools: ['write_file'],
          words: false,
        },
      ],
    },
  ],
  confirm: [
    { approved: true, note: 'yes' },
    { approved: false, note: null },
  ],
  step: [
    { t: 'call', calls: [{ tool: 'write_file', input: { path: 'a', at: [1, null] } }], why: 'first' },
    { t: 'done', output: 'x', rests_on: [0, 255] },
    { t: 'give_up', code: 'input_missing', call: 3, why: 'not there' },
    { t: 'give_up', code: 'cannot', call: null, why: '' },
  ],
  call: [
    CALL,
    { ...CALL, status: 'denied', code: 'needs_confirmation', why: 'a', digest: null, loses: DIGEST },
  ],
  judge: [
    {
      verdicts: [
        { criterion: '0.0.0', verdict: 'fail', failure_class: 'logical', evidence: 'x', calls: [1] },
      ],
      what_was_wrong: 'a',
      what_to_do: null,
    },
  ],
  merge: [
    {
      merged_output: { a: [1, 'b'] },
      summary: 's',
      verdicts: [{ criterion: '0.t.0', verdict: 'ambiguous', failure_class: null, evidence: '' }],
    },
  ],
};

/** Short answers of the golden runs, by kind. */
function golden(kind: AskKind): readonly Json[] {
  const found = readdirSync(FOLDER)
    .filter((name) => name.startsWith('controller-'))
    .flatMap((name) => {
      const records = readRecords(name);
      const kinds = new Map(
        records.flatMap(({ kind: of, payload }) =>
          of === 'decision'
            ? (
                payload as unknown as {
                  readonly requests: readonly { readonly id: string; readonly kind: string }[];
                }
              ).requests.map(({ id, kind: asked }) => [id, asked] as const)
            : [],
        ),
      );
      return records.flatMap(({ kind: of, payload }) => {
        const { request_id, value } = (payload ?? {}) as {
          readonly request_id?: string;
          readonly value?: Json;
        };
        return of === 'proposal' &&
          kinds.get(request_id ?? '') === kind &&
          value !== null &&
          value !== undefined
          ? [value]
          : [];
      });
    });
  return found.filter((value) => JSON.stringify(value).length < 4_000).slice(0, 20);
}

const AROUND = (edges: readonly number[]): readonly number[] =>
  edges.flatMap((edge) => [edge - 1, edge, edge + 1]);
const NUMBERS = AROUND([0, 1, 1_000, 1_000_000, 1_000_000_000, Number.MAX_SAFE_INTEGER - 1]);

describe('laws', () => {
  it('controller-schemas/policy-equals-parser: the schema takes every policy that the machine takes', () => {
    const takes = validator(POLICY);
    for (const policy of POLICIES) expect([parsePolicy(policy)._tag, takes(policy)]).toEqual(['Right', true]);
    fc.assert(
      fc.property(nearValid(POLICIES), (value) => takes(value) || parsePolicy(value)._tag === 'Left'),
      runs,
    );
  });

  it('controller-schemas/answers-equal-parser: the schema takes what the machine reads as an answer', () => {
    for (const kind of ASK_KINDS) {
      const takes = validator(REQUESTS[kind].answer);
      const valid = [...FULL[kind], ...golden(kind)];
      for (const value of FULL[kind]) expect(parseAnswer(value, { kind })._tag).toBe('Right');
      fc.assert(
        fc.property(
          nearValid(valid),
          (value) => takes(value) || parseAnswer(value, { kind })._tag === 'Left',
        ),
        runs,
      );
    }
  });

  it('shape and schema take the same numbers at every place of the gradient', () => {
    const takes = validator(GGS_POLICY);
    let [taken, refused] = [0, 0];
    for (const [key, value] of Object.entries(defaultGgsPolicy).filter(([, one]) => typeof one === 'number'))
      for (const edge of [value, ...NUMBERS]) {
        const given = { ...defaultGgsPolicy, [key]: edge };
        const isFit = GGS_POLICY(given) === null;
        expect([key, edge, takes(given)]).toEqual([key, edge, isFit]);
        if (isFit) taken += 1;
        else refused += 1;
      }
    expect(Math.min(taken, refused)).toBeGreaterThan(20);
  });

  it('a policy that breaks a rule over several fields is refused by the parser alone', () => {
    const takes = validator(POLICY);
    const [first] = POLICIES as readonly { readonly [key: string]: Json }[];
    const ggs = first?.['ggs'] as { readonly [key: string]: Json };
    const tool = (first?.['tools'] as readonly Json[])[0] ?? null;
    const broken: readonly Json[] = [
      { ...first, ggs: { ...ggs, w1: 1 } },
      { ...first, ggs: { ...ggs, alpha: 0, beta: 0, lambda: 0 } },
      { ...first, ggs: { ...ggs, omega_mode: 'literal', w1: 0, w2: 1_000_000 } },
      { ...first, tools: [tool, tool] },
      {
        ...first,
        ranks: [
          { proposer: 'a', rank: 1 },
          { proposer: 'a', rank: 2 },
        ],
      },
      { ...first, roles: { ...defaultPolicy.roles, R2: 'a', R4b: 'b' }, ranks: [{ proposer: 'a', rank: 1 }] },
      { ...first, ranks: [{ proposer: 'a', rank: 1 }] },
    ];
    for (const policy of broken) expect([takes(policy), parsePolicy(policy)._tag]).toEqual([true, 'Left']);
  });
});
