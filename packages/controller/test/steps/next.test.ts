/** Rules as R3: a program and what happened say the next move (calls/C5). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json } from '@assay/kernel';
import type { StepAnswer } from '../../src/protocol/requests.ts';
import { canonicalText, stepByRules } from '../../src/steps/index.ts';
import { called, evidenceOf, type Called } from '../lib/evidence.ts';
import { draws } from '../../../kernel/tools/laws.ts';

const step = (id: string, tool: string, input: Json, more: object = {}): Json =>
  ({ id, tool, input, may_fail: false, if_any: null, each: null, ...more }) as Json;
const program = (steps: readonly Json[], output: Json = { from: 'a', do: [] }): string =>
  canonicalText({ format: 'assay/steps/2', output, steps });
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
  const paths = { do: [['json_lines'], ['paths']], from: 'a' };
  const context = program(
    [
      step('a', 'find_files', {}),
      step('b', 'read_file', { paths }),
      step('c', 'write_file', { content: { do: [['add', '\n']], from: 'prior.0' }, path: 'x' }),
    ],
    { from: 'b', do: [] },
  );
  const prior = [{ intent: 'x', output: 'before' }];
  const found = called('find_files', {}, '{"path":"a"}\n{"path":"b"}\n');
  const joined = called('read_file', { paths: ['a', 'b'] }, 'y'.repeat(9_000));

  it('asks for the steps whose inputs are known, then for the rest, then says what was made', () => {
    expect(callsOf(next(context, [], { prior }))).toEqual([{}]);
    expect(callsOf(next(context, [found], { prior }))).toEqual([
      { paths: ['a', 'b'] },
      { content: 'before\n', path: 'x' },
    ]);
    const wrote = called('write_file', { content: 'before\n', path: 'x' }, 'done');
    expect(next(context, [found, joined, wrote], { prior })).toEqual({
      t: 'done',
      output: 'y'.repeat(9_000),
      rests_on: [0, 1, 2],
    });
  });

  it('needs whole outputs: one that is gone ends the sub-task, and so does one that is no text', () => {
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

describe('a program', () => {
  const two = program([step('a', 'read_file', { path: 'x' }), step('b', 'write_file', {})]);
  const gone = failed('read_file', { path: 'x' }, 'not_found: x: nothing is there\nmore');

  it('ends with a call that does not go well, named; what the user named and is not there is said, once', () => {
    const why = 'not_found: x: nothing is there';
    expect(next(two, [gone])).toEqual({ t: 'give_up', code: 'input_missing', call: 0, why });
    const turned_away = [{ code: 'unfounded', detail: null }];
    expect(next(two, [gone], { turned_away })).toMatchObject({ code: 'cannot', call: 0, why });
    expect(next(two, [failed('read_file', { path: 'x' }, 'io: EIO', 'io')])).toMatchObject({
      code: 'cannot',
      why: 'io: EIO',
    });
  });

  it('is carried out once: a correction and a move that was turned away end it', () => {
    const done = [called('read_file', { path: 'x' }, 'x'), called('write_file', {}, 'x')];
    expect(next(two, [...done, wrong([1])])).toMatchObject({
      t: 'give_up',
      code: 'cannot',
      call: 1,
      why: 'it is wrong',
    });
    expect(next(two, [], { turned_away: [{ code: 'blocked_target', detail: null }] })).toMatchObject({
      t: 'give_up',
      call: null,
      why: 'blocked_target',
    });
  });

  it('goes on after a call that may fail, and leaves out a step that is about nothing', () => {
    const context = program([
      step('a', 'find_files', {}, { may_fail: true }),
      step('b', 'glob', {}, { if_any: { from: 'a', do: [['json_lines']] } }),
      step('c', 'read_file', { path: 'z' }),
    ]);
    expect(callsOf(next(context))).toEqual([{}]);
    expect(callsOf(next(context, [failed('find_files', {}, '')]))).toEqual([{ path: 'z' }]);
    expect(callsOf(next(context, [failed('find_files', {}, '{"path":"m"}')]))).toEqual([{}]);
  });

  it('makes a step once for each item, or not at all where fewer calls are left', () => {
    const each = { from: 'a', do: [['json_lines'], ['paths']] };
    const context = program(
      [
        step('a', 'find_files', {}),
        step('b', 'remove_file', { path: { from: 'item', do: [] } }, { each }),
        step('c', 'glob', {}),
      ],
      { from: 'a', do: [] },
    );
    const found = called('find_files', {}, '{"path":"x"}\n{"path":"y"}\n');
    const removed = (path: string): Called => called('remove_file', { path }, `removed ${path}`);
    expect(callsOf(next(context, [found]))).toEqual([{ path: 'x' }]);
    expect(callsOf(next(context, [found, removed('x')]))).toEqual([{ path: 'y' }]);
    expect(callsOf(next(context, [found, removed('x'), removed('y')]))).toEqual([{}]);
    expect(callsOf(next(context, [called('find_files', {}, '')]))).toEqual([{}]);
    // The step below is reckoned with.
    expect(next(context, [found], { allowed: 3 })).toMatchObject({
      t: 'give_up',
      why: 'too_many: 2 files, and calls are left for 1',
    });
    expect(callsOf(next(context, [found], { allowed: 4 }))).toEqual([{ path: 'x' }]);
  });

  it('makes a value once, before what stands behind it, or ends there', () => {
    const context = program(
      [
        step('a', 'read_file', { path: 'x' }),
        { id: 'v', value: { from: 'a', do: [['sum']] } },
        step('b', 'glob', {}),
      ],
      { from: 'v', do: [['add', '!']] },
    );
    expect(callsOf(next(context))).toEqual([{ path: 'x' }]);
    expect(next(context, [called('read_file', { path: 'x' }, 'one')])).toMatchObject({
      t: 'give_up',
      call: 0,
      why: 'not_a_number: one',
    });
    const read = called('read_file', { path: 'x' }, '1\n2\n');
    expect(next(context, [read, called('glob', {}, '')])).toMatchObject({
      t: 'done',
      output: '3!',
      rests_on: [0, 1],
    });
  });

  it('with more calls than are left makes none', () => {
    const many = program(Array.from({ length: 5 }, (_, index) => step(`s${index}`, 'glob', { index })));
    expect(next(many, [], { allowed: 4 })).toMatchObject({
      t: 'give_up',
      call: null,
      why: 'too_many: 5 calls, and 4 are left',
    });
    expect(callsOf(next(many, [], { allowed: 5 }))).toHaveLength(5);
  });

  it('stops at a guard that does not hold, before what stands behind it', () => {
    const guard = (op: string, than: Json): Json => ({
      guard: { op, than, value: { from: 'a', do: [['json_lines'], ['count']] } },
      says: 'line 2',
    });
    const guarded = (op: string, than: Json): string =>
      program([step('a', 'find_files', {}), guard(op, than), step('b', 'glob', {})]);
    const found = called('find_files', {}, '{"path":"x"}\n{"path":"y"}\n');
    // What stands behind a guard is not asked for together with what stands before it.
    expect(callsOf(next(guarded('>=', '2')))).toEqual([{}]);
    for (const [op, than] of [
      ['>=', '2'],
      ['=', '2'],
      ['<', '10'],
      ['!=', '1'],
      ['<=', '2.0'],
      ['>', '-3'],
    ] as const)
      expect(next(guarded(op, than), [found])).toMatchObject({ calls: [{ tool: 'glob' }] });
    for (const [op, than] of [
      ['>=', '3'],
      ['=', '1'],
      ['<', '2'],
      ['!=', '2'],
      ['>', '2'],
    ] as const)
      expect(next(guarded(op, than), [found])).toMatchObject({
        t: 'give_up',
        code: 'cannot',
        call: 0,
        why: 'not_met: line 2: found 2',
      });
    const last = program([step('a', 'find_files', {}), guard('=', '3')]);
    expect(next(last, [found])).toMatchObject({ t: 'give_up' });
  });

  it('says of a call that was cut short at which limit: what came of it so far does not', () => {
    const cut = called('find_files', {}, '{"path":"a"}\n', { status: 'truncated', code: 'entry_limit' });
    const why = (call: Called): unknown =>
      (next(program([step('a', 'find_files', {})]), [call]) as { why: string }).why;
    expect(why(cut)).toBe(
      'entry_limit: find_files was cut short at a limit; what it gave is not the whole answer',
    );
    expect(why({ ...cut, why: 'at most 3 names' })).toMatch(/^entry_limit: at most 3 names; /);
    expect(why(called('find_files', {}, '', { status: 'timeout', code: 'timeout' }))).toBe(
      'timeout: find_files',
    );
  });

  it('asks for eight calls at most', () => {
    const many = program(Array.from({ length: 20 }, (_, index) => step(`s${index}`, 'glob', { index })));
    expect(callsOf(next(many))).toHaveLength(8);
  });

  it('an answer that is too long to be said is not said in part', () => {
    const context = program([step('a', 'find_files', {})]);
    expect(next(context, [called('find_files', {}, 'x'.repeat(30_000))])).toMatchObject({
      t: 'give_up',
      why: expect.stringMatching(/^too_long: /),
    });
  });
});

describe('whatever happened', () => {
  const context = program(
    [
      step('a', 'read_file', { path: 'x' }),
      step('b', 'write_file', { content: { from: 'a', do: [['first', 1]] } }),
      step('c', 'read_file', { path: 'y' }, { may_fail: true }),
      { guard: { op: 'is_not', than: 'b', value: { from: 'a', do: [] } }, says: 'not b' },
      step('d', 'glob', {}),
    ],
    { from: 'd', do: [] },
  );

  it('played by any tools, it ends within the calls of its program, and never calls what that does not say', () => {
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
    expect(next('{"format":"assay/steps/2","steps":[],"output":{}}')).toBe('not_steps');
  });
});
