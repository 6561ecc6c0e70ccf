/**
 * A controller run while it goes on: rounds, directives and loss, from what was just recorded.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { roundsIn, type RoundSeen } from '@assay/controller';
import { points } from '../run/result-lines.js';
import { show, styled, type Shown } from '../../terminal/shown.js';

/** One evaluation as a line. */
export function roundLine({ round, prev_directive, directive, reason, D, P, Omega, L }: RoundSeen): Shown {
  return show`round ${round}   ${prev_directive} → ${styled('strong', show`${directive}`)}   ${reason}   L ${points(L.ppm)}   D ${D.exact}   P ${P.exact}   Ω ${points(Omega.ppm)}`;
}

/** The lines that records have to tell while a run goes on: plans, work, corrections, directives. */
export function liveLines(records: readonly EvidenceRecord[]): readonly Shown[] {
  const messages = records.flatMap((record) => messageLines(record));
  return [...messages, ...roundsIn(records).map(roundLine)];
}

function messageLines({ kind, payload }: EvidenceRecord): readonly Shown[] {
  const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
  return (isArray(events) ? events : []).flatMap((event) =>
    isObject(event) && field(event, 't') === 'message'
      ? lineOf(textOf(event, 'kind'), field(event, 'body') ?? null)
      : [],
  );
}

function lineOf(kind: string, body: Json): readonly Shown[] {
  switch (kind) {
    case 'TaskSpec':
      return [show`task      ${textOf(body, 'intent')}`];
    case 'DispatchManifest': {
      const subtasks = isObject(body) ? field(body, 'subtasks') : null;
      return [
        show`plan      ${isArray(subtasks ?? null) ? (subtasks as readonly Json[]).length : 0} sub-tasks`,
      ];
    }
    case 'SubTaskOutcome':
      return [
        show`work      ${textOf(body, 'subtask')} ${textOf(body, 'status')}${textOf(body, 'reason') === '' ? '' : `: ${textOf(body, 'reason')}`}`,
      ];
    case 'CorrectionSignal':
      return [show`again     ${textOf(body, 'subtask')}: ${textOf(body, 'what_was_wrong')}`];
    default:
      return [];
  }
}

function textOf(value: Json, key: string): string {
  const found = isObject(value) ? field(value, key) : null;
  return typeof found === 'string' ? found : '';
}
