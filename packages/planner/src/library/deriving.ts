/**
 * What other ledgers say to a planner and to a library: each answer of source `run` as a function of the
 * records it cites. Whoever makes such an answer and whoever checks it call the same. Source: machine
 * interface, "Other ledgers".
 *
 * @module
 */
import {
  field,
  follow,
  isArray,
  isObject,
  type EvidenceRecord,
  type Json,
  type KernelOptions,
} from '@assay/kernel';
import type { Bodies } from '../protocol/asks.js';
import type { LibraryRow } from '../protocol/library-rows.js';
import { library } from './machine.js';
import { readingOf, settledOf } from './reading.js';
import type { LibraryState } from './state.js';

/** What a library in this state answers to a request of a planner; null where it has no answer. */
export function answerFromLibrary(state: LibraryState, kind: 'library' | 'capability', body: Json): Json {
  return kind === 'library'
    ? readingOf(state, body as unknown as Bodies['library'])
    : settledOf(state, (body as unknown as Bodies['capability']).fingerprint);
}

/** The rows that one decision of a planner has for its library. */
export function libraryRowsOf({ kind, payload }: EvidenceRecord): readonly LibraryRow[] {
  const events = kind === 'decision' && isObject(payload) ? field(payload, 'events') : undefined;
  if (!isArray(events)) return [];
  return events.flatMap((event) =>
    isObject(event) && event['t'] === 'library_write' ? (event['rows'] as unknown as LibraryRow[]) : [],
  );
}

/** What a leaf's run made, as the planner is told: all of it but the bytes of its files. */
export function answerFromLeaf(run: string, files: Json, summary: string): { readonly [key: string]: Json } {
  return {
    artifact: { format: 'files', summary: summary.slice(0, 400), content: { run, files, summary } },
    leaf_kind: 'atomic',
    leaf_reason: 'one piece of work',
    manifest: null,
    checks: [],
    figures: [],
  };
}

/** The paths that accepted calls of a task's run wrote, in order, each once. */
export function pathsWrittenIn(records: readonly EvidenceRecord[]): readonly string[] {
  const asked = new Map<Json, Json>();
  const paths = new Set<string>();
  for (const { kind, payload } of records) {
    if (!isObject(payload)) continue;
    const requests = kind === 'decision' ? payload['requests'] : undefined;
    for (const request of isArray(requests) ? requests : [])
      if (isObject(request) && request['kind'] === 'call' && isObject(request['body']))
        asked.set(request['id'] ?? null, request['body']['tool'] ?? null);
    if (kind !== 'proposal') continue;
    const tool = asked.get(payload['request_id'] ?? null);
    const said = payload['value'];
    if (tool !== 'write_file' && tool !== 'append_file') continue;
    if (isObject(said) && said['status'] === 'ok' && typeof said['target'] === 'string')
      paths.add(said['target']);
  }
  return [...paths];
}

/**
 * What a planner is answered by the records of the ledger that the answer cites; undefined where nothing is
 * derived for such an answer, null where these records give none. Of a leaf's files the paths are derived,
 * not the bytes.
 */
export function derivePlannerAnswer(
  records: readonly EvidenceRecord[],
  { kind, body }: { readonly kind: string; readonly body: Json },
  said: Json,
  options: KernelOptions,
): Json | undefined {
  if (kind === 'library' || kind === 'capability') {
    const state = stateOf(records, options);
    return state === null ? null : answerFromLibrary(state, kind, body);
  }
  return kind === 'resolve' ? deriveLeaf(records, said) : undefined;
}

/** The rows that a library is told by the planner's decision that the answer cites; else as above. */
export function deriveLibraryWrite(
  records: readonly EvidenceRecord[],
  { kind }: { readonly kind: string },
): Json | undefined {
  if (kind !== 'write') return undefined;
  const last = records.at(-1);
  return last === undefined ? null : { rows: libraryRowsOf(last) as unknown as Json };
}

function deriveLeaf(records: readonly EvidenceRecord[], said: Json): Json | undefined {
  const genesis = records[0]?.payload;
  const machine = isObject(genesis) ? genesis['machine'] : undefined;
  if (!isObject(genesis) || !isObject(machine) || machine['name'] !== 'controller') return undefined;
  const result = records.find(
    ({ kind, payload }) => kind === 'artifact' && isObject(payload) && payload['name'] === 'final_result',
  )?.payload;
  const content = isObject(result) ? result['content'] : undefined;
  const summary = isObject(content) ? content['summary'] : undefined;
  const run = genesis['run_id'];
  if (typeof summary !== 'string' || typeof run !== 'string') return null;
  const files = filesSaid(said);
  const written = new Set(pathsWrittenIn(records));
  const areWritten = files.every(
    (file) => isObject(file) && typeof file['path'] === 'string' && written.has(file['path']),
  );
  return areWritten ? answerFromLeaf(run, files, summary) : null;
}

function filesSaid(said: Json): readonly Json[] {
  const artifact = isObject(said) ? said['artifact'] : undefined;
  const content = isObject(artifact) ? artifact['content'] : undefined;
  const files = isObject(content) ? content['files'] : undefined;
  return isArray(files) ? files : [];
}

function stateOf([genesis, ...rest]: readonly EvidenceRecord[], options: KernelOptions): LibraryState | null {
  if (genesis === undefined) return null;
  let at = follow(library, genesis, { ...options, checked: true });
  for (const record of rest) {
    if (at._tag === 'Left') return null;
    at = at.right.feed(record);
  }
  return at._tag === 'Left' ? null : at.right.run.state;
}
