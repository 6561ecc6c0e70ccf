/** What is said of the call at which work stopped: the tool's own words, or the limit at which it was cut short. */
import { expect, test } from 'vitest';
import type { EvidenceRecord, Json } from '@assay/kernel';
import { stoppedAt } from '../src/control/stopped-at.ts';

const record = (value: Json): EvidenceRecord => ({ kind: 'proposal', payload: { value } }) as unknown as EvidenceRecord;
const call = (status: string, output: string): Json => ({ tool: 'find_files', input: '{}', output, status });

test.each([
  ['an error', 'error', 'not_found: a', 'not_found: a'],
  ['a cut', 'truncated', '{"path":"a"}\n', 'entry_limit: find_files was cut short'],
  ['a call that went well, of which nothing could be made', 'ok', 'a,a\n1,2', 'entry_limit: find_files was cut short'],
])('%s', (_, status, output, said) => {
  expect(stoppedAt([record({ status: 'failed', output: 'entry_limit: find_files was cut short', tool_calls: [call(status, output)] })])).toEqual([{ tool: 'find_files', said }]);
});

test('work that ran out of time, though another way was written', () => {
  const answer = (status: string, output: string): Json => ({ status: 'uncertain', output, tool_calls: [call(status, output)] });
  expect(stoppedAt([record(answer('timeout', 'wall_time: stopped after 10000 ms'))])).toEqual([{ tool: 'find_files', said: 'wall_time: stopped after 10000 ms' }]);
  expect(stoppedAt([record(answer('error', 'not_found: a'))])).toEqual([]);
});

test('work that went well says nothing', () => {
  expect(stoppedAt([record({ status: 'completed', output: 'x', tool_calls: [call('ok', 'x')] }), record({ status: 'failed', output: 'no_try_left', tool_calls: [] })])).toEqual([]);
});
