/**
 * Heads of other ledgers that a ledger cites: its base and the cites of its proposals, compared with those
 * ledgers where they are at hand. Source: ledger format, "Base"; machine interface, "Other ledgers".
 *
 * @module
 */
import {
  field,
  hashCanonical,
  isArray,
  isObject,
  orThrow,
  type Base,
  type EvidenceRecord,
  type Head,
  type Json,
  type Sha256,
} from '@assay/kernel';
import type { LedgerIndex } from './ledger-index.js';
import { Refed, type Answers } from './refed.js';

/**
 * A ledger at hand: its integrity held. `first`: sequence of its first record. `due`: records derived and not
 * in the file, null where that is not known: whether a group ends with its last record rests on that.
 * `answers`: null where payloads were not read.
 */
export type CitedLedger = {
  readonly run_id: string;
  readonly first: number;
  readonly due: number | null;
  readonly index: LedgerIndex;
  readonly answers: Answers | null;
};
/** Ledgers at hand, by run id. */
export type CitedLedgers = ReadonlyMap<string, CitedLedger>;

/**
 * What came of comparing: `base` null where the run has none. `failedAt`: position of the first record that
 * cites what is not there, or that a fork was not fed.
 */
export type CitationResult = {
  readonly base: 'held' | 'failed' | 'not_checked' | null;
  readonly cites: { readonly held: number; readonly failed: number; readonly not_checked: number };
  readonly failedAt: number | null;
};

/** Compares as records pass. A few words whatever the length; of a fork, its open requests. */
export class Citations {
  private readonly ledgers: CitedLedgers;
  private readonly sha256: Sha256;
  private base: CitationResult['base'] = null;
  private refed: Refed | null = null;
  private failedAt: number | null = null;
  private readonly counts: { held: number; failed: number; not_checked: number } = {
    held: 0,
    failed: 0,
    not_checked: 0,
  };

  constructor(ledgers: CitedLedgers, sha256: Sha256) {
    this.ledgers = ledgers;
    this.sha256 = sha256;
  }

  /** Looks at the record at a position; its integrity must hold. */
  look(record: EvidenceRecord, position: number): void {
    if (record.kind === 'genesis' && isObject(record.payload)) {
      const base = (field(record.payload, 'base') ?? null) as unknown as Base | null;
      if (base !== null) this.base = this.judgeBase(base);
      if (this.base === 'failed') this.failedAt = position;
      else if (base?.snapshot === null) this.refed = this.refedFrom(base);
    }
    this.judgeRefed(record, position);
    if (record.kind !== 'proposal' || !isObject(record.payload)) return;
    const cites = field(record.payload, 'cites');
    if (!isArray(cites)) return;
    for (const cite of cites) {
      const verdict = this.judgeHead(cite as unknown as Head);
      this.counts[verdict] += 1;
      if (verdict === 'failed') this.failedAt ??= position;
    }
  }

  /** What came of it so far. */
  result(): CitationResult {
    return { base: this.base, cites: { ...this.counts }, failedAt: this.failedAt };
  }

  private refedFrom({ run_id, count }: Base): Refed | null {
    const { first = 0, answers = null } = this.ledgers.get(run_id) ?? {};
    return answers === null ? null : new Refed(answers, count - first, this.sha256);
  }

  private judgeRefed(record: EvidenceRecord, position: number): void {
    const verdict = this.refed?.look(record) ?? null;
    if (verdict === null) return;
    this.refed = null;
    if (verdict !== 'held') this.base = verdict;
    if (verdict === 'failed') this.failedAt ??= position;
  }

  private judgeHead({ run_id, count, hash }: Head): 'held' | 'failed' | 'not_checked' {
    const ledger = this.ledgers.get(run_id);
    if (ledger === undefined) return 'not_checked';
    return ledger.index.hashAt(count - 1 - ledger.first) === hash ? 'held' : 'failed';
  }

  private judgeBase(base: Base): 'held' | 'failed' | 'not_checked' {
    const head = this.judgeHead(base);
    const ledger = this.ledgers.get(base.run_id);
    if (head !== 'held' || ledger === undefined) return head;
    const position = base.count - 1 - ledger.first;
    const isEnd = ledger.index.endsGroup(position, ledger.due);
    if (isEnd === false) return 'failed';
    if (base.snapshot === null && ledger.answers === null) return 'not_checked';
    const recorded = base.snapshot === null ? null : ledger.index.stateHashAt(position);
    if (recorded === undefined) return 'not_checked';
    if (
      base.snapshot !== null &&
      recorded !== orThrow(hashCanonical(base.snapshot as unknown as Json, this.sha256))
    )
      return 'failed';
    return isEnd === undefined ? 'not_checked' : 'held';
  }
}

/** The result as JSON, for a verdict's detail; null where nothing is cited. */
export function citationDetail({ base, cites }: CitationResult): Json {
  return base === null && cites.held + cites.failed + cites.not_checked === 0 ? null : { base, cites };
}
