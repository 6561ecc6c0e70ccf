/**
 * A language model as R3: its calls of tools are the move that is proposed, on every wire, streamed or not.
 */
import { describe, expect, test } from 'vitest';
import type { Json, Request } from '@assay/kernel';
import type { PortAnswer } from '@assay/host';
import { llmPort } from '@assay/models';
import { controlTasks } from '@assay/controller/prompts';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { evidenceOf, STEP_REQUEST, TRANSCRIPT_HASH } from './tools/evidence.ts';
import { CANARY, modelTo } from './tools/runs.ts';
import { scripted, WIRES, type Received, type Step, type Wire } from './tools/scripted-server.ts';

/** Asks a scripted model for the next move, once. */
async function asked(
  wire: Wire,
  steps: readonly Step[],
  { isStreamed = true, request = STEP_REQUEST }: { isStreamed?: boolean; request?: Request } = {},
): Promise<{ answer: PortAnswer; received: readonly Received[] }> {
  const server = await scripted(wire, steps);
  try {
    const port = llmPort({
      ...(await modelTo(wire, server, 'm', isStreamed)),
      tasks: controlTasks({ evidence: () => evidenceOf() }),
    });
    const answer = await port.perform(request, { key: 'k', signal: new AbortController().signal });
    return { answer, received: server.received };
  } finally {
    await server.close();
  }
}

const call = (tool: string, input: Json): { tool: string; input: string } => ({
  tool,
  input: JSON.stringify(input),
});
const READ = call('read_file', { path: 'a.txt' });
const DONE = call('done', { output: 'it is so', rests_on: [0] });
const tried = { path: 'a.txt' };
const EIGHT = Array.from({ length: 8 }, () => ({ tool: 'read_file', input: tried }));

const MOVES: readonly (readonly [what: string, step: Step, value: Json])[] = [
  ['a call', { calls: [READ] }, { t: 'call', calls: [{ tool: 'read_file', input: tried }], why: '' }],
  [
    'words and calls',
    {
      text: 'First both.',
      calls: [READ, call('write_file', { path: 'b.txt', content: 'ü "x"\n' })],
      pieces: 9,
    },
    {
      t: 'call',
      calls: [
        { tool: 'read_file', input: tried },
        { tool: 'write_file', input: { path: 'b.txt', content: 'ü "x"\n' } },
      ],
      why: 'First both.',
    },
  ],
  ['an end', { calls: [DONE] }, { t: 'done', output: 'it is so', rests_on: [0] }],
  [
    'a surrender',
    { calls: [call('give_up', { code: 'input_missing', call: 0, why: 'no a.txt' })] },
    { t: 'give_up', code: 'input_missing', call: 0, why: 'no a.txt' },
  ],
  [
    'an end beside a call, which is not yet seen',
    { calls: [READ, DONE] },
    { t: 'call', calls: [{ tool: 'read_file', input: tried }], why: '' },
  ],
  [
    'a tool that there is not, for the machine to refuse',
    { calls: [call('fly', {})] },
    { t: 'call', calls: [{ tool: 'fly', input: {} }], why: '' },
  ],
  [
    'more calls than a move has',
    { calls: Array.from({ length: 11 }, () => READ) },
    { t: 'call', calls: EIGHT, why: '' },
  ],
];

describe.skipIf(!hasLoopback).each(WIRES)('%s', (wire) => {
  test.each(MOVES)('%s is the same move, streamed or not', async (_, step, value) => {
    for (const isStreamed of [true, false]) {
      const { answer, received } = await asked(wire, [step], { isStreamed });
      expect([answer.failure, answer.value]).toEqual([undefined, value]);
      expect((received[0]?.body as { stream?: boolean }).stream ?? false).toBe(isStreamed);
    }
  });

  test('its tools are those of the sub-task and two ends, and one of them must be called', async () => {
    const { answer, received } = await asked(wire, [{ calls: [READ] }]);
    const body = received[0]?.body as {
      tools: { name?: string; description?: string; function?: { name: string; description: string } }[];
      tool_choice: unknown;
    };
    expect(body.tools.map((tool) => (tool.function ?? tool).name)).toEqual([
      'read_file',
      'write_file',
      'done',
      'give_up',
    ]);
    expect((body.tools[0]?.function ?? body.tools[0])?.description).toBe('Reads one file.');
    expect(body.tool_choice).toEqual(wire === 'anthropic' ? { type: 'any' } : 'required');
    expect(JSON.stringify(body)).not.toContain('anyOf');
    expect(answer.provenance).toMatchObject({ data_hash: TRANSCRIPT_HASH, prompt: { name: 'step' } });
  });

  const NONE: readonly (readonly [what: string, step: Step, code: string])[] = [
    ['words alone', { text: 'I will read the file now.' }, 'no_call'],
    ['an end that says too little', { calls: [call('done', { output: 'x' })] }, 'schema'],
    ['a call cut off in the middle', { calls: [READ], cut: 1 }, 'cut_off'],
    ['an answer at the limit of tokens', { calls: [READ], finish: 'length' }, 'truncated'],
    ['a call with the key in it', { calls: [call('read_file', { path: CANARY })] }, 'secret'],
  ];
  test.each(NONE)('%s is a failure that says so', async (_, step, code) => {
    const { answer } = await asked(wire, [step]);
    expect(answer.failure).toMatchObject({ code: 'malformed', final: false, detail: { code } });
    expect(JSON.stringify(answer)).not.toContain(CANARY);
  });
});

describe.skipIf(!hasLoopback)('arguments', () => {
  test.each([
    ['no JSON', '{"path": ', 'arguments'],
    ['a key twice', '{"path":"a","path":"b"}', 'duplicate_key'],
    ['what no record holds', '{"path":"\\ud800"}', 'inadmissible'],
  ])('%s: a failure with its place', async (_, input, code) => {
    const { answer } = await asked('compatible', [{ calls: [{ tool: 'read_file', input }], pieces: 1 }]);
    expect(answer.failure?.detail).toMatchObject({ code, path: expect.stringMatching(/^\/calls\/0\/input/) });
  });

  test('of none an empty input is made', async () => {
    const { answer } = await asked('compatible', [{ calls: [{ tool: 'read_file', input: '' }] }]);
    expect(answer.value).toMatchObject({ calls: [{ tool: 'read_file', input: {} }] });
  });
});

describe.skipIf(!hasLoopback)('a server without tools', () => {
  const refused: Step = { status: 400, error: { type: 'api_error', message: 'm does not support tools' } };

  test('is asked again at once by schema, and plays on', async () => {
    const said: Step = { text: JSON.stringify({ why: 'to see it', calls: [READ] }) };
    const { answer, received } = await asked('compatible', [refused, said]);
    expect(answer.value).toEqual({
      t: 'call',
      calls: [{ tool: 'read_file', input: tried }],
      why: 'to see it',
    });
    const [, second] = received.map(({ body }) => body as { tools?: unknown; response_format?: unknown });
    expect([second?.tools, second?.response_format]).toEqual([
      undefined,
      expect.objectContaining({ type: 'json_schema' }),
    ]);
    expect(JSON.stringify(second)).toContain('Reads one file.');
    expect(answer.provenance).toMatchObject({ data_hash: TRANSCRIPT_HASH });
  });

  test('prose is no answer there, either', async () => {
    const { answer } = await asked('compatible', [refused, { text: 'I cannot.' }]);
    expect(answer.failure?.code).toBe('malformed');
  });
});

test.each([
  ['a sub-task of which there is no evidence', { subtask: '9.9' }],
  ['more calls than the evidence shows', { seen: { calls: 2, digest: null, bytes: 6 } }],
])('%s: nobody is asked, no_history', async (_, changed) => {
  const request = { ...STEP_REQUEST, body: { ...(STEP_REQUEST.body as object), ...changed } as Json };
  const port = llmPort({
    model: {} as never,
    provider: 'compatible',
    name: 'm',
    tasks: controlTasks({ evidence: () => evidenceOf() }),
  });
  const answer = await port.perform(request, { key: 'k', signal: new AbortController().signal });
  expect(answer.failure).toEqual({
    code: 'unavailable',
    final: true,
    detail: { code: 'no_history', kind: 'step' },
  });
  expect(port.bound?.(request)).toBe(null);
});

test('a model costs at most what it is shown and may say', () => {
  const port = llmPort({
    model: {} as never,
    provider: 'compatible',
    name: 'm',
    tasks: controlTasks({ evidence: () => evidenceOf('x'.repeat(3_000)) }),
  });
  const small = llmPort({
    model: {} as never,
    provider: 'compatible',
    name: 'm',
    tasks: controlTasks({ evidence: () => evidenceOf() }),
  });
  const tokens = (one: typeof port): number => one.bound?.(STEP_REQUEST)?.['input_tokens'] ?? 0;
  expect(tokens(port) - tokens(small)).toBeGreaterThan(2_900);
  expect(tokens(port)).toBeLessThan(40_000);
});
