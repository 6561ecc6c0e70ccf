/**
 * One call to a model, as far as it came: its text and what the provider said of it.
 *
 * @module
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { soundCount } from './sound-usage.js';

/** UTF-16 units of text that are read of an answer. */
export const ANSWER_UNITS_MAX = 1_048_576;

/**
 * Tokens as a provider reports them; what it does not report, or not as a whole number from 1 on, is null:
 * nothing is read or written for none.
 */
export type Usage = { readonly input: number | null; readonly output: number | null };

/** A call of a tool as it was written. `input`: JSON as text, unread. */
type ReplyCall = { readonly tool: string; readonly input: string };

/** Why a model stopped: in the AI SDK's words, and in the provider's own. */
type Finish = { readonly unified: string; readonly raw: string | null };

/**
 * What came. `calls`: those that are whole. `isBegun`: the server had begun to answer; `isSaid`: a text or a
 * call had begun. `isTooLong`: text and calls were cut at {@link ANSWER_UNITS_MAX}. `isRefusal`: the provider
 * marks the text as a refusal.
 * `error`: what ended the stream; text may have come before. `isStated`: the server itself says that it failed.
 */
export type Reply = {
  readonly text: string;
  readonly calls: readonly ReplyCall[];
  readonly isBegun: boolean;
  readonly isSaid: boolean;
  readonly isTooLong: boolean;
  readonly isRefusal: boolean;
  readonly finish: Finish | null;
  readonly usage: Usage;
  readonly model: string | null;
  readonly id: string | null;
  readonly warnings: readonly string[];
  readonly error: { readonly cause: unknown; readonly isStated: boolean } | null;
};

/** Calls a model, with a stream, and reads it to its end. Never rejects. */
export async function requestReply(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
): Promise<Reply> {
  const stopping = new AbortController();
  const signal =
    options.abortSignal === undefined
      ? stopping.signal
      : AbortSignal.any([options.abortSignal, stopping.signal]);
  const reading = new Reading();
  try {
    const { stream } = await model.doStream({ ...options, abortSignal: signal, includeRawChunks: true });
    reading.isBegun = true;
    const reader = stream.getReader();
    while (!reading.isTooLong) {
      const { done, value } = await reader.read();
      if (done) break;
      reading.take(value);
    }
  } catch (error) {
    reading.fail(error);
  } finally {
    // What is not read any more is not sent any more, either.
    stopping.abort();
  }
  return reading.reply();
}

class Reading {
  isBegun: boolean = false;
  isTooLong: boolean = false;
  private readonly parts: string[] = [];
  private readonly calls: ReplyCall[] = [];
  private units: number = 0;
  private isRefusal: boolean = false;
  private finish: Finish | null = null;
  private usage: Usage = { input: null, output: null };
  private model: string | null = null;
  private id: string | null = null;
  private warnings: readonly string[] = [];
  private error: Reply['error'] = null;

  take(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.parts.push(this.within(part.delta));
        break;
      case 'tool-input-delta':
        this.within(part.delta);
        break;
      case 'tool-call':
        this.calls.push({ tool: part.toolName, input: part.input });
        break;
      case 'response-metadata':
        this.model = part.modelId ?? this.model;
        this.id = part.id ?? this.id;
        break;
      case 'stream-start':
        this.warnings = part.warnings.map((warning) =>
          warning.type === 'other' ? 'other' : `${warning.type}:${warning.feature}`,
        );
        break;
      case 'finish':
        this.finish = { unified: part.finishReason.unified, raw: part.finishReason.raw ?? null };
        this.usage = readUsage(part.usage);
        break;
      case 'raw':
        this.isRefusal ||= isRefusal(part.rawValue);
        this.state(errorIn(part.rawValue));
        break;
      case 'error':
        this.fail(part.error);
        break;
      default:
    }
  }

  private state(cause: object | null): void {
    if (cause !== null) this.error ??= { cause, isStated: true };
  }

  fail(cause: unknown): void {
    this.error ??= { cause, isStated: false };
  }

  reply(): Reply {
    const { calls, isBegun, isTooLong, isRefusal, finish, usage, model, id, warnings, error } = this;
    return {
      text: this.parts.join(''),
      calls,
      isBegun,
      isSaid: this.units > 0 || calls.length > 0,
      isTooLong,
      isRefusal,
      finish,
      usage,
      model,
      id,
      warnings,
      error,
    };
  }

  /** As much of what came as there is room for. */
  private within(delta: string): string {
    const room = ANSWER_UNITS_MAX - this.units;
    this.isTooLong = delta.length > room;
    this.units += Math.min(delta.length, room);
    return delta.slice(0, room);
  }
}

/** A refusal in the wire formats of OpenAI, whose words arrive like any other text. */
function isRefusal(raw: unknown): boolean {
  if (at(raw, 'type') === 'response.refusal.delta') return true;
  const choices = at(raw, 'choices');
  const refusal = Array.isArray(choices) ? at(at(choices[0], 'delta'), 'refusal') : undefined;
  return typeof refusal === 'string' && refusal !== '';
}

/**
 * A 0 is no count, whoever wrote it: packages do for what nobody reported, and a budget would never end a
 * server that does.
 */
function readUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  return { input: soundCount(inputTokens.total) || null, output: soundCount(outputTokens.total) || null };
}

/** What an event says of the server's own failure, in whatever wire format; null where it says nothing. */
function errorIn(raw: unknown): object | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const type = at(raw, 'type');
  if (type === 'response.failed') return { error: at(at(raw, 'response'), 'error') };
  return type === 'error' || (at(raw, 'error') ?? null) !== null ? raw : null;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Reflect.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
