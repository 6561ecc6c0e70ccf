/**
 * What stopped the work of a run: the last call of each sub-task that failed, in the tool's own words. Who plans is told neither.
 * Source: 003 §R3, "evidence".
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { textIn, valueIn } from '../inputs/fields.js';
import { cut } from '../output/cut.js';
import { show, type Shown } from '../output/shown.js';

/** A call that ended work, and why. */
export type StoppedAt = { readonly tool: string; readonly said: string };

const SAID_POINTS = 200;
/** It is asked about, and what to add is said with the confirmations. */
const ASKED = 'needs_confirmation:';

/** The calls at which work failed, each once, in the order of records. */
export function stoppedAt(records: readonly EvidenceRecord[]): readonly StoppedAt[] {
  const found = records.flatMap(({ kind, payload }): readonly StoppedAt[] => {
    const answer = kind === 'proposal' ? valueIn(payload, 'value') : null;
    const calls = isObject(answer) && field(answer, 'status') === 'failed' ? (field(answer, 'tool_calls') ?? null) : null;
    const last: Json = isArray(calls) ? (calls.at(-1) ?? null) : null;
    const said = textIn(last, 'output');
    return last === null || textIn(last, 'status') === 'ok' || said.startsWith(ASKED) ? [] : [{ tool: textIn(last, 'tool'), said }];
  });
  return found.filter(({ tool, said }, index) => found.findIndex((other) => other.tool === tool && other.said === said) === index);
}

/** One line for each. */
export function stoppedLines(stopped: readonly StoppedAt[]): readonly Shown[] {
  return stopped.map(({ tool, said }) => show`stopped at  ${tool}: ${cut(said, SAID_POINTS)}`);
}
