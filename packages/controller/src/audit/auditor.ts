/**
 * R6, the auditor: a fold over the records of any ledger, or of several one after the other. It reads, it
 * counts, it reports to the operator; it is no part of any machine, and no machine knows of it. Source: 003
 * §5, §R6; 002 §R6; dec-B1, dec-B6; law-U1 to law-U4.
 */
import {
  cutText,
  nobleSha256,
  type EvidenceRecord,
  type Json,
  type Rejection,
  type Result,
  type Sha256,
} from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { CAST } from '../protocol/roles.js';
import { accepted, asked, opened, proposed, rejected, stampIn } from './answers.js';
import { taskOver } from './drift.js';
import { heard } from './heard.js';
import { runOver, readList, readSequence } from './outcomes.js';
import {
  defaultAuditPolicy,
  type AuditPolicy,
  decode,
  EMPTY_WINDOW,
  encode,
  NAME_MAX,
  NOTHING_SEEN,
  UNKNOWN_RUN,
  type AuditState,
  type RunSeen,
} from './state.js';
import type { AuditReport } from './report.js';
import { counted, isDue, makeReport, type Seen } from './window.js';

/** The state after a record, and the report that was due with it. */
export type Fed = { readonly state: AuditState; readonly due: AuditReport | null };

/**
 * An auditor. States are values: feeding changes none, and the same records give the same states and reports,
 * however they come in pieces (law-U1). Memory: bounded by the limits of the state, whatever is fed; time:
 * linear in the records.
 */
export type Auditor = {
  readonly start: AuditState;
  /** One record more. Integrity is not judged here: feed records that held. Never throws on evidence. */
  readonly feed: (state: AuditState, record: EvidenceRecord) => Fed;
  /** The report on what came since the last one, asked for by the operator; a new window begins. */
  readonly report: (state: AuditState) => { readonly state: AuditState; readonly report: AuditReport };
  readonly encode: (state: AuditState) => Json;
  /** Error `bad_state` with {path}. */
  readonly decode: (json: Json) => Result<Rejection, AuditState>;
};

/**
 * Makes an auditor. `policy`: {@link defaultAuditPolicy} where none is given; `sha256`: a faster digest of
 * the host's.
 */
export function auditor({
  policy = defaultAuditPolicy,
  sha256 = nobleSha256,
}: {
  readonly policy?: AuditPolicy;
  readonly sha256?: Sha256;
} = {}): Auditor {
  return {
    start: NOTHING_SEEN,
    feed: (state, record) => fed(state, record, policy, sha256),
    report: (state) => ({ state: emptied(state), report: makeReport(state.window, 'on-demand') }),
    encode,
    decode,
  };
}

function fed(state: AuditState, record: EvidenceRecord, policy: AuditPolicy, sha256: Sha256): Fed {
  const before =
    record.kind === 'genesis' ? begun(state, record, policy) : { ...state, run: state.run ?? UNKNOWN_RUN };
  const sequence = readSequence(record.ts) ?? before.run.records;
  const at_us = record.kind === 'proposal' ? chooseLater(before.run, record.payload) : before.run.at_us;
  const forward = at_us === null ? 0 : at_us - (before.run.at_us ?? at_us);
  const run = { ...before.run, records: sequence + 1, at_us };
  const window = counted(before.window, run, sequence, forward);
  const first: Seen = { run, past: before.past, window, record: sequence };
  const seen =
    record.payload === undefined
      ? erased(first, record.kind)
      : looked(first, record.kind, record.payload, policy, sha256);
  const over = record.kind === 'close' ? taskOver(seen, policy) : seen;
  const next: AuditState = { run: over.run, past: over.past, window: over.window };
  return isDue(next.window, policy)
    ? { state: emptied(next), due: makeReport(next.window, 'periodic') }
    : { state: next, due: null };
}

/** A new ledger begins: the task before it is over, whether it was closed or not. */
function begun(
  { run, past, window }: AuditState,
  record: EvidenceRecord,
  policy: AuditPolicy,
): AuditState & { readonly run: RunSeen } {
  const over =
    run === null
      ? { past, window }
      : taskOver({ run, past, window, record: Math.max(0, run.records - 1) }, policy);
  return {
    run: record.payload === undefined ? UNKNOWN_RUN : readRun(record.payload),
    past: over.past,
    window: { ...over.window, hasRun: false },
  };
}

function readRun(genesis: Json): RunSeen {
  const policy = readField(genesis, 'policy');
  const isController = readText(readField(genesis, 'machine'), 'name') === 'controller';
  const run_id = cutText(readText(genesis, 'run_id'), NAME_MAX);
  if (!isController) return { ...UNKNOWN_RUN, run_id, isWhole: true };
  const bound = CAST.flatMap((role): RunSeen['bound'] => {
    const proposer = readText(readField(policy, 'roles'), role);
    return proposer === '' ? [] : [[role, cutText(proposer, NAME_MAX)]];
  });
  return { ...UNKNOWN_RUN, run_id, isController, isWhole: true, bound };
}

function looked(seen: Seen, kind: string, payload: Json, policy: AuditPolicy, sha256: Sha256): Seen {
  switch (kind) {
    case 'genesis':
      return carried(seen, payload, sha256);
    case 'proposal':
      return proposed(seen, payload);
    case 'rejection':
      return rejected(seen, policy);
    case 'decision':
      return decided(seen, payload, policy, sha256);
    case 'close':
      return runOver(seen, payload, policy);
    default:
      return seen;
  }
}

/**
 * A decision: the answer it rests on is let in, its messages are heard, and its requests are open from here
 * on.
 */
function decided(seen: Seen, payload: Json, policy: AuditPolicy, sha256: Sha256): Seen {
  let next = accepted(seen, policy);
  if (next.run.isController)
    for (const event of readList(payload, 'events')) next = heard(next, event, policy, sha256);
  return asked(next, payload, sha256);
}

/** A continuation carries open requests from the ledger it goes on from. */
function carried(seen: Seen, genesis: Json, sha256: Sha256): Seen {
  const open = readField(readField(readField(genesis, 'base'), 'snapshot'), 'open');
  if (typeof open !== 'object' || open === null) return seen;
  return Object.values(open).reduce(
    (before: Seen, row: Json) => opened(before, readField(row, 'request'), sha256),
    seen,
  );
}

/** An erased record: what it opened or settled is not known. */
function erased(seen: Seen, kind: string): Seen {
  const { run, window } = seen;
  const isMissed = kind === 'decision' || kind === 'proposal' || kind === 'genesis';
  return {
    ...seen,
    run: isMissed ? { ...run, isWhole: false, pending: null } : run,
    window: { ...window, unseen: { ...window.unseen, erased: window.unseen.erased + 1 } },
  };
}

/** Stamps only move forward, as in the machine (K42). */
function chooseLater(run: RunSeen, proposal: Json | undefined): number | null {
  const stamp = proposal === undefined ? null : stampIn(run, proposal);
  return stamp === null || (run.at_us !== null && stamp < run.at_us) ? run.at_us : stamp;
}

function emptied(state: AuditState): AuditState {
  return { ...state, window: EMPTY_WINDOW };
}
