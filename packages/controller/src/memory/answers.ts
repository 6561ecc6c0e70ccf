/**
 * Reading what is brought to a memory: each invitation and each request has its own closed shape.
 * Source: 002 §6g; dec-M15, dec-M18; machine interface, "Order of checks".
 *
 * @module
 */
import {
  err,
  isDigest,
  ok,
  parseShape,
  type Digest,
  type Json,
  type Rejection,
  type Result,
  type Shape,
} from '@assay/kernel';
import { closed, digest, integer, list, nullable, oneOf, text } from '@assay/kernel/shape';
import { DIRECTIVES, mayWrite, type MemoryDirective } from './quantization.js';
import { RECALL_TOOLS_MAX, type RecallQuery } from './recall.js';
import { CONTENT_UNITS_MAX, ENTITY_UNITS_MAX, LOCAL, SPACE_UNITS_MAX, tagKind, type TagName } from './tag.js';

/**
 * What the goal gradient writes: a tag, what happened, and a text. No number: the machine has them (002 §6c).
 */
export type MegramDraft = TagName & { readonly content: string; readonly state: MemoryDirective };

/** What an answer means. */
export type MemoryAnswer =
  | {
      readonly t: 'write';
      readonly task: string;
      readonly megrams: readonly MegramDraft[];
      readonly at_us: number;
    }
  | (TagName & {
      readonly t: 'feedback';
      readonly rule: Digest;
      readonly content: string;
      readonly at_us: number;
    })
  | { readonly t: 'recall'; readonly query: RecallQuery; readonly at_us: number }
  | { readonly t: 'dream'; readonly at_us: number }
  | (TagName & {
      readonly t: 'forget';
      readonly id: Digest | null;
      readonly why: string;
      readonly at_us: number;
    })
  | { readonly t: 'end'; readonly at_us: number }
  | { readonly t: 'distil'; readonly text: string };

/** Most Megrams of one write. */
const WRITE_MEGRAMS_MAX = 256;
/** Most UTF-16 units of a distilled text. */
const RULE_UNITS_MAX = 2_000;
const TASK_UNITS_MAX = 256;

/**
 * Reads an answer to a request of a kind. Total. Errors: `bad_answer` {path} for a shape; `not_the_writer`
 * {from} where another than R7 writes or gives feedback, or another than R2 recalls; `bad_tag` {path} where a
 * directive may not write to a tag.
 */
export function parseAnswer(value: Json, kind: string): Result<Rejection, MemoryAnswer> {
  const shape = SHAPES.get(kind);
  if (shape === undefined) return err({ code: 'bad_answer', detail: { path: '' } });
  const shaped = parseShape<Given>(shape, value);
  if (shaped._tag === 'Left') return err({ code: 'bad_answer', detail: { path: shaped.left.path } });
  return meaningOf(kind, shaped.right);
}

type Given = {
  readonly from: string;
  readonly task: string;
  readonly megrams: readonly MegramDraft[];
  readonly at_us: number;
  readonly rule: Digest;
  readonly space: string;
  readonly entity: string;
  readonly content: string;
  readonly intent: string;
  readonly tools: readonly string[];
  readonly id: Digest | null;
  readonly why: string;
  readonly text: string;
};

/** The shape of a kind holds what is read of it here. */
function meaningOf(kind: string, given: Given): Result<Rejection, MemoryAnswer> {
  const { at_us, content, entity, from, id, intent, megrams, rule, space, task, tools, why } = given;
  switch (kind) {
    case 'write': {
      if (from !== 'R7') return err({ code: 'not_the_writer', detail: { from } });
      const stray = megrams.findIndex((draft) => !mayWrite(draft.state, draft));
      return stray === -1
        ? ok({ t: 'write', task, megrams, at_us })
        : err({ code: 'bad_tag', detail: { path: `/megrams/${stray}` } });
    }
    case 'feedback':
      return from === 'R7'
        ? ok({ t: 'feedback', space, entity, rule, content, at_us })
        : err({ code: 'not_the_writer', detail: { from } });
    case 'recall':
      if (from !== 'R2') return err({ code: 'not_the_writer', detail: { from } });
      return tagKind({ space: intent, entity: LOCAL }) === 'intent'
        ? ok({ t: 'recall', query: { intent, tools }, at_us })
        : err({ code: 'bad_tag', detail: { path: '/intent' } });
    case 'dream':
      return ok({ t: 'dream', at_us });
    case 'forget':
      return ok({ t: 'forget', space, entity, id, why, at_us });
    case 'end':
      return ok({ t: 'end', at_us });
    default:
      return ok({ t: 'distil', text: given.text });
  }
}

const at_us: Shape = integer(0);
const from = text((role) => role.length <= 16);
const space = text((value) => value.length <= SPACE_UNITS_MAX);
const entity = text((value) => value.length <= ENTITY_UNITS_MAX);
const content = text((value) => value.length <= CONTENT_UNITS_MAX);
const task = text((value) => value.length <= TASK_UNITS_MAX);
const DRAFT = closed({ space, entity, content, state: oneOf(DIRECTIVES) });

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'write',
    closed({
      from,
      task,
      megrams: list(DRAFT, ({ length }) => length >= 1 && length <= WRITE_MEGRAMS_MAX),
      at_us,
    }),
  ],
  ['feedback', closed({ from, rule: digest, space, entity, content, at_us })],
  [
    'recall',
    closed({
      from,
      intent: space,
      tools: list(
        text((name) => name.length <= SPACE_UNITS_MAX),
        ({ length }) => length <= RECALL_TOOLS_MAX,
      ),
      at_us,
    }),
  ],
  ['dream', closed({ at_us })],
  [
    'forget',
    closed({ space, entity, id: nullable((value) => (isDigest(value) ? null : '')), why: content, at_us }),
  ],
  ['end', closed({ at_us })],
  ['distil', closed({ text: text((words) => words.length <= RULE_UNITS_MAX && /[^ \t\r\n]/.test(words)) })],
]);
