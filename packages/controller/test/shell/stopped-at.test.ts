/** What is said of the call at which work stopped: the tool's own words, or why nothing could be made of it. */
import { expect, test } from 'vitest';
import type { EvidenceRecord } from '@assay/kernel';
import { findCause, whyNotPerceived, stoppedAt, type StoppedAt } from '../../src/shell/ended.ts';
import { failed, makeWorld, run, tampered, type Course, type World } from './tools/world.ts';

/** What a run says of where it stopped, and of what it was abandoned for. */
async function ended(
  text: string,
  course: (world: World) => Course = () => ({}),
): Promise<{ readonly stopped: readonly StoppedAt[]; readonly cause: unknown; readonly directive: string }> {
  const world = await makeWorld([{ path: 'a.csv', content: 'a,a\n1,2\n' }]);
  const { records, result } = await run(world, text, course(world));
  world.remove();
  return {
    stopped: stoppedAt(records),
    cause: findCause(records, result),
    directive: result.directive,
  };
}

test.each([
  ['an error', 'copy b.csv to c.csv', 'read_file', 'not_found: b.csv: nothing is there'],
  [
    'a look that was allowed to show nothing',
    'delete b.csv',
    'read_file',
    'not_found: b.csv: nothing is there',
  ],
  [
    'a call that went well, of which nothing could be made',
    'sum the column "a" in a.csv and write the sum to s.txt',
    'read_file',
    'ambiguous: "a" heads columns 1 and 2; say which by its number',
  ],
])('%s', async (_, text, tool, said) => {
  expect(await ended(text)).toEqual({
    stopped: [{ tool, said }],
    cause: { tool, said },
    directive: 'abandon',
  });
});

test('a call that ran out of time, though another way was taken and went well: it is no cause', async () => {
  const late = (world: World): Course => ({
    tools: tampered(world, (tool, input, call) =>
      tool === 'find_files' ? Promise.resolve(failed('timeout', 'wall_time', JSON.stringify(input))) : call(),
    ),
  });
  expect(await ended('count all files and write the number to n.txt', late)).toEqual({
    stopped: [{ tool: 'find_files', said: 'wall_time: {}' }],
    cause: null,
    directive: 'accept',
  });
});

test('work that went well says nothing', async () => {
  expect(await ended('copy a.csv to c.csv')).toEqual({ stopped: [], cause: null, directive: 'accept' });
});

test('what a person did not allow is the cause, in the words of the tool that held it back', async () => {
  expect(await ended('write "x" to a.csv', () => ({ approves: false }))).toEqual({
    stopped: [],
    cause: {
      tool: 'write_file',
      said: 'not_confirmed: a.csv: a file of 8 bytes is there and would be replaced',
    },
    directive: 'abandon',
  });
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
