/**
 * An act that failed in an earlier attempt stands as failed until that very call succeeds: a look in the next
 * attempt is no proof (003 §R4a).
 */
import { describe, expect, it } from 'vitest';
import { orThrow, type Json } from '@assay/kernel';
import { controller, type ExecuteBody, type JudgeBody, type ToolCall } from '../../src/index.js';
import {
  called,
  criterion,
  planOf,
  play,
  policyWith,
  replayed,
  willing,
  type Cast,
  type Played,
} from '../lib/playing.js';

const failed = (tool: string, input: string): ToolCall => called(tool, input, 'no', { status: 'error' });
const outcomeOf = (played: Played): string | null | undefined =>
  played.events.flatMap((event) =>
    event.t === 'message' && event.kind === 'SubTaskOutcome' ? [event.body.reason] : [],
  )[0];
const contradictions = (played: Played): readonly unknown[] =>
  played.events.flatMap((event) =>
    event.t === 'message' && event.kind === 'ExecutionResult' && event.body.subtask === '0.0'
      ? [event.body.contradiction?.line ?? null]
      : [],
  );
const judged = (played: Played): readonly JudgeBody[] =>
  played.asked.flatMap(({ body, kind }) => (kind === 'judge' ? [body as unknown as JudgeBody] : []));

/**
 * Plays attempts, each the calls of a completed execution; the last is said again. `unmet`: attempts that an
 * otherwise willing judge turns down.
 */
function attempts(
  given: readonly (readonly ToolCall[])[],
  {
    unmet = [],
    uses = ['write_file', 'read_file', 'find_files', 'shell'],
    more = {},
  }: { readonly unmet?: readonly number[]; readonly uses?: readonly string[]; readonly more?: Cast } = {},
): Played {
  const played = play(
    policyWith({ limits: { ...policyWith().limits, retries: given.length - 1, plans: 1 } }),
    {
      ...willing,
      plan: () => ({
        value: planOf([
          { criteria: [criterion('it is there')], uses: uses.map((tool) => ({ tool, target: '*' })) },
        ]),
      }),
      execute: (_: ExecuteBody, turn: number) => ({
        value: {
          status: 'completed',
          output: 'x',
          tool_calls: (given[turn] ?? given.at(-1) ?? []) as unknown as Json,
        },
      }),
      judge: ({ criteria, attempt }: JudgeBody) => ({
        value: {
          verdicts: criteria.map(({ id }) => ({
            criterion: id,
            verdict: unmet.includes(attempt) ? 'fail' : 'pass',
            failure_class: unmet.includes(attempt) ? 'environmental' : null,
            evidence: 'e',
          })),
          what_was_wrong: null,
          what_to_do: null,
        },
      }),
      ...more,
    },
  );
  replayed(played);
  return played;
}

const LINE = 'write_file: a → [error] no';

describe('an act that failed in an attempt before', () => {
  it.each([
    ['a look', called('read_file', 'a')],
    ['a search', called('find_files', 'a')],
    ['a line that looks', called('shell', 'cat a')],
  ])('is not stood for by %s alone, whoever judges', (_, look) => {
    const played = attempts([[failed('write_file', 'a')], [look]]);
    expect([outcomeOf(played), judged(played).length]).toEqual(['primary_call_failed', 0]);
    expect(contradictions(played)).toEqual([LINE, LINE]);
  });

  it('is done when that very call succeeds, in the next attempt or in one after', () => {
    expect(outcomeOf(attempts([[failed('write_file', 'a')], [called('write_file', 'a')]]))).toBeNull();
    const late = attempts([
      [failed('write_file', 'a')],
      [called('read_file', 'a')],
      [called('write_file', 'a'), called('read_file', 'a')],
    ]);
    expect([contradictions(late), outcomeOf(late)]).toEqual([[LINE, LINE, null], null]);
    expect(judged(late)[0]?.tool_calls).toEqual(['write_file: a → done', 'read_file: a → done']);
  });

  it('is done for the attempts after that too', () => {
    const played = attempts(
      [[failed('write_file', 'a')], [called('write_file', 'a')], [called('read_file', 'a')]],
      { unmet: [1] },
    );
    expect([outcomeOf(played), judged(played).map(({ tool_calls }) => tool_calls)]).toEqual([
      null,
      [['write_file: a → done'], ['read_file: a → done']],
    ]);
  });

  it('is shown to the judge where it was done in another way, which may be a good one', () => {
    const played = attempts([[failed('write_file', 'a')], [called('write_file', 'b')]]);
    expect(outcomeOf(played)).toBeNull();
    expect(judged(played)[0]?.tool_calls).toEqual([LINE, 'write_file: b → done']);
  });

  it('is not stood for by a look in the attempt after another way that was not good enough', () => {
    const played = attempts(
      [[failed('write_file', 'a')], [called('write_file', 'b')], [called('read_file', 'b')]],
      { unmet: [1] },
    );
    expect([outcomeOf(played), contradictions(played)]).toEqual(['primary_call_failed', [LINE, null, LINE]]);
  });

  it('counts by itself: of two, one done again leaves the other, and a look in between hides none', () => {
    const played = attempts(
      [
        [failed('write_file', 'a'), failed('shell', 'cp a b')],
        [called('write_file', 'a')],
        [called('read_file', 'a')],
      ],
      { unmet: [1] },
    );
    expect(judged(played)[0]?.tool_calls).toEqual(['shell: cp a b → [error] no', 'write_file: a → done']);
    expect(contradictions(played)).toEqual([LINE, null, 'shell: cp a b → [error] no']);
  });

  it('that was cut short stands as cut short', () => {
    const played = attempts([
      [called('shell', 'cp a b', 'x', { status: 'truncated' })],
      [called('read_file', 'b')],
    ]);
    expect(outcomeOf(played)).toBe('cut_without_completion');
  });

  it('and was done again in that attempt, is no failure; nor is a look that failed', () => {
    const nothing = attempts(
      [[failed('write_file', 'a'), called('write_file', 'a')], [called('read_file', 'a')]],
      { unmet: [0] },
    );
    expect(outcomeOf(nothing)).toBeNull();
    expect(outcomeOf(attempts([[failed('read_file', 'a')], [called('read_file', 'b')]]))).toBeNull();
  });

  it('that the plan did not allow is not to be done again', () => {
    const played = attempts([[failed('write_file', 'a')], [called('read_file', 'b')]], {
      uses: ['read_file'],
    });
    expect([outcomeOf(played), judged(played)[0]?.tool_calls]).toEqual([null, ['read_file: b → done']]);
  });

  it('stands in the attempt that a person was asked about meanwhile', () => {
    const held = called('write_file', 'c', 'ask', { status: 'denied', irreversible: true });
    const played = attempts([[failed('write_file', 'a'), held], [called('read_file', 'a')]], {
      more: { confirm: () => ({ value: { approved: true, note: null } }) },
    });
    expect(contradictions(played)).toEqual([LINE, LINE, LINE]);
    expect(outcomeOf(played)).toBe('primary_call_failed');
  });

  it('stays in a state that is written down and read again, and only where there is one', () => {
    const played = attempts([[failed('write_file', 'a')], [called('write_file', 'b')]], {
      more: { judge: () => null },
    });
    const encoded = controller.encode(played.run.state);
    expect(JSON.stringify(encoded)).toContain(
      '"failed_acts":[{"code":"primary_call_failed","input":"a","line":"write_file: a → ' +
        '[error] no","tool":"write_file"}]',
    );
    expect(controller.encode(orThrow(controller.decode(encoded)))).toEqual(encoded);
    const none = controller.encode(
      attempts([[called('write_file', 'a')]], { more: { judge: () => null } }).run.state,
    );
    expect(JSON.stringify(none)).not.toContain('failed_acts');
    const empty = JSON.parse(
      JSON.stringify(none).replace('"held_back"', '"failed_acts":[],"held_back"'),
    ) as Json;
    expect(controller.decode(empty)._tag).toBe('Left');
  });
});
