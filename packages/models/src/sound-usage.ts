/**
 * A stream of server-sent events, mended before a provider's package reads it. Its usage is reduced to its
 * counts: the packages check all of a usage, and lose the event it stands in, or the whole answer, over a
 * member that nobody needs. Blank data is no event; a bare error becomes one; `[DONE]` is an end.
 *
 * @module
 */
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
  /** A chat completion began and did not say why it ended. */
  private isOpen: boolean = false;

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
    const rest = [...this.lines, this.held.join('')].join('\n');
    // An error that a server sends instead of a stream, or behind it.
    const event = eventIn(rest);
    return `${last}${event?.['error'] === undefined ? rest : `data: ${JSON.stringify(event)}\n\n`}`;
  }

  private endLine(out: string[]): void {
    const line = this.held.join('');
    this.held = [];
    this.lines.push(line);
    if (line !== '') return;
    out.push(this.mended(this.lines).join('\n'), '\n');
    this.lines = [];
  }

  private mended(lines: readonly string[]): readonly string[] {
    const all = lines.filter(isData);
    if (all.length === 0) return lines;
    const data = all.map((line) => line.replace(DATA, '')).join('\n');
    const others = lines.filter((line) => line !== '' && !isData(line));
    if (data.trim() === '') return [...others, ''];
    if (data.trim() === DONE && this.isOpen) {
      this.isOpen = false;
      return [`data: ${JSON.stringify(END)}`, '', ...lines];
    }
    const event = eventIn(data);
    if (event === null) return lines;
    const { choices } = event;
    if (Array.isArray(choices) && isObject(choices[0]))
      this.isOpen = typeof choices[0]['finish_reason'] !== 'string';
    return reduce(event) ? [...others, `data: ${JSON.stringify(event)}`, ''] : lines;
  }
}

const DONE = '[DONE]';
/** What stands for the end that a server left out. The reason is no known one, so it reads as "other". */
const END = { choices: [{ index: 0, delta: {}, finish_reason: DONE }] };

const DATA = /^data:? ?/;

function isData(line: string): boolean {
  return line === 'data' || line.startsWith('data:');
}

/** The JSON object of an event; null where there is none, or one too deep to be written again. */
function eventIn(text: string): Fields | null {
  try {
    const event: unknown = JSON.parse(text);
    return isObject(event) ? event : null;
  } catch {
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

/** Greater ones are no count of tokens. */
const TOKENS_MAX = 1_000_000_000;

/** A whole number from 0 to 1,000,000,000; null for anything else. */
export function soundCount(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX
    ? Math.abs(tokens)
    : null;
}
