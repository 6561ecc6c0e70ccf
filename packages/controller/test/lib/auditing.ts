import {
  nobleSha256,
  sha256Hex,
  type Digest,
  type EvidenceRecord,
  type Json,
  type Rejection,
} from '@assay/kernel';
import fc from 'fast-check';
import { listAlerts, auditor, defaultAuditPolicy, type AuditReport } from '../../src/audit/index.js';
import type { AuditPolicy } from '../../src/audit/state.js';
import { defaultPolicy, type JudgeBody, type MergeBody, type PlanBody } from '../../src/index.js';
import { NO_RECALL } from '../../src/protocol/recall.js';
import {
  called,
  criterion,
  planOf,
  play,
  policyWith,
  TASK,
  verdictsOn,
  type Attempted,
  type Cast,
  type Played,
} from './playing.js';

/** A run in which nothing is wrong. It may still need corrections and replans: failing is no fault. */
export type Clean = {
  readonly subtasks: number;
  readonly criteria: number;
  readonly inTurn: boolean;
  /** Sub-task 0 meets nothing in this many rounds, for the environment's sake, and less each time. */
  readonly hardRounds: number;
  /** Every sub-task needs a second attempt in the last round. */
  readonly retry: boolean;
  readonly clock: 'asked' | 'stamps';
  readonly memory: boolean;
  readonly permanent: boolean;
};

/** Random clean runs. */
export const cleanRuns: fc.Arbitrary<Clean> = fc.record({
  subtasks: fc.integer({ min: 1, max: 3 }),
  criteria: fc.integer({ min: 1, max: 3 }),
  inTurn: fc.boolean(),
  hardRounds: fc.integer({ min: 0, max: 2 }),
  retry: fc.boolean(),
  clock: fc.constantFrom('asked', 'stamps'),
  memory: fc.boolean(),
  permanent: fc.boolean(),
});

/** The calls of the n-th execution of a run. */
export type Calls = (turn: number, subtask: string) => Json;
/**
 * What it did is new each time. What it looked at need not be, within a round: what failed for the
 * environment's sake is blocked in the next.
 */
const fresh: Calls = (turn, subtask) => {
  const look = called('read_file', `notes-${subtask.split('.')[0] ?? ''}.txt`, 'the same as ever');
  return [look, look, called('write_file', `${subtask}-${turn}`, `wrote ${turn}`)] as unknown as Json;
};

/** Plays a clean run. `calls`: what executors do, where it is not what a clean one does. */
export function playClean(clean: Clean, more: { readonly calls?: Calls; readonly cast?: Cast } = {}): Played {
  const texts = Array.from({ length: clean.criteria }, (_, index) =>
    criterion(`part ${index} is there`, { hard: index === 0 }),
  );
  const tools = ['write_file', 'read_file', ...(clean.permanent ? ['remove_file'] : [])];
  const plan = planOf(
    Array.from({ length: clean.subtasks }, (_, index) => ({
      criteria: texts.map((one) => ({ ...one, text: `${one.text} of ${index}` })),
      tools,
      sequence: clean.inTurn ? index + 1 : 1,
    })),
    [criterion('the report says what was asked', { hard: true })],
  );
  const cast: Cast = {
    clock: (_, turn) => ({ value: { t_us: 1_000_000 * turn } }),
    perceive: () => ({ value: TASK }),
    recall: () => ({ value: NO_RECALL }),
    plan: () => ({ value: plan }),
    confirm: () => ({ value: { approved: true, note: null } }),
    execute: (body: Attempted, turn) => {
      const made = (more.calls ?? fresh)(turn, body.subtask) as readonly Json[];
      const removed = called('remove_file', `old-${turn}`, `removed ${turn}`, { irreversible: true });
      const tool_calls = clean.permanent ? [removed as unknown as Json, ...made] : made;
      return { value: { status: 'completed', output: 'written', tool_calls } };
    },
    judge: (body: JudgeBody) => ({ value: judgement(body, clean) }),
    merge: (body: MergeBody) => ({
      value: {
        merged_output: 'the report',
        summary: 'the report is written',
        verdicts: verdictsOn(body, 'pass'),
      },
    }),
    ...more.cast,
  };
  const roles = { ...defaultPolicy.roles, R2: 'played' };
  return play(policyWith({ clock: clean.clock, memory: clean.memory, roles }), cast, {
    stamp: (turn) => turn * 1_000,
  });
}

function judgement(body: JudgeBody, { hardRounds, retry }: Clean): Json {
  const { subtask, attempt } = body;
  const [round = 0, place = 0] = subtask.split('.').map(Number);
  const isHard = place === 0 && round < hardRounds;
  const fails = isHard || (retry && round === hardRounds && attempt === 0);
  return {
    verdicts: verdictsOn(body, fails ? 'environmental' : 'pass'),
    what_was_wrong: fails ? 'the disk was full' : null,
    what_to_do: fails ? 'again' : null,
  };
}

/** The policy without reports of its own: one report at the end. */
export const AT_THE_END: AuditPolicy = { ...defaultAuditPolicy, every_records: 0, every_us: 0 };

/** One report on all records. */
export function audited(records: Iterable<EvidenceRecord>, policy: AuditPolicy = AT_THE_END): AuditReport {
  const { start, feed, report } = auditor({ policy });
  let state = start;
  for (const record of records) state = feed(state, record).state;
  return report(state).report;
}

const ZERO: Digest = sha256Hex('', nobleSha256);

/** A record as another program could write it; without a payload it was erased. */
export function recordOf(kind: string, payload: Json | undefined, sequence: number): EvidenceRecord {
  return {
    v: 1,
    ts: `T#${String(sequence).padStart(12, '0')}`,
    kind,
    parent: null,
    ...(payload === undefined ? {} : { payload }),
    payload_hash: ZERO,
    record_hash: ZERO,
  };
}

/** A ledger of another program: only what the auditor reads stands in it. */
export function ledgerOf(
  rows: readonly (readonly [kind: string, payload: Json | undefined])[],
): readonly EvidenceRecord[] {
  return rows.map(([kind, payload], index) => recordOf(kind, payload, index));
}

/** Codes of all alerts of a report. */
export function codesOf(report: AuditReport): readonly string[] {
  return listAlerts(report).map(({ code }) => code);
}

/**
 * The records with one payload changed. Hashes stay as they were: whether they hold is the verifier's
 * question.
 */
export function edited(
  records: readonly EvidenceRecord[],
  at: number,
  change: (payload: Record<string, Json>) => Record<string, Json>,
): readonly EvidenceRecord[] {
  return records.map((record, index) =>
    index === at ? { ...record, payload: change(record.payload as Record<string, Json>) } : record,
  );
}

/** The records with events added to a decision. */
export function withEvents(
  records: readonly EvidenceRecord[],
  at: number,
  events: readonly Json[],
): readonly EvidenceRecord[] {
  return edited(records, at, (payload) => ({
    ...payload,
    events: [...(payload['events'] as readonly Json[]), ...events],
  }));
}

/** Places of the decisions of a run, or of those that hold an event of a kind. */
export function decisionsOf({ records }: Pick<Played, 'records'>, kind?: string): readonly number[] {
  return records.flatMap(({ kind: of, payload }, index) =>
    of === 'decision' &&
    (kind === undefined ||
      (payload as { events: readonly { kind?: string; t: string }[] }).events.some(
        (event) => event.t === 'message' && event.kind === kind,
      ))
      ? [index]
      : [],
  );
}

/** Places of answers with a value that were accepted, to requests of a kind. */
export function acceptedOf(
  { records, asked }: Pick<Played, 'records' | 'asked'>,
  kind: string,
): readonly number[] {
  const ids = new Set(asked.filter((request) => request.kind === kind).map(({ id }) => id));
  return records.flatMap(({ kind: of, payload }, index) =>
    of === 'proposal' &&
    records[index + 1]?.kind === 'decision' &&
    ids.has((payload as { request_id: string }).request_id) &&
    (payload as { failure: Rejection | null }).failure === null
      ? [index]
      : [],
  );
}

/** A message event, whoever sends it. */
export function messageEvent(from: string, to: string, kind: string, body: Json = {}): Json {
  return { t: 'message', from, to, kind, body };
}

/** The plan body of a request, for roles that look at the round. */
export type { PlanBody };
