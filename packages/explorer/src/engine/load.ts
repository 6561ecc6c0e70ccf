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
import { SecondWorker, showAll, type Derived, type Parts, type Port, type Shown } from './deriving.js';
import { readKept, type Kept } from './kept.js';
import { Lines } from './lines.js';
import { readChunks, refused, Unreadable } from './reading.js';
import { Rows } from './rows.js';
import { pageSha256 } from './sha256.js';

const NEWS_MS = 100;
const SLICE_MS = 30;
const JSON_UNITS_MAX = 4_000_000;
const NO_ENGINE = 'this page cannot run its contracts; type assay verify';

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
 * worker. `port`: to a worker that runs the machine again meanwhile.
 */
export async function load(
  given: Given,
  parts: Parts,
  tell: (news: News) => void,
  pause: () => Promise<void>,
  port: Port | null = null,
): Promise<Loaded | Refused> {
  const options = readOutside(given.beside);
  if ('t' in options) return options;
  const began = performance.now();
  const chunks = await readChunks(given);
  if ('t' in chunks) return chunks;
  const reading = new Reading(given.label, parts, options, {
    isServed: given.t === 'url',
    kept: await readKept(given),
    isDerived: port === null,
  });
  const second = port === null ? null : new SecondWorker(port, reading.rows.told);
  try {
    let [told, paused] = [began, began];
    for await (const chunk of chunks) {
      reading.push(chunk);
      if (reading.lines.count > RECORDS_MAX) break;
      await second?.send(chunk, reading.rows.count);
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
  const derived = (await second?.end(reading.summary())) ?? null;
  return reading.loaded(performance.now() - began, derived);
}

/** A file being read: verdicts, rows and view from each chunk. What is served may grow, so only whole lines count. */
export class Reading {
  readonly lines: Lines = new Lines();
  readonly rows: Rows = new Rows();
  private readonly label: string;
  private readonly stream: VerifyStream;
  private readonly isServed: boolean;
  private readonly kept: Kept;
  private readonly views: readonly Viewable[];
  private seen: { readonly viewer: Viewer; readonly view: number } | null = null;
  private run: RunNamed | null = null;

  constructor(
    label: string,
    parts: Parts,
    options: VerifyOptions,
    {
      isServed,
      kept,
      isDerived,
    }: { readonly isServed: boolean; readonly kept: Kept; readonly isDerived: boolean },
  ) {
    this.label = label;
    this.isServed = isServed;
    this.kept = kept;
    this.views = parts.views;
    const machines = parts.views.flatMap((view, at) =>
      watched(view, (viewer) => {
        this.seen = { viewer, view: at };
      }),
    );
    this.stream = new VerifyStream(label, {
      ...options,
      sha256: pageSha256,
      machines: isDerived ? [...machines, ...parts.machines] : [],
      observe: (record, position, reached) => {
        if (position === 0) this.run = runNamed(record);
        this.rows.add(record);
        if (isDerived) this.rows.told.add(reached === null ? null : (this.seen?.viewer.described ?? null));
      },
    });
  }

  /** The next bytes. */
  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
    this.stream.push(chunk);
  }

  /** What the ledger is, null where its integrity failed. */
  summary(): RunSummary | null {
    return this.stream.end().facts.summary;
  }

  /** What the file comes to so far; `ms`: how long it took; `derived`: by another thread. */
  loaded(ms: number, derived: Derived | null = null): Loaded | Refused {
    const { lines, rows, label } = this;
    if (lines.count > RECORDS_MAX)
      return refused(
        `This ledger has more than the ${RECORDS_MAX} records that a page reads.`,
        'Run assay verify on it.',
      );
    const { document: found, facts } = this.stream.end();
    const document = withoutEngine(derived === null ? found : withDerived(found, derived));
    const { integrity, rederivation } = document.checks;
    const mayDraw = integrity.verdict === 'held' && rederivation.verdict === 'held';
    const failed = [integrity, rederivation].find(({ verdict }) => verdict === 'failed');
    const { seen } = this;
    const own = (): Shown | null => (seen === null ? null : showAll(seen.viewer, seen.view));
    const shown = mayDraw ? (derived?.shown ?? own()) : null;
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
      picture: shown?.picture ?? null,
      kept: this.kept?.size ?? null,
      knobs: shown?.knobs ?? [],
      files: (shown?.files ?? []).map(({ name, json }) => ({ name, json: shortJson(json) })),
      next: (shown?.next ?? []).map(({ command, args }) =>
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
      view: shown === null ? null : (this.views[shown.view] ?? null),
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

/** A document with what another thread derived. */
function withDerived(document: VerifyDocument, { due, rederivation }: Derived): VerifyDocument {
  return { ...document, due, checks: { ...document.checks, rederivation } };
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
