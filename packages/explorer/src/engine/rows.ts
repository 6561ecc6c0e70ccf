/**
 * What is told of each record, kept while they are checked: kind, source, a line of text, and the ways from one
 * record to another.
 */
import { field, isObject, ledgerRecord, type EvidenceRecord } from '@assay/kernel';
import { KINDS, type Link, type Row } from '../data/calls.js';
import { said, Told, type Line } from './told.js';

/** Rows of the records whose integrity holds, in order. */
export class Rows {
  private readonly kindsAt: number[] = [];
  /** What a view says of them. */
  readonly told: Told = new Told();
  private readonly sourceAt: Map<number, string> = new Map<number, string>();
  private readonly askedAt: Map<string, number> = new Map<string, number>();
  private readonly answersTo: Map<string, number[]> = new Map<string, number[]>();
  private readonly requestOf: Map<number, string> = new Map<number, string>();
  private readonly asks: Map<number, readonly string[]> = new Map<number, readonly string[]>();
  /** Answers by source. */
  readonly sources: Map<string, number> = new Map<string, number>();
  /** Names of the people who answered. */
  readonly people: Set<string> = new Set<string>();

  /** Number of rows. */
  get count(): number {
    return this.kindsAt.length;
  }

  /** Kinds by position. */
  get kinds(): Uint8Array {
    return Uint8Array.from(this.kindsAt);
  }

  /** The next record. */
  add(record: EvidenceRecord): void {
    const position = this.count;
    const typed = ledgerRecord(record);
    this.kindsAt.push(KINDS.indexOf(typed?.kind ?? 'not judged'));
    if (typed?.kind === 'proposal' && typed.payload !== undefined) {
      const { source, proposer, request_id } = typed.payload;
      this.sourceAt.set(position, source);
      this.sources.set(source, (this.sources.get(source) ?? 0) + 1);
      if (source === 'human') this.people.add(proposer);
      this.requestOf.set(position, request_id);
      const answers = this.answersTo.get(request_id);
      if (answers === undefined) this.answersTo.set(request_id, [position]);
      else answers.push(position);
    }
    if (typed?.kind === 'decision' && typed.payload !== undefined && typed.payload.requests.length > 0) {
      this.asks.set(
        position,
        typed.payload.requests.map(({ id }) => id),
      );
      for (const { id } of typed.payload.requests) this.askedAt.set(id, position);
    }
  }

  /** A row. `line`: its text, for one of which no view said anything, or that was not judged. */
  row(at: number, line: () => string): Row {
    if (at >= this.count)
      return {
        at,
        kind: 'not judged',
        source: null,
        text: [said(line())],
        tone: 'faint',
      };
    return {
      at,
      kind: this.kindAt(at),
      source: this.sourceAt.get(at) ?? null,
      ...(this.told.at(at) ?? plainly(JSON.parse(line()) as EvidenceRecord)),
    };
  }

  /** Whether a row is of a kind and of a source; null is any. */
  isOf(at: number, kind: string | null, source: string | null): boolean {
    return (
      (kind === null || this.kindAt(at) === kind) && (source === null || this.sourceAt.get(at) === source)
    );
  }

  /** Where the request was asked that a record answers; null where it is no answer, or nobody asked. */
  askedBy(at: number): number | null {
    return this.askedAt.get(this.requestOf.get(at) ?? '') ?? null;
  }

  /** Ways to other records. */
  links(at: number): readonly Link[] {
    const kind = this.kindAt(at);
    const lastOf = (one: Row['kind']): number => this.kindsAt.lastIndexOf(KINDS.indexOf(one), at - 1);
    const link = (says: string, record: number | null): readonly Link[] =>
      record === null || record === -1 ? [] : [{ says, record }];
    return [
      ...link('answers what was asked in', this.askedBy(at)),
      ...(kind === 'artifact' || kind === 'close' ? link('follows from', lastOf('decision')) : []),
      ...(kind === 'decision' || kind === 'rejection'
        ? link('decided on the answer in', lastOf('proposal'))
        : []),
      ...(kind === 'proposal' && at + 1 < this.count ? link('was decided on in', at + 1) : []),
      ...(this.asks.get(at) ?? []).flatMap((id) =>
        (this.answersTo.get(id) ?? []).flatMap((record) =>
          link(`what it asked (${id}) is answered in`, record),
        ),
      ),
    ].slice(0, 50);
  }

  private kindAt(at: number): Row['kind'] {
    return KINDS[this.kindsAt[at] ?? -1] ?? 'not judged';
  }
}

/** A record of a machine without a view, or one that was not derived again: what its kind says. */
function plainly(record: EvidenceRecord): Line {
  const typed = ledgerRecord(record);
  if (typed === null) return { text: [{ said: record.kind }], tone: 'plain' };
  if (typed.payload === undefined) return { text: 'erased: only its hash is left', tone: 'faint' };
  switch (typed.kind) {
    case 'genesis':
      return {
        text: [
          'run ',
          said(typed.payload.run_id),
          ` of ${typed.payload.machine.name}@${typed.payload.machine.version}`,
        ],
        tone: 'plain',
      };
    case 'proposal': {
      const { proposer, request_id, value, failure } = typed.payload;
      const what = failure === null ? said(JSON.stringify(value)) : said(`failure ${failure.code}`);
      return {
        text: [said(proposer), ` answers ${request_id}: `, what],
        tone: failure === null ? 'plain' : 'bad',
      };
    }
    case 'rejection':
      return { text: ['rejected: ', said(typed.payload.code)], tone: 'bad' };
    case 'decision': {
      const { events, requests } = typed.payload;
      const names = events.map((event) => (isObject(event) ? field(event, 't') : null) ?? 'event');
      const asks = requests.map(({ kind }) => kind);
      const parts = [
        ...new Set(names.map(String)),
        ...(asks.length === 0 ? [] : [`asks ${asks.join(', ')}`]),
      ];
      return { text: [said(parts.join('; '))], tone: 'plain' };
    }
    case 'artifact':
      return { text: [said(typed.payload.name)], tone: 'plain' };
    case 'close':
      return { text: typed.payload.status, tone: typed.payload.status === 'success' ? 'good' : 'bad' };
  }
}
