/**
 * What the auditor makes of each message of a controller run, after its route was judged. Source: 003 §R6
 * "Skills".
 *
 * @module
 */
import { cutText, isDigest, type Json, type Sha256 } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { checkRoute } from './bus.js';
import { directiveIn, evaluated } from './direction.js';
import { planned, taskGiven, unmetNow } from './drift.js';
import { acted, roundOver } from './loops.js';
import type { AuditPolicy } from './policy.js';
import { readCount, readList, shown } from './reading.js';
import { NAME_MAX } from './state.js';
import { anomaly, boundary, toolsCalled, troubled, type Seen } from './window.js';

/** Hears one event of a decision; what is no message is bookkeeping of the machine. */
export function heard(seen: Seen, event: Json, policy: AuditPolicy, sha256: Sha256): Seen {
  const t = readText(event, 't');
  if (t === 'called') return called(seen, event, policy);
  if (t === 'breached') return breached(seen, event);
  if (t !== 'message') return seen;
  const kind = readText(event, 'kind');
  const body = readField(event, 'body');
  const next = checkRoute(seen, { from: readText(event, 'from'), to: readText(event, 'to'), kind });
  switch (kind) {
    case 'TaskSpec':
      return taskGiven(next, body, sha256);
    case 'DispatchManifest':
      return planned(next, body, sha256);
    case 'CorrectionSignal':
      return corrected(next, body);
    case 'PlanDirective': {
      const { directive, D, evaluation } = directiveIn(body);
      return evaluated(
        unmetNow(roundOver(next, policy.guard, sha256), readList(evaluation, 'unmet'), sha256),
        cutText(directive, NAME_MAX),
        D,
      );
    }
    case 'FinalResult':
      return ended(roundOver(next, policy.guard, sha256), body);
    default:
      return next;
  }
}

/** One call: counted by tool and status, and followed where it acts or searches. */
function called(seen: Seen, event: Json, policy: AuditPolicy): Seen {
  const call = readField(event, 'call');
  const status = cutText(readText(call, 'status'), NAME_MAX);
  const tool = cutText(readText(call, 'tool'), NAME_MAX);
  const counted = toolsCalled(seen, [{ tool, status, calls: 1 }]);
  const next = TROUBLE.includes(status) ? troubled(counted, 'trouble') : counted;
  const triple = readText(call, 'triple');
  return readText(call, 'kind') === 'look' || !isDigest(triple)
    ? next
    : acted(next, cutText(readText(event, 'subtask'), NAME_MAX), triple, policy.guard);
}

/** Statuses of a call that is in trouble. Source: calls/C12. */
const TROUBLE = ['error', 'timeout', 'interrupted'];

function breached(seen: Seen, event: Json): Seen {
  const which = `call ${readCount(event, 'n') ?? ''} of sub-task ${shown(readText(event, 'subtask'))}`;
  return anomaly(
    seen,
    'unconfirmed_action',
    `what cannot be undone was done without a person's confirmation: ${which}`,
  );
}

function corrected(seen: Seen, body: Json): Seen {
  const { run, window } = seen;
  const next = {
    ...seen,
    run: { ...run, corrections: run.corrections + 1 },
    window: { ...window, corrections: window.corrections + 1 },
  };
  switch (readText(body, 'failure_class')) {
    case 'environmental':
      return troubled(next, 'environmental_retries');
    case 'logical':
      return troubled(next, 'logical_retries');
    default:
      return next;
  }
}

function ended(seen: Seen, body: Json): Seen {
  const { run } = seen;
  const again = run.results > 0 ? boundary(seen, 'second_final_result', 'the task was ended before') : seen;
  const directive = cutText(readText(body, 'directive'), NAME_MAX);
  const [reason, why] = [readText(body, 'reason'), readText(body, 'why')];
  const end = {
    outcome: directive,
    reason: cutText(why === '' ? reason : `${reason}: ${why}`, NAME_MAX),
  };
  return evaluated(
    { ...again, run: { ...again.run, results: run.results + 1, end } },
    directive,
    readField(readField(body, 'loss'), 'D'),
  );
}
