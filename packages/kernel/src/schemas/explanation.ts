/**
 * Schema of the document that `assay show --json` prints: the picture of a run's machine. Source: explorer
 * X2.
 */
import {
  anyOf,
  closed,
  flag,
  integer,
  lazy,
  list,
  nullable,
  oneOf,
  open,
  pairOf,
  text,
  tuple,
  type Shape,
} from '../ledger/shape.js';
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

const words = text();
const whole = integer(Number.MIN_SAFE_INTEGER);
const record = nullable(integer(0));
const prose: Shape<Text> = anyOf(words, list(anyOf(words, closed({ said: words }))));
const tone = oneOf(['plain', 'good', 'bad', 'open', 'faint']);
const unit: Shape<Unit> = anyOf(
  oneOf(['count', 'ppm', 'nano', 'us', 'bytes', 'tokens']),
  text<`micro:${string}`>((value) => value.startsWith('micro:'), { pattern: /^micro:/ }),
);
const amount: Shape<Amount> = open({ n: whole, unit, exact: nullable(words) }, { text: words });
const cell: Shape<Cell> = nullable(anyOf(amount, prose));
const limits = list(closed({ label: words, at: whole }));
const axis = open({ label: words, unit: anyOf(oneOf(['record']), unit) }, { ends: tuple(words, words) });
const labelled = { record, label: prose, tone };
const branches: Shape<readonly Branch[]> = lazy(() => list(branch));
const branch: Shape<Branch> = closed({
  ...labelled,
  tag: words,
  note: prose,
  under: branches,
});

const move: Shape<NextMove> = closed({ command: words, args: list(words) });
const block: Shape<Block> = anyOf(
  closed({ t: oneOf(['note']), tone, text: prose }),
  closed({
    t: oneOf(['facts']),
    rows: list(open({ record, name: words, value: cell, tone }, { move })),
  }),
  closed({
    t: oneOf(['table']),
    columns: list(words),
    rows: list(closed({ record, cells: list(cell), tone })),
  }),
  closed({
    t: oneOf(['stack']),
    unit,
    parts: list(words),
    limits,
    rows: list(
      closed({
        ...labelled,
        values: list(nullable(whole)),
        total: nullable(whole),
        tag: words,
        note: prose,
      }),
    ),
  }),
  closed({
    t: oneOf(['series']),
    x: axis,
    unit,
    lines: list(
      closed({
        name: prose,
        main: flag,
        step: flag,
        points: list(pairOf(whole)),
      }),
    ),
    limits,
    marks: list(closed({ record, x: whole, label: words, tone })),
  }),
  closed({
    t: oneOf(['grid']),
    columns: list(words),
    rows: list(
      closed({
        name: words,
        cells: list(closed({ label: words, tone, visits: list(words) })),
      }),
    ),
  }),
  closed({
    t: oneOf(['lanes']),
    axis,
    lanes: list(closed({ name: prose, note: words })),
    spans: list(closed({ ...labelled, lane: whole, from: whole, to: whole })),
    arrows: list(closed({ record, from: whole, to: whole, at: whole, label: words, tone })),
  }),
  closed({ t: oneOf(['tree']), roots: branches }),
  closed({
    t: oneOf(['graph']),
    nodes: list(closed({ ...labelled, id: words, shape: words })),
    edges: list(closed({ from: words, to: words, kind: words })),
  }),
  closed({
    t: oneOf(['passage']),
    text: words,
    spans: list(closed({ start: whole, end: whole, label: words, tone })),
  }),
);

const picture: Shape<Picture> = closed({
  tone,
  verdict: words,
  subject: prose,
  because: prose,
  asked: prose,
  panels: list(
    closed({
      id: words,
      title: words,
      says: words,
      page: oneOf(['overview', 'decision', 'course', 'result']),
      block,
      left_out: integer(0),
    }),
  ),
});

const knobs: Shape<readonly Knob[]> = list(
  closed({ id: words, label: words, unit, at: whole, min: whole, max: whole, step: whole }),
);

/** What the methods of a view return: the judge of views that are somebody else's code. */
export const viewSchemas: {
  readonly show: Shape<Picture>;
  readonly knobs: Shape<readonly Knob[]>;
  readonly next: Shape<readonly NextMove[]>;
  readonly describe: Shape<Described>;
} = { show: picture, knobs, next: list(move), describe: closed({ text: prose, tone }) };

/** What `assay show --json` prints. */
export const explainDocumentSchema: Shape<ExplainDocument> = closed({
  run_id: words,
  file: words,
  machine: closed({ name: words, version: whole, engine: nullable(words) }),
  what_if_of: nullable(words),
  outcome: nullable(oneOf(['success', 'refused'])),
  picture,
  knobs,
  next: list(list(words, ({ length }) => length >= 2, { min: 2 })),
});
