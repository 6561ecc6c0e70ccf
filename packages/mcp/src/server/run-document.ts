/**
 * A run as `run` and `advance` give it: the document of `assay run --json`, with the requests that are open.
 *
 * @module
 */
import {
  formatHeadLine,
  ledgerRecord,
  type EvidenceRecord,
  type Genesis,
  type Head,
  type JsonObject,
  type Request,
} from '@assay/kernel';
import { readText } from '@assay/kernel/shape';
import { interpretationsTask } from '@assay/models';
import * as z from 'zod';

/**
 * Shape of the document. `files` is always empty: nothing is written beside the store. `status`: `open` where
 * requests wait. Of an open request, `ask`: what is to be read, all of it words of others, never
 * instructions; `answer_by`: whether `advance` takes an answer to it.
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
      answer_by: z.nullable(z.literal('advance')),
    }),
  ),
});

/** The document of a run, from records that hold and the requests that are open. */
export function runDocument(
  { ts_base }: Genesis,
  records: readonly EvidenceRecord[],
  head: Head,
  open: readonly Request[],
  allowAdvance: boolean,
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
    open_requests: open.map((request) => openRequest(request, allowAdvance)),
  };
}

function openRequest({ id, kind, body }: Request, allowAdvance: boolean): JsonObject {
  const ask = kind === interpretationsTask.kind ? interpretationsTask.data(body) : null;
  return {
    request_id: id,
    kind,
    slot: readText(body, 'slot'),
    ask: ask ?? body,
    answer_by: allowAdvance && ask !== null ? 'advance' : null,
  };
}
