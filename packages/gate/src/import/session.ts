/**
 * What a trace says of a session: its calls, and what came of them. Nothing is made up: what a trace does not say is
 * null. Source: gate/G18.
 *
 * @module
 */
import type { Digest, Json, JsonObject } from '@assay/kernel';
import type { Kept } from './keep.js';

/** The model's message that a call stood in. `hash`: of its line, or of the message where a trace is one document. */
export type Said = { readonly provider: string | null; readonly model: string; readonly hash: Digest };

/** What came of a call. `by`: who refused it there. `at`: microseconds. */
export type End = {
  readonly at: number | null;
  readonly isOk: boolean;
  readonly by: 'person' | 'policy' | null;
  readonly result: Kept;
};

/** A call. `input`: null where the trace does not say; `at`: microseconds; `end`: null where nothing came of it. */
export type Call = {
  readonly id: string;
  readonly tool: string;
  readonly principal: string;
  readonly input: Kept | null;
  readonly at: number | null;
  readonly said: Said | null;
  readonly file: string;
  readonly line: number | null;
  readonly end: End | null;
};

/** A session: its calls as they stand in the trace. `files`: those that it stands in. */
export type Session = {
  readonly format: string;
  readonly id: string;
  readonly files: readonly string[];
  readonly calls: readonly Call[];
};

/** Where a row stands, and the hash of a message in it. */
export type At = {
  readonly file: string;
  readonly line: number | null;
  readonly hash: (message: Json) => Digest;
};

/** What readers of formats give what they find. */
export type Sink = {
  /** A call of a session; the second of an id is left out, and counted. */
  readonly add: (session: string, call: Omit<Call, 'end'>) => void;
  /** What came of a call; of one that is not there it is counted. */
  readonly settle: (session: string, id: string, end: End) => void;
  readonly keepInput: (value: Json) => Kept | null;
  readonly keepResult: (value: Json) => Kept;
  /** Counts a thing of a trace that was left out. */
  readonly note: (what: string) => void;
  /** Does what needs all rows, once they are there. */
  readonly later: (act: () => void) => void;
};

/** Reads a row: null where it was understood, else what to call it. */
export type TakeRow = (row: JsonObject, at: At) => string | null;

/** A format, told by what its rows hold. */
export type Format = {
  readonly name: string;
  readonly isRow: (row: JsonObject) => boolean;
  readonly open: (sink: Sink) => TakeRow;
};

/** A text of JSON as what it says; any other value as it is. */
export function readJsonText(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

type Draft = { readonly session: Omit<Session, 'calls' | 'files'>; readonly calls: Map<string, Call> };

/** The sessions of traces, as they are found. */
export class Sessions {
  private readonly drafts = new Map<string, Draft>();
  private readonly note: (what: string) => void;

  constructor(note: (what: string) => void) {
    this.note = note;
  }

  /** Adds a call. */
  add(format: string, id: string, call: Omit<Call, 'end'>): void {
    const key = `${format} ${id}`;
    const draft = this.drafts.get(key) ?? { session: { format, id }, calls: new Map<string, Call>() };
    this.drafts.set(key, draft);
    if (draft.calls.has(call.id)) this.note('a call that stands twice');
    else draft.calls.set(call.id, { ...call, end: null });
  }

  /** Says what came of a call; the first word counts. */
  settle(format: string, id: string, callId: string, end: End): void {
    const calls = this.drafts.get(`${format} ${id}`)?.calls;
    const call = calls?.get(callId);
    if (calls === undefined || call === undefined) this.note('a result without its call');
    else if (call.end === null) calls.set(callId, { ...call, end });
  }

  /** All of them, as they were found. */
  list(): readonly Session[] {
    return [...this.drafts.values()].map(({ session, calls }) => {
      const all = [...calls.values()];
      return { ...session, calls: all, files: [...new Set(all.map(({ file }) => file))] };
    });
  }
}
