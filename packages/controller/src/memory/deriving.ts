/**
 * What a memory says to a controller that recalls, and a controller to its memory: each answer of source `run` as
 * a function of the records that it cites. Whoever makes such an answer and whoever checks it call the same.
 * Source: machine interface, "Other ledgers".
 */
import {
  cutText,
  follow,
  isArray,
  isObject,
  type Digest,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type KernelOptions,
} from '@assay/kernel';
import { readField, listObjects } from '@assay/kernel/shape';
import type { MegramDraft } from './writing.js';
import { memory } from './machine.js';
import { recallMegrams, type Recall, type RecallQuery } from './recall.js';
import type { MemoryState, MemoryEvent } from './state.js';
import { CONTENT_UNITS_MAX, type TagName } from './tag.js';

/** What one decision of a controller has for its memory. */
export type ToldMemory =
  | { readonly kind: 'write'; readonly task: string; readonly megrams: readonly MegramDraft[] }
  | (TagName & { readonly kind: 'feedback'; readonly rule: Digest; readonly content: string });

/** What a record has for a memory: at most one write, and feedback on each rule that was followed in vain. */
export function toldMemoryIn({ kind, payload }: EvidenceRecord): readonly ToldMemory[] {
  const events = kind === 'decision' ? listObjects(readField(payload, 'events')) : [];
  const bodies = (name: string): readonly unknown[] =>
    events.flatMap((event) => (event['t'] === 'message' && event['kind'] === name ? [event['body']] : []));
  const writes = bodies('Megram') as readonly Omit<ToldMemory & { readonly kind: 'write' }, 'kind'>[];
  const feedback = bodies('NegativeFeedback') as readonly {
    readonly rules: readonly (TagName & { readonly rule: Digest })[];
    readonly content: string;
  }[];
  // One decision evaluates one round and tells of it at most once.
  return [
    ...writes
      .slice(0, 1)
      .map(
        ({ task }) => ({ kind: 'write', task, megrams: writes.flatMap(({ megrams }) => megrams) }) as const,
      ),
    ...feedback.flatMap(({ rules, content }) =>
      rules.map((rule) => ({ kind: 'feedback', ...rule, content }) as const),
    ),
  ];
}

/** That as the answer to an invitation of the memory, at a moment of its clock. */
export function memoryAnswer(told: ToldMemory, at_us: number): JsonObject {
  if (told.kind === 'write') {
    const megrams = told.megrams.map((draft) => ({ ...draft }));
    return { from: 'R7', task: told.task.slice(0, 256), megrams, at_us };
  }
  const { rule, space, entity, content } = told;
  return { from: 'R7', rule, space, entity, content: cutText(content, CONTENT_UNITS_MAX), at_us };
}

/** A recall as the answer to an invitation of the memory. */
export function recallAnswer({ intent, tools }: RecallQuery, at_us: number): JsonObject {
  return { from: 'R2', intent, tools, at_us };
}

/**
 * What a memory is told by the records of the controller that the answer cites: what their last decision has for
 * it, or the recall that is asked last. The moment is as it is said: a memory's clock is its own. Undefined
 * where nothing is derived for such an answer, null where these records give none.
 */
export function deriveMemoryAnswer(
  records: readonly EvidenceRecord[],
  { kind }: { readonly kind: string },
  said: Json,
): Json | undefined {
  if (kind !== 'write' && kind !== 'feedback' && kind !== 'recall') return undefined;
  const at_us = readField(said, 'at_us');
  if (typeof at_us !== 'number') return null;
  if (kind === 'recall') {
    const query = records.flatMap(recallsIn).at(-1);
    return query === undefined ? null : recallAnswer(query, at_us);
  }
  const told = records
    .slice(-1)
    .flatMap(toldMemoryIn)
    .find((each) => each.kind === kind && (each.kind === 'write' || each.rule === readField(said, 'rule')));
  return told === undefined ? null : memoryAnswer(told, at_us);
}

function recallsIn({ kind, payload }: EvidenceRecord): readonly RecallQuery[] {
  const requests = kind === 'decision' ? listObjects(readField(payload, 'requests')) : [];
  return requests.flatMap((request) =>
    request['kind'] === 'recall' ? [request['body'] as unknown as RecallQuery] : [],
  );
}

/**
 * The recorded reply of this group; if the same head already asked, the reply computed from the current state.
 */
export function answerFromMemory(
  events: readonly MemoryEvent[],
  state: MemoryState,
  query: RecallQuery,
  at_us: number,
): Recall {
  return events.find((event) => event.t === 'recalled')?.reply ?? recallMegrams(state, query, at_us);
}

/**
 * What a controller is answered by the records of the memory that the answer cites, whose last group is the
 * recall; else as {@link deriveMemoryAnswer}.
 */
export function deriveRecall(
  [genesis, ...rest]: readonly EvidenceRecord[],
  { kind, body }: { readonly kind: string; readonly body: Json },
  _said: Json,
  options: KernelOptions,
): Json | undefined {
  if (kind !== 'recall') return undefined;
  const query = body as unknown as RecallQuery;
  const asked = rest.findLast((record) => record.kind === 'proposal')?.payload;
  const value = readField(asked, 'value');
  if (genesis === undefined || !isObject(value) || !isAskedBy(value, query)) return null;
  let at = follow(memory, genesis, { ...options, checked: true });
  for (const record of rest) {
    if (at._tag === 'Left') return null;
    at = at.right.feed(record);
  }
  if (at._tag === 'Left') return null;
  const last = rest.at(-1)?.payload;
  const code = readField(last, 'code');
  if (code !== null && code !== 'already_written') return null;
  const events = listObjects(readField(last, 'events')) as unknown as readonly MemoryEvent[];
  const { state } = at.right.run;
  const at_us = value['at_us'] as number;
  return at_us < state.clock_us ? null : answerFromMemory(events, state, query, at_us);
}

/** True for a recall that asks this, in this order. */
function isAskedBy({ intent, tools = null }: JsonObject, query: RecallQuery): boolean {
  return (
    intent === query.intent &&
    isArray(tools) &&
    tools.length === query.tools.length &&
    query.tools.every((tool, at) => tool === tools[at])
  );
}
