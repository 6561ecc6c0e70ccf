/**
 * Tools that go through a gate: plain functions, tools of the AI SDK and of LangChain, and OpenAI's function calling.
 * Source: gate/G13.
 *
 * @module
 */
import { PortError } from '@assay/host';
import { GateError, GatePending, GateRefused } from './errors.js';
import { describeError } from './recorded.js';
import type { Execute, GateCall, Told } from './types.js';

/** What goes through a gate: `call` of one. */
export type Through = (call: GateCall, execute: Execute) => Promise<unknown>;

/**
 * Who calls, who is asked, as what evidence a call stands; see {@link GateCall}. `refused`: how a refusal is told:
 * `throw` it, or `return` it. By default what the framework expects: a plain function throws, the others return.
 */
export type WrapOptions = Pick<
  GateCall,
  'principal' | 'approve' | 'source' | 'proposer' | 'provenance' | 'signal'
> & { readonly refused?: 'throw' | 'return' };

type PlainTool = (input: unknown, told: unknown) => unknown;
type SdkTool = { readonly execute: PlainTool };
type ChainTool = {
  readonly name?: unknown;
  readonly _call: (input: unknown, manager?: unknown, config?: unknown) => unknown;
};

/** Tools by name, or a list of tools that have one. */
export type Tools = { readonly [name: string]: unknown } | readonly unknown[];

/** What calls a tool of other kinds, of which a gate would see nothing. */
const CALLED_BY = ['invoke', 'call', 'run', 'func', 'handler'];

/**
 * Wraps tools: by name, or a list. What has nothing to call, since a provider runs it, is given back as it is. Raises a
 * TypeError for a tool that is called in a way that is not known here.
 */
export function wrapTools<T extends object>(through: Through, tools: T, options: WrapOptions): T {
  if (Array.isArray(tools))
    return tools.map((tool: unknown) => wrapTool(through, readName(tool), tool, options)) as unknown as T;
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, wrapTool(through, name, tool, options)]),
  ) as T;
}

function wrapTool(through: Through, name: string, tool: unknown, options: WrapOptions): unknown {
  const { refused, ...as } = options;
  if (isPlain(tool))
    return (input: unknown) =>
      pass(through({ ...as, tool: name, input }, tool), refused ?? 'throw', tellObject);
  if (isSdk(tool))
    return {
      ...tool,
      execute: (input: unknown, given: unknown) => {
        const call = { ...as, ...readSdkCall(given), tool: name, input };
        const execute: Execute = (own, told) => runSdk(tool, own, given, told);
        return pass(through(call, execute), refused ?? 'return', tellObject);
      },
    };
  if (isChain(tool))
    return Object.assign(Object.create(tool) as object, {
      _call: (input: unknown, manager?: unknown, config?: unknown) => {
        const id = readText(readField(readField(config, 'toolCall'), 'id'));
        const call = { ...as, ...(id === null ? {} : { call_id: id }), tool: name, input };
        return pass(
          through(call, (own) => tool._call(own, manager, config)),
          refused ?? 'return',
          ({ message }) => message,
        );
      },
    });
  const unknown = CALLED_BY.find((member) => typeof readField(tool, member) === 'function');
  if (unknown === undefined) return tool;
  throw new TypeError(
    `wrap: ${name} has ${unknown}, which passes by the gate: give a function that calls it`,
  );
}

/** A refusal as the AI SDK's tools give it. */
function tellObject({ code, message }: GateRefused | GatePending): unknown {
  return { refused: code, text: message };
}

async function pass(
  called: Promise<unknown>,
  refused: 'throw' | 'return',
  tell: (error: GateRefused | GatePending) => unknown,
): Promise<unknown> {
  try {
    return await called;
  } catch (error) {
    if (refused === 'return' && (error instanceof GateRefused || error instanceof GatePending))
      return tell(error);
    throw error;
  }
}

/** The id of a call and its signal, as the AI SDK gives them. */
function readSdkCall(given: unknown): Pick<GateCall, 'call_id' | 'signal'> {
  const id = readText(readField(given, 'toolCallId'));
  const signal = readField(given, 'abortSignal');
  return {
    ...(id === null ? {} : { call_id: id }),
    ...(signal instanceof AbortSignal ? { signal } : {}),
  };
}

/** A tool that gives a stream of parts gives its last one, as the AI SDK takes it. */
async function runSdk(tool: SdkTool, input: unknown, given: unknown, told: Told): Promise<unknown> {
  const options = typeof given === 'object' && given !== null ? given : {};
  const result = await tool.execute(input, { ...options, ...told });
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) last = part;
  return last;
}

/** What calls a tool of this name; null where none has it. */
export function findTool(tools: Tools, name: string): Execute | null {
  const tool = Array.isArray(tools)
    ? (tools as readonly unknown[]).find((one) => readName(one) === name)
    : Object.hasOwn(tools, name)
      ? (tools as Readonly<Record<string, unknown>>)[name]
      : undefined;
  if (isPlain(tool)) return tool;
  if (isSdk(tool)) return (input, told) => runSdk(tool, input, {}, told);
  return isChain(tool) ? (input) => tool._call(input) : null;
}

/** A call as OpenAI's two forms of function calling bring it. */
export type ToolCall =
  | {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }
  | { readonly call_id: string; readonly name: string; readonly arguments: string };

/** The message that goes back: of a tool (chat completions), or a function's output (responses). */
export type ToolMessage =
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string };

/** Makes a call of OpenAI's, and gives the message to send back; refusals and what a tool raises are told in it. */
export async function respondTo(
  through: Through,
  toolCall: ToolCall,
  tools: Tools,
  options: WrapOptions,
): Promise<ToolMessage> {
  const isChat = 'function' in toolCall;
  const id = isChat ? toolCall.id : toolCall.call_id;
  const { name, arguments: text } = isChat ? toolCall.function : toolCall;
  const content = await answerCall(
    through,
    { ...options, tool: name, call_id: id },
    text,
    findTool(tools, name),
  );
  return isChat
    ? { role: 'tool', tool_call_id: id, content }
    : { type: 'function_call_output', call_id: id, output: content };
}

async function answerCall(
  through: Through,
  call: Omit<GateCall, 'input'>,
  text: string,
  execute: Execute | null,
): Promise<string> {
  let input: unknown;
  try {
    input = JSON.parse(text === '' ? '{}' : text);
  } catch {
    return JSON.stringify({ error: `${call.tool}: the arguments are no JSON.` });
  }
  const missing = (): never => {
    throw new PortError('refused', { message: `there is no tool ${call.tool}` });
  };
  try {
    const result = await through({ ...call, input }, execute ?? missing);
    return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null');
  } catch (error) {
    if (error instanceof GateError) throw error;
    return JSON.stringify(describeError(error));
  }
}

function isPlain(tool: unknown): tool is PlainTool {
  return typeof tool === 'function';
}

function isSdk(tool: unknown): tool is SdkTool {
  return typeof readField(tool, 'execute') === 'function';
}

function isChain(tool: unknown): tool is ChainTool {
  return typeof readField(tool, '_call') === 'function';
}

function readName(tool: unknown): string {
  return readText(isPlain(tool) ? tool.name : readField(tool, 'name')) ?? '';
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function readField(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
