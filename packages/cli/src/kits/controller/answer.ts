/**
 * The answer to a task that left no file. Source: calls/C9.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import type { EndedTask } from '@assay/controller/shell';
import { safeJson } from '@assay/views';
import { show, type Shown } from '../../terminal/shown.js';

/**
 * The output of a task that was done, line by line, where no call changed anything; else none. Each line is set in:
 * none can stand for a line of the command.
 */
export function answerLines(
  records: readonly EvidenceRecord[],
  { directive, output }: EndedTask['result'],
): readonly Shown[] {
  if (directive === 'abandon' || output === null || records.some(hasActed)) return [];
  return textOf(output)
    .split('\n')
    .map((line, at) => show`${at === 0 ? 'answer      ' : '            '}${line}`);
}

function hasActed({ kind, payload }: EvidenceRecord): boolean {
  const events = kind === 'decision' && isObject(payload) ? (field(payload, 'events') ?? null) : null;
  return (isArray(events) ? events : []).some((event) => {
    const call = isObject(event) && field(event, 't') === 'called' ? (field(event, 'call') ?? null) : null;
    return isObject(call) && field(call, 'kind') === 'act' && field(call, 'status') === 'ok';
  });
}

/** A text as it is; of outputs of sub-tasks, which the rules put together, the last. */
function textOf(output: Json): string {
  if (typeof output === 'string') return output;
  const last = isArray(output) ? (output.at(-1) ?? null) : null;
  const said = isObject(last) ? field(last, 'output') : null;
  return typeof said === 'string' ? said : safeJson(output);
}
