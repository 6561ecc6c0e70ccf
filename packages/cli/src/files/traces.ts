/** Traces by their place: a file, a folder of them, or standard input, read line by line. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nameRuns, TraceReader, type FoundFile, type Session } from '@assay/gate/import';
import { nativeSha256 } from '@assay/host';
import { compareText, LineSplitter, type Digest } from '@assay/kernel';
import { misuse, Stop } from '../problems/problem.js';
import { notRead, readChunks, requireOneStdin, shortenName } from './read.js';

/** What was read. `runs`: sessions that have calls, with the ids of their runs; `unread`: files that cannot be read. */
export type FoundTraces = {
  readonly files: readonly FoundFile[];
  readonly unread: readonly string[];
  readonly runs: readonly { readonly session: Session; readonly run_id: string }[];
  readonly hashes: ReadonlyMap<string, Digest>;
};

/** A file by the name that a ledger gives it: no more of its path than what was not named. */
type Trace = { readonly path: string; readonly name: string; readonly isNamed: boolean };

/**
 * Reads all traces of places. In a folder, what is no trace is counted and left out; a file that is named must be one.
 * Raises `Stop`: `no_trace`, `stdin`, and those of reading.
 */
export async function readTraces(
  places: readonly string[],
  { keep, onFile }: { readonly keep?: number; readonly onFile?: (done: number, all: number) => void } = {},
): Promise<FoundTraces> {
  requireOneStdin(places);
  const reader = new TraceReader({ sha256: nativeSha256, ...(keep === undefined ? {} : { keep }) });
  const traces = nameApart(places.flatMap(listTraces));
  const files: FoundFile[] = [];
  const unread: string[] = [];
  for (const [done, trace] of traces.entries()) {
    onFile?.(done, traces.length);
    try {
      const found = await readTrace(reader, trace);
      if (trace.isNamed && found.format === null) throw noTrace(trace.path);
      files.push(found);
    } catch (error) {
      if (trace.isNamed || !(error instanceof Stop)) throw error;
      unread.push(trace.name);
    }
  }
  const sessions = reader.sessions().filter(({ calls }) => calls.length > 0);
  if (files.every(({ format }) => format === null)) throw noTrace(places.join(' '));
  const names = nameRuns(sessions);
  return {
    ...{ files, unread },
    runs: sessions.map((session, at) => ({ session, run_id: names[at] ?? '' })),
    hashes: new Map(files.map(({ file, sha256 }) => [file, sha256])),
  };
}

async function readTrace(reader: TraceReader, { path, name }: Trace): Promise<FoundFile> {
  const hash = createHash('sha256');
  const lines = new LineSplitter();
  reader.begin(name);
  for await (const chunk of readChunks(path)) {
    hash.update(chunk);
    for (const { bytes } of lines.push(chunk)) reader.line(bytes);
  }
  for (const { bytes } of lines.end()) reader.line(bytes);
  return reader.end(hash.digest('hex') as Digest);
}

function listTraces(place: string): readonly Trace[] {
  if (place === '-' || statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true)
    return [{ path: place, name: place === '-' ? 'standard input' : basename(place), isNamed: true }];
  return listBelow(place, '');
}

/** Files of lines of JSON and of JSON, by name; links are not followed. */
function listBelow(folder: string, name: string): readonly Trace[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw notRead(folder, error);
  }
  return entries
    .toSorted((a, b) => compareText(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const below = name === '' ? entry.name : `${name}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listBelow(path, below);
      const isTrace = entry.isFile() && /\.(?:jsonl|json|ndjson)$/.test(entry.name);
      return isTrace ? [{ path, name: below, isNamed: false }] : [];
    });
}

/** Files of one name are told apart by a number. */
function nameApart(traces: readonly Trace[]): readonly Trace[] {
  const taken = new Map<string, number>();
  return traces.map((trace) => {
    const count = (taken.get(trace.name) ?? 0) + 1;
    taken.set(trace.name, count);
    return count === 1 ? trace : { ...trace, name: `${trace.name}~${count}` };
  });
}

/** Code of a place without any session. */
export const NO_TRACE = 'no_trace';

function noTrace(place: string): Stop {
  return misuse(
    NO_TRACE,
    'there is no session here of a format that assay knows',
    shortenName(place),
    'docs/formats/import.md lists the formats, and how to get a trace in them',
  );
}
