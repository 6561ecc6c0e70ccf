/**
 * A fork's answers against those it was fed: its parent's within the base, in order, unchanged but for the
 * request's id. Source: ledger format, "Base"; docs/formats/ledger.md.
 */
import {
  hashCanonical,
  orThrow,
  type Digest,
  type EvidenceRecord,
  type RecordedProposal,
  type Sha256,
} from '@assay/kernel';
import { Questions } from '@assay/kernel/fork';
import { DigestList } from './digest-list.js';

/** The answers of one ledger to open requests: what each was asked and what it says, in about 80 bytes. */
export class Answers {
  private readonly questions: DigestList = new DigestList();
  private readonly contents: DigestList = new DigestList();
  private readonly positions: number[] = [];
  private readonly asked: Questions;
  private readonly sha256: Sha256;
  private records = 0;
  /**
   * Position of the first proposal or decision that is erased: from there on it is unknown what was answered.
   */
  private erasedAt = Infinity;

  constructor(sha256: Sha256) {
    this.sha256 = sha256;
    this.asked = new Questions(sha256);
  }

  /** Enters the next record, whose integrity must hold. */
  add(record: EvidenceRecord): void {
    if (isHidden(record)) this.erasedAt = Math.min(this.erasedAt, this.records);
    const question =
      record.kind === 'proposal' && record.payload !== undefined
        ? this.asked.of(answerIn(record).request_id)
        : undefined;
    if (question !== undefined) {
      this.questions.push(question);
      this.contents.push(hashContent(record, this.sha256));
      this.positions.push(this.records);
    }
    this.asked.take(record);
    this.records += 1;
  }

  /** How many there are before a position. */
  countTo(position: number): number {
    return this.positions.filter((at) => at < position).length;
  }

  /** True if every record before a position shows what it answers. */
  isKnownTo(position: number): boolean {
    return position <= this.erasedAt;
  }

  /** The answer at an index, null if there is none that is known before a position. */
  at(index: number, position: number): { readonly question: Digest; readonly content: Digest } | null {
    return (this.positions[index] ?? Infinity) < Math.min(position, this.erasedAt)
      ? { question: this.questions.at(index), content: this.contents.at(index) }
      : null;
  }
}

/** Follows a fork as its records pass. */
export class Refed {
  private readonly parent: Answers;
  private readonly end: number;
  private readonly asked: Questions;
  private readonly sha256: Sha256;
  private next = 0;
  private same = 0;

  /** `end`: position of the parent's first record behind the base. */
  constructor(parent: Answers, end: number, sha256: Sha256) {
    this.parent = parent;
    this.end = end;
    this.asked = new Questions(sha256);
    this.sha256 = sha256;
  }

  /**
   * Looks at the next record; its integrity must hold. Null while the comparison continues. `failed`: this is not
   * the answer that comes next. `held`: the parent has no more; what the fork receives from here on is its own.
   * `not_checked`: an erased record hides what comes next.
   */
  look(record: EvidenceRecord): 'held' | 'failed' | 'not_checked' | null {
    if (record.kind === 'proposal' || isHidden(record)) {
      const answer = this.due(isHidden(record));
      if (answer === null) return this.parent.isKnownTo(this.end) ? 'held' : 'not_checked';
      if (isHidden(record)) return 'not_checked';
      if (
        answerIn(record).request_id !== this.asked.lowest(answer.question) ||
        hashContent(record, this.sha256) !== answer.content
      )
        return 'failed';
      this.next += 1;
      this.same += 1;
    }
    this.asked.take(record);
    return null;
  }

  /** How many answers were taken over so far, of how many of the parent's in all. */
  taken(): { readonly answers: number; readonly of: number } {
    return { answers: this.same, of: this.parent.countTo(Infinity) };
  }

  /**
   * The parent's next answer; one that no open request here asks for is left over, unless it is hidden what
   * is open.
   */
  private due(isHiddenHere: boolean): ReturnType<Answers['at']> {
    for (;;) {
      const answer = this.parent.at(this.next, this.end);
      if (answer === null || isHiddenHere || this.asked.lowest(answer.question) !== undefined) return answer;
      this.next += 1;
    }
  }
}

/** An erased proposal or decision: what is open is not known any more. */
function isHidden({ kind, payload }: EvidenceRecord): boolean {
  return payload === undefined && (kind === 'proposal' || kind === 'decision');
}

function answerIn(record: EvidenceRecord): RecordedProposal {
  return record.payload as unknown as RecordedProposal;
}

/**
 * A hash of all that a proposal says but for the request's id; its own hash stands for source, confidence and
 * value.
 */
function hashContent(record: EvidenceRecord, sha256: Sha256): Digest {
  const { request_id: _, source: _s, confidence: _c, value: _v, ...rest } = answerIn(record);
  return orThrow(hashCanonical(rest, sha256));
}
