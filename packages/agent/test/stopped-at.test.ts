/**
 * What is said of the call at which work stopped: the tool's own words, or the limit at which it was cut
 * short.
 */
import { expect, test } from 'vitest';
import type { EvidenceRecord, Json } from '@assay/kernel';
import { causeOf } from '../src/ended/cause.ts';
import { whyNotPerceived } from '../src/ended/not-perceived.ts';
import { stoppedAt } from '../src/ended/stopped-at.ts';

const record = (value: Json): EvidenceRecord =>
  ({ kind: 'proposal', payload: { value } }) as unknown as EvidenceRecord;
const call = (status: string, output: string): Json => ({ tool: 'find_files', input: '{}', output, status });

test.each([
  ['an error', 'error', 'not_found: a', 'not_found: a'],
  ['a cut', 'truncated', '{"path":"a"}\n', 'entry_limit: find_files was cut short'],
  [
    'a call that went well, of which nothing could be made',
    'ok',
    'a,a\n1,2',
    'entry_limit: find_files was cut short',
  ],
])('%s', (_, status, output, said) => {
  expect(
    stoppedAt([
      record({
        status: 'failed',
        output: 'entry_limit: find_files was cut short',
        tool_calls: [call(status, output)],
      }),
    ]),
  ).toEqual([{ tool: 'find_files', said }]);
});

test('work that ran out of time, though another way was written', () => {
  const answer = (status: string, output: string): Json => ({
    status: 'uncertain',
    output,
    tool_calls: [call(status, output)],
  });
  expect(stoppedAt([record(answer('timeout', 'wall_time: stopped after 10000 ms'))])).toEqual([
    { tool: 'find_files', said: 'wall_time: stopped after 10000 ms' },
  ]);
  expect(stoppedAt([record(answer('error', 'not_found: a'))])).toEqual([]);
});

test('work that went well says nothing', () => {
  expect(
    stoppedAt([
      record({ status: 'completed', output: 'x', tool_calls: [call('ok', 'x')] }),
      record({ status: 'failed', output: 'no_try_left', tool_calls: [] }),
    ]),
  ).toEqual([]);
});

const heard = (subtask: string, status: string, code: string | null): EvidenceRecord =>
  ({
    kind: 'decision',
    payload: {
      events: [
        {
          kind: 'ExecutionResult',
          body: { subtask, status, contradiction: code === null ? null : { code, line: '' } },
        },
      ],
    },
  }) as unknown as EvidenceRecord;
const outcome = (subtask: string, status: string): EvidenceRecord =>
  ({
    kind: 'decision',
    payload: { events: [{ kind: 'SubTaskOutcome', body: { subtask, status, reason: 'executor_failed' } }] },
  }) as unknown as EvidenceRecord;

test('a look that may show nothing, where its sub-task failed and nothing was called after it', () => {
  const look = record({
    status: 'completed',
    output: '',
    tool_calls: [call('error', 'not_found: a: nothing is there')],
  });
  const none = record({ status: 'failed', output: 'no_try_left', tool_calls: [] });
  const said = [{ tool: 'find_files', said: 'not_found: a: nothing is there' }];
  expect(
    stoppedAt([
      look,
      heard('1.0', 'completed', 'primary_call_failed'),
      none,
      heard('1.0', 'failed', null),
      outcome('1.0', 'failed'),
    ]),
  ).toEqual(said);
  expect(
    stoppedAt([
      look,
      heard('1.0', 'completed', 'primary_call_failed'),
      outcome('1.0', 'failed'),
      look,
      heard('2.0', 'completed', 'primary_call_failed'),
      outcome('2.0', 'failed'),
    ]),
  ).toEqual(said);
  // It was not what the sub-task failed of: the look was an answer, another sub-task failed, or another way
  // was taken after it.
  expect(
    stoppedAt([
      look,
      heard('1.0', 'completed', null),
      none,
      heard('1.0', 'failed', null),
      outcome('1.0', 'failed'),
    ]),
  ).toEqual([]);
  expect(
    stoppedAt([
      look,
      heard('1.0', 'completed', 'primary_call_failed'),
      outcome('1.0', 'success'),
      outcome('1.1', 'failed'),
    ]),
  ).toEqual([]);
  const found = record({ status: 'completed', output: 'a', tool_calls: [call('ok', 'a')] });
  expect(
    stoppedAt([
      look,
      heard('1.0', 'completed', 'primary_call_failed'),
      found,
      heard('1.0', 'completed', null),
      outcome('1.0', 'failed'),
    ]),
  ).toEqual([]);
});

test('what failed before a person refused is not the cause: the refusal is', () => {
  const lost = record({
    status: 'failed',
    output: 'no_try_left',
    tool_calls: [call('error', 'not_found: a: nothing is there')],
  });
  const message = (kind: string, body: Json): Json => ({ t: 'message', kind, body });
  const refused = {
    kind: 'decision',
    payload: {
      events: [
        message('ConfirmationRequest', { actions: [{ tool: 'remove_file', target: 'b' }] }),
        message('SubTaskOutcome', { subtask: '0.0', status: 'failed', reason: 'not_confirmed' }),
      ],
    },
  } as unknown as EvidenceRecord;
  expect(causeOf([lost, refused], 'abandon')).toEqual({ tool: 'remove_file', said: 'not_confirmed: b' });
  expect(causeOf([refused, lost], 'abandon')).toEqual({
    tool: 'find_files',
    said: 'not_found: a: nothing is there',
  });
  expect(causeOf([lost, refused], 'accept')).toBeNull();
});

test.each([
  ['rule', 'rules', 'not_understood', 'not_understood: the rules know'],
  ['live_model', 'rules', 'not_understood', null],
  ['rule', 'grammar', 'not_understood', null],
  ['rule', 'rules', 'another_code', null],
])(
  'why nothing was perceived is known of the rules alone, by their own codes: %s %s %s',
  (source, proposer, code, said) => {
    const asked = {
      kind: 'decision',
      payload: { requests: [{ id: '1.0', kind: 'perceive' }] },
    } as unknown as EvidenceRecord;
    const answered = {
      kind: 'proposal',
      payload: {
        request_id: '1.0',
        source,
        proposer,
        value: null,
        failure: { code: 'denied', final: true, detail: { code } },
      },
    } as unknown as EvidenceRecord;
    expect(whyNotPerceived([asked, answered])?.slice(0, said?.length) ?? null).toBe(said);
    expect(whyNotPerceived([answered])).toBeNull();
  },
);
