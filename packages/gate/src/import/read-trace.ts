/**
 * Traces as sessions: a fold over the lines of files, of which each is lines of JSON or one document. What is not
 * understood is left out, counted and shown; it is never an error. Source: gate/G18.
 *
 * @module
 */
import {
  decodeUtf8,
  hashCanonical,
  InvariantError,
  isArray,
  isObject,
  LINE_LIMITS,
  LineSplitter,
  nobleSha256,
  type Digest,
  type Json,
  type Sha256,
} from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import { KEEP_BYTES } from '../machine/tokens.js';
import { claudeCode } from './claude-code.js';
import { inspect } from './inspect.js';
import { keepInput, keepResult } from './keep.js';
import { langsmith } from './langsmith.js';
import { openaiAgents, openaiItems } from './openai.js';
import { otel } from './otel.js';
import { Sessions, type At, type Format, type Session, type TakeRow } from './session.js';

/** The first that knows a row reads its file. Items are the plainest, so they come last. */
const FORMATS: readonly Format[] = [claudeCode, openaiAgents, langsmith, otel, inspect, openaiItems];

/** Longest document that is not one value a line, in UTF-16 units. */
const DOCUMENT_MAX = 134_217_728;
/** So many kinds of left-out things are told apart in a file. */
const NOTES_MAX = 50;

/** What was found in a file. `format`: null where no row is of a known one; `leftOut`: what, and how often. */
export type FoundFile = {
  readonly file: string;
  readonly sha256: Digest;
  readonly format: string | null;
  readonly rows: number;
  readonly leftOut: readonly (readonly [what: string, count: number])[];
};

/** What a trace is read with. `keep`: bytes of a text, and of a result, that are kept (2,048). */
export type TraceOptions = { readonly sha256?: Sha256; readonly keep?: number };

/** The file that is being read. `parts`: of a document. */
type Current = {
  readonly file: string;
  format: Format | null;
  rows: number;
  line: number;
  parts: string[] | null;
  size: number;
  readonly notes: Map<string, number>;
};

/**
 * Reads files of traces, line by line. Memory grows with the calls and what is kept of them, not with the files; a line
 * over 16 MiB is left out. Sessions may stand in several files, and files may be of several formats.
 */
export class TraceReader {
  private readonly sha256: Sha256;
  private readonly keep: number;
  private readonly readers = new Map<string, TakeRow>();
  private readonly later: (() => void)[] = [];
  private readonly found: Sessions;
  private current: Current | null = null;

  constructor({ sha256 = nobleSha256, keep = KEEP_BYTES }: TraceOptions = {}) {
    this.sha256 = sha256;
    this.keep = keep;
    this.found = new Sessions(this.note);
  }

  /** Begins a file. */
  begin(file: string): void {
    this.current = { file, format: null, rows: 0, line: 0, parts: null, size: 0, notes: new Map() };
  }

  /** Takes a line without its end. */
  line(bytes: Uint8Array): void {
    const file = this.file();
    file.line += 1;
    if (bytes.length > LINE_LIMITS.bytes) return this.note('a line over 16 MiB');
    const text = decodeUtf8(bytes);
    if (text._tag === 'Left') return this.note('a line that is no UTF-8');
    if (file.parts !== null) return this.collect(file, text.right);
    const trimmed = text.right.replace(/^\ufeff/, '').trim();
    if (trimmed === '') return;
    const value = parseJson(trimmed);
    if (value !== undefined)
      this.row(value, { file: file.file, line: file.line, hash: () => this.sha256(bytes) });
    else if (file.rows === 0 && /[[{,]$/.test(trimmed)) this.collect(file, trimmed);
    else this.note('a line that is no JSON');
  }

  /** Ends a file, whose bytes have this hash. */
  end(sha256: Digest): FoundFile {
    const file = this.file();
    if (file.parts !== null) this.document(file);
    this.current = null;
    return {
      ...{ file: file.file, sha256, format: file.format?.name ?? null, rows: file.rows },
      leftOut: [...file.notes],
    };
  }

  /** The sessions of all files; a session without calls is none. */
  sessions(): readonly Session[] {
    this.current = { file: '', format: null, rows: 0, line: 0, parts: null, size: 0, notes: new Map() };
    for (const act of this.later.splice(0)) act();
    return this.found.list();
  }

  private file(): Current {
    if (this.current === null)
      throw new InvariantError('import', 'a file is begun before its lines are given');
    return this.current;
  }

  private readonly note = (what: string): void => {
    const { notes } = this.file();
    const key = notes.has(what) || notes.size < NOTES_MAX ? what : 'others';
    notes.set(key, (notes.get(key) ?? 0) + 1);
  };

  private collect(file: Current, text: string): void {
    file.size += text.length;
    file.parts ??= [];
    if (file.size <= DOCUMENT_MAX) file.parts.push(text);
    else file.parts = [];
  }

  private document(file: Current): void {
    const value = file.size <= DOCUMENT_MAX ? parseJson((file.parts ?? []).join('\n')) : undefined;
    if (value === undefined)
      this.note(file.size > DOCUMENT_MAX ? 'a document over 128 MiB' : 'a document that is no JSON');
    else this.row(value, { file: file.file, line: null, hash: this.hash });
  }

  private readonly hash = (message: Json): Digest => {
    const hashed = hashCanonical(message, this.sha256);
    return hashed._tag === 'Right' ? hashed.right : this.sha256(new Uint8Array(0));
  };

  /** A row, or a list of them. */
  private row(value: Json, at: At): void {
    const file = this.file();
    if (isArray(value)) {
      for (const row of value) if (!isArray(row)) this.row(row, at);
      return;
    }
    file.rows += 1;
    if (!isObject(value)) return this.note('a value that is no object');
    file.format ??= FORMATS.find((format) => format.isRow(value)) ?? null;
    const what = file.format === null ? readText(value, 'type') : this.reader(file.format)(value, at);
    if (what !== null)
      this.note(what === '' ? 'a row of no known format' : `a row of type ${what.slice(0, 40)}`);
  }

  private reader(format: Format): TakeRow {
    const { name } = format;
    const reader =
      this.readers.get(name) ??
      format.open({
        add: (session, call) => this.found.add(name, session, call),
        settle: (session, id, end) => this.found.settle(name, session, id, end),
        keepInput: (value) => keepInput(value, this.keep, this.sha256),
        keepResult: (value) => keepResult(value, this.keep, this.sha256),
        note: this.note,
        later: (act) => this.later.push(act),
      });
    this.readers.set(name, reader);
    return reader;
  }
}

/** Reads one file that is at hand. */
export function readTrace(
  bytes: Uint8Array,
  file: string,
  options: TraceOptions = {},
): { readonly found: FoundFile; readonly sessions: readonly Session[] } {
  const { sha256 = nobleSha256 } = options;
  const reader = new TraceReader(options);
  const lines = new LineSplitter();
  reader.begin(file);
  for (const line of [...lines.push(bytes), ...lines.end()]) reader.line(line.bytes);
  const found = reader.end(sha256(bytes));
  return { found, sessions: reader.sessions() };
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
