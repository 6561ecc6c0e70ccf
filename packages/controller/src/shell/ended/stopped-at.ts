/**
 * What stopped the work of a run: the call that decided how each sub-task failed, in the tool's own words, or
 * why its executor gave it up. Source: 003 §R3, "evidence"; calls/C7.
 *
 * @module
 */
import { isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { readField, readText, listObjects } from '@assay/kernel/shape';
import { callsIn, NO_EVIDENCE, subTaskIn, withRecord, type EvidenceCall } from '../../evidence/index.js';
import { eventsIn } from '../records/fields.js';

/** A call that ended work, and why. */
export type StoppedAt = { readonly tool: string; readonly said: string };

/** What a person did not allow is said with the confirmations; of a role that was never heard no call says why. */
const NOT_CONFIRMED = 'not_confirmed';
/** Of these the reason says more than the call, which did what was decided. */
const BREACHES: ReadonlySet<string> = new Set(['law1_breach', 'blocked_target_used', 'loop']);

/** The calls at which work failed, each once, in the order of records. */
export function stoppedAt(records: readonly EvidenceRecord[]): readonly StoppedAt[] {
  let evidence = NO_EVIDENCE;
  let move: Json = null;
  const found = records.flatMap((record): readonly StoppedAt[] => {
    evidence = withRecord(evidence, record);
    if (record.kind === 'proposal') move = readField(record.payload, 'value');
    return eventsIn(record).flatMap((event) => {
      const body = readField(event, 'body');
      const reason = readText(body, 'reason');
      if (readText(event, 'kind') !== 'SubTaskOutcome' || readText(body, 'status') !== 'failed') return [];
      const of = subTaskIn(evidence, readText(body, 'subtask'));
      const [first] = listObjects(readField(body, 'calls'));
      const call =
        of === null || first === undefined ? undefined : callsIn(of)[Number(readField(first, 'n'))];
      if (call === undefined || reason === NOT_CONFIRMED || reason.endsWith('_no_answer')) return [];
      return [
        { tool: call.tool, said: BREACHES.has(reason) ? `${reason}: ${call.target}` : saidOf(call, move) },
      ];
    });
  });
  return found.filter(
    ({ tool, said }, index) =>
      found.findIndex((other) => other.tool === tool && other.said === said) === index,
  );
}

/** What the executor says that gave up, for it saw the call; else what the tool says. */
function saidOf({ output, status, code, target }: EvidenceCall, move: Json): string {
  const isDone = status === 'ok' || status === 'truncated';
  if (isDone && isObject(move) && readText(move, 't') === 'give_up') return readText(move, 'why');
  return status === 'ok' || output === '' ? `${code ?? status}: ${target}` : output;
}
