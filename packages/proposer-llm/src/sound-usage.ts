/**
 * The usage in a stream of server-sent events, reduced to its counts before a provider's package reads it.
 * The packages check all of a usage, and lose the event it stands in, or the whole answer, over a member that
 * nobody needs.
 *
 * @module
 */
import { soundCount } from './sound-count.js';

/**
 * Where a package wants a number and no sound one was sent: no sum with counts that are sound makes it one.
 */
const NO_COUNT = Number.MIN_SAFE_INTEGER;

/**
 * Reduces the usage of events of the wire formats of Anthropic, OpenAI and OpenAI-compatible servers; what is
 * none of them stays as it is.
 */
export function soundUsage(): TransformStream<Uint8Array, Uint8Array> {
  const events = new Events();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      const text = events.push(decoder.decode(bytes, { stream: true }));
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
    flush: (controller) => {
      controller.enqueue(encoder.encode(`${events.push(decoder.decode())}${events.end()}`));
    },
  });
}

/** Source of the three line ends: the WHATWG event stream. */
const LINE_END = /\r\n|\n|\r/;

/** An event stream that comes in pieces and leaves in whole events. */
class Events {
  private lines: string[] = [];
  /** What is not yet a whole line. */
  private held: string[] = [];
  /** A return came last, which may be half of a line end. */
  private isHalf: boolean = false;

  push(piece: string): string {
    const text = `${this.isHalf ? '\r' : ''}${piece}`;
    this.isHalf = text.endsWith('\r');
    const [first = '', ...rest] = (this.isHalf ? text.slice(0, -1) : text).split(LINE_END);
    this.held.push(first);
    const out: string[] = [];
    for (const next of rest) {
      this.endLine(out);
      this.held.push(next);
    }
    return out.join('');
  }

  /** The stream is over: what was left without an end. */
  end(): string {
    const last = this.isHalf ? this.push('\n') : '';
    return `${last}${[...this.lines, this.held.join('')].join('\n')}`;
  }

  private endLine(out: string[]): void {
    const line = this.held.join('');
    this.held = [];
    this.lines.push(line);
    if (line !== '') return;
    out.push(reducedEvent(this.lines).join('\n'), '\n');
    this.lines = [];
  }
}

const DATA = /^data:? ?/;

function reducedEvent(lines: readonly string[]): readonly string[] {
  const isData = (line: string): boolean => line === 'data' || line.startsWith('data:');
  const data = reduced(
    lines
      .filter(isData)
      .map((line) => line.replace(DATA, ''))
      .join('\n'),
  );
  return data === null
    ? lines
    : [...lines.filter((line) => line !== '' && !isData(line)), `data: ${data}`, ''];
}

/** An event as JSON whose usage was reduced; null where there is none. */
function reduced(text: string): string | null {
  try {
    const event: unknown = JSON.parse(text);
    return isObject(event) && reduce(event) ? JSON.stringify(event) : null;
  } catch {
    // No JSON, or one too deep to be written again: for the package to judge.
    return null;
  }
}

type Fields = { [key: string]: unknown };

function reduce(event: Fields): boolean {
  const { type, choices, response, message } = event;
  if (Array.isArray(choices)) return reduceIn(event, PROMPT_COUNTS);
  if (type === 'message_start')
    return isObject(message) && requireIn(message, ['input_tokens', ...CACHE_COUNTS], 'input_tokens');
  if (type === 'message_delta')
    return requireIn(event, ['input_tokens', 'output_tokens', ...CACHE_COUNTS], 'output_tokens');
  return (
    typeof type === 'string' &&
    type.startsWith('response.') &&
    isObject(response) &&
    reduceIn(response, TOKEN_COUNTS)
  );
}

const PROMPT_COUNTS = ['prompt_tokens', 'completion_tokens'];
const TOKEN_COUNTS = ['input_tokens', 'output_tokens'];
/** Anthropic's count of what was read leaves out what went through the cache. */
const CACHE_COUNTS = ['cache_creation_input_tokens', 'cache_read_input_tokens'];

/** A usage that may be absent, and has both counts where it is not. */
function reduceIn(owner: Fields, names: readonly string[]): boolean {
  const { usage } = owner;
  if (usage === undefined || usage === null) return false;
  owner['usage'] = isObject(usage)
    ? Object.fromEntries(names.map((name) => [name, soundCount(usage[name]) ?? NO_COUNT]))
    : null;
  return true;
}

/** A usage that must be there with one count; the others may be absent. */
function requireIn(owner: Fields, names: readonly string[], required: string): boolean {
  const usage = isObject(owner['usage']) ? owner['usage'] : {};
  const sound = names.flatMap((name) => {
    const count = soundCount(usage[name]);
    return count === null ? [] : [[name, count] as const];
  });
  owner['usage'] = { [required]: NO_COUNT, ...Object.fromEntries(sound) };
  return true;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
