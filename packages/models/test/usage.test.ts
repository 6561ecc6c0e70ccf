/**
 * Usage: what a server did not report is null and charged at the bound, never 0; what it reports in another
 * form loses no answer.
 */
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '@assay/kernel';
import { DEFAULT_PARAMETERS } from '../src/parameters.ts';
import { portTo, ran, runWith, type Ran } from './tools/runs.ts';
import { scripted, WIRES, type Step, type Wire } from './tools/scripted-server.ts';
import { said } from './tools/synthetic.ts';
import { soundUsage } from '../src/sound-usage.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';

type Event = { readonly type?: string } & { readonly [key: string]: unknown };

/** A body of server-sent events, as it is sent. */
const stream = (...events: readonly Event[]): Step => ({
  headers: { 'content-type': 'text/event-stream' },
  raw: events
    .map(
      (data) => `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`,
    )
    .join(''),
});

/** An event of an OpenAI-compatible server. */
const chunk = (choices: unknown, more: object = {}): Event => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices },
  ...more,
});

/** A good answer of Anthropic, with the usage of its first event and that of its end. */
const claude = (start: unknown, end: unknown): Step =>
  stream(
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...(start === undefined ? {} : { usage: start }),
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: 'json', input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: said() } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      ...(end === undefined ? {} : { usage: end }),
    },
    { type: 'message_stop' },
  );

/** A good answer whose usage is as given, absent where undefined. */
const BODIES: Readonly<Record<Wire, (usage: unknown) => Step>> = {
  compatible: (usage) =>
    stream(
      chunk([{ index: 0, delta: { role: 'assistant', content: said() }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
      ...(usage === undefined ? [] : [chunk([], { usage })]),
    ),
  openai: (usage) =>
    stream(
      { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: [] },
      },
      { type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta: said() },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', id: 'i', role: 'assistant', status: 'completed', content: [] },
      },
      {
        type: 'response.completed',
        response: {
          id: 'r',
          created_at: 1,
          model: 'm',
          incomplete_details: null,
          ...(usage === undefined ? {} : { usage }),
        },
      },
    ),
  anthropic: (usage) => claude({ input_tokens: 120, output_tokens: 1 }, usage),
};

const LIMITS = { input_tokens: 1_000_000, output_tokens: 1_000_000 };
const under = (wire: Wire, step: Step): Promise<Ran> =>
  ran(wire, [step, { text: said() }], { drive: { budget: { limits: LIMITS } } });
const first = ({
  proposals,
}: Ran): { readonly spent: JsonObject; readonly usage: unknown; readonly untold: JsonObject } => {
  const { spent = {}, provenance = {} } = proposals[0] ?? {};
  const told = provenance as JsonObject;
  return {
    spent: spent as JsonObject,
    usage: told['usage'],
    untold: isObject(told['untold_charged'] ?? null) ? (told['untold_charged'] as JsonObject) : {},
  };
};
const MAX = DEFAULT_PARAMETERS.max_output_tokens;

describe('a stream in pieces', () => {
  test.each(['\n', '\r\n', '\r'])(
    'line ends %j, cut at every byte: what comes out is the same',
    async (end) => {
      const usage = (given: unknown): string => JSON.stringify({ choices: [], note: 'ä', usage: given });
      const text = [
        ': hello',
        'event: x',
        `data: ${usage({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 'x' })}`,
        '',
        'data: {"choices":[],',
        'data:"usage":"free"}',
        '',
        'data: [DONE]',
        '',
        'data: {"left"',
      ].join(end);
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at <= bytes.length; at += 1) {
        const cut = new ReadableStream<Uint8Array>({
          start: (to) => {
            to.enqueue(bytes.slice(0, at));
            to.enqueue(bytes.slice(at));
            to.close();
          },
        });
        expect(await new Response(cut.pipeThrough(soundUsage())).text()).toBe(
          [
            ': hello',
            'event: x',
            `data: ${usage({ prompt_tokens: 1, completion_tokens: 2 })}`,
            '',
            'data: {"choices":[],"usage":null}',
            '',
            'data: [DONE]',
            '',
            'data: {"left"',
          ].join('\n'),
        );
      }
    },
  );
});

test.skipIf(!hasLoopback)('blank data is no event, and an object that ends is whole at [DONE]', async () => {
  const data = (delta: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const [blank, done] = ['data: \n\ndata\n\n', 'data: [DONE]\n\n'];
  const sent = async (raw: string): Promise<Ran> => ran('compatible', [{ raw }, { text: said() }]);
  const whole = await sent(`${blank}${data({ content: said() })}${blank}${done}`);
  expect([whole.end, whole.received.length]).toEqual(['success', 1]);
  expect(whole.proposals[0]?.['provenance']).toMatchObject({ finish: { unified: 'other', raw: '[DONE]' } });
  for (const cut of [data({ content: said() }), `${data({ content: said().slice(0, -1) })}${done}`])
    expect((await sent(cut)).proposals[0]?.['failure']).toMatchObject({ code: 'malformed' });
});

describe.skipIf(!hasLoopback)('what is not reported is null, and charged at the bound under a budget', () => {
  const input = { compatible: 'prompt_tokens', openai: 'input_tokens', anthropic: 'input_tokens' };
  const output = { compatible: 'completion_tokens', openai: 'output_tokens', anthropic: 'output_tokens' };

  test.each(
    WIRES.flatMap((wire) =>
      [undefined, null, {}, { total_tokens: 900 }, { [input[wire]]: null, [output[wire]]: null }].map(
        (usage) => [wire, usage] as const,
      ),
    ),
  )('%s: usage %j', async (wire, usage) => {
    const run = await under(wire, BODIES[wire](usage));
    const { spent, usage: told, untold } = first(run);
    // Anthropic reports what it read before it answers.
    const known = wire === 'anthropic' ? 120 : null;
    expect([run.end, run.received.length, told]).toEqual([
      'success',
      1,
      { input_tokens: known, output_tokens: null },
    ]);
    expect([spent['output_tokens'], untold['output_tokens']]).toEqual([MAX, MAX]);
    expect(Number(spent['input_tokens'])).toBeGreaterThanOrEqual(known ?? 1_000);
  });

  test('the other half is taken as it is', async () => {
    const half = first(await under('compatible', BODIES.compatible({ prompt_tokens: 120 })));
    expect([half.usage, half.spent['input_tokens'], half.untold]).toEqual([
      { input_tokens: 120, output_tokens: null },
      120,
      { output_tokens: MAX },
    ]);
  });

  test.each(WIRES)('%s: a 0 that is reported is none, and leaves the other half as it is', async (wire) => {
    const zero =
      wire === 'anthropic'
        ? claude({ input_tokens: 0, output_tokens: 0 }, { output_tokens: 0 })
        : BODIES[wire]({ [input[wire]]: 0, [output[wire]]: 0 });
    const none = first(await under(wire, zero));
    expect([none.usage, none.spent['output_tokens'], none.untold['output_tokens']]).toEqual([
      { input_tokens: null, output_tokens: null },
      MAX,
      MAX,
    ]);
    expect([Number(none.spent['input_tokens']) > 1_000, none.untold]).toEqual([true, none.spent]);
    const half = first(
      await under(
        wire,
        wire === 'anthropic'
          ? claude({ input_tokens: 0 }, { output_tokens: 7 })
          : BODIES[wire]({ [input[wire]]: 0, [output[wire]]: 7 }),
      ),
    );
    expect([half.usage, half.spent['output_tokens']]).toEqual([{ input_tokens: null, output_tokens: 7 }, 7]);
  });

  test('a server that reports 0 for all it answers is ended by the budget', async () => {
    const server = await scripted('compatible', () => ({ text: said(), usage: { input: 0, output: 0 } }));
    const port = await portTo('compatible', server);
    const run = await runWith(() => port, {
      slots: ['a', 'b', 'c'],
      received: server.received,
      drive: { concurrency: 1, budget: { limits: { output_tokens: 2 * MAX } } },
    });
    await server.close();
    expect([
      run.received.length,
      run.proposals.map(({ spent, failure }) => [
        spent,
        isObject(failure ?? null) ? (failure as JsonObject)['code'] : null,
      ]),
    ]).toEqual([
      1,
      [
        [{ output_tokens: MAX }, null],
        [{}, 'denied'],
        [{}, 'denied'],
      ],
    ]);
  });

  test('without a budget nothing is made up', async () => {
    const run = await ran('compatible', [BODIES.compatible({})]);
    expect(first(run)).toEqual({ spent: {}, usage: { input_tokens: null, output_tokens: null }, untold: {} });
  });
});

describe.skipIf(!hasLoopback)('usage in another form', () => {
  const texts = {
    compatible: { prompt_tokens: 120, completion_tokens: '7' },
    openai: { input_tokens: 120, output_tokens: '7' },
    anthropic: { output_tokens: '7' },
  };
  test.each(WIRES)('%s: a good answer is kept, its count is not reported', async (wire) => {
    const run = await under(wire, BODIES[wire](texts[wire]));
    expect([
      run.end,
      run.received.length,
      run.proposals[0]?.['failure'],
      first(run).spent['output_tokens'],
    ]).toEqual(['success', 1, null, MAX]);
    expect((run.proposals[0]?.['provenance'] as JsonObject)['usage']).toMatchObject({ output_tokens: null });
  });

  test('an answer that was cut at its limit stays cut', async () => {
    const run = await under(
      'compatible',
      stream(
        chunk([{ index: 0, delta: { content: said() }, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: 'length' }], { usage: { completion_tokens: '7' } }),
      ),
    );
    expect(run.proposals[0]?.['failure']).toMatchObject({ detail: { code: 'truncated' } });
  });

  test.each(WIRES.flatMap((wire) => ['free', 5, true, [], [12, 7]].map((usage) => [wire, usage] as const)))(
    '%s: a usage that is no object is none: %j',
    async (wire, usage) => {
      const run = await under(wire, BODIES[wire](usage));
      expect([run.end, run.received.length, first(run).usage]).toEqual([
        'success',
        1,
        { input_tokens: wire === 'anthropic' ? 120 : null, output_tokens: null },
      ]);
    },
  );

  test.each([
    ['compatible', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 'many' }],
    ['compatible', { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: 'x' }],
    [
      'compatible',
      { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 'x' } },
    ],
    ['openai', { input_tokens: 10, output_tokens: 5, input_tokens_details: 'x' }],
    ['openai', { input_tokens: 10, output_tokens: 5, output_tokens_details: [] }],
    ['anthropic', { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 'y' }],
    ['anthropic', { input_tokens: 10, output_tokens: 5, iterations: 'x' }],
    ['anthropic', { input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 5 }],
  ] as const)('%s: sound counts are charged, whatever stands beside them: %j', async (wire, usage) => {
    const run = await under(wire, BODIES[wire](usage));
    expect([run.end, run.received.length, first(run).spent, first(run).untold]).toEqual([
      'success',
      1,
      { input_tokens: 10, output_tokens: 5 },
      {},
    ]);
  });

  test.each([
    undefined,
    null,
    'x',
    [],
    {},
    { input_tokens: '120', output_tokens: '1' },
    { input_tokens: null },
    { input_tokens: 'z', cache_read_input_tokens: 6 },
  ])('anthropic: the first event has usage %j', async (usage) => {
    const run = await under('anthropic', claude(usage, { output_tokens: 5, cache_creation_input_tokens: 9 }));
    expect([run.end, run.received.length, first(run).usage]).toEqual([
      'success',
      1,
      { input_tokens: null, output_tokens: 5 },
    ]);
  });

  test('anthropic: sound counts of the first event are charged, whatever stands beside them', async () => {
    const run = await under(
      'anthropic',
      claude(
        { input_tokens: 10, cache_read_input_tokens: 2, cache_creation_input_tokens: 'y' },
        { output_tokens: 5 },
      ),
    );
    expect([run.end, run.received.length, first(run).spent]).toEqual([
      'success',
      1,
      { input_tokens: 12, output_tokens: 5 },
    ]);
  });

  test('an event that holds text beside it keeps its text', async () => {
    const run = await under(
      'compatible',
      stream(
        chunk([{ index: 0, delta: { content: said().slice(0, 60) }, finish_reason: null }]),
        chunk([{ index: 0, delta: { content: said().slice(60) }, finish_reason: 'stop' }], {
          usage: { completion_tokens: '7' },
        }),
      ),
    );
    expect([run.end, run.received.length]).toEqual(['success', 1]);
  });

  test.each(['\r\n', '\r'])('with line ends %j', async (end) => {
    const step = BODIES.compatible({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 'many' });
    const run = await under('compatible', { ...step, raw: (step.raw ?? '').replaceAll('\n', end) });
    expect([run.end, run.received.length, first(run).spent]).toEqual([
      'success',
      1,
      { input_tokens: 10, output_tokens: 5 },
    ]);
  });
});

test.skipIf(!hasLoopback)(
  'anthropic: a first event that is none of its kind came with the status 200, and is charged at the bound',
  async () => {
    const run = await under('anthropic', stream({ type: 'message_start', message: 'none' }));
    expect(run.proposals[0]).toMatchObject({
      failure: { code: 'malformed', final: false },
      spent: { output_tokens: MAX },
      provenance: { failed: { class: 'malformed', status: 200 }, untold_charged: { output_tokens: MAX } },
    });
    expect(String(run.errors[0])).toContain('status 200');
  },
);

test.skipIf(!hasLoopback)(
  'anthropic: an error as the first event is one of its kind, and came with the status 200',
  async () => {
    const run = await under(
      'anthropic',
      stream({ type: 'error', error: { type: 'overloaded_error', message: 'x' } }),
    );
    expect(run.proposals[0]).toMatchObject({
      failure: { detail: { class: 'server_error' } },
      spent: {},
      provenance: { failed: { status: 200, said: 'overloaded_error' } },
    });
  },
);
