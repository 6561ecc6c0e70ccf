/** `assay import`: past sessions of agents as ledgers of the gate, and what is in them. */
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  countCalls,
  makeRun,
  suggestPolicy,
  type CallCounts,
  type FoundFile,
  type Suggestion,
} from '@assay/gate/import';
import { nativeSha256 } from '@assay/host';
import type { Draft } from '@assay/host/files';
import { isObject, utf8Bytes, type JsonObject } from '@assay/kernel';
import { encodeFile } from '@assay/verifier/attacks';
import type { Context, Output } from '../call/output.js';
import { readTraces, type FoundTraces } from '../files/traces.js';
import { replaceAll, requireWritable, writeNew } from '../files/write.js';
import { EXIT, misuse, type ExitCode, badValue } from '../problems/problem.js';
import { commandLine, jsonIn, show, styled, textIn } from '../terminal/shown.js';

type ImportFlags = { readonly output?: string; readonly keep?: string };

/** So many files, or bytes, are written together. */
const BATCH_FILES = 128;
const BATCH_BYTES = 8_388_608;

/**
 * Reads traces, says what they hold and, with `-o`, writes a ledger a session into a folder that has nothing in it but
 * an earlier import that nobody has changed.
 * Raises `Stop`: `bad_value`, `exists`, `no_trace`, and those of reading and writing.
 */
export async function importTraces(
  { output }: Context,
  places: readonly string[],
  { output: folder, keep }: ImportFlags,
): Promise<ExitCode> {
  if (keep !== undefined && !/^(?:0|[1-9][0-9]{0,6})$/.test(keep))
    throw badValue('not a number of bytes', `--keep ${keep}`, 'give a whole number below 10,000,000');
  const before = folder === undefined ? {} : readEarlier(folder);
  const live = output.live<readonly [number, number]>(
    ([done, all]) => show`assay: ${done} of ${all} files read`,
  );
  let traces: FoundTraces;
  try {
    traces = await readTraces(places, {
      ...(keep === undefined ? {} : { keep: Number(keep) }),
      onFile: (done, all) => live.show([done, all]),
    });
  } finally {
    live.end();
  }
  const sessions = traces.runs.map(({ session }) => session);
  const counts = countCalls(sessions);
  const suggested = suggestPolicy(sessions);
  const written = folder === undefined ? null : await writeRuns(traces, folder, suggested, before);
  output.document({
    sessions: sessions.length,
    ...counts,
    files: traces.files.map(({ leftOut, ...file }) => ({ ...file, left_out: Object.fromEntries(leftOut) })),
    unread: traces.unread,
    suggested,
    written: written === null ? null : { folder, ledgers: sessions.length, left_out: written.leftOut },
  });
  tellCounts(output, traces, counts);
  tellSuggested(output, suggested);
  if (folder === undefined || written === null) {
    output.line(show`nothing was written: -o DIR writes a ledger for each session, and the policy`);
    return EXIT.done;
  }
  if (written.leftOut > 0)
    output.line(show`not in a ledger  ${count(written.leftOut, 'call')} beyond its limits`);
  output.line(show`written          ${count(sessions.length, 'ledger')} in ${folder}, and ${written.policy}`);
  output.line(show`next             ${commandLine(['assay', 'impact', folder, '--policy', written.policy])}`);
  return EXIT.done;
}

/** In the folder of an import: the digest of each file that it wrote, by name. */
const WRITTEN = '.assay-import';
const POLICY = 'starter-policy.json';

/** What an earlier import wrote. Raises `Stop`, `exists`, for anything else, and for a file that was changed since. */
function readEarlier(folder: string): JsonObject {
  requireWritable(folder);
  const found = statSync(folder, { throwIfNoEntry: false });
  const names = found === undefined ? [] : found.isDirectory() ? readdirSync(folder) : ['.'];
  const written = names.includes(WRITTEN) ? jsonIn(readFileSync(join(folder, WRITTEN), 'utf8')) : null;
  for (const name of names.filter((each) => each !== WRITTEN)) {
    const [path, digest] = [join(folder, name), textIn(written, name)];
    if (digest !== '' && lstatSync(path).isFile() && digest === nativeSha256(readFileSync(path))) continue;
    const why = digest === '' ? 'no import wrote this' : 'this file was changed since it was imported';
    const remedy = 'name another folder, or move this file out of it';
    throw misuse('exists', `${why}; nothing was written`, path, remedy);
  }
  return isObject(written) ? written : {};
}

async function writeRuns(
  { runs, hashes }: FoundTraces,
  folder: string,
  suggested: Suggestion,
  before: JsonObject,
): Promise<{ readonly leftOut: number; readonly policy: string }> {
  let leftOut = 0;
  let bytes = 0;
  const written: { [name: string]: string } = {};
  let batch: Draft[] = [];
  const add = (name: string, draft: Uint8Array): void => {
    batch.push({ path: join(folder, name), bytes: draft });
    written[name] = nativeSha256(draft);
    bytes += draft.length;
  };
  const flush = async (): Promise<void> => {
    await (Object.keys(before).length === 0 ? writeNew : replaceAll)(batch);
    [batch, bytes] = [[], 0];
  };
  add(POLICY, utf8Bytes(formatPolicy(suggested)));
  for (const { session, run_id } of runs) {
    const run = makeRun(session, run_id, hashes, { sha256: nativeSha256 });
    leftOut += run.leftOut;
    add(`${run_id}.ledger.jsonl`, encodeFile(run.records));
    if (batch.length >= BATCH_FILES || bytes >= BATCH_BYTES) await flush();
  }
  batch.push({ path: join(folder, WRITTEN), bytes: utf8Bytes(JSON.stringify({ ...before, ...written })) });
  await flush();
  return { leftOut, policy: join(folder, POLICY) };
}

const ROWS_MAX = 20;

function tellCounts(
  output: Output,
  { files, unread, runs }: FoundTraces,
  { all, tools }: ReturnType<typeof countCalls>,
): void {
  const known = files.filter(({ format }) => format !== null);
  const formats = [...new Set(known.map(({ format }) => format ?? ''))].join(', ');
  const what = `${count(runs.length, 'session')} with ${count(all.calls, 'call')}`;
  output.line(styled('strong', show`${what} in ${count(known.length, 'file')} (${formats})`));
  output.line(show`${cells(['calls', 'failed', 'refused', 'no result'])}  tool`);
  for (const { tool, ...counts } of tools.slice(0, ROWS_MAX)) output.line(show`${row(counts)}  ${tool}`);
  if (tools.length > ROWS_MAX) output.line(show`${cells([])}  … ${tools.length - ROWS_MAX} more tools`);
  output.line(show`${row(all)}  all`);
  output.line();
  const unknown = [
    [all.no_input, 'has no input', 'have no input'],
    [all.no_model, "lacks its model's message", "lack their model's message"],
    [all.no_time, 'has no time', 'have no time'],
    [all.lost, 'has no result', 'have no result'],
  ] as const;
  const words = unknown.flatMap(([n, one, many]) =>
    n === 0 ? [] : [`${count(n, 'call')} ${n === 1 ? one : many}`],
  );
  const never = ['the policy there', 'which tools were offered', 'calls that were not traced'];
  output.line(show`not known        ${[...words, ...never].join('; ')}`);
  for (const [what, n] of sumLeftOut(known)) output.line(show`left out         ${n} × ${what}`);
  const others = files.length - known.length;
  if (others > 0) output.line(show`no traces        ${count(others, 'file')}`);
  if (unread.length > 0)
    output.line(show`unreadable       ${count(unread.length, 'file')}: ${unread[0] ?? ''}`);
}

/** A policy to be read and changed: a rule a line. */
function formatPolicy({ policy }: Suggestion): string {
  const keys = Object.entries(policy).map(([key, value]) => {
    const rules = Array.isArray(value) ? value.map((rule) => `\n    ${JSON.stringify(rule)}`) : null;
    return `  ${JSON.stringify(key)}: ${rules === null ? JSON.stringify(value) : `[${rules.join(',')}\n  ]`}`;
  });
  return `{\n${keys.join(',\n')}\n}\n`;
}

/** What the three rules would have refused. */
function tellSuggested(output: Output, { allowed, asked, refused }: Suggestion): void {
  output.line();
  const rules = refused.map(([rule, n]) => `${rule} ${format(n)}`);
  output.line(
    show`starter policy   allows ${count(allowed, 'call')}, asks ${format(asked)}, refuses: ${rules.join(', ')}`,
  );
}

/** The most frequent first. */
function sumLeftOut(files: readonly FoundFile[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { leftOut } of files) for (const [what, n] of leftOut) sums.set(what, (sums.get(what) ?? 0) + n);
  return [...sums].toSorted(([, a], [, b]) => b - a).slice(0, ROWS_MAX);
}

function row({ calls, failed, refused, lost }: CallCounts): string {
  return cells([calls, failed, refused, lost].map((n) => (n === 0 ? '' : format(n))));
}

const WIDTH = 10;

function cells(texts: readonly string[]): string {
  return [...texts, '', '', '', '']
    .slice(0, 4)
    .map((text) => text.padStart(WIDTH))
    .join('');
}

function format(n: number): string {
  return n.toLocaleString('en-US');
}

function count(n: number, word: string): string {
  return `${format(n)} ${word}${n === 1 ? '' : 's'}`;
}
