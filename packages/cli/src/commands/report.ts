/** `assay report`: a ledger as one page that checks it in the reader's own browser. */
import { statSync } from 'node:fs';
import { nativeSha256 } from '@assay/host';
import { utf8Bytes, type Json } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { verify } from '@assay/verifier';
import { renderTerminal } from '@assay/views';
import { requireLedger, ledgerChunks } from '../files/ledger.js';
import { shortenName } from '../files/read.js';
import { requireApart, requireOver, requireTarget, writeOver } from '../files/write.js';
import { machinesFor } from '../options/machines.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { commandLine, rendered, show } from '../terminal/shown.js';
import type { Context } from '../call/output.js';

const LINE_FEED = 0x0a;

type ReportOptions = {
  readonly output?: string;
  readonly serve?: string | true;
  readonly with?: string;
  readonly machine: readonly string[];
};

/**
 * Writes the report. A ledger that fails gets its report too, which shows where: exit 3. Raises `Stop`:
 * `too_large` over 100,000 records or 150 MiB, `exists` if `-o` names a file that is no report of this version.
 */
export async function report(
  context: Context,
  file: string,
  { output: target, serve, with: folder, machine }: ReportOptions,
): Promise<ExitCode> {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  if ((serve === undefined) === (target === undefined))
    throw misuse(
      'conflict',
      'give -o FILE to write a page, or --serve to serve one',
      '-o, --serve',
      show`${commandLine(['assay', 'report', file, ...(isFolder ? ['--serve'] : ['-o', 'report.html'])])}`,
    );
  if (target === undefined)
    return (await import('./serve.js')).serve(context, file, {
      port: serve === true ? '0' : (serve ?? '0'),
      open: context.env['BROWSER'] !== 'none',
    });
  const { output } = context;
  requireTarget(target);
  const { citedIn, listFiles, keptIn } = await import('./verify/kept-outside.js');
  const beside = folder === undefined ? [] : listFiles(folder);
  requireApart([target], [file, ...machine, ...beside]);
  await requireLedger(file);
  const ledger = await wholeLedger(file);
  const { allShells, KEPT_BYTES_MAX, readReport, renderReport, shellFor } = await import('@assay/explorer');
  const { run, machine: name, engine } = readFirst(ledger);
  const shell = shellFor(name, engine);
  // A page that this call could have written: one of our pages byte for byte, around a ledger of this run.
  const isOwn = (text: string): boolean => {
    const read = readReport(text, allShells());
    return read._tag === 'Right' && read.right.page === 'same' && readFirst(read.right.ledger).run === run;
  };
  requireOver(target, isOwn);
  const kept = folder === undefined ? null : citedIn(folder, Buffer.from(ledger).toString(), KEPT_BYTES_MAX);
  const outside = folder === undefined ? {} : { outside: keptIn(folder, output) };
  const page = utf8Bytes(renderReport(ledger, shell, kept));
  const machines = await machinesFor(machine, [file]);
  const { document } = verify(shortenName(file), ledger, { machines, sha256: nativeSha256, ...outside });
  await writeOver({ path: target, bytes: page }, isOwn);
  output.document({ to: target, bytes: page.length, ...document });
  for (const line of renderTerminal(document)) output.line(rendered(line));
  const size = page.length.toLocaleString('en-US');
  output.line(show`report      ${target}, ${size} bytes: open it in a browser`);
  output.line(show`            It holds what the agent read and did: look through it before you send it`);
  const held = kept === null ? 0 : kept.openings.length + kept.blobs.size;
  if (held > 0) output.line(show`with        ${held} openings and blobs of --with`);
  output.line(show`check it    ${commandLine(['assay', 'verify', target])}`);
  const { integrity, rederivation } = document.checks;
  return integrity.verdict === 'failed' || rederivation.verdict === 'failed' ? EXIT.failed : EXIT.done;
}

/** The bytes of a ledger that a page can hold, also of one that a report holds. Raises `Stop`: `too_large`. */
async function wholeLedger(file: string): Promise<Uint8Array> {
  const { LEDGER_BYTES_MAX, RECORDS_MAX } = await import('@assay/explorer');
  const chunks: Uint8Array[] = [];
  let [bytes, records] = [0, 0];
  for await (const chunk of ledgerChunks(file)) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) records += 1;
    if (bytes > LEDGER_BYTES_MAX || records > RECORDS_MAX)
      throw misuse(
        'too_large',
        `a report holds at most ${RECORDS_MAX} records and ${LEDGER_BYTES_MAX} bytes`,
        shortenName(file),
        'look at it with assay report --serve, and check it with assay verify',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What the first line names; nothing if it is no record. Whether it is a genesis is judged elsewhere. */
function readFirst(ledger: Uint8Array): {
  readonly run: string;
  readonly machine: string;
  readonly engine: string | null;
} {
  const end = ledger.indexOf(LINE_FEED);
  const line = Buffer.from(ledger.subarray(0, end === -1 ? ledger.length : end)).toString();
  const payload = readField(parseLine(line), 'payload');
  const machine = readField(payload, 'machine');
  return {
    run: readText(payload, 'run_id'),
    machine: readText(machine, 'name'),
    engine: readText(machine, 'engine') || null,
  };
}

function parseLine(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}
