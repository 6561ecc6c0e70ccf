/** What records of a run say of its results: who answered, what was meant, and the documents. */
import { StoreReadError, type Store } from '@assay/host';
import {
  ledgerRecord,
  parseRecordLine,
  type EvidenceRecord,
  type Head,
  type Json,
  type RecordedProposal,
  type Request,
  type Status,
  canonicalize,
  orThrow,
  utf8Bytes,
} from '@assay/kernel';
import type { Blueprint, RefusalReport, VerificationPack } from '@assay/kernel/intent';
import { renderFinalResultMarkdown, type AnsweredBy } from '@assay/views';
import { storeProblem } from '../files/store.js';
import { textIn } from '../terminal/shown.js';
import { join } from 'node:path';
import type { Draft } from '@assay/host/files';
import { encodeFile } from '@assay/verifier/attacks';
import { LEDGER_FILE } from '../files/claim.js';
import { writeNew } from '../files/write.js';

/** The last proposal of each slot: the accepted one, unless all were rejected. */
function answersBySlot(records: readonly EvidenceRecord[]): ReadonlyMap<string, RecordedProposal> {
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
function answeredBy(records: readonly EvidenceRecord[]): readonly AnsweredBy[] {
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
const DOCUMENTS = ['blueprint.md', 'verification-pack.md', 'refusal.md', 'final-result.md'] as const;

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
async function renderDocuments(records: readonly EvidenceRecord[]): Promise<ReadonlyMap<string, string>> {
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

/** A run that ended: its records, its head, how it ended, and its results. */
export type Ended = {
  readonly records: readonly EvidenceRecord[];
  readonly head: Head;
  readonly status: Status;
  readonly reasons: readonly string[];
  readonly artifacts: ReadonlyMap<string, Json>;
};

/** A run that ended, from its records. */
export function describeEnd(records: readonly EvidenceRecord[], head: Head, status: Status): Ended {
  return { records, head, status, reasons: listReasons(records), artifacts: resultsIn(records) };
}

function listReasons(records: readonly EvidenceRecord[]): readonly string[] {
  const last = records.at(-1);
  const close = last === undefined ? null : ledgerRecord(last);
  return close?.kind === 'close' ? (close.payload?.reasons ?? []) : [];
}

/** Name of the folder in an output folder that holds a run's journals until the run is over. */
export const NOTES_NAME = '.assay-notes';

/** Name of the folder in it with the bytes that a plan's leaves made. */
export const BLOBS_NAME = 'blobs';

/** Name of the folder in it with what a plan put together. */
export const ASSEMBLY_NAME = 'assembly';

const FILES: { readonly [artifact: string]: string } = {
  blueprint: 'blueprint.json',
  verification_pack: 'verification-pack.json',
  refusal_report: 'refusal.json',
  final_result: 'final-result.json',
  evaluation: 'evaluation.json',
  plan: 'plan.json',
  report: 'report.json',
  assembly: 'assembly.json',
};

/** Everything that any run may write to an output folder. */
export function outputsIn(folder: string): readonly string[] {
  return [
    LEDGER_FILE,
    `${LEDGER_FILE}.new`,
    '.locks',
    NOTES_NAME,
    BLOBS_NAME,
    ASSEMBLY_NAME,
    ...Object.values(FILES),
    ...DOCUMENTS,
  ].map((name) => join(folder, name));
}

/**
 * Writes ledger, results and their documents, all or none; what is there already with these very bytes stays. A
 * result's file holds its canonical bytes and nothing else, so that `sha256sum` of it is its artifact hash. Returns
 * the paths. Raises `Stop`: `exists` for a file with other bytes, and those of writing.
 */
export async function writeOutputs(
  folder: string,
  ended: Pick<Ended, 'records' | 'artifacts'>,
): Promise<readonly string[]> {
  const drafts = await makeDrafts(folder, ended);
  await writeNew(drafts);
  return drafts.map(({ path }) => path);
}

/** File name of a result. */
export function fileName(artifact: string): string {
  return FILES[artifact] ?? `${artifact.replaceAll('_', '-')}.json`;
}

async function makeDrafts(
  folder: string,
  { records, artifacts }: Pick<Ended, 'records' | 'artifacts'>,
): Promise<readonly Draft[]> {
  const results = [...artifacts].map(
    ([name, content]): Draft => ({
      path: join(folder, fileName(name)),
      bytes: orThrow(canonicalize(content)),
    }),
  );
  const documents = [...(await renderDocuments(records))].map(
    ([name, text]): Draft => ({ path: join(folder, name), bytes: utf8Bytes(text) }),
  );
  return [{ path: join(folder, LEDGER_FILE), bytes: encodeFile(records) }, ...results, ...documents];
}
