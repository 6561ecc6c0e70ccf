import { describe, expect, it } from 'vitest';
import {
  advance,
  openRequests,
  openRun,
  orThrow,
  type GenesisInput,
  type Json,
  type Proposal,
} from '@assay/kernel';
import { intent, intentReplayable } from '@assay/kernel/intent';
import { parseFixture } from '@assay/verifier';
import type { IntentStep } from './tools.js';
import { REASON_CODES } from '../../src/intent/refusal.js';
import { listGoldens, readGolden, readRecords } from '../../tools/goldens.ts';

const names = listGoldens('intent');

type Written = Omit<Proposal, 'request_id' | 'at_us' | 'spent' | 'cites'> & { readonly slot: string };

function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return items.length <= 1
    ? [items]
    : items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe('golden fixtures of the intent machine', () => {
  it('there are at least twelve, and each is of this version', () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
    for (const name of names)
      expect(orThrow(parseFixture(readGolden(name, 'fixture.json')))).toMatchObject({
        name,
        machine: { name: intentReplayable.name, version: intentReplayable.version },
      });
  });

  it('the hostile text changed no policy, and the veto of the pin names both atoms', () => {
    const [genesis] = readRecords('intent-hostile-text');
    expect((genesis?.payload as { readonly policy: { readonly max_nodes: number } }).policy.max_nodes).toBe(
      6,
    );
    const vetoes = readRecords('intent-pin-veto').flatMap(({ kind, payload }) =>
      kind === 'decision' ? (payload as { readonly events: readonly Json[] }).events : [],
    );
    const atom = { key: 'card_data', op: '=', value: true, unit: null };
    expect(vetoes).toContainEqual({
      t: 'vetoed',
      slot: 'hand',
      index: 0,
      name: 'keep-the-card',
      vetoes: [
        {
          code: 'pin_conflict',
          claim: 2,
          claimed: { modality: 'must', atom },
          pinned: { modality: 'must_not', atom },
        },
      ],
    });
  });

  it('every reason of a refusal and every veto has a golden run', () => {
    const all = names.flatMap(readRecords);
    const reports = all
      .flatMap(({ kind, payload }) =>
        kind === 'artifact'
          ? [
              (payload as { readonly content: { readonly reason_codes?: readonly string[] } }).content
                .reason_codes ?? [],
            ]
          : [],
      )
      .flat();
    const vetoes = all
      .flatMap(({ kind, payload }) =>
        kind === 'decision'
          ? (
              payload as {
                readonly events: readonly { readonly vetoes?: readonly { readonly code: string }[] }[];
              }
            ).events
          : [],
      )
      .flatMap((event) => event.vetoes ?? []);
    expect([...new Set(reports)].sort()).toEqual([...REASON_CODES].sort());
    expect([...new Set(vetoes.map(({ code }) => code))].sort()).toEqual([
      'duplicate_reading',
      'over_limit',
      'pin_conflict',
      'polarity',
      'self_contradiction',
      'ungrounded',
    ]);
  });

  it.each(['intent-arrival-order', 'intent-several-proposers'])(
    '%s: every order in which its slots answer gives the locked artifacts and graph',
    (name) => {
      const { genesis, proposals } = readGolden(name, 'fixture.json') as {
        readonly genesis: GenesisInput;
        readonly proposals: readonly Written[];
      };
      const expected = readGolden(name, 'expected.json') as {
        readonly artifact_hashes: Json;
        readonly dag_root_hash: Json;
      };
      const slots = [...new Set(proposals.map(({ slot }) => slot))];
      for (const order of ordersOf(slots)) {
        let step: IntentStep = orThrow(openRun(intent, genesis)) as unknown as IntentStep;
        for (const slot of order) {
          for (const { slot: own, ...answer } of proposals.filter((one) => one.slot === slot)) {
            const request = openRequests(step.run).find(
              ({ body }) => (body as { readonly slot: string }).slot === own,
            );
            step = orThrow(
              advance(step.run, {
                request_id: request?.id ?? '',
                at_us: null,
                spent: {},
                cites: [],
                ...answer,
              }),
            );
          }
        }
        const hashes = Object.fromEntries(
          step.records.flatMap(({ kind, payload }) =>
            kind === 'artifact'
              ? [
                  [
                    (payload as { readonly name: string }).name,
                    (payload as { readonly artifact_hash: string }).artifact_hash,
                  ],
                ]
              : [],
          ),
        );
        expect([order, hashes, step.run.graph.root()]).toEqual([
          order,
          expected.artifact_hashes,
          expected.dag_root_hash,
        ]);
      }
    },
  );
});
