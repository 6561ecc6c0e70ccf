/**
 * The text of messages before the SDK parses it: a member that stands twice in an object is gone afterwards,
 * and which of two values was meant would be a guess.
 *
 * @module
 */
import { mediaTypeEssence } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import { keyTwiceIn } from '@assay/proposer-llm';

/**
 * True where a text is JSON in which some object has a member twice. Linear. What is no JSON is left to
 * whoever parses it.
 */
export function saysTwice(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return keyTwiceIn(text) !== null;
}

/** Lines as they come in pieces. Source of the three line ends: the WHATWG event stream. */
const LINE_END = /\r\n|\n|\r/;

/**
 * The three bytes of a byte order mark as letters: eventsource-parser, the SDK's reader, cuts them off its
 * first piece, though the decoder before it took the mark itself.
 */
const MARK = '\u00ef\u00bb\u00bf';

/** The body of a response, piece by piece: one JSON text, or an event stream of them. */
export class RawBody {
  private readonly isStream: boolean;
  private readonly decoder: InstanceType<typeof TextDecoder> = new TextDecoder();
  /** What is not yet a whole line; of a JSON text all of it. */
  private readonly held: string[] = [];
  private data: string[] = [];
  private isFirst: boolean = true;
  private isAfterReturn: boolean = false;

  constructor(contentType: string | null) {
    this.isStream = mediaTypeEssence(contentType) === 'text/event-stream';
  }

  /**
   * Takes a piece; true where an event that it ends has a member twice. To be asked before anybody else sees
   * the piece.
   */
  push(bytes: Uint8Array): boolean {
    let text = this.decoder.decode(bytes, { stream: true });
    if (!this.isStream) {
      this.held.push(text);
      return false;
    }
    // Half a character is no piece yet, for the SDK's reader neither.
    if (text === '') return false;
    if (this.isFirst && text.startsWith(MARK)) text = text.slice(MARK.length);
    this.isFirst = false;
    // A return ends its line at once; a line feed that follows in the next piece belongs to it.
    const isRestOfEnd = this.isAfterReturn && text.startsWith('\n');
    this.isAfterReturn = text.endsWith('\r');
    if (isRestOfEnd) text = text.slice(1);
    const [first = '', ...rest] = text.split(LINE_END);
    this.held.push(first);
    let isTwice = false;
    for (const next of rest) {
      if (this.endsLine()) isTwice = true;
      this.held.push(next);
    }
    return isTwice;
  }

  /** The body is over; true where the JSON text that it was has a member twice. */
  end(): boolean {
    return !this.isStream && saysTwice(this.held.splice(0).join(''));
  }

  /** The held line is whole: an empty one ends an event, whose data is JSON. */
  private endsLine(): boolean {
    const line = this.held.splice(0).join('');
    if (line.startsWith('data:')) this.data.push(line.slice(5));
    if (line !== '') return false;
    const event = this.data.join('\n');
    this.data = [];
    return event !== '' && saysTwice(event);
  }
}
