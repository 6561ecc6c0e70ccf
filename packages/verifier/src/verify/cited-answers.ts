/**
 * Answers of source `run`: their values, compared with what the ledgers that they cite give. Apart from
 * {@link Citations}, since a page compares heads alone. Source: machine interface, "Other ledgers".
 */
import {
  field,
  hashCanonical,
  isArray,
  isObject,
  orThrow,
  type EvidenceRecord,
  type Json,
  type KernelOptions,
  type RecordedProposal,
  type Sha256,
} from '@assay/kernel';
import type { AnswerJudge, CitedLedger } from './citations.js';

/**
 * What an answer of source `run` to one machine says by the records that it cites, from the first up to the
 * head; undefined if the machine derives nothing for such an answer, null if these records give none.
 */
export type AnswerDeriver = {
  readonly name: string;
  readonly version: number;
  readonly derive: (
    records: readonly EvidenceRecord[],
    request: { readonly kind: string; readonly body: Json },
    said: Json,
    options: KernelOptions,
  ) => Json | undefined;
};

/** Records of cited ledgers that are derived again for one ledger, counted for each answer. */
const LOOKED_AT_MAX = 200_000;

/** Judges answers by the deriver of the machine that takes them. A judge is of one ledger. */
export function answersBy(derivers: readonly AnswerDeriver[]): (sha256: Sha256) => AnswerJudge {
  return (sha256) => new DerivedAnswers(derivers, sha256);
}

class DerivedAnswers implements AnswerJudge {
  private readonly derivers: readonly AnswerDeriver[];
  private readonly sha256: Sha256;
  private deriver: AnswerDeriver | undefined;
  private readonly requests = new Map<Json, { readonly kind: string; readonly body: Json }>();
  private lookedAt = 0;

  constructor(derivers: readonly AnswerDeriver[], sha256: Sha256) {
    this.derivers = derivers;
    this.sha256 = sha256;
  }

  look({ kind, payload }: EvidenceRecord): void {
    if (!isObject(payload)) return;
    if (kind === 'genesis') {
      const by = (field(payload, 'machine') ?? null) as unknown as AnswerDeriver | null;
      this.deriver = this.derivers.find(({ name, version }) => name === by?.name && version === by.version);
    }
    const requests = kind === 'decision' && this.deriver !== undefined ? field(payload, 'requests') : null;
    for (const request of isArray(requests) ? requests : []) {
      const { id, kind: of, body, accepts } = request as { readonly [key: string]: Json };
      if (!isArray(accepts ?? null) || !(accepts as readonly Json[]).includes('run')) continue;
      this.requests.set(id ?? null, { kind: typeof of === 'string' ? of : '', body: body ?? null });
    }
  }

  /**
   * Without a cite, with several, and where its records are not at hand whole, an answer is not compared; nor
   * behind so many records that were looked at.
   */
  judge(
    { request_id, value, cites }: RecordedProposal,
    ledger: CitedLedger | undefined,
  ): ReturnType<AnswerJudge['judge']> {
    const request = this.requests.get(request_id);
    const [head, ...others] = cites;
    const isWhole = others.length === 0 && ledger?.first === 0;
    const cited = isWhole ? (ledger.records?.slice(0, head?.count) ?? []) : [];
    const isShown = cited.length > 0 && cited.every(({ payload }) => payload !== undefined);
    if (isShown) this.lookedAt += cited.length;
    const derived =
      isShown && request !== undefined && this.lookedAt <= LOOKED_AT_MAX
        ? this.deriver?.derive(cited, request, value, { sha256: this.sha256 })
        : undefined;
    if (derived === undefined) return 'not_compared';
    const hash = (json: Json): string => orThrow(hashCanonical(json, this.sha256));
    return hash(derived) === hash(value) ? 'held' : 'failed';
  }
}
