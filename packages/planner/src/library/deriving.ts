/**
 * What other ledgers say to a planner and to a library: each answer of source `run` as a function of the
 * records it cites. Whoever makes such an answer and whoever checks it call the same. Source: machine
 * interface, "Other ledgers".
 */
import {
  admit,
  follow,
  isObject,
  sha256Hex,
  utf8Length,
  type EvidenceRecord,
  type Json,
  type JsonObject,
  type KernelOptions,
  type Sha256,
} from '@assay/kernel';
import { readField, readText, listObjects } from '@assay/kernel/shape';
import type { Bodies, LibraryRow } from '../protocol/bodies.js';
import { library } from './machine.js';
import { answerReading, findSettled } from './reading.js';
import type { LibraryState } from './state.js';

/** What a library in this state answers to a request of a planner; null where it has no answer. */
export function answerFromLibrary(state: LibraryState, kind: 'library' | 'capability', body: Json): Json {
  return kind === 'library'
    ? answerReading(state, body as unknown as Bodies['library'])
    : findSettled(state, (body as unknown as Bodies['capability']).fingerprint);
}

/** The rows that one decision of a planner has for its library. */
export function listLibraryRows({ kind, payload }: EvidenceRecord): readonly LibraryRow[] {
  const events = kind === 'decision' ? listObjects(readField(payload, 'events')) : [];
  return events.flatMap((event) =>
    event['t'] === 'library_write' ? (event['rows'] as unknown as LibraryRow[]) : [],
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

/**
 * The files that accepted calls of a task's run wrote, in order, with their texts as the calls say them; null where
 * they do not: what was there before, or was changed by something else, is in no ledger.
 */
export function filesWrittenIn(records: readonly EvidenceRecord[]): ReadonlyMap<string, string | null> {
  const asked = new Map<Json, JsonObject>();
  const files = new Map<string, string | null>();
  for (const { kind, payload } of records) {
    for (const { kind: asks, id, body } of kind === 'decision'
      ? listObjects(readField(payload, 'requests'))
      : [])
      if (asks === 'call' && isObject(body)) asked.set(id ?? null, body);
    const call = kind === 'proposal' ? asked.get(readField(payload, 'request_id')) : undefined;
    const said = readField(payload, 'value');
    if (call !== undefined && isObject(said) && said['status'] === 'ok') note(files, call, said);
  }
  return files;
}

/** What an accepted call does to files. A target that is quoted or cut is no path, and left out. */
function note(
  files: Map<string, string | null>,
  { tool, input }: JsonObject,
  { target, output }: JsonObject,
): void {
  if (typeof target !== 'string' || typeof output !== 'string' || !isObject(input)) return;
  const { content } = input;
  if (tool === 'write_file' || tool === 'append_file') {
    if (typeof content !== 'string' || target.startsWith('"') || target.length > TARGET_UNITS) return;
    const before = tool === 'write_file' || output.startsWith('wrote ') ? '' : (files.get(target) ?? null);
    const isBefore = before === '' || (before !== null && output.endsWith(`had ${utf8Length(before)}\n`));
    files.set(target, isBefore ? `${before}${content}` : null);
  } else if (tool === 'remove_file') files.delete(target);
  else if (!QUIET.includes(tool ?? null)) for (const path of files.keys()) files.set(path, null);
}

/** Tools that change no file. What another does to files, a check among them, is in no ledger. */
const QUIET: readonly Json[] = ['find_files', 'glob', 'read_file', 'make_dir', 'shell'];
/** A target that is longer is cut. */
const TARGET_UNITS = 200;

/** A text of a file as an answer names it. */
export function fileToken(text: string, sha256?: Sha256): JsonObject {
  return { $blob: { bytes: utf8Length(text), media: 'text/plain', sha256: sha256Hex(text, sha256) } };
}

/**
 * What a planner is answered by the records of the ledger that the answer cites; undefined where nothing is
 * derived for such an answer, null where these records give none. A leaf that is all that is said but for files
 * whose texts its ledger does not have is not compared.
 */
export function derivePlannerAnswer(
  records: readonly EvidenceRecord[],
  { kind, body }: { readonly kind: string; readonly body: Json },
  said: Json,
  options: KernelOptions,
): Json | undefined {
  if (kind === 'library' || kind === 'capability') {
    const state = deriveState(records, options);
    return state === null ? null : answerFromLibrary(state, kind, body);
  }
  return kind === 'resolve' ? deriveLeaf(records, body, said, options) : undefined;
}

/** The rows that a library is told by the planner's decision that the answer cites; else as above. */
export function deriveLibraryWrite(
  records: readonly EvidenceRecord[],
  { kind }: { readonly kind: string },
): Json | undefined {
  if (kind !== 'write') return undefined;
  const last = records.at(-1);
  return last === undefined ? null : { rows: listLibraryRows(last) as unknown as Json };
}

function deriveLeaf(
  records: readonly EvidenceRecord[],
  body: Json,
  said: Json,
  { sha256 }: KernelOptions,
): Json | undefined {
  const genesis = records[0]?.payload;
  if (readField(readField(genesis, 'machine'), 'name') !== 'controller') return undefined;
  const result = records.find(
    ({ kind, payload }) => kind === 'artifact' && readField(payload, 'name') === 'final_result',
  )?.payload;
  const summary = readField(readField(result, 'content'), 'summary');
  const run = readField(genesis, 'run_id');
  const isAsked = readText(readField(genesis, 'input'), 'text') === readText(body, 'goal');
  if (!isAsked || typeof summary !== 'string' || typeof run !== 'string') return null;
  const written = filesWrittenIn(records);
  const given = listObjects(readField(readField(readField(said, 'artifact'), 'content'), 'files'));
  const files = [...written].flatMap(([path, text]) =>
    text === null
      ? given.filter((file) => file['path'] === path).slice(0, 1)
      : [{ path, blob: fileToken(text, sha256) }],
  );
  const derived = answerFromLeaf(run, files, summary);
  const isWhole = ![...written.values()].includes(null);
  return isWhole || writeText(derived) !== writeText(said) ? derived : undefined;
}

function writeText(json: Json): string | null {
  const admitted = admit(json);
  return admitted._tag === 'Left' ? null : admitted.right.text;
}

function deriveState(
  [genesis, ...rest]: readonly EvidenceRecord[],
  options: KernelOptions,
): LibraryState | null {
  if (genesis === undefined) return null;
  let at = follow(library, genesis, { ...options, checked: true });
  for (const record of rest) {
    if (at._tag === 'Left') return null;
    at = at.right.feed(record);
  }
  return at._tag === 'Left' ? null : at.right.run.state;
}
