/**
 * What the page asks its worker, and what the worker tells it. The page holds no ledger: it asks for rows.
 * Source: explorer/X7.
 */
import type { Json } from '@assay/kernel';
import type { Knob, Picture, Text, Tone, Tried, Turned } from '@assay/kernel/view';
import type { CheckName, Checks, LedgerDiff, VerifyDocument } from '@assay/verifier';
import type { Attack } from '@assay/verifier/attacks';

/** What is brought from outside of a file. `proofs`: files of signatures and proofs, one after the other. */
export type Beside = {
  readonly head: string | null;
  readonly proofs: Uint8Array | null;
  readonly key: string | null;
};

/**
 * A file to check. `packed`: base64 of gzip of each data element of a report, as text or its bytes; `bytes`: a ledger
 * or a report; `url`: of the server that serves this page.
 */
export type Given = { readonly label: string; readonly beside: Beside } & (
  | { readonly t: 'packed'; readonly packed: readonly (string | Uint8Array)[]; readonly kept: string }
  | { readonly t: 'bytes'; readonly bytes: Blob }
  | { readonly t: 'url'; readonly url: string }
);

/** Why nothing was checked, in words: what, where, what next. */
export type Refused = { readonly t: 'refused'; readonly says: string; readonly next: string };

/** A run, by what its genesis says. */
export type RunNamed = {
  readonly id: string;
  readonly machine: string;
  readonly policy: string;
  readonly input: string;
};

/** Everything about a file but its rows. `judged`: records whose integrity holds. */
export type Checked = {
  readonly t: 'checked';
  readonly label: string;
  readonly document: VerifyDocument;
  readonly sentence: string;
  readonly reasons: { readonly [check in CheckName]: { readonly says: string; readonly at: string } };
  readonly run: RunNamed | null;
  readonly head: string | null;
  readonly records: number;
  readonly judged: number;
  /** Where the record lies at which integrity or re-derivation failed: its line, from 1, and its first byte. */
  readonly fault: { readonly line: number; readonly byte: number } | null;
  readonly bytes: number;
  /** It is served, and open: more may come. */
  readonly mayGrow: boolean;
  readonly ms: number;
  /** Kinds by position, as places in KINDS; of those that hold. */
  readonly kinds: Uint8Array;
  readonly sources: readonly { readonly name: string; readonly count: number }[];
  readonly people: readonly string[];
  /** Null where nothing may be drawn, or no view is at hand. */
  readonly picture: Picture | null;
  readonly knobs: readonly Knob[];
  /** Openings and blobs in the report, whether or not they fit; null: they cannot be unpacked. */
  readonly kept: number | null;
  readonly files: readonly { readonly name: string; readonly json: string }[];
  readonly next: readonly string[];
};

/** Kinds of records, as rows name them; the last is a line that was not judged. */
export const KINDS = [
  'genesis',
  'proposal',
  'rejection',
  'decision',
  'artifact',
  'close',
  'not judged',
] as const;

/** A run of a list, checked: what it is, how it ended, when, what its checks came to, and what it spent. */
export type Glance = {
  readonly t: 'glance';
  readonly machine: string;
  readonly outcome: string;
  /** Microseconds since 1970, as the last answer with a time states it. */
  readonly time: number | null;
  readonly verdict: 'failed' | 'held' | 'not_checked';
  readonly spent: string;
};

/** One row of the ledger. */
export type Row = {
  readonly at: number;
  readonly kind: (typeof KINDS)[number];
  readonly source: string | null;
  readonly text: Text;
  readonly tone: Tone;
};

/**
 * One line of the transcript: who answered what, what was decided on it, and what it names. `at`: the answer's
 * record; `next`: that of the decision, null where there is none yet. `named`: tools, files, addresses. `time`:
 * microseconds since 1970, as the answer states it.
 */
export type Turn = {
  readonly at: number;
  readonly asks: string;
  readonly source: string;
  readonly by: string;
  readonly says: Text;
  readonly named: readonly string[];
  readonly next: number | null;
  readonly decided: Text;
  readonly tone: Tone;
  readonly spent: string;
  readonly time: number | null;
};

/** Which turns are asked for: of a source, or of any; those that were refused alone; as many as `most`. */
export type TurnFilter = { readonly source: string | null; readonly refused: boolean; readonly most: number };

/** Turns in order, and how many there are. */
export type Turns = { readonly turns: readonly Turn[]; readonly total: number };

/** Which rows are asked for; all of them where everything is null. `found`: text that stands in the record. */
export type Filter = {
  readonly kind: string | null;
  readonly source: string | null;
  readonly found: string | null;
};

/** Positions of rows, rising. `more`: true where not every record was looked at, or told. */
export type Listed = { readonly positions: Uint32Array; readonly more: boolean };

/** A way from a record to another. */
export type Link = { readonly says: string; readonly record: number };

/**
 * Content that a record cites by a token. `fits`: it is in the report and has the digest, computed here;
 * `wrong`: it has another, and is not shown; `absent`: it is not in the report. `text`: null where it is none; cut
 * where it is long, `left` characters.
 */
export type Cited = {
  readonly of: 'opening' | 'blob';
  readonly digest: string;
  readonly state: 'fits' | 'wrong' | 'absent';
  readonly bytes: number;
  readonly text: string | null;
  readonly left: number;
};

/** One record. `json`: null where its line is none. `line`: cut where it is long, `left` characters. */
export type RecordShown = {
  readonly row: Row;
  readonly line: string;
  readonly left: number;
  readonly json: Json;
  readonly links: readonly Link[];
  readonly cited: readonly Cited[];
};

/** A hash computed again. */
export type Rehashed = { readonly of: string; readonly recorded: string; readonly computed: string };

/** One node of the context graph. */
export type GraphNode = {
  readonly id: string;
  readonly kind: string;
  readonly record: number;
  readonly said: string;
};
/** The context graph, or what lies around one node of it. `total`: nodes there are; `isDrawn`: few enough to draw. */
export type GraphShown = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly kind: string }[];
  readonly total: number;
  readonly isDrawn: boolean;
};

/** What a forged copy came to, beside a head kept elsewhere and a signature by a throw-away key. */
export type Attacked = {
  readonly attack: Attack | 'yours';
  readonly done: string;
  readonly edit: { readonly path: string; readonly from: string; readonly to: string } | null;
  readonly checks: Checks;
  readonly caughtBy: CheckName | null;
};

/** A field that the reader changes. `path`: a JSON pointer into the record; `value`: JSON text. */
export type Edit = {
  readonly record: number;
  readonly path: string;
  readonly value: string;
  readonly isHashed: boolean;
};

/** A place where two runs were given something else; `path`: a JSON pointer into the genesis; JSON texts. */
export type GivenOther = { readonly path: string; readonly left: string; readonly right: string };

/** Two files compared; `other`: the second one's document and sentence. */
export type Compared = {
  readonly t: 'compared';
  readonly label: string;
  readonly isSame: boolean;
  /** The machine, policy, input and answers of both, equal or not; null where they were not compared. */
  readonly given: readonly { readonly name: string; readonly same: boolean | null }[];
  readonly others: readonly GivenOther[];
  readonly found: LedgerDiff | null;
  readonly says: string;
  readonly sentence: string;
};

/** The calls: what is given, and what it gives. */
export type Calls = {
  readonly load: readonly [Given, Checked | Refused];
  /** Reads on where the file was left, from its server. */
  readonly grow: readonly [string, Checked | Refused];
  /** Checks a file beside the one that is shown. */
  readonly glance: readonly [Given, Glance | Refused];
  readonly list: readonly [Filter, Listed];
  readonly rows: readonly [readonly number[], readonly Row[]];
  readonly turns: readonly [TurnFilter, Turns];
  readonly record: readonly [number, RecordShown | null];
  readonly rehash: readonly [number, readonly Rehashed[]];
  readonly graph: readonly [string | null, GraphShown];
  readonly attack: readonly [Attack, Attacked | null];
  readonly edit: readonly [Edit, Attacked | Refused];
  readonly tryOut: readonly [readonly Turned[], Tried | Refused];
  readonly compare: readonly [Given, Compared | Refused];
};
/** The name of a call. */
export type Call = keyof Calls;
/** How the page asks. */
export type Ask = <K extends Call>(call: K, given: Calls[K][0]) => Promise<Calls[K][1]>;
/** What a worker says before its answer. */
export type News = { readonly records: number; readonly bytes: number };
