/** `assay verify`: five checks, each with its own verdict. */
import { availableParallelism } from 'node:os';
import {
  CHECKS,
  answersBy,
  exitCode,
  unjudged,
  verifyTogether,
  type ExitOptions,
  type VerifyDocument,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import { renderAnnotations, renderJunit, renderStepSummary, renderTerminal } from '@assay/views';
import { answerDerivers } from '@assay/views/machines';
import { foreignText, namedLedgers, requireLedger, type PagedDocument } from '../files/ledger.js';
import { requireOneStdin, shortenName } from '../files/read.js';
import { markedBytes, reportToGithub, requireApart, requireOver, writeOver } from '../files/write.js';
import {
  asksForAuthorship,
  readChecks,
  readLimits,
  type VerifyFlags,
  plainOptions,
} from '../options/verify.js';
import { machineAdvice } from '../options/machines.js';
import { threadsIn } from '../files/threads.js';
import { EXIT, Stop, makeDefect, misuse, worst, type ExitCode, type Problem } from '../problems/problem.js';
import { rendered, show } from '../terminal/shown.js';
import type { Context, Output } from '../call/output.js';
import { keptIn } from './verify/kept-outside.js';
import { citable, ledgersIn, verifyFile } from './verify/verify-file.js';

/** What is said of the page around a ledger. */
const PAGES: { readonly [page in NonNullable<PagedDocument['page']>]: string } = {
  same: 'same: byte for byte the page that this version writes',
  unknown: 'unknown: another version wrote it, or somebody edited it; believe nothing that it draws',
};

/** Verifies files and prints one document for each. */
export async function verify(
  context: Context,
  places: readonly string[],
  flags: VerifyFlags,
): Promise<ExitCode> {
  const { output } = context;
  requireOneStdin(places);
  const files = places.flatMap(namedLedgers);
  const checked = readChecks(flags);
  if (files.length === 0) {
    if (flags.proof.length === 0)
      throw misuse(
        'missing_argument',
        'no ledger was given',
        '',
        'name a ledger, or a proof with --proof FILE; see assay verify --help',
      );
    return (await import('./sign/evidence-files.js')).verifyProofs(output, flags, checked.allowUnchecked);
  }
  if (flags.witness.length > 0 && flags.log === undefined)
    throw misuse('conflict', '--witness needs --log', '--witness', 'give --log DIR or --log PROOF');
  if (flags.log !== undefined && flags.head !== undefined)
    throw misuse(
      'conflict',
      '--log already gives the head to compare with',
      '--log, --head',
      'give one of them',
    );
  if (flags.junit !== undefined) requireOver(flags.junit);
  const beside = flags.with === undefined ? [] : ledgersIn(flags.with, files.length > 1 ? [] : files);
  if (flags.junit !== undefined)
    requireApart(
      [flags.junit],
      [...files, ...flags.machine, ...beside, ...flags.signature, ...flags.proof, ...flags.trust],
    );
  const options = await plainOptions([...files, ...beside], flags);
  const outside = flags.with === undefined ? {} : { outside: keptIn(flags.with, output) };
  const { documents, stopped } = await verifyAll(
    context,
    files,
    beside,
    { ...options, ...outside, ...(await readAuthorship(flags)) },
    flags.with ?? null,
    await withLogOf(flags, await makeVerifier(files, flags, context.env)),
    flags.machine,
  );
  const asked: ExitOptions = {
    ...checked,
    authorship: flags.trust.length > 0 && asksForAuthorship(flags),
    completeness: flags.log !== undefined,
    time: flags.witness.length > 0,
  };
  output.document({ results: documents });
  for (const [index, document] of documents.entries()) {
    if (index > 0) output.line();
    for (const line of renderTerminal(document, asked)) output.line(rendered(line));
    const { page }: PagedDocument = document;
    if (page !== undefined) output.line(show`  page          ${PAGES[page]}`);
  }
  for (const { file, checks } of documents) {
    for (const check of CHECKS) {
      const { verdict, code, record } = checks[check];
      if (verdict === 'failed')
        output.brief(
          show`${file}: ${check} failed: ${code ?? ''}${record === null ? '' : ` (record ${record})`}`,
        );
    }
  }
  await hint(context, documents, flags.machine);
  if (flags.junit !== undefined)
    await writeOver({ path: flags.junit, bytes: markedBytes(renderJunit(documents, asked)) });
  reportToGithub(context, {
    annotations: () => renderAnnotations(documents, asked),
    summary: () => renderStepSummary(documents, asked),
    inputs: [...files, ...beside],
  });
  const isUnknown = documents.some(({ page }: PagedDocument) => page === 'unknown');
  const paged = isUnknown && !checked.allowUnchecked ? [EXIT.unchecked] : [];
  return worst([...stopped, ...paged, exitCode(documents, asked)]);
}

/** The signatures, keys and proofs that were brought, as an option of the verifier. */
async function readAuthorship(flags: VerifyFlags): Promise<Pick<VerifyOptions, 'authorship'>> {
  if (!asksForAuthorship(flags)) return {};
  const { authorshipOption, readEvidence } = await import('./sign/evidence-files.js');
  return authorshipOption(await readEvidence(flags));
}

type VerifyOne = (path: string, options: VerifyOptions, output: Output) => Promise<VerifyReport>;

/** Each file with what a log says of it, where one was given. */
async function withLogOf(flags: VerifyFlags, verifyOne: VerifyOne): Promise<VerifyOne> {
  if (flags.log === undefined) return verifyOne;
  const answers = await (await import('./log/verify-log.js')).readLog(flags.log, flags);
  return async (path, options, output) => verifyOne(path, { ...options, ...(await answers(path)) }, output);
}

/** Fewer files than this are not worth another thread. */
const FILES_A_WORKER = 64;

/**
 * How a file is verified: in this thread; each with its re-derivation in a thread of its own, where there are
 * machines of the user or a limit of seconds, or one file and several threads are asked for; or by several
 * threads, where there are many files and nothing is kept outside of them.
 */
async function makeVerifier(
  files: readonly string[],
  flags: VerifyFlags,
  env: NodeJS.ProcessEnv,
): Promise<VerifyOne> {
  const { seconds = null } = readLimits(flags.limit);
  const asked = threadsIn(env);
  const isBeside = seconds !== null || flags.machine.length > 0 || (files.length === 1 && (asked ?? 1) > 1);
  if (isBeside && !readChecks(flags).hashOnly) {
    const { verifyBeside } = await import('./verify/threads.js');
    const one: VerifyOne = (path, options, output) =>
      verifyBeside(seconds, path, flags.machine, options, output);
    const most = asked ?? Math.min(availableParallelism(), files.length);
    return seconds !== null || flags.with !== undefined || files.includes('-')
      ? one
      : ahead(files, most, one);
  }
  if (flags.log !== undefined) return verifyFile;
  const workers = asked ?? Math.min(availableParallelism(), Math.floor(files.length / FILES_A_WORKER));
  if (workers < 2 || files.length < 2 || flags.with !== undefined || asksForAuthorship(flags))
    return verifyFile;
  const { verifiedInThreads } = await import('./verify/threads.js');
  const reports = await verifiedInThreads(Math.min(workers, files.length), { files, flags });
  const at = { next: 0 };
  return async (path, options, output) => {
    const report = reports.get(at.next);
    at.next += 1;
    return report ?? verifyFile(path, options, output);
  };
}

/** Verifies so many files at once: the one that is asked for, and those behind it. */
function ahead(files: readonly string[], most: number, one: VerifyOne): VerifyOne {
  const begun: Promise<VerifyReport>[] = [];
  let asked = 0;
  return (path, options, output) => {
    for (const next of files.slice(begun.length, asked + most)) {
      const report = one(next, options, output);
      // Whoever asks for it is told.
      report.catch(() => undefined);
      begun.push(report);
    }
    asked += 1;
    return begun[asked - 1] ?? one(path, options, output);
  };
}

type Verified = { readonly documents: readonly VerifyDocument[]; readonly stopped: readonly ExitCode[] };

/** What kept a file from being judged. */
type Fault = { readonly file: string; readonly error: unknown; readonly problem: Problem };

/**
 * The documents of the files, in their order; those of `--with` are cited and compared but not reported. A
 * file that cannot be read, and a machine that throws, are no verdict on the evidence: that is told on stderr
 * and stands in the file's document, and the others are verified all the same (`stopped`: what each comes
 * to). Raises what is wrong with a file that is the only one.
 */
async function verifyAll(
  { output }: Context,
  files: readonly string[],
  beside: readonly string[],
  options: VerifyOptions,
  folder: string | null,
  verifyOne: VerifyOne,
  modules: readonly string[],
): Promise<Verified> {
  const verified = async (
    paths: readonly string[],
    given: VerifyOptions,
    look: (path: string, report: VerifyReport) => Promise<void> = async () => undefined,
  ): Promise<readonly (VerifyReport | Fault)[]> => {
    const results: (VerifyReport | Fault)[] = [];
    for (const path of paths)
      try {
        const report = await verifyOne(path, given, output);
        await look(path, report);
        results.push(report);
      } catch (error) {
        results.push(makeFault(path, error, output, modules));
      }
    return results;
  };
  const { head: _head, expect: _expect, outside: _outside, authorship: _authorship, ...common } = options;
  const besides = await verified(beside, { ...common, keepRecords: true });
  const others = besides.filter((result) => 'facts' in result);
  for (const { document } of others) {
    if (document.checks.rederivation.verdict === 'failed')
      output.note(show`assay: ${document.file}: its rederivation fails; verify it by itself`);
    if (document.checks.integrity.verdict === 'failed')
      output.note(
        show`assay: ${document.file}: its integrity fails, so it has no heads from record ${document.checks.integrity.record ?? 0} on`,
      );
  }
  const cited =
    folder === null ? {} : { cited: citable(others, output), answers: answersBy(await answerDerivers()) };
  const results = await verified(files, { ...options, ...cited }, async (path, { document }) => {
    if (document.checks.integrity.record === 0) await requireLedger(path);
  });
  const [only] = results;
  if (results.length === 1 && only !== undefined && 'error' in only) throw only.error;
  const faults = [...besides, ...results].filter((result) => 'error' in result);
  // What is wrong with a module is wrong for each file.
  const isFirst = ({ problem: { message, place } }: Fault, index: number): boolean =>
    faults.findIndex(({ problem }) => problem.message === message && problem.place === place) === index;
  for (const { problem, error } of faults.filter(isFirst))
    output.complaint(
      problem,
      error instanceof Stop || !(error instanceof Error) ? null : (error.stack ?? null),
    );
  const reports = results.filter((result) => 'facts' in result);
  const together = new Map(
    verifyTogether([...reports, ...others]).map((document, index) => [reports[index], document]),
  );
  const documents = results.map((result) =>
    'error' in result
      ? unjudged(result.file, result.problem.code)
      : (together.get(result) ?? result.document),
  );
  for (const { facts, document } of reports)
    for (const run of facts.citations.missing?.runs ?? [])
      output.note(show`assay: ${document.file}: cites run ${run}, whose ledger is not in ${folder ?? ''}`);
  return { documents, stopped: faults.map(({ problem }) => problem.exit) };
}

function makeFault(path: string, error: unknown, output: Output, modules: readonly string[]): Fault {
  return {
    file: shortenName(path),
    error,
    problem:
      error instanceof Stop ? error.problem : makeDefect(error, output.isVerbose, shortenName(path), modules),
  };
}

/** Files that are no ledgers at all are a common mistake, and their verdict alone does not say so. */
async function hint(
  { output }: Context,
  documents: readonly VerifyDocument[],
  modules: readonly string[],
): Promise<void> {
  for (const { file, checks } of documents) {
    const { code, record } = checks.integrity;
    if (code === 'encoding' && record === 0)
      output.note(
        show`assay: ${file}: its first line is no record; ${
          (await foreignText(file)) ?? 'a ledger is lines of canonical JSON without a byte order mark'
        } (docs/formats/ledger.md)`,
      );
    const advice = await machineAdvice(modules, checks.rederivation);
    if (advice !== null) output.note(show`assay: ${file}: ${advice}`);
    if (checks.rederivation.code === 'unknown_format')
      output.note(
        show`assay: ${file}: another format, perhaps a newer one; see whether there is a newer assay`,
      );
  }
}
