/**
 * The results of a run as Markdown documents.
 *
 * @module
 */
import { ledgerRecord, type EvidenceRecord, type Json } from '@assay/kernel';
import type { Blueprint, RefusalReport, VerificationPack } from '@assay/kernel/intent';
import { renderFinalResultMarkdown } from '@assay/views';
import { eitherIn } from './either.js';
import { answeredBy } from './answered-by.js';

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
export async function documentsOf(records: readonly EvidenceRecord[]): Promise<ReadonlyMap<string, string>> {
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
  const told =
    final === undefined ? null : renderFinalResultMarkdown(final, [...new Set(eitherIn(records).flat())]);
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
  return isFormed ? documentsOf(records) : new Map();
}
