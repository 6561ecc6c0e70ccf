/** Which moves are turned away and told so, and what ends a sub-task or a task (calls/C2, C3, C7, C12). */
import { describe, expect, it } from 'vitest';
import { sha256Hex, type Json } from '@assay/kernel';
import { defaultPolicy, type PlanBody, type Policy, type StepAnswer } from '../../src/index.js';
import type { CallBody } from '../../src/protocol/requests.js';
import {
  called,
  criterion,
  did,
  planOf,
  play,
  policyWith,
  replayed,
  toolOf,
  willing,
  type Attempted,
  type Played,
  type Said,
} from '../lib/playing.js';

const oneRound = policyWith({
  limits: { ...defaultPolicy.limits, retries: 0 },
  ggs: { ...defaultPolicy.ggs, max_replans: 1 },
});
const MADE = {
  status: 'ok',
  code: null,
  why: null,
  output: 'x',
  output_bytes: 1,
  digest: null,
  irreversible: false,
  loses: null,
};
const call = (...calls: readonly { readonly tool: string; readonly input: Json }[]): StepAnswer => ({
  t: 'call',
  calls,
  why: '',
});
/** Plays these moves one after the other; `made`: what comes of each call. */
function moving(
  moves: readonly StepAnswer[],
  {
    policy = oneRound,
    made = () => ({}),
    ...more
  }: {
    readonly policy?: Policy;
    readonly made?: (body: CallBody) => object;
    readonly plan?: (body: PlanBody) => { readonly value: Json };
    readonly call?: (body: never, turn: number) => Said;
  } = {},
): Played {
  return play(
    policy,
    {
      ...willing,
      plan: () => ({
        value: planOf([{ criteria: [criterion('it is done')], tools: ['read_file', 'write_file'] }]),
      }),
      step: (_: never, turn: number) => ({ value: (moves[turn] ?? moves.at(-1)) as unknown as Json }),
      call: (body: CallBody) => ({
        value: { ...MADE, target: (body.input as { path: string }).path, ...made(body) } as Json,
      }),
      ...more,
    },
    { text: 'summarise essay.txt' },
  );
}
const outcome = ({
  events,
}: Played): { readonly reason: string | null; readonly verdicts: readonly object[] } => {
  const found = events.find((event) => event.t === 'message' && event.kind === 'SubTaskOutcome');
  return (found as unknown as { body: never }).body;
};
const read = (path: string): { readonly tool: string; readonly input: Json } => ({
  tool: 'read_file',
  input: { path },
});

const madeIn = ({ asked }: Played, id: string): number =>
  asked.filter(({ kind, body }) => kind === 'call' && (body as unknown as CallBody).subtask === id).length;
const giveUp = (n: number): StepAnswer => ({ t: 'give_up', code: 'cannot', call: n, why: '' });

describe('a move is turned away', () => {
  const strict = {
    ...oneRound,
    tools: [
      toolOf('read_file', 'read', {
        schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      }),
      toolOf('write_file', 'write'),
      toolOf('shell', 'shell'),
    ],
  };
  it.each<readonly [string, StepAnswer]>([
    ['unknown_tool', call({ tool: 'sendmail', input: {} })],
    ['not_allowed', call({ tool: 'shell', input: { command: 'ls' } })],
    ['input_shape', call({ tool: 'read_file', input: { file: 'a' } })],
    ['input_shape', call({ tool: 'write_file', input: { path: 'x'.repeat(300_000) } })],
    ['unknown_call', { t: 'done', output: '', rests_on: [0] }],
    ['unknown_call', { t: 'give_up', code: 'cannot', call: 3, why: '' }],
    ['unfounded', { t: 'give_up', code: 'input_missing', call: null, why: '' }],
  ])('as %s, three times, and then the sub-task fails by its approach', (code, move) => {
    const played = moving([move], { policy: strict });
    // Two rounds, in each of which the last of three is no rejection but the end.
    expect(played.rejections).toEqual([code, code, code, code]);
    expect(outcome(played)).toMatchObject({ reason: code, verdicts: [{ failure_class: 'logical' }] });
    replayed(played);
  });

  it('and the one that follows is heard', () => {
    const played = moving([
      call({ tool: 'no', input: 1 }),
      call(read('a')),
      { t: 'done', output: 'x', rests_on: [0] },
    ]);
    expect([played.rejections, played.result?.directive]).toEqual([['unknown_tool'], 'accept']);
  });

  it('as repeated_call: the same input gave one output twice, and nothing else was done between', () => {
    const same = moving([call(read('a'))]);
    expect(madeIn(same, '0.0')).toBe(2);
    expect(outcome(same).reason).toBe('repeated_call');
    const acting = moving([
      call(read('a')),
      call(read('a')),
      call({ tool: 'write_file', input: { path: 'b' } }),
    ]);
    expect(acting.rejections).not.toContain('unknown_tool');
    let at = 0;
    const other = moving([call(read('a'))], { made: () => ({ output: `${(at += 1)}` }) });
    expect(outcome(other).reason).toBe('no_calls_left');
  });

  it('as no_calls_left: calls are shared out when a group begins', () => {
    let at = 0;
    const limits = { ...defaultPolicy.limits, retries: 0, calls: 5, task_calls: 7 };
    const played = moving([call(read('a'))], {
      policy: { ...oneRound, limits },
      made: () => ({ output: `${(at += 1)}` }),
      plan: () => ({
        value: planOf([
          { criteria: [criterion('a')], tools: ['read_file'] },
          { criteria: [criterion('b')], tools: ['read_file'] },
        ]),
      }),
    });
    expect([madeIn(played, '0.0'), madeIn(played, '0.1'), madeIn(played, '1.0')]).toEqual([3, 3, 0]);
  });

  it('as blocked_target: it was called before, and what it is about is blocked; the tool is told too', () => {
    const bodies: CallBody[] = [];
    const plans: PlanBody[] = [];
    const again = call(read('./a'));
    const played = moving([again, giveUp(0), again, again], {
      policy: policyWith({ limits: { ...defaultPolicy.limits, retries: 0, steps: 1 } }),
      made: (body) => {
        bodies.push(body);
        return body.subtask.startsWith('0.')
          ? { status: 'error', code: 'not_found', target: 'a' }
          : { status: 'denied', code: 'blocked_target', target: 'a' };
      },
      plan: (body: PlanBody) => {
        plans.push(body);
        return { value: planOf([{ criteria: [criterion('a')], tools: ['read_file'] }]) };
      },
    });
    expect(plans[1]?.must_not.targets).toEqual([{ tool: 'read_file', target: 'a' }]);
    expect(plans[1]?.last).toMatchObject({
      subtasks: [{ status: 'failed', calls: [{ n: 0, tool: 'read_file', target: 'a', code: 'not_found' }] }],
    });
    expect(bodies.find(({ subtask }) => subtask.startsWith('1.'))?.not).toEqual(['a']);
    expect(
      played.events.flatMap((event) =>
        event.t === 'message' && event.kind === 'SubTaskOutcome' ? [event.body.reason] : [],
      )[1],
    ).toBe('blocked_target');
  });
});

describe('several calls of one answer', () => {
  it('are made one by one, and the first that does not go well drops the rest', () => {
    const moves = [call(read('a'), read('b'), read('c')), { t: 'done', output: 'x', rests_on: [0] } as const];
    const asked = (played: Played): readonly Json[] =>
      played.asked
        .filter(({ kind }) => kind === 'call')
        .map(({ body }) => (body as unknown as CallBody).input);
    expect(asked(moving(moves))).toEqual([{ path: 'a' }, { path: 'b' }, { path: 'c' }]);
    const stopped = moving(moves, {
      made: ({ n }) => (n === 1 ? { status: 'error', code: 'not_found' } : {}),
    });
    expect(asked(stopped)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(stopped.result?.directive).toBe('accept');
  });
});

describe('what ends a sub-task', () => {
  it('a blocked target that a tool used all the same', () => {
    const played = moving([call(read('a')), giveUp(0), call(read('a'))], {
      policy: policyWith({ limits: { ...defaultPolicy.limits, retries: 0 } }),
      made: ({ subtask }) => ({ status: subtask.startsWith('0.') ? 'timeout' : 'ok', target: 'a' }),
    });
    expect(
      played.events.flatMap((event) =>
        event.t === 'message' && event.kind === 'SubTaskOutcome' ? [event.body.reason] : [],
      )[1],
    ).toBe('blocked_target_used');
  });

  it('a loop of calls that act', () => {
    const paths = ['a', 'b'];
    const moves = Array.from({ length: 8 }, (_, at) =>
      call({ tool: 'write_file', input: { path: paths[at % 2] ?? '' } }),
    );
    expect(outcome(moving(moves)).reason).toBe('loop');
  });

  it.each(['a', 'a'.repeat(900)])(
    'a call without an answer is one that timed out or was interrupted, and R3 goes on',
    (path) => {
      const played = moving([call(read(path)), call(read('b')), { t: 'done', output: 'x', rests_on: [1] }], {
        call: (_: never, turn: number) =>
          turn === 0
            ? { failure: { code: 'lost', final: true, detail: null } }
            : { value: { ...MADE, target: 'b' } },
      });
      expect(played.result?.directive).toBe('accept');
      const first = played.events.find((event) => event.t === 'called');
      expect(first).toMatchObject({ call: { status: 'interrupted', code: 'lost' } });
      const text = JSON.stringify({ path });
      expect(first?.call.target).toBe(
        path === 'a' ? text : `${text.slice(0, 200)}… sha256 ${sha256Hex(text)}`,
      );
    },
  );

  it('a claim that rests on an act that was denied, and on no other act, does not stand', () => {
    const write = { tool: 'write_file', input: { path: 'b' } };
    const played = moving([call(read('a'), write), { t: 'done', output: 'x', rests_on: [0, 1] }], {
      made: ({ tool }) => (tool === 'write_file' ? { status: 'denied', code: 'not_a_folder' } : {}),
    });
    expect(outcome(played)).toMatchObject({ reason: 'primary_call_failed', calls: [{ n: 1 }] });
  });

  it('what the user named and is not there: the task ends with the round, and nobody answers for it', () => {
    const moves = [
      call(read('essay.txt')),
      { t: 'give_up', code: 'input_missing', call: 0, why: 'no essay' } as const,
    ];
    const played = moving(moves, {
      policy: policyWith(),
      made: () => ({ status: 'error', code: 'not_found' }),
    });
    expect(played.result).toMatchObject({
      directive: 'abandon',
      reason: 'input_missing',
      accountable: [],
      replans: 0,
      next_moves: [{ code: 'input_missing' }, {}],
    });
    const part = [call(read('essay')), moves[1] as StepAnswer];
    expect(moving(part, { made: () => ({ status: 'error', code: 'not_found' }) }).rejections).toContain(
      'unfounded',
    );
    const other = moving(moves, { made: () => ({ status: 'error', code: 'denied' }) });
    expect(other.rejections).toContain('unfounded');
  });
});

describe('claims', () => {
  const outcomes = (...said: readonly Json[]): Played =>
    play(oneRound, { ...willing, execute: ({ attempt }: Attempted) => ({ value: said[attempt] ?? null }) });
  const failed = called('write_file', 'a', '', { status: 'error' });

  it.each([
    [
      'an act that failed and was only looked at since',
      did(failed, called('read_file', 'a')),
      'primary_call_failed',
    ],
    [
      'an act that was cut',
      did(called('write_file', 'a', '', { status: 'truncated' })),
      'cut_without_completion',
    ],
    ['nothing', did(), 'nothing_was_done'],
    ['looks that all failed', did(called('read_file', 'a', '', { status: 'error' })), 'primary_call_failed'],
  ])('do not stand on %s', (_, { value }, reason) => {
    const tools = ['read_file', 'write_file'];
    const played = play(oneRound, {
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [criterion('x')], tools }]) }),
      execute: () => ({ value }),
    });
    expect([outcome(played).reason, played.asked.some(({ kind }) => kind === 'judge')]).toEqual([
      reason,
      false,
    ]);
  });

  it('stand where the act was done again, on the same target, and in a later attempt in another way', () => {
    expect(outcomes(did(failed, called('write_file', 'a')).value).result?.directive).toBe('accept');
    const retried = play(policyWith(), {
      ...willing,
      execute: ({ attempt }: Attempted) => did(attempt === 0 ? failed : called('write_file', 'b')),
    });
    expect(retried.result?.directive).toBe('accept');
  });

  it('stand on words alone only where the plan says so', () => {
    const wordy = play(oneRound, {
      ...willing,
      plan: () => ({ value: planOf([{ criteria: [criterion('x')], tools: [], words: true }]) }),
      execute: () => did(),
    });
    expect(wordy.result?.directive).toBe('accept');
  });
});
