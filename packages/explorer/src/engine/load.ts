/** A file checked once: verdicts, rows and picture from one reading. Source: explorer/X7. */
import { Authorship, parsePublicKey, readEvidenceLines, weigh } from '@assay/attest';
import {
  field,
  formatHeadLine,
  hashCanonical,
  isObject,
  orThrow,
  parseHeadLine,
  runView,
  type EvidenceRecord,
  type Json,
  type Replayable,
  type RunSummary,
} from '@assay/kernel';
import { watched, type Viewable, type Viewer } from '@assay/kernel/view';
import {
  CHECKS,
  VerifyStream,
  type CheckName,
  type Verdict,
  type VerifyDocument,
  type VerifyOptions,
} from '@assay/verifier';
import { renderPlace, renderReason, renderSentence } from '@assay/views';
import { RECORDS_MAX } from '../data/packed.js';
import type { Beside, Checked, Given, News, Refused, RunNamed } from '../data/calls.js';
import { readKept, type Kept } from './kept.js';
import { Lines } from './lines.js';
import { readChunks, refused, Unreadable } from './reading.js';
import { Rows } from './rows.js';
import { pageSha256 } from './sha256.js';

const NEWS_MS = 100;
const SLICE_MS = 30;
const JSON_UNITS_MAX = 4_000_000;
const NO_ENGINE = 'this page cannot run its contracts; type assay verify';

/** Machines of this shell: those with a view, and those without. */
export type Parts = { readonly views: readonly Viewable[]; readonly machines: readonly Replayable[] };

/** A file that was checked, with what is needed to ask of it, and to go on where it grows. */
export type Loaded = {
  readonly checked: Checked;
  readonly lines: Lines;
  readonly rows: Rows;
  readonly summary: RunSummary | null;
  /** Null where nothing may be drawn. */
  readonly view: Viewable | null;
  readonly reading: Reading;
  readonly kept: Kept;
};

/** Machines that are run again, without anybody looking on. */
export function listMachines({ views, machines }: Parts): readonly Replayable[] {
  return [...views.flatMap((view) => watched(view, () => undefined)), ...machines];
}

/**
 * Reads and checks a file. `tell`: about ten times a second. `pause`: lets others go on, where there is no
 * worker.
 */
export async function load(
  given: Given,
  parts: Parts,
  tell: (news: News) => void,
  pause: () => Promise<void>,
): Promise<Loaded | Refused> {
  const options = readOutside(given.beside);
  if ('t' in options) return options;
  const began = performance.now();
  const chunks = await readChunks(given);
  if ('t' in chunks) return chunks;
  const reading = new Reading(given.label, parts, options, {
    isServed: given.t === 'url',
    kept: await readKept(given),
  });
  try {
    let [told, paused] = [began, began];
    for await (const chunk of chunks) {
      reading.push(chunk);
      if (reading.lines.count > RECORDS_MAX) break;
      const now = performance.now();
      if (now - told > NEWS_MS) {
        told = now;
        tell({ records: reading.rows.count, bytes: reading.lines.size });
      }
      if (now - paused > SLICE_MS) {
        await pause();
        paused = performance.now();
      }
    }
  } catch (error) {
    if (error instanceof Unreadable) return error.refused;
    throw error;
  }
  return reading.loaded(performance.now() - began);
}

/** A file being read: verdicts, rows and view from each chunk. What is served may grow, so only whole lines count. */
export class Reading {
  readonly lines: Lines = new Lines();
  readonly rows: Rows = new Rows();
  private readonly label: string;
  private readonly stream: VerifyStream;
  private readonly isServed: boolean;
  private readonly kept: Kept;
  private viewer: Viewer | null = null;
  private view: Viewable | null = null;
  private run: RunNamed | null = null;

  constructor(
    label: string,
    parts: Parts,
    options: VerifyOptions,
    { isServed, kept }: { readonly isServed: boolean; readonly kept: Kept },
  ) {
    this.label = label;
    this.isServed = isServed;
    this.kept = kept;
    const machines = parts.views.flatMap((view) =>
      watched(view, (viewer) => {
        this.viewer = viewer;
        this.view = view;
      }),
    );
    this.stream = new VerifyStream(label, {
      ...options,
      sha256: pageSha256,
      machines: [...machines, ...parts.machines],
      observe: (record, position, reached) => {
        if (position === 0) this.run = runNamed(record);
        this.rows.add(record, reached === null || this.viewer === null ? null : this.viewer.described);
      },
    });
  }

  /** The next bytes. */
  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
    this.stream.push(chunk);
  }

  /** What the file comes to so far; `ms`: how long it took. */
  loaded(ms: number): Loaded | Refused {
    const { lines, rows, label } = this;
    if (lines.count > RECORDS_MAX)
      return refused(
        `This ledger has more than the ${RECORDS_MAX} records that a page reads.`,
        'Run assay verify on it.',
      );
    const { document: found, facts } = this.stream.end();
    const document = withoutEngine(found);
    const { integrity, rederivation } = document.checks;
    const mayDraw = integrity.verdict === 'held' && rederivation.verdict === 'held';
    const failed = [integrity, rederivation].find(({ verdict }) => verdict === 'failed');
    const viewer = mayDraw ? this.viewer : null;
    const checked: Checked = {
      t: 'checked',
      label,
      document,
      sentence: renderSentence(document),
      reasons: listReasons(document),
      run: this.run,
      head: document.head === null ? null : formatHeadLine(document.head),
      records: lines.count,
      judged: rows.count,
      fault:
        failed === undefined || failed.record === null
          ? null
          : { line: failed.record + 1, byte: lines.start(failed.record) },
      bytes: lines.size,
      mayGrow: this.isServed && document.outcome === 'open' && integrity.verdict === 'held',
      kinds: rows.kinds,
      sources: [...rows.sources].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
      people: [...rows.people].sort(),
      picture: viewer?.show() ?? null,
      kept: this.kept?.size ?? null,
      knobs: viewer?.knobs() ?? [],
      files: (viewer?.files() ?? []).map(({ name, json }) => ({ name, json: shortJson(json) })),
      next: (viewer?.next() ?? []).map(({ command, args }) =>
        ['assay', command, ...args.map((arg) => (arg === '{ledger}' ? fileWord(label) : word(arg)))].join(
          ' ',
        ),
      ),
      ms,
    };
    const { summary } = facts;
    return {
      checked,
      lines,
      rows,
      summary,
      view: viewer === null ? null : this.view,
      reading: this,
      kept: this.kept,
    };
  }
}

function shortJson(json: Json): string {
  const text = JSON.stringify(json, null, 2);
  return text.length > JSON_UNITS_MAX ? `${text.slice(0, JSON_UNITS_MAX)}…` : text;
}

/** A word of a command line, as a shell takes it: whatever is in it, it is one word. */
function word(text: string): string {
  return /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/.test(text)
    ? text
    : `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** A name that begins with a hyphen would pass for an option. */
function fileWord(label: string): string {
  return word(label.startsWith('-') ? `./${label}` : label);
}

/** A document that says `engine` where a ledger runs contracts on an engine that this page has not. */
function withoutEngine(document: VerifyDocument): VerifyDocument {
  const { rederivation } = document.checks;
  if (!lacksEngine(rederivation)) return document;
  return { ...document, checks: { ...document.checks, rederivation: { ...rederivation, code: 'engine' } } };
}

function lacksEngine({ code, detail }: Verdict): boolean {
  const got = isObject(detail) ? field(detail, 'got') : undefined;
  return (
    code === 'unknown_machine' &&
    got !== undefined &&
    isObject(got) &&
    typeof field(got, 'engine') === 'string'
  );
}

function listReasons({ checks }: VerifyDocument): Checked['reasons'] {
  const of = (check: CheckName): { readonly says: string; readonly at: string } => ({
    says: checks[check].code === 'engine' ? NO_ENGINE : renderReason(check, checks[check]),
    at: renderPlace(checks[check]),
  });
  return Object.fromEntries(CHECKS.map((check) => [check, of(check)])) as unknown as Checked['reasons'];
}

/** The run by its genesis; null for a foreign chain. */
function runNamed(genesis: EvidenceRecord): RunNamed | null {
  const run = runView([genesis]);
  if (run._tag === 'Left') return null;
  const { run_id, machine, policy, input } = run.right.genesis;
  const hash = (value: Json): string => orThrow(hashCanonical(value, pageSha256));
  return {
    id: run_id,
    machine: `${machine.name}@${machine.version}`,
    policy: hash(policy),
    input: hash(input),
  };
}

/** What was brought, as options of the verifier, or what is wrong with it. */
function readOutside({ head, proofs, key }: Beside): VerifyOptions | Refused {
  const line = head === null ? null : parseHeadLine(head.trim());
  if (line?._tag === 'Left')
    return refused('This is no head line.', 'Paste what assay head printed: assay-head:1:COUNT:HASH');
  const trusted = key === null ? null : parsePublicKey(key.trim());
  if (trusted?._tag === 'Left')
    return refused('This is no public key.', 'Paste the line of a .pub file: assay-public-key:1:…');
  const found = proofs === null ? null : readEvidenceLines(proofs);
  if (found === null && trusted === null) return { head: line?.right ?? null };
  const isProving = found !== null && found.proofs.length > 0;
  const evidence = weigh({
    signatures: found === null ? null : [isProving ? { ...found, unread: 0 } : found],
    proofs: isProving ? [found] : null,
    trusted: trusted === null ? [] : [trusted.right],
  });
  return { head: line?.right ?? null, authorship: () => new Authorship(evidence) };
}

/** A field of JSON at a pointer; undefined where there is none. */
export function valueAt(json: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = json;
  for (const step of steps) {
    if (value === undefined || typeof value !== 'object' || value === null) return undefined;
    value = isObject(value) ? field(value, step) : value[Number(step)];
  }
  return value;
}
