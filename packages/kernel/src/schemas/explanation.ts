/**
 * Schema of the document that `assay show --json` prints: the picture of a run's machine. Source: explorer
 * X2.
 *
 * @module
 */
import * as z from 'zod';
import type { Status } from '../ledger/payloads.js';
import type {
  Amount,
  Block,
  Branch,
  Cell,
  Described,
  Knob,
  NextMove,
  Picture,
  Text,
  Unit,
} from '../view/picture.js';

/**
 * What `assay show --json` prints. `what_if_of`: the run a fork goes off from, null for a run that happened;
 * `outcome`: null while the run is open; `next`: commands as words.
 */
export type ExplainDocument = {
  readonly run_id: string;
  readonly file: string;
  readonly machine: { readonly name: string; readonly version: number; readonly engine: string | null };
  readonly what_if_of: string | null;
  readonly outcome: Status | null;
  readonly picture: Picture;
  readonly knobs: readonly Knob[];
  readonly next: readonly (readonly string[])[];
};

const words = z.string();
const whole = z.int();
const record = z.nullable(z.int().min(0));
const text: z.ZodType<Text> = z.union([words, z.array(z.union([words, z.strictObject({ said: words })]))]);
const tone = z.enum(['plain', 'good', 'bad', 'open', 'faint']);
const unit: z.ZodType<Unit> = z.union([
  z.enum(['count', 'ppm', 'nano', 'us', 'bytes', 'tokens']),
  z.templateLiteral(['micro:', z.string()]),
]);
const amount: z.ZodType<Amount> = z.strictObject({ n: whole, unit, exact: z.nullable(words) });
const cell: z.ZodType<Cell> = z.nullable(z.union([amount, text]));
const limits = z.array(z.strictObject({ label: words, at: whole }));
const axis = z.strictObject({ label: words, unit: z.union([z.literal('record'), unit]) });
const labelled = { record, label: text, tone };
const branch: z.ZodType<Branch> = z.strictObject({
  ...labelled,
  tag: words,
  note: text,
  get under() {
    return z.array(branch);
  },
});

const move: z.ZodType<NextMove> = z.strictObject({ command: words, args: z.array(words) });
const block: z.ZodType<Block> = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('note'), tone, text }),
  z.strictObject({
    t: z.literal('facts'),
    rows: z.array(z.strictObject({ record, name: words, value: cell, tone, move: move.exactOptional() })),
  }),
  z.strictObject({
    t: z.literal('table'),
    columns: z.array(words),
    rows: z.array(z.strictObject({ record, cells: z.array(cell), tone })),
  }),
  z.strictObject({
    t: z.literal('stack'),
    unit,
    parts: z.array(words),
    limits,
    rows: z.array(
      z.strictObject({
        ...labelled,
        values: z.array(z.nullable(whole)),
        total: z.nullable(whole),
        tag: words,
        note: text,
      }),
    ),
  }),
  z.strictObject({
    t: z.literal('series'),
    x: axis,
    unit,
    lines: z.array(
      z.strictObject({
        name: text,
        main: z.boolean(),
        step: z.boolean(),
        points: z.array(z.tuple([whole, whole])),
      }),
    ),
    limits,
    marks: z.array(z.strictObject({ record, x: whole, label: words, tone })),
  }),
  z.strictObject({
    t: z.literal('grid'),
    columns: z.array(words),
    rows: z.array(
      z.strictObject({
        name: words,
        cells: z.array(z.strictObject({ label: words, tone, visits: z.array(words) })),
      }),
    ),
  }),
  z.strictObject({
    t: z.literal('lanes'),
    axis,
    lanes: z.array(z.strictObject({ name: text, note: words })),
    spans: z.array(z.strictObject({ ...labelled, lane: whole, from: whole, to: whole })),
    arrows: z.array(z.strictObject({ record, from: whole, to: whole, at: whole, label: words, tone })),
  }),
  z.strictObject({ t: z.literal('tree'), roots: z.array(branch) }),
  z.strictObject({
    t: z.literal('graph'),
    nodes: z.array(z.strictObject({ ...labelled, id: words, shape: words })),
    edges: z.array(z.strictObject({ from: words, to: words, kind: words })),
  }),
  z.strictObject({
    t: z.literal('passage'),
    text: words,
    spans: z.array(z.strictObject({ start: whole, end: whole, label: words, tone })),
  }),
]);

const picture: z.ZodType<Picture> = z.strictObject({
  tone,
  verdict: words,
  subject: text,
  because: text,
  asked: text,
  panels: z.array(
    z.strictObject({
      id: words,
      title: words,
      says: words,
      page: z.enum(['overview', 'decision', 'course', 'result']),
      block,
      left_out: z.int().min(0),
    }),
  ),
});

const knobs: z.ZodType<readonly Knob[]> = z.array(
  z.strictObject({ id: words, label: words, unit, at: whole, min: whole, max: whole, step: whole }),
);

/** What the methods of a view return: the judge of views that are somebody else's code. */
export const viewSchemas: {
  readonly show: z.ZodType<Picture>;
  readonly knobs: z.ZodType<readonly Knob[]>;
  readonly next: z.ZodType<readonly NextMove[]>;
  readonly describe: z.ZodType<Described>;
} = { show: picture, knobs, next: z.array(move), describe: z.strictObject({ text, tone }) };

/** What `assay show --json` prints. */
export const explainDocumentSchema: z.ZodType<ExplainDocument> = z.strictObject({
  run_id: words,
  file: words,
  machine: z.strictObject({ name: words, version: whole, engine: z.nullable(words) }),
  what_if_of: z.nullable(words),
  outcome: z.nullable(z.enum(['success', 'refused'])),
  picture,
  knobs,
  next: z.array(z.array(words).min(2)),
});
