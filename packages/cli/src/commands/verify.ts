/**
 * `assay verify`: five checks, each with its own verdict.
 *
 * @module
 */
import { appendFileSync } from 'node:fs';
import { utf8Bytes } from '@assay/kernel';
import { exitCode, renderAnnotations, renderJunit, renderStepSummary, renderTerminal, verifyTogether, type VerifyDocument, type VerifyOptions, type VerifyReport } from '@assay/verifier';
import type { Context } from '../context.js';
import type { ExitCode } from '../exit.js';
import { requireApart, requireTarget, writeAll } from '../files/write.js';
import { machinesFor } from '../inputs/machines.js';
import { misuse } from '../problem.js';
import { rendered, show } from '../output/shown.js';
import { readExpectations, readHead, readLimits, type VerifyFlags } from '../verification/options.js';
import { citable, ledgersIn, verifyFile } from '../verification/verify-file.js';

/** A GitHub step summary holds at most 1 MiB. */
const SUMMARY_BYTES_MAX = 1_048_576;

/** Verifies files and prints one document for each. */
export async function verify(context: Context, files: readonly string[], flags: VerifyFlags): Promise<ExitCode> {
  const { output } = context;
  if (files.filter((file) => file === '-').length > 1) throw misuse('stdin_twice', 'standard input can be read once', '-', 'give - once');
  if (flags.hashOnly === true && flags.reference === true) throw misuse('conflict', 'a second encoder has nothing to do where payloads are not read', '--hash-only --reference', 'give one of them');
  if (flags.junit !== undefined) {
    requireTarget(flags.junit);
    requireApart([flags.junit], [...files, ...flags.machine, ...(flags.with === undefined ? [] : ledgersIn(flags.with, files))]);
  }
  const options = await optionsOf(files, flags);
  const reports = await verifyAll(context, files, flags, options);
  const documents = verifyTogether(reports).slice(0, files.length);
  output.document({ results: documents });
  for (const [index, document] of documents.entries()) {
    if (index > 0) output.line();
    for (const line of renderTerminal(document, flags)) output.line(rendered(line));
  }
  hint(context, documents);
  if (flags.junit !== undefined) writeAll([{ path: flags.junit, bytes: utf8Bytes(renderJunit(documents, flags)) }]);
  reportToGithub(context, documents, flags);
  return exitCode(documents, flags);
}

async function optionsOf(files: readonly string[], flags: VerifyFlags): Promise<VerifyOptions> {
  return {
    machines: flags.hashOnly === true ? [] : await machinesFor(flags.machine, files),
    head: flags.head === undefined ? null : readHead(flags.head),
    expect: readExpectations(flags.expect),
    limits: readLimits(flags.limit),
    hashOnly: flags.hashOnly === true,
    keepIndex: files.length > 1 || flags.with !== undefined,
    ...(flags.reference === true ? { reference: (await import('@assay/kernel/reference')).referenceEncode } : {}),
  };
}

/** The files, and after them those of `--with`, which are cited and compared but not reported. */
async function verifyAll({ output }: Context, files: readonly string[], flags: VerifyFlags, options: VerifyOptions): Promise<readonly VerifyReport[]> {
  const beside: VerifyReport[] = [];
  for (const path of flags.with === undefined ? [] : ledgersIn(flags.with, files)) beside.push(await verifyFile(path, { keepIndex: true, machines: [], hashOnly: flags.hashOnly === true }, output));
  const reports: VerifyReport[] = [];
  for (const path of files) reports.push(await verifyFile(path, { ...options, cited: citable(beside) }, output));
  return [...reports, ...beside];
}

/** Files that are no ledgers at all are a common mistake, and their verdict alone does not say so. */
function hint({ output }: Context, documents: readonly VerifyDocument[]): void {
  for (const { file, checks } of documents) {
    const { code, record } = checks.integrity;
    if (code === 'encoding' && record === 0) output.note(show`assay: ${file}: its first line is no record; a ledger is lines of canonical JSON without a byte order mark (docs/formats/record.md)`);
    if (checks.rederivation.code === 'unknown_machine') output.note(show`assay: ${file}: give its machine with --machine FILE.mjs, or update assay`);
    if (checks.rederivation.code === 'unknown_format') output.note(show`assay: ${file}: another format, perhaps a newer one; see whether there is a newer assay`);
  }
}

function reportToGithub({ output, env }: Context, documents: readonly VerifyDocument[], flags: VerifyFlags): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of renderAnnotations(documents, flags)) output.command(line);
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  const summary = renderStepSummary(documents, flags);
  if (path === '') return;
  if (utf8Bytes(summary).length > SUMMARY_BYTES_MAX) output.note(show`assay: the step summary would be larger than GitHub takes; it is left out`);
  else appendFileSync(path, summary);
}
