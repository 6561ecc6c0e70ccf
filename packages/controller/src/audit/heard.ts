/**
 * What the auditor makes of each message of a controller run, after its route was judged. Source: 003 §R6
 * "Skills".
 *
 * @module
 */
import type { Json, Sha256 } from '@assay/kernel';
import { checkRoute } from './bus.js';
import { directiveIn, evaluated } from './direction.js';
import { planned, taskGiven, unmetNow } from './drift.js';
import { roundOver } from './loops.js';
import type { AuditPolicy } from './policy.js';
import { firstOf, listOf, memberOf, shown, textOf } from './reading.js';
import { NAME_MAX } from './state.js';
import { anomaly, boundary, troubled, type Seen } from './window.js';

/** Hears one event of a decision; what is no message is bookkeeping of the machine. */
export function heard(seen: Seen, event: Json, policy: AuditPolicy, sha256: Sha256): Seen {
  if (textOf(event, 't') !== 'message') return seen;
  const kind = textOf(event, 'kind');
  const body = memberOf(event, 'body');
  const next = checkRoute(seen, { from: textOf(event, 'from'), to: textOf(event, 'to'), kind });
  switch (kind) {
    case 'TaskSpec':
      return taskGiven(next, body, sha256);
    case 'DispatchManifest':
      return planned(next, body, sha256);
    case 'ExecutionResult':
      return executed(next, body);
    case 'CorrectionSignal':
      return corrected(next, body);
    case 'PlanDirective': {
      const { directive, D, evaluation } = directiveIn(body);
      return evaluated(
        unmetNow(roundOver(next, policy.guard, sha256), listOf(evaluation, 'unmet'), sha256),
        firstOf(directive, NAME_MAX),
        D,
      );
    }
    case 'FinalResult':
      return ended(roundOver(next, policy.guard, sha256), body);
    default:
      return next;
  }
}

function executed(seen: Seen, body: Json): Seen {
  const next = textOf(body, 'status') === 'failed' ? troubled(seen, 'execution_failures') : seen;
  const contradiction = memberOf(body, 'contradiction');
  if (textOf(contradiction, 'code') !== 'unconfirmed_action') return next;
  return anomaly(
    next,
    'unconfirmed_action',
    `what cannot be undone was done without a person's confirmation: ${shown(textOf(contradiction, 'line'))}`,
  );
}

function corrected(seen: Seen, body: Json): Seen {
  const { run, window } = seen;
  const next = {
    ...seen,
    run: { ...run, corrections: run.corrections + 1 },
    window: { ...window, corrections: window.corrections + 1 },
  };
  switch (textOf(body, 'failure_class')) {
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
  const directive = firstOf(textOf(body, 'directive'), NAME_MAX);
  const [reason, why] = [textOf(body, 'reason'), textOf(body, 'why')];
  const end = {
    outcome: directive,
    reason: firstOf(why === '' ? reason : `${reason}: ${why}`, NAME_MAX),
  };
  return evaluated(
    { ...again, run: { ...again.run, results: run.results + 1, end } },
    directive,
    memberOf(memberOf(body, 'loss'), 'D'),
  );
}
