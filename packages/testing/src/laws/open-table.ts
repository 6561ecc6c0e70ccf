/**
 * The open-request table folded from records alone: no machine, and nothing of the kernel's own table.
 * Source: ledger format, "State hash", "Payloads".
 *
 * @module
 */
import type {
  DecisionPayload,
  EvidenceRecord,
  Genesis,
  Json,
  OpenRequest,
  RecordedProposal,
  RejectionPayload,
  Spent,
} from '@assay/kernel';
import { demandEqual, law, type Law } from './law.js';
import { drive } from './script.js';
import { countSteps, canonicalizeValue, type Setup } from './setup.js';

/**
 * The open requests after some whole groups, as State has them: request, attempts used, spent. Records must
 * be sound and not erased.
 */
export function foldOpenTable(records: readonly EvidenceRecord[]): ReadonlyMap<string, OpenRequest> {
  const table = new Map<string, OpenRequest>();
  let answering: RecordedProposal | null = null;
  for (const { kind, payload } of records) {
    if (kind === 'genesis') {
      for (const [id, row] of Object.entries((payload as Genesis).base?.snapshot?.open ?? {}))
        table.set(id, row);
    } else if (kind === 'proposal') {
      answering = payload as unknown as RecordedProposal;
    } else if (kind === 'rejection' && answering !== null) {
      charge(table, answering, (payload as unknown as RejectionPayload).code);
    } else if (kind === 'decision') {
      const { requests, withdrawn } = payload as unknown as DecisionPayload;
      if (answering !== null) table.delete(answering.request_id);
      for (const id of withdrawn) table.delete(id);
      for (const request of requests) table.set(request.id, { rejections: 0, request, spent: {} });
    }
  }
  return table;
}

function charge(
  table: Map<string, OpenRequest>,
  { request_id, spent }: RecordedProposal,
  code: string,
): void {
  const row = table.get(request_id);
  if (code === 'not_open' || row === undefined) return;
  const sum: Map<string, number> = new Map(Object.entries(row.spent));
  for (const [unit, amount] of Object.entries(spent)) sum.set(unit, (sum.get(unit) ?? 0) + amount);
  const total: Spent = Object.fromEntries(sum);
  table.set(request_id, {
    rejections: row.rejections + (code === 'source_not_accepted' ? 0 : 1),
    request: row.request,
    spent: total,
  });
}

/**
 * `requests/open-table-derivable-without-machine`: after every step the kernel's table is the one the records
 * give.
 */
export function openTableDerivable<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>): Law {
  return law('requests/open-table-derivable-without-machine', countSteps(setup), (draw, length) => {
    const { first, records, run, steps } = drive(setup, draw, length);
    let seen = records.length - steps.reduce((sum, { step }) => sum + step.records.length, 0);
    for (const [index, at] of [first, ...steps.map(({ step }) => step.run)].entries()) {
      if (index > 0) seen += steps[index - 1]?.step.records.length ?? 0;
      const folded = [...foldOpenTable(records.slice(0, seen))].sort(([a], [b]) => byId(a, b));
      demandEqual(
        canonicalizeValue(folded, 'the folded table'),
        canonicalizeValue(
          [...at.open].sort(([a], [b]) => byId(a, b)),
          'the kernel’s table',
        ),
        `the open table after ${seen} records`,
      );
      demandEqual(
        canonicalizeValue(
          folded.map(([, { request }]) => request),
          'the folded requests',
        ),
        canonicalizeValue(setup.kernel.openRequests(at), 'the kernel’s requests'),
        `the open requests after ${seen} records`,
      );
    }
    const close = records.at(-1);
    if (run.outcome !== null && close?.kind === 'close') {
      const listed = (close.payload as unknown as { readonly open_requests: Json }).open_requests;
      demandEqual(
        canonicalizeValue([...foldOpenTable(records).keys()].sort(byId), 'the folded ids'),
        canonicalizeValue(listed, 'the listed ids'),
        'open_requests of the close',
      );
    }
  });
}

function byId(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0);
}
