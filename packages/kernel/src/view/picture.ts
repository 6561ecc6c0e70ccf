/** View data: what a machine shows of a run, as plain data. Whoever draws it decides how it looks. */
import type { Json } from '../json.js';

/** Text of ours, or what evidence says: quoted, made visible, never markup or a link. */
export type Piece = string | { readonly said: string };
/** Text in pieces; a plain string is ours. */
export type Text = string | readonly Piece[];
/** How something is meant. A word says it too; `good` is never "verified". */
export type Tone = 'plain' | 'good' | 'bad' | 'open' | 'faint';
/** What an integer counts. `micro:EUR`: millionths of a euro. */
export type Unit = 'count' | 'ppm' | 'nano' | 'us' | 'bytes' | 'tokens' | `micro:${string}`;
/** A number as the machine has it. `exact`: "n/d" where the integer is rounded; `text`: how people read it. */
export type Amount = {
  readonly n: number;
  readonly unit: Unit;
  readonly exact: string | null;
  readonly text?: string;
};
/** A cell of a table; null if there is nothing. */
export type Cell = Text | Amount | null;
/** Where something stands: the position of its record in the file, from 0. */
export type At = { readonly record: number | null };
/** A line drawn across, with its name. */
export type Limit = { readonly label: string; readonly at: number };
/** What a direction counts. `ends`: what its ends are called, such as two dates. */
export type Axis = {
  readonly label: string;
  readonly unit: 'record' | Unit;
  readonly ends?: readonly [from: string, to: string];
};

/** One fact by its name. `move`: the command that tries it. */
export type Fact = At & {
  readonly name: string;
  readonly value: Cell;
  readonly tone: Tone;
  readonly move?: NextMove;
};
/** One row of a table. */
export type Row = At & { readonly cells: readonly Cell[]; readonly tone: Tone };
/** One bar of a stack; a null value does not apply. */
export type StackRow = At & {
  readonly label: Text;
  readonly values: readonly (number | null)[];
  readonly total: number | null;
  readonly tag: string;
  readonly tone: Tone;
  readonly note: Text;
};
/** One line of a series. */
export type Line = {
  readonly name: Text;
  readonly main: boolean;
  readonly step: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
};
/** Something that happened at a place of a series. */
export type Mark = At & { readonly x: number; readonly label: string; readonly tone: Tone };
/** One cell of a grid. `visits`: what fell into it. */
export type GridCell = { readonly label: string; readonly tone: Tone; readonly visits: readonly string[] };
/** What lasts, in a lane. */
export type Span = At & {
  readonly lane: number;
  readonly from: number;
  readonly to: number;
  readonly label: Text;
  readonly tone: Tone;
};
/** What goes from one lane to another. */
export type Arrow = At & {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly label: string;
  readonly tone: Tone;
};
/** One node of a tree. */
export type Branch = At & {
  readonly label: Text;
  readonly tag: string;
  readonly tone: Tone;
  readonly note: Text;
  readonly under: readonly Branch[];
};
/** One node of a graph. */
export type GraphPoint = At & {
  readonly id: string;
  readonly shape: string;
  readonly label: Text;
  readonly tone: Tone;
};
/** A stretch of a passage, in code points; `end` is left out. */
export type Stretch = {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly tone: Tone;
};

/** The ten kinds of picture. */
export type Block =
  | { readonly t: 'note'; readonly tone: Tone; readonly text: Text }
  | { readonly t: 'facts'; readonly rows: readonly Fact[] }
  | { readonly t: 'table'; readonly columns: readonly string[]; readonly rows: readonly Row[] }
  | {
      readonly t: 'stack';
      readonly unit: Unit;
      readonly parts: readonly string[];
      readonly limits: readonly Limit[];
      readonly rows: readonly StackRow[];
    }
  | {
      readonly t: 'series';
      readonly x: Axis;
      readonly unit: Unit;
      readonly lines: readonly Line[];
      readonly limits: readonly Limit[];
      readonly marks: readonly Mark[];
    }
  | {
      readonly t: 'grid';
      readonly columns: readonly string[];
      readonly rows: readonly { readonly name: string; readonly cells: readonly GridCell[] }[];
    }
  | {
      readonly t: 'lanes';
      readonly axis: Axis;
      readonly lanes: readonly { readonly name: Text; readonly note: string }[];
      readonly spans: readonly Span[];
      readonly arrows: readonly Arrow[];
    }
  | { readonly t: 'tree'; readonly roots: readonly Branch[] }
  | {
      readonly t: 'graph';
      readonly nodes: readonly GraphPoint[];
      readonly edges: readonly { readonly from: string; readonly to: string; readonly kind: string }[];
    }
  | { readonly t: 'passage'; readonly text: string; readonly spans: readonly Stretch[] };

/** Where panels are shown. */
export const PAGES = ['overview', 'decision', 'course', 'result'] as const;
/** Where a panel is shown. */
export type Page = (typeof PAGES)[number];

/** One block with what it shows, in words. `left_out`: rows that did not fit. */
export type Panel = {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly page: Page;
  readonly block: Block;
  readonly left_out: number;
};

/** What a run came to, why, what was asked, and the panels. */
export type Picture = {
  readonly tone: Tone;
  readonly verdict: string;
  readonly subject: Text;
  readonly because: Text;
  readonly asked: Text;
  readonly panels: readonly Panel[];
};

/** A number that could have been another. */
export type Knob = {
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  readonly at: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
};

/** A record in one line. */
export type Described = { readonly text: Text; readonly tone: Tone };
/** A document that a run writes beside its ledger. `blocks`: the same for people. */
export type ViewFile = { readonly name: string; readonly json: Json; readonly blocks: readonly Block[] };
/** What to type next, as data: no quotes, no paths but those in `args`. */
export type NextMove = { readonly command: string; readonly args: readonly string[] };
/** A knob at another value. */
export type Turned = { readonly id: string; readonly to: number };
/** What the run would have been. `unknown`: what nobody answered, and can no longer be known. */
export type Tried = Picture & { readonly unknown: readonly Text[] };
