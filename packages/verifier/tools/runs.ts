import { createHash } from 'node:crypto';
import {
  advance,
  encodeLine,
  openRequests,
  openRun,
  orThrow,
  replayable,
  utf8Bytes,
  type Base,
  type Digest,
  type EvidenceRecord,
  type Json,
  type Proposal,
  type Replayable,
  type Run,
} from '@assay/kernel';
import {
  tally,
  type BallotBody,
  type NoticeBody,
  type TallyAnswer,
  type TallyEvent,
  type TallyState,
} from '@assay/testing';

/** The runtime's own digest: same bytes, quicker tests. */
export const sha256 = (bytes: Uint8Array): Digest =>
  createHash('sha256').update(bytes).digest('hex') as Digest;
export const machines: readonly Replayable[] = [replayable(tally)];

export type TallyRun = Run<TallyState, TallyAnswer, TallyEvent, BallotBody | NoticeBody>;
export type Told = { readonly run: TallyRun; readonly records: readonly EvidenceRecord[] };
export type Start = {
  readonly run_id?: string;
  readonly ts_base?: string;
  readonly policy?: Json;
  readonly input?: Json;
  readonly base?: Base | null;
};

/** An answer: to the first open request of a kind unless an id is given. */
export type Given = {
  readonly to?: 'ballot' | 'notice';
  readonly value?: Json;
  readonly id?: string;
} & Partial<Proposal>;

export function start({
  run_id = 'poll-1',
  ts_base = 't',
  policy = { voters: 3, quorum: 2, attempts: 2 },
  input = { question: 'Where?', options: ['here', 'there'] },
  base = null,
}: Start = {}): Told {
  const step = orThrow(openRun(tally, { run_id, ts_base, policy, input, base, engine: null }, { sha256 }));
  return { run: step.run, records: step.records };
}

export function tell(told: Told, ...answers: readonly Given[]): Told {
  let { run } = told;
  const records = [...told.records];
  for (const { to = 'ballot', value = null, id, ...more } of answers) {
    const request = [...openRequests(run)].find((open) => open.kind === to);
    const proposal = {
      request_id: id ?? request?.id ?? '0.0',
      source: 'human',
      proposer: 'desk',
      confidence: null,
      value,
      failure: null,
      at_us: null,
      spent: { ms: 1 },
      cites: [],
      provenance: {},
      ...more,
    };
    const step = orThrow(advance(run, proposal));
    run = step.run;
    records.push(...step.records);
  }
  return { run, records };
}

export const here: Given = { value: { option: 'here' } };
export const there: Given = { value: { option: 'there' } };
export const noted = (note: string): Given => ({ to: 'notice', value: { note } });

/**
 * Closed with success: a rejected ballot, a notice, three votes. 0 genesis, 1 decision, 2 proposal, 3
 * rejection, 4 proposal, 5 decision …
 */
export function success(given: Start = {}): Told {
  return tell(start(given), { value: { option: 'nowhere' } }, here, noted('hello'), there, {
    ...here,
    provenance: { model: 'm' },
  });
}

/** Closed with a refusal: all abstain. */
export function refusal(given: Start = {}): Told {
  const lost: Given = { failure: { code: 'lost', final: true, detail: null } };
  return tell(start(given), lost, lost, lost);
}

export function fileOf(records: readonly EvidenceRecord[]): Uint8Array {
  return utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
}
