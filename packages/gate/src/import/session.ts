/**
 * What a trace says of a session: its calls, what came of them, and how many. Nothing is made up: what a
 * trace does not say is null. Source: gate/G18.
 *
 * @module
 */
import { compareText, type Digest, type Json, type JsonObject } from '@assay/kernel';
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

/** How many calls came to what. `lost`: no result; the last two: what the trace does not say of them. */
export type CallCounts = {
  readonly calls: number;
  readonly failed: number;
  readonly refused: number;
  readonly lost: number;
  readonly no_input: number;
  readonly no_model: number;
  readonly no_time: number;
};

/** The counts of all calls, and of each tool, the most used first. */
export function countCalls(sessions: readonly Session[]): {
  readonly all: CallCounts;
  readonly tools: readonly (CallCounts & { readonly tool: string })[];
} {
  const calls = sessions.flatMap((session) => session.calls);
  const tools = [...groupByTool(calls)].map(([tool, same]) => ({ tool, ...count(same) }));
  return {
    all: count(calls),
    tools: tools.toSorted((a, b) => b.calls - a.calls || compareText(a.tool, b.tool)),
  };
}

/** Calls by their tool, as they were met. */
export function groupByTool<T extends { readonly tool: string }>(
  calls: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const call of calls) {
    const same = groups.get(call.tool);
    if (same === undefined) groups.set(call.tool, [call]);
    else same.push(call);
  }
  return groups;
}

function count(calls: readonly Call[]): CallCounts {
  const some = (test: (call: Call) => boolean): number => calls.filter(test).length;
  return {
    calls: calls.length,
    failed: some(({ end }) => end !== null && !end.isOk && end.by === null),
    refused: some(({ end }) => end !== null && end.by !== null),
    lost: some(({ end }) => end === null),
    no_input: some(({ input }) => input === null),
    no_model: some(({ said, at }) => said === null || said.provider === null || at === null),
    no_time: some(({ at }) => at === null),
  };
}
