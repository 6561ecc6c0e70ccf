/**
 * What answers the page: one file, checked, and the questions about it. It runs in a worker; where none is
 * allowed, in slices on the main thread.
 */
import { admit, type EvidenceRecord, hashCanonical, nobleSha256, recordHash, utf8Bytes } from '@assay/kernel';
import type { Tried } from '@assay/kernel/view';
import type {
  Beside,
  Call,
  Calls,
  Checked,
  Compared,
  Filter,
  Given,
  GraphShown,
  Listed,
  News,
  RecordShown,
  Refused,
  Rehashed,
} from '../data/calls.js';
import { Forger } from './attacks.js';
import { compared } from './compare.js';
import type { Parts, Port } from './deriving.js';
import { shownGraph, type Whole, wholeGraph } from './graph.js';
import { citedIn } from './kept.js';
import type { Lines } from './lines.js';
import { load, type Loaded, listMachines } from './load.js';
import { readChunks, refused } from './reading.js';
import type { Rows } from './rows.js';
import { glanceAt, listTurns } from './turns.js';

const LINE_UNITS = 65_536;
const NOTHING: Beside = { head: null, proofs: null, key: null };

type Turned = Calls['tryOut'][0];

/** Answers calls about the file that was loaded last. */
export class Engine {
  private readonly parts: Parts;
  private readonly pause: () => Promise<void>;
  private loaded: Loaded | null = null;
  private forger: Forger | null = null;
  private whole: Whole | null = null;

  constructor(parts: Parts, pause: () => Promise<void>) {
    this.parts = parts;
    this.pause = pause;
  }

  /** Answers one call. Rejects only for a defect. `port`: to a second worker, for a file that is loaded. */
  async answer<K extends Call>(
    call: K,
    given: Calls[K][0],
    tell: (news: News) => void,
    port: Port | null = null,
  ): Promise<Calls[K][1]> {
    const calls: { readonly [C in Call]: (given: Calls[C][0]) => Calls[C][1] | Promise<Calls[C][1]> } = {
      load: (file) => this.load(file, tell, port),
      grow: (url) => this.grow(url),
      glance: async (file) => {
        const read = await load(file, this.parts, () => undefined, this.pause);
        return 't' in read ? read : glanceAt(read);
      },
      list: (filter) => {
        const { lines, rows } = this.file;
        return listed(filter, lines, rows);
      },
      rows: (positions) => {
        const { lines, rows } = this.file;
        return positions.filter((at) => at < lines.count).map((at) => rows.row(at, () => lines.text(at)));
      },
      turns: (filter) => listTurns(filter, this.file),
      record: (at) => this.record(at),
      rehash: (at) => this.rehash(at),
      graph: (around) => this.graph(around),
      attack: (attack) => this.attacker.attack(attack),
      edit: (edit) => this.attacker.edit(edit),
      tryOut: (changes) => this.tryOut(changes),
      compare: (file) => this.compare(file, tell),
    };
    return calls[call](given);
  }

  private get file(): Loaded {
    if (this.loaded === null) throw new TypeError('engine: nothing is loaded');
    return this.loaded;
  }

  private get attacker(): Forger {
    this.forger ??= new Forger(this.file, listMachines(this.parts));
    return this.forger;
  }

  private async load(
    given: Given,
    tell: (news: News) => void,
    port: Port | null,
  ): Promise<Checked | Refused> {
    const loaded = await load(given, this.parts, tell, this.pause, port);
    if ('t' in loaded) return loaded;
    this.taken(loaded);
    return loaded.checked;
  }

  /** What was appended since; a file that is no longer the one that was read is read anew by the page. */
  private async grow(url: string): Promise<Checked | Refused> {
    const { reading, lines, checked } = this.file;
    const began = performance.now();
    const from = new URL(url);
    from.searchParams.set('from', String(lines.size));
    const chunks = await readChunks({ t: 'url', url: from.href, label: checked.label, beside: NOTHING });
    if ('t' in chunks) return chunks;
    for await (const chunk of chunks) reading.push(chunk);
    const loaded = reading.loaded(performance.now() - began);
    if ('t' in loaded) return loaded;
    this.taken(loaded);
    return loaded.checked;
  }

  private taken(loaded: Loaded): void {
    this.loaded = loaded;
    this.forger = null;
    this.whole = null;
  }

  private record(at: number): RecordShown | null {
    const { lines, rows, kept } = this.file;
    if (at < 0 || at >= lines.count) return null;
    const text = lines.text(at).replace(/\n$/, '');
    const line = text.slice(0, LINE_UNITS);
    const parsed = lines.json(at);
    // Behind the first fault a line may hold what no record may: too deep to be walked, or too much to be sent.
    const json = at < rows.count || admit(parsed)._tag === 'Right' ? parsed : null;
    return {
      row: rows.row(at, () => text),
      line,
      left: text.length - line.length,
      json,
      links: rows.links(at),
      cited: citedIn(json, kept),
    };
  }

  private rehash(at: number): readonly Rehashed[] {
    const { kind, ts, parent, payload, payload_hash, record_hash } = this.file.lines.json(
      at,
    ) as unknown as EvidenceRecord;
    const hash = payload === undefined ? null : hashCanonical(payload, nobleSha256);
    const computed = hash?._tag === 'Right' ? hash.right : null;
    const chain = recordHash({ ts, kind, parent }, computed ?? payload_hash, nobleSha256);
    return [
      ...(computed === null ? [] : [{ of: 'payload', recorded: payload_hash, computed }]),
      { of: 'record', recorded: record_hash, computed: chain },
    ];
  }

  private graph(around: string | null): GraphShown {
    const { lines, rows } = this.file;
    this.whole ??= wholeGraph(lines, rows);
    return shownGraph(this.whole, around);
  }

  private tryOut(changes: Turned): Tried | Refused {
    const { view, lines } = this.file;
    if (view === null)
      return refused('This file has no settings to change.', 'Open a file whose checks held.');
    const records = Array.from(
      { length: lines.count },
      (_, at) => lines.json(at) as unknown as EvidenceRecord,
    );
    const tried = view.tryOut(records, changes);
    return tried._tag === 'Right'
      ? tried.right
      : refused(
          `The machine does not run under these settings (${tried.left.code}).`,
          'Choose other values.',
        );
  }

  private async compare(given: Given, tell: (news: News) => void): Promise<Compared | Refused> {
    const other = await load(given, this.parts, tell, this.pause);
    return 't' in other ? other : compared(this.file, other);
  }
}

const FOUND_MAX = 2_000;
const BATCH = 256;
/** Bytes with A to Z as a to z. */
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** Positions of the rows that a filter lets through. What is searched for is found as it reads, not escaped. */
export function listed(filter: Filter, lines: Lines, rows: Rows): Listed {
  const { kind, source, found } = filter;
  const isOf = (at: number): boolean => rows.isOf(at, kind, source);
  if (found === null || found === '') {
    const positions = Array.from({ length: lines.count }, (_, at) => at);
    const isAll = kind === null && source === null;
    return { positions: Uint32Array.from(isAll ? positions : positions.filter(isOf)), more: false };
  }
  const stands = finder(found, lines);
  const hits: number[] = [];
  for (let from = 0; from < lines.count; from += BATCH) {
    const to = Math.min(lines.count, from + BATCH);
    if (!stands(from, to)) continue;
    for (let at = from; at < to; at += 1) if (isOf(at) && stands(at, at + 1)) hits.push(at);
    if (hits.length >= FOUND_MAX)
      return { positions: Uint32Array.from(hits.slice(0, FOUND_MAX)), more: true };
  }
  return { positions: Uint32Array.from(hits), more: false };
}

/** Tells whether a text stands in some lines. ASCII is looked for in the bytes: decoding them takes far longer. */
function finder(found: string, lines: Lines): (from: number, to: number) => boolean {
  // In a record a quotation mark or a line feed stands escaped, as JSON writes it.
  const inside = JSON.stringify(found).slice(1, -1);
  const wanted = utf8Bytes(inside.toLowerCase());
  if (/^[\x20-\x7e]*$/.test(inside)) return (from, to) => holds(lines.bytes(from, to), wanted);
  const pattern = new RegExp(inside.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'i');
  return (from, to) => pattern.test(lines.text(from, to));
}

function holds(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const first = wanted[0] ?? 0;
  for (let at = 0; at <= bytes.length - wanted.length; at += 1) {
    if (LOWER[bytes[at] ?? 0] !== first) continue;
    let same = 1;
    while (same < wanted.length && LOWER[bytes[at + same] ?? 0] === wanted[same]) same += 1;
    if (same === wanted.length) return true;
  }
  return false;
}
