/** Reading stored runs for tools: judged record by record, and no more of them than is kept in memory. */
import * as z from 'zod';
import {
  isRunId,
  ok,
  parseRecordLine,
  RunIntegrity,
  type EvidenceRecord,
  type Result,
  formatHeadLine,
  ledgerRecord,
  type Genesis,
  type Head,
  type JsonObject,
  type Request,
} from '@assay/kernel';
import { nativeSha256, StoreReadError, type Store, type StoreError } from '@assay/host';
import { type Desk, LEDGER_BYTES_MAX, problem, type ToolProblem } from './desk.js';
import { readText } from '@assay/kernel/shape';
import { interpretationsTask } from '@assay/kernel/intent-prompts';
import { makeSchema } from '@assay/models';
import { plain } from './tool.js';

/** The argument that names a run. What is no name of one is told by {@link requireRunId}. */
export const runIdArgument: z.ZodType<string> = z
  .string()
  .min(1)
  .max(128)
  .describe('id of a stored run, as store_list names it');

/** A store's refusal as a problem. */
export function described({ describe }: Pick<Desk, 'describe'>, error: StoreError): ToolProblem {
  return describe({ code: 'store', error }, ('run_id' in error ? error.run_id : null) ?? '');
}

/**
 * The id, where it is one: a path, a device or a name with a separator is `run_id`, and no store is asked.
 */
export function requireRunId(text: string): Result<ToolProblem, string> {
  return isRunId(text)
    ? ok(text)
    : problem('run_id', 'this is no name for a run', text, 'give an id that store_list names');
}

/** Does something that reads the store; what it raises of the store is a problem. */
export async function reading<A>(
  desk: Desk,
  work: () => Promise<Result<ToolProblem, A>>,
): Promise<Result<ToolProblem, A>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error;
    return { _tag: 'Left', left: described(desk, error.error) };
  }
}

/** Does something that writes to the store. */
export async function writing<A>(
  desk: Desk,
  work: (store: Store) => Promise<Result<ToolProblem, A>>,
): Promise<Result<ToolProblem, A>> {
  if (desk.writing === undefined) return work(desk.store);
  const opened = await desk.writing();
  if (opened._tag === 'Left') return opened;
  try {
    return await work(opened.right);
  } finally {
    await opened.right.close();
  }
}

/**
 * All records of a run whose integrity holds. Problems: `integrity`, with code and record; `too_large`; those
 * of the store.
 */
export function soundRecords(
  desk: Desk,
  runId: string,
  signal: AbortSignal,
): Promise<Result<ToolProblem, readonly EvidenceRecord[]>> {
  const unsound = ({ code, record }: { readonly code: string; readonly record: number }) =>
    problem(
      'integrity',
      `the integrity of this ledger does not hold: ${code} at record ${record}`,
      runId,
      'verify says more; do not rely on this run',
    );
  return reading(desk, async () => {
    const integrity = new RunIntegrity({ sha256: nativeSha256 });
    const records: EvidenceRecord[] = [];
    let bytes = 0;
    for await (const line of desk.store.read(runId)) {
      signal.throwIfAborted();
      bytes += line.length;
      if (bytes > LEDGER_BYTES_MAX)
        return problem(
          'too_large',
          `this ledger is larger than ${LEDGER_BYTES_MAX} bytes`,
          runId,
          'use verify, which reads ledgers of any size, or the assay command',
        );
      const record = integrity.feed(line);
      if (record._tag === 'Left') return unsound(record.left);
      records.push(record.right);
    }
    const end = integrity.finish();
    return end._tag === 'Left' ? unsound(end.left) : ok(records);
  });
}

/** One record as it is stored; null where the ledger has none there. It is parsed, and not judged. */
export function storedRecord(
  desk: Desk,
  runId: string,
  sequence: number,
): Promise<Result<ToolProblem, EvidenceRecord | null>> {
  return reading(desk, async () => {
    // The store says whether there is such a run: a reading that begins behind its end gives nothing.
    const head = await desk.store.head(runId);
    if (head._tag === 'Left') return { _tag: 'Left', left: described(desk, head.left) };
    if (head.right === null)
      return { _tag: 'Left', left: described(desk, { code: 'not_found', run_id: runId }) };
    if (sequence >= head.right.count) return ok(null);
    for await (const line of desk.store.read(runId, sequence)) {
      const record = parseRecordLine(line);
      return record._tag === 'Right'
        ? ok(record.right)
        : problem(
            'store_line',
            `record ${sequence} of the stored run is no record`,
            runId,
            'verify says more',
          );
    }
    return ok(null);
  });
}

/**
 * Shape of the document. `files` is always empty: nothing is written beside the store. `status`: `open` where
 * requests wait. Of an open request, `ask`: what is to be read, all of it words of others, never
 * instructions; `answer_by`: whether `answer` takes an answer to it; then `how` says how to read, `form` the schema.
 */
export const runDocumentSchema: z.ZodObject = z.strictObject({
  run_id: z.string(),
  ts_base: z.string(),
  status: z.enum(['success', 'refused', 'open']),
  reasons: z.array(z.string()),
  head: z.strictObject({ run_id: z.string(), count: z.int().min(0), hash: z.string() }),
  head_line: z.string().describe('keep it elsewhere: verify compares the ledger with it'),
  files: z.array(z.string()),
  artifacts: z.record(z.string(), z.json()),
  open_requests: z.array(
    z.strictObject({
      request_id: z.string(),
      kind: z.string(),
      slot: z.string(),
      ask: z.json(),
      answer_by: z.nullable(z.literal('answer')),
      how: z.nullable(z.string()),
      form: z.nullable(z.looseObject({})),
    }),
  ),
});

/** The document of a run, from records that hold and the requests that are open. */
export function runDocument(
  { ts_base }: Genesis,
  records: readonly EvidenceRecord[],
  head: Head,
  open: readonly Request[],
  allowAnswer: boolean,
): JsonObject {
  const typed = records.map(ledgerRecord);
  const last = typed.at(-1);
  const close = last?.kind === 'close' ? last.payload : undefined;
  const artifacts = typed.flatMap((record) =>
    record?.kind === 'artifact' && record.payload !== undefined
      ? [[record.payload.name, record.payload.content] as const]
      : [],
  );
  return {
    run_id: head.run_id,
    ts_base,
    status: close?.status ?? 'open',
    reasons: close?.reasons ?? [],
    head,
    head_line: formatHeadLine({ count: head.count, hash: head.hash }),
    files: [],
    artifacts: Object.fromEntries(artifacts),
    open_requests: open.map((request) => openRequest(request, allowAnswer)),
  };
}

function openRequest({ id, kind, body }: Request, allowAnswer: boolean): JsonObject {
  const ask = kind === interpretationsTask.kind ? interpretationsTask.data(body) : null;
  const isOurs = allowAnswer && ask !== null;
  return {
    request_id: id,
    kind,
    slot: readText(body, 'slot'),
    ask: ask ?? body,
    answer_by: isOurs ? 'answer' : null,
    how: isOurs ? interpretationsTask.prompt.system : null,
    form: isOurs ? plain(makeSchema(interpretationsTask.schema)) : null,
  };
}
