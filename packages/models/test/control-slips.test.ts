/**
 * What a language model gets wrong in a role: recorded, told, and taken again or the end.
 */
import { describe, expect, test } from 'vitest';
import { answerOf, asked, calls, codesOf, json, ran, ROLES } from './tools/copying.ts';
import type { Step } from './tools/scripted-server.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

describe.skipIf(!hasLoopback)('answers that are none', () => {
  test.each(ROLES)('garbage from %s ends the run, abandoned, each attempt recorded', async (role) => {
    const run = await ran({ [role]: () => 'I would rather talk about the weather.' });
    expect([run.end, run.result.directive]).toEqual(['refused', 'abandon']);
    const tried = asked(run, role).length;
    const code = role === 'step' ? 'no_call' : 'json';
    expect([codesOf(run).filter((one) => one === code).length, tried > 1]).toEqual([tried, true]);
  });

  test.each(['perceive', 'plan'] as const)(
    '%s may decline: it is not asked again, and the run ends',
    async (role) => {
      const declined = json({ [role === 'perceive' ? 'task' : 'plan']: null, why: 'no tool sends mail' });
      const run = await ran({ [role]: () => declined });
      expect([run.end, asked(run, role).length]).toEqual(['refused', 1]);
      expect(run.proposals.find(({ failure }) => failure !== null)?.['failure']).toEqual({
        code: 'denied',
        final: true,
        detail: { code: 'declined', text: 'no tool sends mail' },
      });
    },
  );

  const SLIPS: readonly (readonly [what: string, slip: Step, code: string])[] = [
    ['words instead of a call', { text: 'I will read a.txt now.' }, 'no_call'],
    ['a tool that there is not', calls('open_file', { path: 'a.txt' }), 'unknown_tool'],
    ['an input that does not fit', calls('read_file', { file: 'a.txt' }), 'input_shape'],
    ['an end that rests on no call there is', calls('done', { output: 'x', rests_on: [5] }), 'unknown_call'],
    ['a stream that stalls', { ...calls('read_file', { path: 'a.txt' }), stall: 1 }, 'timeout'],
  ];
  test.each(SLIPS)('%s is recorded and told, and the next move is taken', async (_, slip, code) => {
    const run = await ran(
      { step: (__, nth, good) => (nth === 0 ? slip : good()) },
      { drive: { deadlines: { call: 600 } } },
    );
    expect([run.end, run.b]).toEqual(['success', 'ALPHA\n']);
    const [first, second] = asked(run, 'step');
    expect([String(first).includes(code), String(second).includes(code)]).toEqual([false, true]);
  });

  test('a call that was made twice with one output is not made a third time, and the model is told', async () => {
    const again = calls('read_file', { path: 'a.txt' });
    const run = await ran({ step: (_, nth, good) => (nth < 3 ? again : good()) });
    expect([run.end, run.rejections.map(({ code }) => code)]).toEqual(['success', ['repeated_call']]);
    expect(asked(run, 'step')[3]).toContain('repeated_call');
  });

  test('a plan with a tool that there is not is turned away by the machine, and the model is told', async () => {
    const run = await ran({
      plan: (_, nth, good) => (nth === 0 ? json(answerOf(good())).replace('read_file', 'fetch') : good()),
    });
    expect([run.end, run.rejections.map(({ code }) => code)]).toEqual(['success', ['unknown_tool']]);
  });
});
