/**
 * Answers and what is accepted of them. Of any machine: was it asked for, and may this source answer it? Of
 * the controller also: does the protocol let this source play the part, whatever the request says, and is it
 * who the policy names? Source: 003 §R6; dec-B2, dec-B9.
 */
import { cutText, type Json, type Sha256 } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { findRow } from '../protocol/requests.js';
import { askedWith } from './drift.js';
import { budgetSpent, readCount, readList, shown, readTexts } from './outcomes.js';
import {
  PPM,
  type AuditPolicy,
  NAME_MAX,
  OPEN_MAX,
  type OpenSeen,
  type Pending,
  type RoleSeen,
  type RunSeen,
} from './state.js';
import { boundary, drift, troubled, type Seen } from './window.js';

/** Sources that a request may accept: there are nine. */
const SOURCES_MAX = 16;
/** Roles whose answers are counted: those that somebody plays. */
const ROLES_MAX = 8;

/** Takes an answer down until the next record decides on it. */
export function proposed(seen: Seen, payload: Json): Seen {
  const { run, record } = seen;
  const id = cutText(readText(payload, 'request_id'), NAME_MAX);
  const failed = readField(payload, 'failure') !== null;
  const isWork = run.isController && run.open.get(id)?.kind === 'call';
  const pending: Pending = {
    id,
    source: cutText(readText(payload, 'source'), NAME_MAX),
    proposer: cutText(readText(payload, 'proposer'), NAME_MAX),
    failed,
    record,
  };
  const isTool = isWork || (!run.isController && pending.source === 'tool');
  const next = budgetSpent({ ...seen, run: { ...run, pending } }, readField(payload, 'failure'));
  if (!failed || !isTool) return next;
  const counted = troubled(next, 'execution_failures');
  // The controller makes a call of it, which is counted then.
  return isWork ? counted : troubled(counted, 'trouble');
}

/**
 * The stamp that an answer brings: its own, or what the controller's clock says. Null where there is none.
 */
export function stampIn({ isController, open }: RunSeen, payload: Json): number | null {
  const isClock = isController && open.get(readText(payload, 'request_id'))?.kind === 'clock';
  return (isClock ? readCount(readField(payload, 'value'), 't_us') : null) ?? readCount(payload, 'at_us');
}

/** The answer before was rejected: its request stays open. */
export function rejected(seen: Seen, policy: AuditPolicy): Seen {
  const { run, window } = seen;
  const { pending } = run;
  const next: Seen = {
    ...seen,
    run: { ...run, pending: null },
    window: { ...window, answers: { ...window.answers, rejected: window.answers.rejected + 1 } },
  };
  const row = pending === null ? undefined : run.open.get(pending.id);
  return row === undefined ? next : played(next, row, true, policy);
}

/** The answer before was accepted, or its failure heard: what it did, and whether it was let in rightly. */
export function accepted(seen: Seen, policy: AuditPolicy): Seen {
  const { run, window } = seen;
  const { pending } = run;
  if (pending === null) return seen;
  const row = run.open.get(pending.id);
  const answers = pending.failed
    ? { ...window.answers, failed: window.answers.failed + 1 }
    : { ...window.answers, accepted: window.answers.accepted + 1 };
  const next: Seen = {
    ...seen,
    run: { ...run, pending: null, open: run.open.delete(pending.id) },
    window: { ...window, answers },
  };
  if (row === undefined) {
    const who = `${shown(pending.proposer)} (${shown(pending.source)})`;
    return run.isWhole
      ? boundary(
          next,
          'nothing_asked',
          `an answer by ${who} to request ${shown(pending.id)} was accepted, which is not open`,
        )
      : next;
  }
  return pending.failed ? next : played(letIn(next, pending, row), row, false, policy);
}

/**
 * Whether a value may come from this source and this proposer. A failure may come from anywhere: it says that
 * nothing came.
 */
function letIn(seen: Seen, { source, proposer, id }: Pending, { kind, accepts }: OpenSeen): Seen {
  const what = `a value of ${shown(proposer)} for ${shown(kind)} (request ${shown(id)})`;
  const allowed: readonly string[] = (seen.run.isController ? findRow(kind)?.accepts : null) ?? accepts;
  if (!allowed.includes(source))
    return boundary(
      seen,
      seen.run.isController ? 'source_not_allowed' : 'source_not_accepted',
      `${what} was accepted from source ${shown(source)}; allowed: ${allowed.map(shown).join(', ')}`,
    );
  if (!accepts.includes(source))
    return boundary(
      seen,
      'source_not_accepted',
      `${what} was accepted from source ${shown(source)}; its request accepts: ${accepts.map(shown).join(', ')}`,
    );
  const role = findRow(kind)?.role;
  const expected = seen.run.bound.find(([bound]) => bound === role)?.[1];
  return expected === undefined || expected === proposer
    ? seen
    : boundary(
        seen,
        'role_not_bound',
        `${what} was accepted; the policy gives ${role ?? ''} to ${shown(expected)}`,
      );
}

/** Counts an answer of a role; where too many of them are rejected the operator is told once in a window. */
function played(
  seen: Seen,
  { kind }: OpenSeen,
  isRejected: boolean,
  { rejections_min, rejections_ppm }: AuditPolicy,
): Seen {
  const role = findRow(kind)?.role ?? null;
  if (!seen.run.isController || role === null) return seen;
  const { roles } = seen.window;
  const before: RoleSeen = roles.find((row) => row.role === role) ?? {
    role,
    answers: 0,
    rejected: 0,
    told: false,
  };
  const after = { ...before, answers: before.answers + 1, rejected: before.rejected + (isRejected ? 1 : 0) };
  const isHigh =
    rejections_min > 0 &&
    after.answers >= rejections_min &&
    after.rejected * PPM >= after.answers * rejections_ppm &&
    after.rejected > 0;
  const row = { ...after, told: after.told || isHigh };
  const next = {
    ...seen,
    window: {
      ...seen.window,
      roles: [...roles.filter((other) => other.role !== role), row].slice(-ROLES_MAX),
    },
  };
  return isHigh && !before.told
    ? drift(next, 'rejections_high', `${after.rejected} of ${after.answers} answers of ${role} were rejected`)
    : next;
}

/**
 * Takes down the requests that a decision opens and withdraws. Beyond the limit they are counted and not
 * watched.
 */
export function asked(seen: Seen, payload: Json, sha256: Sha256): Seen {
  let next = seen;
  for (const request of readList(payload, 'requests')) next = opened(next, request, sha256);
  let { open } = next.run;
  for (const id of readList(payload, 'withdrawn')) if (typeof id === 'string') open = open.delete(id);
  return open === next.run.open ? next : { ...next, run: { ...next.run, open } };
}

/** Takes down one open request. */
export function opened(seen: Seen, request: Json, sha256: Sha256): Seen {
  const { run, window } = seen;
  if (run.open.size >= OPEN_MAX)
    return {
      ...seen,
      run: { ...run, isWhole: false },
      window: { ...window, unseen: { ...window.unseen, requests: window.unseen.requests + 1 } },
    };
  const kind = cutText(readText(request, 'kind'), NAME_MAX);
  const id = cutText(readText(request, 'id'), NAME_MAX);
  const row: OpenSeen = {
    kind,
    accepts: readTexts(request, 'accepts', SOURCES_MAX).map((source) => cutText(source, NAME_MAX)),
  };
  const next = { ...seen, run: { ...run, open: run.open.set(id, row) } };
  return run.isController ? askedWith(next, kind, readField(request, 'body'), sha256) : next;
}
