/**
 * The records of any ledger, a line each: what is shown of a run whose machine nobody has a view of.
 *
 * @module
 */
import { field, isArray, isObject, type EvidenceRecord, type Json } from '@assay/kernel';
import { forTerminal, safeJson } from '@assay/views';
import { objectIn, textIn, valueIn } from '../inputs/fields.js';
import { sourceNote } from '../running/proposal-lines.js';
import { cut } from './cut.js';
import { padded, show as line, styled, type Shown } from './shown.js';

const SUMMARY_POINTS = 96;

/** Who ran, and each record. */
export function recordLines(file: string, records: readonly EvidenceRecord[]): readonly Shown[] {
  if (records.length === 0) return [line`${file}   no record can be shown`];
  const genesis = records[0]?.payload;
  const machine = objectIn(genesis, 'machine');
  const by = `${textIn(machine, 'name')} v${safeJson(valueIn(machine, 'version'))}`;
  const runId = textIn(genesis, 'run_id');
  return [
    line`${styled('strong', line`${runId}`)}   ${by}   ${file}   ${records.length} records`,
    ...records.map(
      (record, index) =>
        line`${String(index).padStart(4)}  ${padded(line`${record.kind}`, 10)}${{ parts: [{ text: cut(summaryOf(record), SUMMARY_POINTS), style: null }] }}`,
    ),
  ];
}

/** A record in one line: what a reader looks for first in each kind. */
function summaryOf({ kind, payload }: EvidenceRecord): string {
  if (payload === undefined) return '(erased)';
  if (!isObject(payload)) return text(payload);
  const at = (key: string): Json => field(payload, key) ?? null;
  switch (kind) {
    case 'genesis':
      return `input ${text(at('input'))}`;
    case 'proposal':
      return `${name(at('request_id'))} by ${name(at('proposer'))} (${name(at('source'))}${sourceNote(at('source'))}): ${at('failure') === null ? text(at('value')) : `failure ${text(at('failure'))}`}`;
    case 'rejection':
      return `${name(at('code'))} ${text(at('detail'))}`;
    case 'decision':
      return [
        counted(at('events'), 'event'),
        counted(at('requests'), 'request'),
        ...graphOf(at('graph')),
      ].join(', ');
    case 'artifact':
      return `${name(at('name'))} ${text(at('content'))}`;
    case 'close':
      return `${name(at('status'))} ${text(at('reasons'))}`;
    default:
      return text(payload);
  }
}

function counted(list: Json, noun: string): string {
  const count = isArray(list) ? list.length : 0;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function graphOf(graph: Json): readonly string[] {
  return isObject(graph)
    ? [counted(graph['nodes'] ?? null, 'node'), counted(graph['edges'] ?? null, 'edge')]
    : [];
}

/** A value as it may be printed. */
function text(value: Json): string {
  return safeJson(value);
}

/** A name as it may be printed: without quotes where it is plain. */
function name(value: Json): string {
  return typeof value === 'string' ? forTerminal(value) : safeJson(value);
}
