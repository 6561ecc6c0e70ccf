/** A ledger read whole, from its file or from a report, for commands that show or change one. */
import { statSync } from 'node:fs';
import { nativeSha256, StoreReadError, maskedAddress } from '@assay/host';
import {
  LineSplitter,
  RunIntegrity,
  type EvidenceRecord,
  type IntegrityFault,
  type RunSummary,
} from '@assay/kernel';
import { EXIT, Stop, misuse, orStop, needsOption } from '../problems/problem.js';
import { jsonIn, textIn, commandLine, show } from '../terminal/shown.js';
import { listLedgers, readChunks, shortenName } from './read.js';
import { basename } from 'node:path';
import type { PageVerdict } from '@assay/explorer';
import type { VerifyDocument } from '@assay/verifier';
import { listing } from '../problems/store-problem.js';
import { LEDGER_FILE } from './claim.js';
import { openStore, storeProblem } from './store.js';

/** The records that are sound, and what ended the reading: the whole ledger's facts, or its first fault. */
export type ReadLedger = {
  readonly records: readonly EvidenceRecord[];
  readonly summary: RunSummary | null;
  readonly fault: IntegrityFault | null;
};

/**
 * Most bytes of records kept in memory by commands that need them all. `verify` has no such bound.
 */
export const KEPT_BYTES_MAX = 268_435_456;

/** Reads a ledger up to its first fault. Raises {@link Stop}: `too_large`, and those of reading a file. */
export async function readLedger(path: string): Promise<ReadLedger> {
  const records: EvidenceRecord[] = [];
  let size = 0;
  const result = await judge(path, (record, bytes) => {
    size += bytes;
    if (size > KEPT_BYTES_MAX)
      throw misuse(
        'too_large',
        `this ledger has more than ${KEPT_BYTES_MAX} bytes`,
        shortenName(path),
        'use verify, which reads ledgers of any size',
      );
    records.push(record);
  });
  return { records, ...result };
}

/**
 * Raises {@link Stop}, `not_a_ledger`, for a non-empty file without a record, so that a mix-up is not called a broken
 * ledger. Standard input and pipes are read once, and pass.
 */
export async function requireLedger(path: string): Promise<void> {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of ledgerChunks(path)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > LOOKED_AT_MAX) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (bytes === 0 || text.split('\n').some((line) => textIn(jsonIn(line), 'record_hash') !== '')) return;
  const format = textIn(jsonIn(text), 'format');
  throw misuse(
    'not_a_ledger',
    format === ''
      ? 'this file is not a ledger: no line of it is a record'
      : `this file is a result of a run (${format}), not a ledger`,
    shortenName(path),
    'name a ledger, such as the run.ledger.jsonl that a run writes',
  );
}

/** More than a record can have: a ledger shows itself by then. */
const LOOKED_AT_MAX = 16_777_216;

/**
 * What is there instead of a first line in canonical JSON: a byte order mark, or lines that end in CRLF, each
 * in words with what to do. Null for anything else, and for standard input and pipes, which are read once.
 */
export async function foreignText(path: string): Promise<string | null> {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  for await (const chunk of readChunks(path)) {
    if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf)
      return 'it begins with a byte order mark: save it as UTF-8 without one';
    const end = chunk.indexOf(LINE_FEED);
    return end > 0 && chunk[end - 1] === CARRIAGE_RETURN
      ? 'its lines end in CRLF: write them with LF alone (git: *.jsonl -text)'
      : null;
  }
  return null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Facts of a ledger of any size; raises {@link Stop} where its integrity does not hold. `look` sees each
 * sound record as it is read.
 */
export async function readFacts(
  path: string,
  look: (record: EvidenceRecord) => void = () => undefined,
): Promise<RunSummary> {
  const { summary, fault } = await judge(path, look);
  if (summary === null) throw await unsound(path, fault);
  return summary;
}

/** A ledger whose integrity holds, or a raised {@link Stop} (exit 3). */
export async function soundLedger(
  path: string,
): Promise<{ readonly records: readonly EvidenceRecord[]; readonly summary: RunSummary }> {
  const { records, summary, fault } = await readLedger(path);
  if (summary === null) throw await unsound(path, fault);
  return { records, summary };
}

async function unsound(path: string, fault: IntegrityFault | null): Promise<Stop> {
  const { code, record } = fault ?? { code: 'empty', record: 0 };
  if (record === 0) await requireLedger(path);
  const found = code === 'encoding' && record === 0 ? await foreignText(path) : null;
  return new Stop({
    code,
    message: `the integrity of this ledger does not hold, at record ${record}`,
    place: shortenName(path),
    remedy: found ?? 'assay verify says more',
    exit: EXIT.failed,
  });
}

async function judge(
  path: string,
  keep: (record: EvidenceRecord, bytes: number) => void,
): Promise<Pick<ReadLedger, 'summary' | 'fault'>> {
  const integrity = new RunIntegrity({ sha256: nativeSha256 });
  const splitter = new LineSplitter();
  const take = (line: Uint8Array, isEnded: boolean): boolean => {
    const record = integrity.feed(line, isEnded);
    if (record._tag === 'Right') keep(record.right, line.length);
    return record._tag === 'Right';
  };
  reading: for await (const chunk of ledgerChunks(path)) {
    for (const line of splitter.push(chunk)) if (!take(line.bytes, line.isEnded)) break reading;
  }
  for (const line of splitter.end()) take(line.bytes, line.isEnded);
  const end = integrity.finish();
  return end._tag === 'Right' ? { summary: end.right, fault: null } : { summary: null, fault: end.left };
}

/** What else it may be where a ledger of a user's machine does not re-derive. */
export const CHANGED = 'or your machine changed: raise its version and keep the old one beside it';

/** What is told of a ledger whose integrity holds and that does not re-derive. `modules`: of the user's. */
export function underivable(
  code: string,
  record: number,
  place: string,
  modules: readonly string[] = [],
): Stop {
  if (code === 'differs')
    return new Stop({
      code,
      message: `the recomputed decision differs at record ${record}; no explanation is shown`,
      place,
      remedy: `assay verify shows both; do not rely on this file${modules.length === 0 ? '' : `, ${CHANGED}`}`,
      exit: EXIT.failed,
    });
  return new Stop({
    code,
    message: `this ledger cannot be recomputed from record ${record} on`,
    place,
    remedy: 'assay verify says more',
    exit: EXIT.unchecked,
  });
}

const PEEK_BYTES = 256;

/** The document of a report: `page` says what is around the ledger. */
export type PagedDocument = VerifyDocument & { readonly page?: PageVerdict };

/** True for the first bytes of a page; a ledger begins with a record. */
export function isPage(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start.subarray(0, PEEK_BYTES));
  return /^\s*<(?:!doctype|html)/i.test(text);
}

/** The file of a ledger: the one in a folder of results, or the only one in a folder, else what was given. */
export function ledgerFile(path: string): string {
  const ledgers = listLedgers(path);
  return ledgers.find(isOwn) ?? (ledgers.length === 1 ? (ledgers[0] ?? path) : path);
}

/** What was given, or every ledger of a folder that is none of results. */
export function namedLedgers(path: string): readonly string[] {
  const ledgers = listLedgers(path);
  return ledgers.length === 0 || ledgers.some(isOwn) ? [path] : ledgers;
}

function isOwn(file: string): boolean {
  return basename(file) === LEDGER_FILE;
}

/** The lines of a run by the address of its store and its id. Raises `Stop`: `no_run`, and those of stores. */
async function* storedLines(url: string, run: string): AsyncGenerator<Uint8Array> {
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    for await (const line of store.read(run)) yield Buffer.concat([line, LINE_END]);
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error;
    throw error.error.code === 'not_found'
      ? misuse('no_run', 'this store has no such run', run, 'assay store list lists those there are')
      : storeProblem(error.error, maskedAddress(url));
  } finally {
    await store.close();
  }
}

const LINE_END = Uint8Array.of(0x0a);

/** The address of a store, and a run of it; of a store with one run the address alone. */
export const STORED: RegExp = /^((?:file|sqlite|postgres(?:ql)?):[^#]+)(?:#([^#]+))?$/;

/** The one run of a store, children of runs apart. Raises `Stop`: `option_needed`, and those of stores. */
export async function onlyRun(url: string): Promise<string> {
  const store = await openStore(url, { mustExist: true, readsOnly: true });
  try {
    const listed = orStop(await store.list(), (error) => storeProblem(error, url));
    const ids = listed.filter((id) => !id.includes('~'));
    const [only] = ids;
    if (only !== undefined && ids.length === 1) return only;
    const place = maskedAddress(url);
    throw only === undefined
      ? misuse('no_run', 'this store has no runs', place, 'name another store')
      : needsOption(
          `this store has ${ids.length} runs`,
          place,
          show`name one, such as ${commandLine([`${place}#${only}`])}; ${listing(place)} lists them`,
        );
  } finally {
    await store.close();
  }
}

/** True for the address of a store, also with a run of it, such as `file:./runs#r1`. */
export function isStored(path: string): boolean {
  return STORED.test(path);
}

/**
 * The chunks of a ledger, or of the ledger that a report holds; `look` is told what the page around it is.
 * Raises `Stop`: `report_ledger` for a page without one readable data element, and those of reading a file.
 */
export async function* ledgerChunks(
  path: string,
  look: (page: PageVerdict) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const [, url, run] = STORED.exec(path) ?? [];
  const chunks =
    url === undefined ? readChunks(ledgerFile(path)) : storedLines(url, run ?? (await onlyRun(url)));
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (held.length === 0 && !isPage(chunk)) {
      yield chunk;
      yield* chunks;
      return;
    }
    const { LEDGER_BYTES_MAX } = await import('@assay/explorer');
    held.push(chunk);
    size += chunk.length;
    if (size > 2 * LEDGER_BYTES_MAX)
      throw misuse(
        'report_ledger',
        'this page is larger than a report can be',
        shortenName(path),
        'name the ledger',
      );
  }
  if (held.length === 0) return;
  const { allShells, readReport } = await import('@assay/explorer');
  const read = readReport(Buffer.concat(held).toString('utf8'), allShells());
  if (read._tag === 'Left') throw misuse('report_ledger', read.left.says, shortenName(path), read.left.next);
  look(read.right.page);
  yield read.right.ledger;
}
