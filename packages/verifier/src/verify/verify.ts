/**
 * Verifying a ledger as its bytes come. Source: ledger format, "Verdicts"; design §6.
 *
 * Pure and synchronous: a shell reads chunks from wherever it likes and pushes them.
 */
import {
  hashCanonical,
  LineSplitter,
  nobleSha256,
  orThrow,
  RunIntegrity,
  type Digest,
  type EvidenceRecord,
  type Genesis,
  type IntegrityFault,
  type Json,
  type Result,
  type RunSummary,
  type Sha256,
} from '@assay/kernel';
import { HashOnlyIntegrity } from '@assay/kernel/hash-only';
import { Citations, type CitedLedger } from './citations.js';
import { judgeCompleteness, type CompletenessFacts } from './completeness.js';
import { failed, held, notChecked, type Verdict, type VerifyDocument } from './document.js';
import { LedgerIndex } from './ledger-index.js';
import type { AuthorshipJudge, ExpectationKey, VerifyOptions } from './options.js';
import { OutsideCheck } from './outside.js';
import { Answers } from './refed.js';
import { Rederivation } from './rederivation.js';

/** The rules a hash-only verification leaves out. */
const HASH_ONLY_DETAIL: Json = {
  mode: 'hash_only',
  judged: 'size to order, around payloads',
  not_judged: 'what stands inside payloads',
};

/** What a verification leaves: the document, and what comparing with other files needs. */
export type VerifyReport = { readonly document: VerifyDocument; readonly facts: CompletenessFacts };

/**
 * A verification under way. Push chunks of any size, then end. Memory: one line, the run's state, and the
 * tables of integrity, whatever the length; with `keepIndex` about 40 bytes a record and 80 an answer more.
 *
 * @example
 * ```ts
 * const stream = new VerifyStream('run.ledger.jsonl', { machines: [replayable(machine)] });
 * for await (const chunk of file) stream.push(chunk);
 * const { document } = stream.end();
 * ```
 */
export class VerifyStream {
  private readonly file: string;
  private readonly options: VerifyOptions;
  private readonly sha256: Sha256;
  private readonly splitter: LineSplitter = new LineSplitter();
  private readonly integrity: RunIntegrity | HashOnlyIntegrity;
  private readonly rederivation: Rederivation;
  private readonly citations: Citations;
  private readonly index: LedgerIndex | null;
  private readonly answers: Answers | null;
  private readonly kept: EvidenceRecord[] | null;
  private readonly outside: OutsideCheck | null;
  private readonly authorship: AuthorshipJudge | null;
  /** Null in a foreign chain. */
  private actual: CompletenessFacts['actual'] = null;
  private first = 0;
  private hashAtHead: Digest | null = null;
  private fault: IntegrityFault | null = null;

  /** `file`: a label for the document. */
  constructor(file: string, options: VerifyOptions = {}) {
    this.file = file;
    this.options = options;
    const sha256 = options.sha256 ?? nobleSha256;
    this.sha256 = sha256;
    const outside = options.outside === undefined ? null : new OutsideCheck(options.outside);
    this.outside = outside;
    this.integrity =
      options.hashOnly === true
        ? new HashOnlyIntegrity(sha256)
        : new RunIntegrity({
            sha256,
            ...(options.reference === undefined ? {} : { reference: options.reference }),
            ...(outside === null ? {} : { outside: (payload: Json) => outside.judge(payload) }),
          });
    this.rederivation = new Rederivation(
      options.machines ?? [],
      { records: null, bytes: null, ...options.limits },
      sha256,
    );
    this.citations = new Citations(options.cited ?? null, sha256, options.answers?.(sha256));
    this.index = options.keepIndex === true ? new LedgerIndex() : null;
    this.answers = options.keepIndex === true && options.hashOnly !== true ? new Answers(sha256) : null;
    this.kept = options.keepRecords === true && options.hashOnly !== true ? [] : null;
    this.authorship = options.authorship?.() ?? null;
  }

  /** Records found sound so far, for progress. */
  get records(): number {
    return this.integrity.records;
  }

  /** True once integrity failed: what follows is not looked at, and a shell may stop reading. */
  get isDecided(): boolean {
    return this.fault !== null;
  }

  /** The next bytes of the file. */
  push(chunk: Uint8Array): void {
    if (this.fault !== null) return;
    for (const line of this.splitter.push(chunk)) if (!this.judge(line.bytes, line.isEnded)) return;
  }

  /** The end of the file: the five verdicts. */
  end(): VerifyReport {
    for (const line of this.fault === null ? this.splitter.end() : []) this.judge(line.bytes, line.isEnded);
    const finished = this.integrity.finish();
    const summary = finished._tag === 'Right' ? finished.right : null;
    const log = summary === null ? null : (this.options.log?.(summary) ?? null);
    const facts: CompletenessFacts = {
      summary,
      logged: log?.completeness ?? null,
      actual: this.actual,
      first: this.first,
      head: this.options.head ?? null,
      hashAtHead: this.hashAtHead,
      expect: this.options.expect ?? [],
      citations: this.citations.result(),
      index: this.index,
      answers: this.answers,
      kept: this.kept,
    };
    const unless = (code: string): Verdict => notChecked(summary === null ? 'integrity' : code);
    return {
      facts,
      document: {
        file: this.file,
        head: summary === null ? null : { run_id: summary.run_id, count: summary.count, hash: summary.hash },
        outcome: summary?.outcome ?? 'open',
        due: this.rederivation.due(summary),
        checks: {
          integrity: this.integrityVerdict(finished),
          rederivation: this.rederivationVerdict(summary),
          completeness: judgeCompleteness(facts),
          authorship:
            summary === null || this.authorship === null
              ? unless('unsigned')
              : this.authorship.verdict(summary),
          time: log?.time ?? unless('no_witness'),
        },
      },
    };
  }

  private judge(line: Uint8Array, isEnded: boolean): boolean {
    const position = this.integrity.records;
    const judged = this.integrity.feed(line, isEnded, this.rederivation.next);
    if (judged._tag === 'Left') {
      this.fault = judged.left;
      return false;
    }
    const record = judged.right;
    if (position === 0) this.readGenesis(record);
    if (this.options.head?.count === this.first + position + 1) this.hashAtHead = record.record_hash;
    this.index?.add(record);
    this.kept?.push(record);
    this.authorship?.add(record, this.first);
    if (this.options.hashOnly === true) {
      this.options.observe?.(record, position, null);
      return true;
    }
    // A foreign chain cites nothing: what stands in its payloads was not judged, and may be anything.
    if (this.actual !== null) {
      this.answers?.add(record);
      this.citations.look(record, position);
    }
    this.rederivation.feed(record, line.length + 1);
    this.options.observe?.(record, position, this.rederivation.reached);
    return true;
  }

  /**
   * What can be expected of a run; hashes are taken only where one is asked for. A foreign chain shows none
   * of it.
   */
  private readGenesis(record: EvidenceRecord): void {
    const summary = this.integrity.finish();
    if (summary._tag === 'Left' || summary.right.isForeign) return;
    this.first = summary.right.first;
    const { machine, policy, input, run_id } = record.payload as unknown as Genesis;
    const hashIf = (key: ExpectationKey, value: Json): string =>
      this.options.expect?.some((expected) => expected.key === key) === true
        ? orThrow(hashCanonical(value, this.sha256))
        : '';
    this.actual = {
      machine: `${machine.name}@${machine.version}`,
      policy: hashIf('policy', policy),
      input: hashIf('input', input),
      run: run_id,
    };
  }

  private integrityVerdict(finished: Result<IntegrityFault, RunSummary>): Verdict {
    if (finished._tag === 'Left') {
      const { code, record, detail } = finished.left;
      return failed(code, record, 1, Object.keys(detail).length === 0 ? null : detail);
    }
    const { records, isForeign, erased } = finished.right;
    const remarks = [...(isForeign ? ['foreign_chain'] : []), ...(erased === null ? [] : ['payload_erased'])];
    const mode =
      this.options.hashOnly === true
        ? { hash_only: HASH_ONLY_DETAIL }
        : this.options.reference === undefined
          ? {}
          : { reference: true };
    const outside = this.outside?.counts ?? null;
    return held(
      { records, remarks, ...mode, ...(outside === null ? {} : { outside }) },
      erased?.record ?? null,
      erased?.count ?? 0,
    );
  }

  private rederivationVerdict(summary: RunSummary | null): Verdict {
    if (this.options.hashOnly !== true) return this.rederivation.verdict(summary);
    if (summary === null) return notChecked('integrity');
    return summary.isForeign
      ? notChecked('unknown_format', 0, 1)
      : notChecked('limit', 0, summary.records, HASH_ONLY_DETAIL);
  }
}

/** Verifies one file given as bytes, whole or in chunks. */
export function verify(
  file: string,
  bytes: Uint8Array | Iterable<Uint8Array>,
  options: VerifyOptions = {},
): VerifyReport {
  const stream = new VerifyStream(file, options);
  for (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    if (stream.isDecided) break;
    stream.push(chunk);
  }
  return stream.end();
}

/**
 * The documents of several files verified with `keepIndex`, each compared with the others of the same run:
 * `split_view` where neither is a prefix of the other. A file that is a prefix of another changes nothing,
 * and no file stands in for a head from outside: two copies of one forgery would vouch for each other (ADR
 * 0006). Files whose integrity failed, and those with another first record, which are other runs, change
 * nothing either.
 */
export function verifyTogether(reports: readonly VerifyReport[]): readonly VerifyDocument[] {
  return reports.map(({ document, facts }, index) => {
    const others = reports.filter((_, other) => other !== index).map((report) => report.facts);
    return { ...document, checks: { ...document.checks, completeness: judgeCompleteness(facts, others) } };
  });
}

/**
 * A verified ledger as one that others may cite, as far as its integrity held; null if its first record is
 * not sound, it is foreign, or no index was kept.
 */
export function citedLedger({
  document: { due },
  facts: { actual, first, index, answers, kept },
}: VerifyReport): CitedLedger | null {
  return actual === null || index === null
    ? null
    : { run_id: actual.run, first, due, index, answers, records: kept };
}
