/**
 * The records of any ledger, a line each: what is shown of a run whose machine nobody has a view of.
 *
 * @module
 */
import {
  absurd,
  ledgerRecord,
  type DecisionPayload,
  type EvidenceRecord,
  type LedgerRecord,
} from '@assay/kernel';
import { forTerminal, safeJson } from '@assay/views';
import { cut, padded, show as line, styled, type Shown } from './shown.js';

const SUMMARY_POINTS = 96;

/** Who ran, and each record. */
export function recordLines(file: string, records: readonly EvidenceRecord[]): readonly Shown[] {
  if (records.length === 0) return [line`${file}   no record can be shown`];
  const typed = records.map(ledgerRecord);
  const genesis = typed[0]?.kind === 'genesis' ? typed[0].payload : undefined;
  const by = genesis === undefined ? 'no known run' : `${genesis.machine.name} v${genesis.machine.version}`;
  return [
    line`${styled('strong', line`${genesis?.run_id ?? ''}`)}   ${by}   ${file}   ${records.length} records`,
    ...records.map((record, index) => {
      const summary = describeRecord(typed[index] ?? null, record);
      return line`${String(index).padStart(4)}  ${padded(line`${record.kind}`, 10)}${{
        parts: [{ text: cut(summary, SUMMARY_POINTS), style: null }],
      }}`;
    }),
  ];
}

/** A record in one line: what a reader looks for first in each kind. Every value is escaped. */
function describeRecord(record: LedgerRecord | null, { payload }: EvidenceRecord): string {
  if (payload === undefined) return '(erased)';
  if (record?.payload === undefined) return safeJson(payload);
  switch (record.kind) {
    case 'genesis':
      return `input ${safeJson(record.payload.input)}`;
    case 'proposal': {
      const { request_id, proposer, source, failure, value } = record.payload;
      const said = failure === null ? safeJson(value) : `failure ${safeJson(failure)}`;
      return `${request_id} by ${forTerminal(proposer)} (${source}${
        source === 'synthetic' ? ', written by hand' : ''
      }): ${said}`;
    }
    case 'rejection':
      return `${record.payload.code} ${safeJson(record.payload.detail)}`;
    case 'decision':
      return decisionText(record.payload);
    case 'artifact':
      return `${record.payload.name} ${safeJson(record.payload.content)}`;
    case 'close':
      return `${record.payload.status} ${safeJson(record.payload.reasons)}`;
    default:
      return absurd(record);
  }
}

function decisionText({ events, requests, graph }: DecisionPayload): string {
  return [
    counted(events, 'event'),
    counted(requests, 'request'),
    ...(graph === null ? [] : [counted(graph.nodes, 'node'), counted(graph.edges, 'edge')]),
  ].join(', ');
}

function counted({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}
