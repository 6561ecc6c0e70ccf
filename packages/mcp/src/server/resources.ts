/** Resources: ledgers, records and results of stored runs, as they are stored. */
import { canonicalize, isRunId, ok, orThrow, type Json, type Result } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { ledgerUri, type Desk, ANSWER_BYTES_MAX, PAGE_MAX, problem, type ToolProblem } from './desk.js';
import { reading, soundRecords, storedRecord } from './stored.js';
import type { Tool } from './tool.js';
import { runIds } from './tools/reading.js';

/** A resource as it is listed. */
export type Listed = { readonly uri: string; readonly name: string; readonly mimeType: string };

/** One page, and where the next begins; null at the end. */
export type Page = { readonly resources: readonly Listed[]; readonly next: string | null };

/** A resource's content: exact bytes as text. */
export type Content = { readonly uri: string; readonly mimeType: string; readonly text: string };

const LEDGER = 'application/jsonl';
const JSON_TYPE = 'application/json';

/** The resource templates. */
export const TEMPLATES: readonly {
  readonly uriTemplate: string;
  readonly name: string;
  readonly mimeType: string;
  readonly description: string;
}[] = [
  {
    uriTemplate: 'assay://runs/{run_id}/ledger',
    name: 'ledger',
    mimeType: LEDGER,
    description: 'the ledger of a run, byte for byte',
  },
  {
    uriTemplate: 'assay://runs/{run_id}/records/{sequence}',
    name: 'record',
    mimeType: JSON_TYPE,
    description: 'one record of a ledger as canonical text, counted from 0',
  },
  {
    uriTemplate: 'assay://runs/{run_id}/artifacts/{name}',
    name: 'artifact',
    mimeType: JSON_TYPE,
    description: 'a result of a closed run as canonical text; its SHA-256 is the hash in the ledger',
  },
  {
    uriTemplate: 'assay://tools/{tool}/{schema}',
    name: 'schema',
    mimeType: JSON_TYPE,
    description: 'the JSON Schema of what a tool gives (output), or of a part of what it takes (check/plan)',
  },
];

/**
 * The resources of up to 100 runs after one: the ledger of each, and the results that its close names.
 * `cursor`: the id to go on after. Problem: `cursor`.
 */
export async function listResources(
  desk: Desk,
  cursor: string | undefined,
): Promise<Result<ToolProblem, Page>> {
  if (cursor !== undefined && !isRunId(cursor))
    return problem('cursor', 'this is no cursor of this server', cursor, 'begin without one');
  const ids = await runIds(desk, cursor ?? null);
  if (ids._tag === 'Left') return ids;
  const page = ids.right.slice(0, PAGE_MAX);
  const resources: Listed[] = [];
  for (const id of page) {
    resources.push({ uri: ledgerUri(id), name: `${id} ledger`, mimeType: LEDGER });
    for (const name of await listResults(desk, id))
      resources.push({
        uri: `assay://runs/${id}/artifacts/${name}`,
        name: `${id} ${name}`,
        mimeType: JSON_TYPE,
      });
  }
  return ok({ resources, next: ids.right.length > page.length ? (page.at(-1) ?? null) : null });
}

/**
 * Reads a resource. Problems: `uri`, none of ours; `no_run`, `no_record`, `no_artifact`, `too_large`, those
 * of the store.
 */
export async function readResource(
  desk: Desk,
  tools: ReadonlyMap<string, Tool>,
  uri: string,
  signal: AbortSignal,
): Promise<Result<ToolProblem, Content>> {
  const [, called = '', schema = ''] = /^assay:\/\/tools\/([a-z_]+)\/([a-z]+)$/.exec(uri) ?? [];
  const found = new Map(Object.entries(tools.get(called)?.schemas ?? {})).get(schema);
  if (found !== undefined) return content(uri, found, called);
  const [, runId = '', kind = '', rest] = URI.exec(uri) ?? [];
  if (!isRunId(runId) || (kind === 'ledger') !== (rest === undefined))
    return problem('uri', 'there is no such resource', uri, 'see the templates: assay://runs/RUN_ID/ledger');
  if (kind === 'ledger') return ledger(desk, uri, runId, signal);
  return kind === 'records'
    ? record(desk, uri, runId, rest ?? '')
    : artifact(desk, uri, runId, rest ?? '', signal);
}

const URI = /^assay:\/\/runs\/([^/]{1,128})\/(ledger|records|artifacts)(?:\/([a-z0-9_.-]{1,64}))?$/;

function ledger(
  desk: Desk,
  uri: string,
  runId: string,
  signal: AbortSignal,
): Promise<Result<ToolProblem, Content>> {
  return reading(desk, async () => {
    const lines: Uint8Array[] = [];
    let bytes = 0;
    for await (const line of desk.store.read(runId)) {
      signal.throwIfAborted();
      bytes += line.length + 1;
      if (bytes > ANSWER_BYTES_MAX) return tooLarge(runId);
      lines.push(line, LINE_FEED);
    }
    return ok({ uri, mimeType: LEDGER, text: Buffer.concat(lines).toString('utf8') });
  });
}

async function record(
  desk: Desk,
  uri: string,
  runId: string,
  digits: string,
): Promise<Result<ToolProblem, Content>> {
  const found = /^(?:0|[1-9][0-9]{0,11})$/.test(digits)
    ? await storedRecord(desk, runId, Number(digits))
    : ok(null);
  if (found._tag === 'Left') return found;
  return found.right === null
    ? problem('no_record', 'this run has no such record', uri, 'store_list says how many records a run has')
    : content(uri, found.right, runId);
}

async function artifact(
  desk: Desk,
  uri: string,
  runId: string,
  name: string,
  signal: AbortSignal,
): Promise<Result<ToolProblem, Content>> {
  const records = await soundRecords(desk, runId, signal);
  if (records._tag === 'Left') return records;
  const found = records.right.findLast(
    ({ kind, payload }) => kind === 'artifact' && readText(payload, 'name') === name,
  );
  return found === undefined
    ? problem(
        'no_artifact',
        'this run has no such result',
        uri,
        'the list of resources names those there are',
      )
    : content(uri, readField(found.payload, 'content'), runId);
}

function content(uri: string, value: Json, runId: string): Result<ToolProblem, Content> {
  const bytes = orThrow(canonicalize(value));
  return bytes.length > ANSWER_BYTES_MAX
    ? tooLarge(runId)
    : ok({ uri, mimeType: JSON_TYPE, text: Buffer.from(bytes).toString('utf8') });
}

function tooLarge(runId: string): Result<ToolProblem, never> {
  return problem(
    'too_large',
    `this resource is larger than ${ANSWER_BYTES_MAX} bytes`,
    runId,
    'read records one by one, or copy the run with assay store copy',
  );
}

/** Names of the results that a run's last record states; none where it is open, or cannot be read. */
async function listResults(desk: Desk, runId: string): Promise<readonly string[]> {
  const head = await desk.store.head(runId);
  if (head._tag === 'Left' || head.right === null) return [];
  const last = await storedRecord(desk, runId, head.right.count - 1);
  if (last._tag === 'Left' || last.right?.kind !== 'close') return [];
  const hashes = readField(last.right.payload, 'artifact_hashes');
  return hashes === null ? [] : Object.keys(hashes).filter((name) => /^[a-z0-9_.-]{1,64}$/.test(name));
}

const LINE_FEED = Uint8Array.of(0x0a);
