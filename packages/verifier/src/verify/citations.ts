/**
 * Heads of other ledgers that a ledger cites: its base and the cites of its proposals, compared with those
 * ledgers where they are at hand. Source: ledger format, "Base"; machine interface, "Other ledgers".
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
  type RecordedProposal,
  type Json,
  type Sha256,
} from '@assay/kernel';
import type { LedgerIndex } from './ledger-index.js';
import { Refed, type Answers } from './refed.js';

/**
 * A ledger at hand, as far as its integrity held. `first`: sequence of its first record. `due`: records derived and not
 * in the file, null if that is not known: whether a group ends with its last record rests on that.
 * `answers`: null if payloads were not read.
 */
export type CitedLedger = {
  readonly run_id: string;
  readonly first: number;
  readonly due: number | null;
  readonly index: LedgerIndex;
  readonly answers: Answers | null;
  /** The records as far as they are sound; null if none were kept. */
  readonly records: readonly EvidenceRecord[] | null;
};

/** Compares the values of one ledger's answers of source `run` with what the ledgers that they cite give. */
export type AnswerJudge = {
  /** Each record, in order. */
  look(record: EvidenceRecord): void;
  /** An answer whose cited heads hold, and the ledger of the first of them. */
  judge(answer: RecordedProposal, ledger: CitedLedger | undefined): 'held' | 'failed' | 'not_compared';
};

/** Ledgers at hand, by run id. */
export type CitedLedgers = ReadonlyMap<string, CitedLedger>;

/**
 * What came of comparing: `base` null if the run has none. `failedAt`: position of the first record that
 * cites what is not there, or that a fork was not fed. `missing`: heads of runs that are not among the ledgers
 * that were given, the first 16 of these runs, and the first record that names one; null if none were given.
 */
export type CitationResult = {
  readonly base: 'held' | 'failed' | 'not_checked' | null;
  readonly cites: { readonly held: number; readonly failed: number; readonly not_checked: number };
  readonly failedAt: number | null;
  /**
   * Answers of source `run` of which no cited head is wrong or missing: their values compared with what that ledger
   * gives, and those that are not; null if there is none. `differsAt`: position of the first that differs.
   */
  readonly contents: {
    readonly held: number;
    readonly failed: number;
    readonly not_compared: number;
  } | null;
  readonly differsAt: number | null;
  /** Of a fork from a whole ledger: how many of the parent's answers it took over, of how many; else null. */
  readonly taken: { readonly answers: number; readonly of: number } | null;
  readonly missing: {
    readonly count: number;
    readonly runs: readonly string[];
    readonly at: number | null;
  } | null;
};

const MISSING_MAX = 16;

/** Compares as records pass. A few words whatever the length; of a fork, its open requests. */
export class Citations {
  private readonly ledgers: CitedLedgers;
  private readonly areGiven: boolean;
  private readonly sha256: Sha256;
  private readonly judge: AnswerJudge | null;
  private readonly contents = { held: 0, failed: 0, not_compared: 0 };
  private differsAt: number | null = null;
  private fork: Refed | null = null;
  private base: CitationResult['base'] = null;
  private refed: Refed | null = null;
  private failedAt: number | null = null;
  private readonly counts = { held: 0, failed: 0, not_checked: 0 };
  private readonly missing = { count: 0, runs: [] as string[], at: null as number | null };

  /** `ledgers`: null if none were given. */
  constructor(ledgers: CitedLedgers | null, sha256: Sha256, judge: AnswerJudge | null = null) {
    this.judge = judge;
    this.ledgers = ledgers ?? new Map();
    this.areGiven = ledgers !== null;
    this.sha256 = sha256;
  }

  /** Looks at the record at a position; its integrity must hold. */
  look(record: EvidenceRecord, position: number): void {
    if (record.kind === 'genesis' && isObject(record.payload)) {
      const base = (field(record.payload, 'base') ?? null) as unknown as Base | null;
      if (base !== null) {
        this.base = this.judgeBase(base);
        this.note(base, position);
      }
      if (this.base === 'failed') this.failedAt = position;
      else if (base?.snapshot === null) this.fork = this.refed = this.refedFrom(base);
    }
    this.judge?.look(record);
    this.judgeRefed(record, position);
    if (record.kind !== 'proposal' || !isObject(record.payload)) return;
    const cites = field(record.payload, 'cites');
    if (!isArray(cites)) return;
    const verdicts = (cites as unknown as readonly Head[]).map((head) => {
      const verdict = this.judgeHead(head);
      this.note(head, position);
      this.counts[verdict] += 1;
      if (verdict === 'failed') this.failedAt ??= position;
      return verdict;
    });
    const answer = record.payload as unknown as RecordedProposal;
    // A failure says nothing of another ledger; a head that is missing or wrong is judged as such.
    if (!this.areGiven || answer.source !== 'run' || answer.failure !== null) return;
    if (!verdicts.every((verdict) => verdict === 'held')) return;
    const verdict =
      this.judge?.judge(answer, this.ledgers.get(answer.cites[0]?.run_id ?? '')) ?? 'not_compared';
    this.contents[verdict] += 1;
    if (verdict === 'failed') this.differsAt ??= position;
  }

  /** What came of it so far. */
  result(): CitationResult {
    const missing = this.areGiven ? { ...this.missing, runs: [...this.missing.runs] } : null;
    const { held, failed, not_compared } = this.contents;
    return {
      base: this.base,
      cites: { ...this.counts },
      failedAt: this.failedAt,
      contents: held + failed + not_compared === 0 ? null : { ...this.contents },
      differsAt: this.differsAt,
      taken: this.fork?.taken() ?? null,
      missing,
    };
  }

  private note({ run_id }: Pick<Head, 'run_id'>, position: number): void {
    if (this.ledgers.has(run_id)) return;
    const { missing } = this;
    missing.count += 1;
    missing.at ??= position;
    if (missing.runs.length < MISSING_MAX && !missing.runs.includes(run_id)) missing.runs.push(run_id);
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

/** The result as JSON, for a verdict's detail; null if nothing is cited. */
export function citationDetail({ base, cites, contents, missing, taken }: CitationResult): Json {
  if (base === null && cites.held + cites.failed + cites.not_checked === 0) return null;
  return {
    base,
    cites,
    ...(contents === null ? {} : { contents }),
    ...(taken === null ? {} : { taken }),
    ...(missing === null || missing.count === 0 ? {} : { missing: missing.runs }),
  };
}
