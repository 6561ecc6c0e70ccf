/** Rules as R3: a program and what happened say the next move (calls/C5). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json } from '@assay/kernel';
import type { StepAnswer } from '../../src/protocol/requests.ts';
import { canonicalText, stepByRules } from '../../src/steps/index.ts';
import { called, evidenceOf, type Called } from '../lib/evidence.ts';
import { draws } from '../../../kernel/tools/laws.ts';

const step = (id: string, tool: string, input: Json, more: object = {}): Json =>
  ({ id, tool, input, may_fail: false, if_any: null, ...more }) as Json;
const program = (tries: readonly (readonly Json[])[], output: Json = { from: 'a', do: [] }): string =>
  canonicalText({ format: 'assay/steps/1', output, tries });
const failed = (tool: string, input: Json, output: string, code = 'not_found'): Called =>
  called(tool, input, output, { status: 'error', code });
const wrong = (calls: readonly number[]) =>
  ({ t: 'correction', what_was_wrong: 'it is wrong', what_to_do: 'do it', calls }) as const;

type Happened = Parameters<typeof evidenceOf>[0];

function next(context: string, happened: Happened = [], more: object = {}): StepAnswer | string {
  const { of, wholes } = evidenceOf(happened, { context, ...more });
  const answer = stepByRules(of, wholes);
  return answer._tag === 'Left' ? answer.left.code : answer.right;
}
const callsOf = (answer: StepAnswer | string): readonly Json[] =>
  typeof answer === 'string' || answer.t !== 'call'
    ? [answer as Json]
    : answer.calls.map(({ input }) => input);

describe('a program, step by step', () => {
  const paths = { do: [['json_lines'], ['pluck', 'path'], ['sort']], from: 'a' };
  const context = program(
    [
      [
        step('a', 'find_files', {}),
        step('b', 'shell', { pipeline: [['cat', { spread: paths }]] }),
        step('c', 'write_file', { content: { do: [['line']], from: 'prior.0' }, path: 'x' }),
      ],
    ],
    { from: 'b', do: [] },
  );
  const prior = [{ intent: 'x', output: 'before' }];
  const found = called('find_files', {}, '{"path":"b"}\n{"path":"a"}\n');
  const joined = called('shell', { pipeline: [['cat', 'a', 'b']] }, 'y'.repeat(9_000));

  it('asks for the steps whose inputs are known, then for the rest, then says what was made', () => {
    expect(callsOf(next(context, [], { prior }))).toEqual([{}]);
    expect(callsOf(next(context, [found], { prior }))).toEqual([
      { pipeline: [['cat', 'a', 'b']] },
      { content: 'before\n', path: 'x' },
    ]);
    const wrote = called('write_file', { content: 'before\n', path: 'x' }, 'done');
    expect(next(context, [found, joined, wrote], { prior })).toEqual({
      t: 'done',
      output: 'y'.repeat(9_000),
      rests_on: [0, 1, 2],
    });
  });

  it('needs whole outputs: one that is gone ends the sub-task, one that is no text goes on to the next try', () => {
    const { of } = evidenceOf(
      [found, joined, called('write_file', { content: 'before\n', path: 'x' }, 'done')],
      {
        context,
        prior,
      },
    );
    expect(stepByRules(of)).toMatchObject({ left: { code: 'output_gone' } });
    const bytes = { ...joined, whole: '\uFFFD', output_bytes: 1, output: '\uFFFD' };
    expect(
      next(context, [found, bytes, called('write_file', { content: 'before\n', path: 'x' }, 'done')], {
        prior,
      }),
    ).toMatchObject({ t: 'give_up', code: 'cannot', call: 2, why: expect.stringMatching(/^not_whole: /) });
  });
});

describe('the try in use', () => {
  const tries = program([
    [step('a', 'read_file', { path: 'x' }), step('b', 'write_file', {})],
    [step('a', 'read_file', { path: 'y' })],
  ]);
  const gone = failed('read_file', { path: 'x' }, 'not_found: x: nothing is there\nmore');

  it('is the next one after a call that does not go well, a correction, and a move that was turned away', () => {
    const second = [{ path: 'y' }];
    expect(callsOf(next(tries, [gone]))).toEqual(second);
    expect(
      callsOf(
        next(tries, [called('read_file', { path: 'x' }, 'x'), called('write_file', {}, 'x'), wrong([1])]),
      ),
    ).toEqual(second);
    const turned_away = [{ code: 'blocked_target', detail: null }];
    expect(callsOf(next(tries, [], { turned_away }))).toEqual(second);
    // What was turned away is not told of once another move was taken.
    expect(next(tries, [called('read_file', { path: 'y' }, 'z')])).toMatchObject({ t: 'done', output: 'z' });
  });

  it('is no more: given up, naming the call; what the user named and is not there is said, once', () => {
    const last = failed('read_file', { path: 'y' }, 'not_found: y: nothing is there');
    expect(next(tries, [gone, last])).toEqual({
      t: 'give_up',
      code: 'input_missing',
      call: 1,
      why: 'not_found: y: nothing is there',
    });
    const turned_away = [{ code: 'unfounded', detail: null }];
    expect(next(tries, [gone, last], { turned_away })).toMatchObject({ code: 'cannot', call: 1 });
    expect(next(tries, [gone, failed('read_file', { path: 'y' }, 'io: EIO', 'io')])).toMatchObject({
      code: 'cannot',
      why: 'io: EIO',
    });
    expect(next(tries, [gone, called('read_file', { path: 'y' }, 'z'), wrong([1])])).toMatchObject({
      code: 'cannot',
      call: 1,
      why: 'it is wrong',
    });
  });

  it('goes on after a call that may fail, and leaves out a step that is about nothing', () => {
    const context = program([
      [
        step('a', 'read_file', { path: 'x' }, { may_fail: true }),
        step('b', 'shell', {}, { if_any: { from: 'a', do: [['lines'], ['without', 'l']] } }),
        step('c', 'read_file', { path: 'z' }),
      ],
    ]);
    expect(callsOf(next(context))).toEqual([{ path: 'x' }]);
    expect(callsOf(next(context, [failed('read_file', { path: 'x' }, 'l')]))).toEqual([{ path: 'z' }]);
    expect(callsOf(next(context, [failed('read_file', { path: 'x' }, 'm')]))).toEqual([{}, { path: 'z' }]);
  });

  it('says of a call that was cut short at which limit: what came of it so far does not', () => {
    const cut = called('find_files', {}, '{"path":"a"}\n', { status: 'truncated', code: 'entry_limit' });
    const why = (call: Called): unknown =>
      (next(program([[step('a', 'find_files', {})]]), [call]) as { why: string }).why;
    expect(why(cut)).toBe(
      'entry_limit: find_files was cut short at a limit; what it gave is not the whole answer',
    );
    expect(why({ ...cut, why: 'at most 3 names' })).toMatch(/^entry_limit: at most 3 names; /);
    expect(why(called('find_files', {}, '', { status: 'timeout', code: 'timeout' }))).toBe(
      'timeout: find_files',
    );
  });

  it('asks for no more calls than are left, eight at most', () => {
    const many = program([Array.from({ length: 20 }, (_, index) => step(`s${index}`, 'glob', { index }))]);
    expect(callsOf(next(many))).toHaveLength(8);
    expect(callsOf(next(many, [], { allowed: 3 }))).toHaveLength(3);
    expect(callsOf(next(many, [], { allowed: 0 }))).toHaveLength(1);
  });

  it('an answer that is too long to be said is not said in part', () => {
    const context = program([[step('a', 'find_files', {})]]);
    expect(next(context, [called('find_files', {}, 'x'.repeat(30_000))])).toMatchObject({
      t: 'give_up',
      why: expect.stringMatching(/^too_long: /),
    });
  });
});

describe('whatever happened', () => {
  const tries = [
    [
      step('a', 'read_file', { path: 'x' }),
      step('b', 'write_file', { content: { from: 'a', do: [['lines'], ['first']] } }),
    ],
    [step('a', 'read_file', { path: 'y' }, { may_fail: true }), step('b', 'glob', {})],
  ];
  const context = program(tries, { from: 'b', do: [] });

  it('played by any tools, it ends within the calls of its tries, and never calls what a try does not say', () => {
    const answer = fc.record({
      isOk: fc.boolean(),
      output: fc.constantFrom('', 'a\n', 'b'),
      isCorrected: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.infiniteStream(answer), (answers) => {
        const happened: (Called | ReturnType<typeof wrong>)[] = [];
        for (let moves = 0; moves < 20; moves += 1) {
          const move = next(context, happened);
          if (typeof move === 'string') throw new Error(move);
          if (move.t === 'give_up') return;
          if (move.t === 'done') {
            const { value } = answers.next();
            if (value?.isCorrected !== true) return;
            happened.push(wrong([move.rests_on[0] ?? 0]));
            continue;
          }
          for (const { tool, input } of move.calls) {
            const said = answers.next().value ?? { isOk: true, output: '' };
            expect(['read_file', 'write_file', 'glob']).toContain(tool);
            happened.push(said.isOk ? called(tool, input, said.output) : failed(tool, input, said.output));
            if (!said.isOk) break;
          }
        }
        throw new Error('no end');
      }),
      { seed: 19, numRuns: draws(1_000) },
    );
  });

  it('a context that is no program is refused, with its place', () => {
    expect(next('do what I mean')).toBe('not_steps');
    expect(next('{"format":"assay/steps/1","tries":[],"output":{}}')).toBe('not_steps');
  });
});
