import { generateText, jsonSchema, stepCountIs, tool, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '@assay/host';
import { openGate, type Gate, type GateOptions } from '../src/shell/index.ts';

const POLICY: GateOptions['policy'] = { gate: 1, allow: ['read', 'stream', 'constructor'], ask: ['send'] };
const open = (): Promise<Gate> =>
  openGate({ policy: POLICY, store: memoryStore(), run: 'r', now: () => 1_000_000 });

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that makes these calls at once, and then says that it is done. */
function modelCalling(calls: readonly (readonly [tool: string, input: unknown])[]): MockLanguageModelV3 {
  let step = 0;
  return new MockLanguageModelV3({
    doGenerate: () => {
      step += 1;
      const content =
        step > 1
          ? [{ type: 'text' as const, text: 'done' }]
          : calls.map(([toolName, input], at) => ({
              ...{ type: 'tool-call' as const, toolCallId: `call-${at}`, toolName },
              input: JSON.stringify(input),
            }));
      const unified = step > 1 ? ('stop' as const) : ('tool-calls' as const);
      return Promise.resolve({
        content,
        finishReason: { unified, raw: undefined },
        usage: USAGE,
        warnings: [],
      });
    },
  });
}

describe('tools of the AI SDK', () => {
  const inputSchema = jsonSchema<{ path: string }>({
    type: 'object',
    properties: { path: { type: 'string' } },
  });

  it('go through the gate in generateText: what is refused is a result that says why', async () => {
    const gate = await open();
    const seen: unknown[] = [];
    const tools = gate.wrap(
      {
        read: tool({
          inputSchema,
          execute: async ({ path }, { toolCallId }) => {
            seen.push([path, toolCallId]);
            return `text of ${path}`;
          },
        }),
        remove: tool({ inputSchema, execute: async () => 'removed' }),
        send: tool({ inputSchema, execute: async () => 'sent' }),
        stream: tool({
          inputSchema,
          async *execute() {
            yield 'half';
            yield 'whole';
          },
        }),
        elsewhere: tool({ inputSchema }),
      },
      { principal: 'bot' },
    );
    expect(tools.elsewhere.execute).toBeUndefined();
    const { steps, text } = await generateText({
      model: modelCalling([
        ['read', { path: 'a' }],
        ['remove', { path: 'a' }],
        ['send', { path: 'a' }],
        ['stream', { path: 'a' }],
      ]),
      tools: tools as unknown as ToolSet,
      prompt: 'go',
      stopWhen: stepCountIs(3),
    });
    expect(text).toBe('done');
    expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual([
      'text of a',
      { refused: 'no_rule', text: 'remove is refused. No rule allows this tool.' },
      { refused: 'pending', text: 'Call 3 (send) waits for a person. Make the same call again later.' },
      'whole',
    ]);
    expect(seen).toEqual([['a', 'call-0']]);
    expect(gate.waiting()).toMatchObject([{ principal: 'bot', call_id: 'call-2' }]);
  });

  it('are lost where the caller gives up while they are performed, and not begun where it did before', async () => {
    const gate = await open();
    const controller = new AbortController();
    const { read } = gate.wrap({
      read: {
        execute: (_: unknown, { abortSignal }: { toolCallId: string; abortSignal: AbortSignal }) => {
          setTimeout(() => controller.abort(new Error('gone')), 5);
          return new Promise((_resolve, reject) => {
            abortSignal.addEventListener('abort', () => setTimeout(() => reject(new Error('late')), 5));
          });
        },
      },
    });
    const options = { toolCallId: '1', abortSignal: controller.signal };
    await expect(read.execute({}, options)).rejects.toThrow('gone');
    await expect(read.execute({}, { ...options, toolCallId: '2' })).rejects.toThrow('gone');
    expect(gate.summary).toMatchObject({ calls: 1, allowed: 1, failed: 1 });
    await expect(gate.call({ tool: 'read', input: {}, call_id: '1' }, () => 1)).rejects.toMatchObject({
      code: 'lost',
    });
  });
});

describe('tools of LangChain', () => {
  class Tool {
    readonly name: string;
    #calls = 0;
    constructor(name: string) {
      this.name = name;
    }
    get calls(): number {
      return this.#calls;
    }
    async invoke(call: { readonly args: unknown; readonly id: string }): Promise<unknown> {
      return this._call(call.args, undefined, { toolCall: call });
    }
    async _call(input: unknown, _manager?: unknown, _config?: unknown): Promise<unknown> {
      return `${this.name} ${JSON.stringify(input)}`;
    }
  }

  it('go through the gate in a list, under the id of their call; a refusal is their text', async () => {
    const gate = await open();
    const [read, remove] = gate.wrap([new Tool('read'), new Tool('remove')]);
    expect(read).toBeInstanceOf(Tool);
    await expect(read?.invoke({ args: { a: 1 }, id: '1' })).resolves.toBe('read {"a":1}');
    await expect(read?.invoke({ args: { a: 1 }, id: '1' })).resolves.toBe('read {"a":1}');
    await expect(remove?.invoke({ args: {}, id: '2' })).resolves.toBe(
      'remove is refused. No rule allows this tool.',
    );
    expect(gate.summary).toMatchObject({ calls: 2, allowed: 1, denied: 1 });
  });
});

describe("OpenAI's function calling", () => {
  const tools = { read: async ({ path }: { path: string }) => ({ path }), send: async () => 'sent' };

  it('in both forms: the message that goes back holds the result, the refusal, or what the tool raised', async () => {
    const gate = await open();
    const chat = (name: string, text: string): Promise<unknown> =>
      gate.respond({ id: `id-${name}`, function: { name, arguments: text } }, tools);
    await expect(chat('read', '{"path":"a"}')).resolves.toEqual({
      ...{ role: 'tool', tool_call_id: 'id-read' },
      content: '{"path":"a"}',
    });
    await expect(chat('read', '{"path"')).resolves.toMatchObject({
      content: '{"error":"read: the arguments are no JSON."}',
    });
    await expect(chat('remove', '')).resolves.toMatchObject({
      content: '{"error":"remove is refused. No rule allows this tool."}',
    });
    await expect(
      gate.respond({ call_id: 'c', name: 'send', arguments: '{}' }, tools, {
        approve: async () => ({ approved: true, by: 'Ada Lovelace' }),
      }),
    ).resolves.toEqual({ type: 'function_call_output', call_id: 'c', output: 'sent' });
  });

  it('a tool that is not there is allowed by the policy and never began; names of objects are no tools', async () => {
    const gate = await open();
    await expect(
      gate.respond({ call_id: 'c', name: 'constructor', arguments: '{}' }, tools),
    ).resolves.toMatchObject({ output: '{"error":"there is no tool constructor"}' });
    expect(gate.summary).toMatchObject({ allowed: 1, failed: 1 });
  });
});

describe('tools of other kinds', () => {
  it('are refused where something would call them past the gate, and given back where a provider runs them', async () => {
    const gate = await open();
    const run = async (): Promise<number> => 1;
    for (const member of ['invoke', 'call', 'run', 'func', 'handler'])
      expect(() => gate.wrap({ read: { name: 'read', [member]: run } })).toThrow(`read has ${member}`);
    const search = { type: 'web_search' };
    expect(gate.wrap({ search }).search).toBe(search);
  });
});
