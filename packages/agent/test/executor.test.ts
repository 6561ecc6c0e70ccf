import { describe, expect, it } from 'vitest';
import { canonicalize, decodeUtf8, orThrow, type Json, type Request } from '@assay/kernel';
import type { ExecuteBody, Execution } from '@assay/controller';
import { executorPort } from '../src/index.ts';
import type { StepCall, StepTools } from '../src/executor/step-tools.js';

type Asked = { readonly tool: string; readonly input: unknown; readonly confirmed: boolean };

/** Tools that say what they are told to say, and remember what they were asked. */
function tools(
  answer: (
    tool: string,
    input: unknown,
    confirmed: boolean,
  ) => Partial<StepCall> & { readonly whole?: string },
): StepTools & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    run: ({ tool, input }, { confirmed = false, onOutput }) => {
      asked.push({ tool, input, confirmed });
      const { whole, ...said } = answer(tool, input, confirmed);
      const output = said.output ?? '';
      if (whole !== undefined) onOutput?.(whole);
      return Promise.resolve({
        tool,
        input: JSON.stringify(input),
        output,
        status: 'ok',
        code: null,
        output_bytes: Buffer.byteLength(output),
        digest: null,
        irreversible: false,
        class: 'read',
        target: 'x',
        ...said,
      } as StepCall);
    },
  };
}

const step = (id: string, tool: string, input: Json, more: object = {}): Json =>
  ({ id, tool, input, may_fail: false, if_any: null, ...more }) as Json;
const program = (tries: readonly (readonly Json[])[], output: Json = { from: 'a', do: [] }): string =>
  orThrow(decodeUtf8(orThrow(canonicalize({ format: 'assay/steps/1', output, tries }))));

/** Every tool on everything: a plan that declares all. */
const ANYTHING = [
  'find_files',
  'read_file',
  'write_file',
  'remove_file',
  'move_file',
  'make_dir',
  'append_file',
  'shell',
  'glob',
  'x',
].map((tool) => ({ tool, target: '*' }));

function body(context: string, more: Partial<ExecuteBody> = {}): ExecuteBody {
  return {
    subtask: '0.0',
    intent: 'x',
    context,
    criteria: [],
    uses: ANYTHING,
    attempt: 0,
    correction: null,
    prior: [],
    must_not: { tools: [], targets: [] },
    confirmed: [],
    ...more,
  };
}

async function executed(
  given: StepTools,
  asked: ExecuteBody | Json,
  signal = new AbortController().signal,
): Promise<{ readonly value: Execution | null; readonly failure: unknown }> {
  const answer = await executorPort(given).perform({ kind: 'execute', body: asked } as unknown as Request, {
    key: 'k',
    signal,
  });
  return { value: (answer.value ?? null) as Execution | null, failure: answer.failure ?? null };
}

describe('the executor', () => {
  it('carries out steps in their order, with what earlier ones and earlier sub-tasks gave', async () => {
    const given = tools((tool) => ({
      output: tool === 'find_files' ? '{"path":"b"}\n{"path":"a"}\n' : 'done',
    }));
    const paths = { do: [['json_lines'], ['pluck', 'path'], ['sort']], from: 'a' };
    const { value } = await executed(
      given,
      body(
        program(
          [
            [
              step('a', 'find_files', {}),
              step('b', 'shell', { pipeline: [['cat', { spread: paths }]] }),
              step('c', 'write_file', { content: { do: [['line']], from: 'prior.0' }, path: 'x' }),
            ],
          ],
          { from: 'c', do: [] },
        ),
        { prior: [{ subtask: '0.0', output: 'before' }] },
      ),
    );
    expect(given.asked.map(({ input }) => input)).toEqual([
      {},
      { pipeline: [['cat', 'a', 'b']] },
      { content: 'before\n', path: 'x' },
    ]);
    expect(value).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('hands in calls in the shape of the protocol, and no field more', async () => {
    const { value } = await executed(
      tools(() => ({ output: 'x' })),
      body(program([[step('a', 'read_file', { path: 'x' })]])),
    );
    expect(Object.keys(value?.tool_calls[0] ?? {}).sort()).toEqual([
      'digest',
      'input',
      'irreversible',
      'output',
      'output_bytes',
      'status',
      'tool',
    ]);
    expect(Object.keys(value ?? {}).sort()).toEqual(['output', 'status', 'tool_calls']);
  });

  it('says of a call that was cut short at which limit: what came of it so far does not', async () => {
    const given = tools(() => ({ status: 'truncated', code: 'entry_limit', output: '{"path":"a"}\n' }));
    expect((await executed(given, body(program([[step('a', 'find_files', {})]])))).value).toMatchObject({
      status: 'failed',
      output: 'entry_limit: find_files was cut short at a limit; what it gave is not the whole answer',
      tool_calls: [{ status: 'truncated', output: '{"path":"a"}\n' }],
    });
    expect(
      (
        await executed(
          tools(() => ({ status: 'truncated', output: 'x' })),
          body(program([[step('a', 'find_files', {})]])),
        )
      ).value?.output,
    ).toMatch(/^truncated: find_files /);
  });

  it(
    'stops at a call that does not go well: uncertain where another try is written, failed ' +
      'where none is',
    async () => {
      const given = tools((tool) =>
        tool === 'read_file' ? { status: 'error', output: 'not_found: x' } : { output: 'y' },
      );
      const tries = [
        [step('a', 'read_file', { path: 'x' }), step('b', 'write_file', {})],
        [step('a', 'read_file', { path: 'y' })],
      ];
      expect((await executed(given, body(program(tries)))).value).toMatchObject({
        status: 'uncertain',
        output: 'not_found: x',
        tool_calls: [{ tool: 'read_file', status: 'error' }],
      });
      expect((await executed(given, body(program(tries), { attempt: 1 }))).value).toMatchObject({
        status: 'failed',
      });
      expect((await executed(given, body(program(tries), { attempt: 2 }))).value).toEqual({
        status: 'failed',
        output: 'no_try_left',
        tool_calls: [],
      });
      expect(given.asked.map(({ tool }) => tool)).toEqual(['read_file', 'read_file']);
    },
  );

  it('makes no call that the plan did not declare, by tool and input, and says which', async () => {
    const cases: readonly (readonly [uses: ExecuteBody['uses'], made: readonly string[], output: string])[] =
      [
        [[{ tool: 'find_files', target: '*' }], [], 'undeclared: read_file x'],
        [[{ tool: 'read_file', target: 'y' }], [], 'undeclared: read_file x'],
        [[{ tool: 'move_file', target: 'x' }], [], 'undeclared: read_file x'],
        [[], [], 'undeclared: read_file x'],
        [
          [{ tool: 'read_file', target: 'x' }],
          ['read_file'],
          'undeclared: append_file {"content":"1","path":"n"}',
        ],
        [
          [
            { tool: 'read_file', target: 'x' },
            { tool: 'append_file', target: '{"content":"2","path":"n"}' },
          ],
          ['read_file'],
          'undeclared: append_file {"content":"1","path":"n"}',
        ],
        [
          [
            { tool: 'read_file', target: 'x' },
            { tool: 'append_file', target: '{"content":"1","path":"n"}' },
          ],
          ['read_file', 'append_file'],
          'done',
        ],
        [
          [
            { tool: 'read_file', target: 'x' },
            { tool: 'append_file', target: 'm' },
          ],
          ['read_file'],
          'undeclared: append_file {"content":"1","path":"n"}',
        ],
        [
          [
            { tool: 'read_file', target: 'x' },
            { tool: 'append_file', target: 'n' },
          ],
          ['read_file', 'append_file'],
          'done',
        ],
        [
          [
            { tool: 'read_file', target: './x' },
            { tool: 'append_file', target: '{"content":"1","path":".//n"}' },
          ],
          ['read_file', 'append_file'],
          'done',
        ],
        [
          [
            { tool: 'read_file', target: '*' },
            { tool: 'append_file', target: '*' },
          ],
          ['read_file', 'append_file'],
          'done',
        ],
      ];
    for (const [uses, made, output] of cases) {
      const given = tools(() => ({ output: 'done' }));
      const { value } = await executed(
        given,
        body(
          program([
            [step('a', 'read_file', { path: 'x' }), step('b', 'append_file', { path: 'n', content: '1' })],
          ]),
          { uses },
        ),
      );
      expect([given.asked.map(({ tool }) => tool), value?.output]).toEqual([made, output]);
    }
  });

  it('a tool that is missing fails at once', async () => {
    for (const code of ['unknown_tool', 'unavailable', 'not_allowed']) {
      expect(
        (
          await executed(
            tools(() => ({ status: 'denied', code, output: code })),
            body(program([[step('a', 'x', {})], [step('a', 'x', {})]])),
          )
        ).value,
      ).toMatchObject({ status: 'failed' });
    }
  });

  it('does not call what must not be called', async () => {
    const given = tools(() => ({ output: 'x' }));
    const context = program([[step('a', 'read_file', { path: 'x' })]]);
    for (const must_not of [
      { tools: ['read_file'], targets: [] },
      { tools: [], targets: [{ tool: 'read_file', target: 'x' }] },
    ]) {
      const { value } = await executed(given, body(context, { must_not }));
      expect(value).toMatchObject({ status: 'failed', tool_calls: [] });
    }
    const several = program([[step('a', 'read_file', { paths: ['y', 'x'] })]]);
    expect(
      (
        await executed(
          given,
          body(several, { must_not: { tools: [], targets: [{ tool: 'read_file', target: 'x' }] } }),
        )
      ).value,
    ).toMatchObject({ status: 'failed', output: 'blocked_target: read_file x', tool_calls: [] });
    expect(given.asked).toEqual([]);
  });

  it('does not call what must not be called, however its path is written', async () => {
    const move = '{"from":"a.txt","to":"b.txt"}';
    const cases: readonly (readonly [tool: string, input: Json, blocked: string])[] = [
      ['move_file', { from: './a.txt', to: 'b.txt' }, move],
      ['move_file', { from: 'a.txt', to: './/b.txt' }, move],
      ['read_file', { paths: ['./a.txt', 'c.txt'] }, 'a.txt'],
      ['read_file', { path: './a.txt' }, 'a.txt'],
      ['read_file', { path: './a.txt', to_line: 9 }, '{"path":"a.txt","to_line":9}'],
      ['write_file', { content: 'x', path: 'a.txt/' }, '{"content":"x","path":"a.txt"}'],
      ['write_file', { path: 'a.txt', content: 'x' }, 'a.txt'],
      ['shell', 'cat  a.txt', 'cat a.txt'],
      ['shell', 'cat "a.txt"', 'cat a.txt'],
      ['shell', { command: 'cat ./a.txt' }, 'cat a.txt'],
      ['shell', { pipeline: [['cat', './a.txt']] }, 'cat a.txt'],
    ];
    for (const [tool, input, target] of cases) {
      const given = tools(() => ({ output: 'x' }));
      const { value } = await executed(
        given,
        body(program([[step('a', tool, input)]]), { must_not: { tools: [], targets: [{ tool, target }] } }),
      );
      expect([given.asked, value?.output.split(':')[0]]).toEqual([[], 'blocked_target']);
    }
  });

  it('a confirmation holds for the same file however the plan wrote its path', async () => {
    const given = tools((_tool, _input, confirmed) =>
      confirmed ? { output: 'gone' } : { status: 'denied', irreversible: true, output: 'ask' },
    );
    const { value } = await executed(
      given,
      body(program([[step('a', 'remove_file', { path: 'a.txt' })]]), {
        confirmed: [{ tool: 'remove_file', target: './a.txt' }],
      }),
    );
    expect([given.asked.map(({ confirmed }) => confirmed), value?.status]).toEqual([[true], 'completed']);
  });

  it('a move is not declared by where it goes alone', async () => {
    const given = tools(() => ({ output: 'x' }));
    const { value } = await executed(
      given,
      body(program([[step('a', 'move_file', { from: 'a.txt', to: 'b.txt' })]]), {
        uses: [{ tool: 'move_file', target: 'b.txt' }],
      }),
    );
    expect([given.asked, value?.output.split(':')[0]]).toEqual([[], 'undeclared']);
  });

  it('passes on a confirmation for the very action that was confirmed, and for no other (003 §9 Law 1)', async () => {
    const given = tools(() => ({ output: 'gone' }));
    const context = program([
      [step('a', 'remove_file', { path: 'x' }), step('b', 'remove_file', { path: 'y' })],
    ]);
    await executed(given, body(context, { confirmed: [{ tool: 'remove_file', target: 'x' }] }));
    expect(given.asked.map(({ confirmed }) => confirmed)).toEqual([true, false]);
    const held = tools((_, __, confirmed) =>
      confirmed
        ? { output: 'replaced' }
        : {
            status: 'denied',
            code: 'needs_confirmation',
            output: 'needs_confirmation: x',
            irreversible: true,
            input: 'a long input, cut',
          },
    );
    const write = program([[step('a', 'write_file', { content: 'z', path: 'x' })]]);
    expect((await executed(held, body(write))).value).toMatchObject({ status: 'failed' });
    const { value } = await executed(
      held,
      body(write, { confirmed: [{ tool: 'write_file', target: 'a long input, cut' }] }),
    );
    expect(value).toMatchObject({
      status: 'completed',
      tool_calls: [{ status: 'denied' }, { status: 'ok' }],
    });
  });

  it('goes on with a whole output only', async () => {
    const context = program([[step('a', 'shell', 'cat x')]], {
      from: 'a',
      do: [['measure', 'bytes'], ['text']],
    });
    expect(
      (
        await executed(
          tools(() => ({ output: 'head … tail', output_bytes: 9_000 })),
          body(context),
        )
      ).value,
    ).toMatchObject({ status: 'failed' });
    expect(
      (
        await executed(
          tools(() => ({ output: 'head … tail', output_bytes: 9_000, whole: 'x'.repeat(9_000) })),
          body(context),
        )
      ).value,
    ).toMatchObject({ status: 'completed', output: '9000' });
    // What a decoder made of bytes that are no text has another digest.
    expect(
      (
        await executed(
          tools(() => ({ output: '\uFFFD', output_bytes: 3, digest: 'a'.repeat(64) as never })),
          body(context),
        )
      ).value,
    ).toMatchObject({ status: 'failed' });
  });

  it('hands on an output that is too long as its size and digest', async () => {
    const { value } = await executed(
      tools(() => ({ output: 'x'.repeat(5_000) })),
      body(program([[step('a', 'shell', 'x')]])),
    );
    expect(value?.output).toMatch(/^5000 bytes, sha256 [0-9a-f]{64}$/);
  });

  it('leaves a step out where there is nothing to do it with, and makes nothing up', async () => {
    const given = tools(() => ({ output: '' }));
    const { value } = await executed(
      given,
      body(
        program(
          [
            [
              step('a', 'find_files', {}),
              step('b', 'shell', 'cat', { if_any: { from: 'a', do: [['json_lines']] } }),
            ],
          ],
          { from: 'b', do: [] },
        ),
      ),
    );
    expect(given.asked).toHaveLength(1);
    expect(value).toMatchObject({ status: 'completed', output: '' });
    expect(
      (
        await executed(
          given,
          body(program([[step('a', 'find_files', {})]], { from: 'a', do: [['json_lines'], ['first']] })),
        )
      ).value,
    ).toMatchObject({ status: 'failed', output: 'nothing_found: there is no such file' });
  });

  it('makes no more than 64 calls, as many as an answer may hold', async () => {
    const steps = Array.from({ length: 32 }, (_, index) =>
      step(`s${index}`, 'write_file', { content: 'z', path: 'x' }),
    );
    const given = tools((_, __, confirmed) =>
      confirmed ? {} : { status: 'denied', irreversible: true, input: 'held', output: 'needs_confirmation' },
    );
    const { value } = await executed(
      given,
      body(program([[...steps]], { from: 's0', do: [] }), {
        confirmed: [{ tool: 'write_file', target: 'held' }],
      }),
    );
    expect(value?.tool_calls.length).toBe(64);
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const given = tools(() => {
      controller.abort(new Error('stopped'));
      return { output: 'x' };
    });
    await expect(
      executed(given, body(program([[step('a', 'x', {}), step('b', 'x', {})]])), controller.signal),
    ).rejects.toThrow('stopped');
    expect(given.asked).toHaveLength(1);
  });

  it('a context that is no program, and a request that is none of its own, are final failures', async () => {
    const given = tools(() => ({}));
    for (const context of [
      '',
      'find the file',
      '{}',
      '{"format":"assay/steps/2","output":{"do":[],"from":"a"},"tries":[[]]}',
      program([]),
    ]) {
      expect((await executed(given, body(context))).failure).toMatchObject({
        code: 'denied',
        final: true,
        detail: { code: 'not_steps' },
      });
    }
    expect((await executed(given, { text: 'x' })).failure).toMatchObject({
      final: true,
      detail: { code: 'not_execute' },
    });
  });
});
