/**
 * What records of a run say of its results: who answered, what was meant, and the documents.
 *
 * @module
 */
import { StoreReadError, type Store } from '@assay/host';
import {
  ledgerRecord,
  parseRecordLine,
  type EvidenceRecord,
  type Json,
  type RecordedProposal,
  type Request,
} from '@assay/kernel';
import type { Blueprint, RefusalReport, VerificationPack } from '@assay/kernel/intent';
import { renderFinalResultMarkdown, type AnsweredBy } from '@assay/views';
import { storeProblem } from '../files/store.js';
import { textIn } from '../terminal/fields.js';

/** The last proposal of each slot: the accepted one, unless all were rejected. */
export function answersBySlot(records: readonly EvidenceRecord[]): ReadonlyMap<string, RecordedProposal> {
  return answersBy(records, ({ body }) => textIn(body, 'slot'));
}

/** The last proposal to the requests of each name. */
export function answersBy(
  records: readonly EvidenceRecord[],
  nameOf: (request: Request) => string,
): ReadonlyMap<string, RecordedProposal> {
  const slots = new Map<string, string>();
  const found = new Map<string, RecordedProposal>();
  for (const record of records) {
    const typed = ledgerRecord(record);
    if (typed?.kind === 'decision')
      for (const request of typed.payload?.requests ?? []) slots.set(request.id, nameOf(request));
    if (typed?.kind === 'proposal' && typed.payload !== undefined)
      found.set(slots.get(typed.payload.request_id) ?? '', typed.payload);
  }
  return found;
}

/** Who answered each slot. */
export function answeredBy(records: readonly EvidenceRecord[]): readonly AnsweredBy[] {
  return [...answersBySlot(records)].map(([slot, { proposer, source }]) => ({ slot, proposer, source }));
}

/** Reads a run back from its store. Raises `Stop`. */
export async function recordsIn(
  store: Store,
  runId: string,
  place: string,
): Promise<readonly EvidenceRecord[]> {
  const records: EvidenceRecord[] = [];
  try {
    for await (const line of store.read(runId)) {
      const record = parseRecordLine(line);
      if (record._tag === 'Left')
        throw storeProblem(
          { code: 'torn', run_id: runId, detail: `record ${records.length} is none` },
          place,
        );
      records.push(record.right);
    }
  } catch (error) {
    throw error instanceof StoreReadError ? storeProblem(error.error, place) : error;
  }
  return records;
}

/** Names of the documents in an output folder. */
export const DOCUMENTS = ['blueprint.md', 'verification-pack.md', 'refusal.md', 'final-result.md'] as const;

/** The latest content of each result in records. */
export function resultsIn(records: readonly EvidenceRecord[]): ReadonlyMap<string, Json> {
  return new Map(
    records.flatMap((record) => {
      const typed = ledgerRecord(record);
      return typed?.kind === 'artifact' && typed.payload !== undefined
        ? [[typed.payload.name, typed.payload.content] as const]
        : [];
    }),
  );
}

/**
 * The documents by file name, of results that the machine has just derived. Empty where they are of no
 * machine we know.
 */
export async function renderDocuments(
  records: readonly EvidenceRecord[],
): Promise<ReadonlyMap<string, string>> {
  const results = resultsIn(records);
  const by = answeredBy(records);
  const blueprint = results.get('blueprint') as Blueprint | undefined;
  const pack = results.get('verification_pack') as VerificationPack | undefined;
  const refusal = results.get('refusal_report') as RefusalReport | undefined;
  const documents: [string, string][] = [];
  if (blueprint !== undefined && pack !== undefined) {
    const { renderBlueprintMarkdown, renderPackMarkdown } = await import('@assay/views/documents');
    documents.push(
      ['blueprint.md', renderBlueprintMarkdown(blueprint, pack, by)],
      ['verification-pack.md', renderPackMarkdown(pack, blueprint)],
    );
  }
  const final = results.get('final_result');
  const told = final === undefined ? null : renderFinalResultMarkdown(final);
  if (told !== null) documents.push(['final-result.md', told]);
  if (refusal !== undefined) {
    const { uncoveredIn } = await import('./uncovered.js');
    const { renderRefusalMarkdown } = await import('@assay/views/documents');
    documents.push(['refusal.md', renderRefusalMarkdown(refusal, by, uncoveredIn(records))]);
  }
  return new Map(documents);
}

/** The same of anybody's records: empty where a result does not have the form the machine gives it. */
export async function documentsIn(records: readonly EvidenceRecord[]): Promise<ReadonlyMap<string, string>> {
  const { blueprintSchema, refusalReportSchema, verificationPackSchema } = await import(
    '@assay/kernel/schemas'
  );
  const schemas = {
    blueprint: blueprintSchema,
    verification_pack: verificationPackSchema,
    refusal_report: refusalReportSchema,
  };
  const results = resultsIn(records);
  const isFormed = Object.entries(schemas).every(
    ([name, schema]) => !results.has(name) || schema(results.get(name) ?? null) === null,
  );
  return isFormed ? renderDocuments(records) : new Map();
}
