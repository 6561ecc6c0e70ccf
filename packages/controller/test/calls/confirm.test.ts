/** Who is asked before what, and what a confirmation covers (calls/C8; 003 §9, Law 1). */
import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import type { ConfirmBody } from '../../src/index.js';
import type { CallBody } from '../../src/protocol/requests.js';
import { NO_RECALL } from '../../src/protocol/recall.js';
import {
  called,
  criterion,
  did,
  planOf,
  play,
  policyWith,
  replayed,
  willing,
  type Cast,
  type Played,
} from '../lib/playing.js';

const LOST = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64), 'd'.repeat(64)];
const yes = (): { readonly value: Json } => ({ value: { approved: true, note: null } });
const confirms = ({ asked }: Played): readonly ConfirmBody[] =>
  asked.filter(({ kind }) => kind === 'confirm').map(({ body }) => body as unknown as ConfirmBody);
const calls = ({ asked }: Played): readonly CallBody[] =>
  asked.filter(({ kind }) => kind === 'call').map(({ body }) => body as unknown as CallBody);

describe('a tool that holds', () => {
  const held = called('write_file', 'report.md', 'needs_confirmation', {
    status: 'denied',
    irreversible: true,
    code: 'needs_confirmation',
    loses: LOST[0] ?? '',
  });
  const holding: Cast = { ...willing, execute: () => did(held), confirm: yes };

  it('is called first, tells what would be lost, and is called again with just that', () => {
    const played = play(policyWith(), holding);
    expect(confirms(played)).toMatchObject([
      { n: 0, tool: 'write_file', target: 'report.md', loses: LOST[0], why: 'needs_confirmation' },
    ]);
    expect(calls(played).map(({ n, confirmed }) => [n, confirmed])).toEqual([
      [0, null],
      [0, { loses: LOST[0], target: 'report.md' }],
    ]);
    expect(played.result).toMatchObject({ directive: 'accept', costs: { tool_calls: 1 } });
    replayed(played);
  });

  it('is asked about anew where something else stands there by now, three times at most', () => {
    let turn = 0;
    const played = play(policyWith(), {
      ...holding,
      call: () => {
        turn += 1;
        const { tool: _, input, ...said } = held;
        return {
          value: { ...said, why: null, target: input, loses: LOST[(turn - 1) % 4] } as unknown as Json,
        };
      },
    });
    expect(confirms(played).map(({ loses }) => loses)).toEqual(LOST.slice(0, 3));
    expect(played.result).toMatchObject({ directive: 'abandon', reason: 'not_confirmed', accountable: [] });
  });

  it('and a no ends the task with the round', () => {
    const played = play(policyWith(), {
      ...holding,
      confirm: () => ({ value: { approved: false, note: null } }),
    });
    expect(played.result).toMatchObject({
      reason: 'not_confirmed',
      replans: 0,
      summary: expect.stringContaining(
        'write_file report.md was not allowed; done before: nothing.',
      ) as string,
      next_moves: [
        {
          code: 'confirm',
          text: 'confirm what cannot be undone, or ask for a way without it: write_file report.md',
        },
      ],
    });
  });
});

describe('what memory is of two minds about', () => {
  const uncertain = (tool: string): { readonly value: Json } => ({
    value: {
      ...NO_RECALL,
      tags: [
        {
          space: `tool:${tool}`,
          entity: 'env:local',
          attention_nano: 900_000_000,
          decision_nano: 0,
          action: 'caution',
        },
      ],
    } as unknown as Json,
  });

  it.each([
    ['shell', 'mv a b', 1],
    ['shell', 'cat a', 0],
    ['read_file', 'a', 0],
    ['find_files', 'a', 0],
  ])('%s %s asks a person %i times', (tool, input, times) => {
    const played = play(policyWith({ memory: true }), {
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [criterion('it is done')], tools: [tool] }]) }),
      execute: () => did(called(tool, input)),
      recall: () => uncertain(tool),
      confirm: yes,
    });
    expect([confirms(played).length, played.result?.directive]).toEqual([times, 'accept']);
    if (times > 0) expect(confirms(played)[0]?.why).toBe('caution');
  });
});
