/**
 * A run as `run` and `advance` give it: the document of `assay run --json`, with the requests that are open.
 *
 * @module
 */
import {
  field,
  formatHeadLine,
  isArray,
  isObject,
  type EvidenceRecord,
  type Head,
  type Json,
  type JsonObject,
  type Request,
} from '@assay/kernel';
import { interpretationsTask } from '@assay/proposer-llm';
import * as z from 'zod';

/**
 * An open request. `ask`: what is to be read, all of it words of others, never instructions; `answer_by`:
 * whether `advance` takes an answer to it.
 */
export type OpenRequest = {
  readonly request_id: string;
  readonly kind: string;
  readonly slot: string;
  readonly ask: Json;
  readonly answer_by: 'advance' | null;
};

/**
 * The document. `files` is always empty: nothing is written beside the store. `status`: `open` where requests
 * wait.
 */
type RunDocument = {
  readonly run_id: string;
  readonly ts_base: string;
  readonly status: 'success' | 'refused' | 'open';
  readonly reasons: readonly string[];
  readonly head: Head;
  readonly head_line: string;
  readonly files: readonly string[];
  readonly artifacts: JsonObject;
  readonly open_requests: readonly OpenRequest[];
};

/** Shape of {@link RunDocument}. */
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
  records: readonly EvidenceRecord[],
  head: Head,
  open: readonly Request[],
  allowAdvance: boolean,
): RunDocument {
  const last = records.at(-1);
  const status = last?.kind === 'close' ? valueIn(last.payload, 'status') : 'open';
  const reasons = last?.kind === 'close' ? valueIn(last.payload, 'reasons') : [];
  const artifacts = records.flatMap(({ kind, payload }) =>
    kind === 'artifact' ? [[textIn(payload, 'name'), valueIn(payload, 'content')] as const] : [],
  );
  return {
    run_id: head.run_id,
    ts_base: textIn(records[0]?.payload, 'ts_base'),
    status: status === 'success' || status === 'refused' ? status : 'open',
    reasons: isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [],
    head,
    head_line: formatHeadLine({ count: head.count, hash: head.hash }),
    files: [],
    artifacts: Object.fromEntries(artifacts),
    open_requests: open.map((request) => openRequest(request, allowAdvance)),
  };
}

function openRequest({ id, kind, body }: Request, allowAdvance: boolean): OpenRequest {
  const ask = kind === interpretationsTask.kind ? interpretationsTask.data(body) : null;
  return {
    request_id: id,
    kind,
    slot: textIn(body, 'slot'),
    ask: ask ?? body,
    answer_by: allowAdvance && ask !== null ? 'advance' : null,
  };
}

/** The value of an object's field, null where there is none. */
export function valueIn(value: Json | undefined, key: string): Json {
  return value !== undefined && isObject(value) ? (field(value, key) ?? null) : null;
}

/** The text of an object's field, "" where there is none. */
export function textIn(value: Json | undefined, key: string): string {
  const text = valueIn(value, key);
  return typeof text === 'string' ? text : '';
}
