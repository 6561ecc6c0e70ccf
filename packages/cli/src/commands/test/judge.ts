/** One fixture or forgery, held against what it expects. */
import { join } from 'node:path';
import type { Json, Replayable } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import {
  answersBy,
  compareFixture,
  compareForgery,
  forgeryOptions,
  parseFixture,
  parseForgery,
  verifyTogether,
  type FixtureFault,
  type ForgeryExpected,
  type VerifyDocument,
  type VerifyOptions,
  type VerifyReport,
} from '@assay/verifier';
import { answerDerivers } from '@assay/views/machines';
import { readJson } from '../../files/read.js';
import { readLedger } from '../../files/ledger.js';
import type { Output } from '../../call/output.js';
import { keptIn, requireFile } from '../verify/kept-outside.js';
import { asksForAuthorship, type AuthorshipFlags } from '../../options/verify.js';
import { citable, ledgersIn, verifyFile } from '../verify/verify-file.js';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readErrno } from '@assay/host/files';
import { misuse } from '../../problems/problem.js';

/**
 * How one came out. `replayed`: derived again, identical, and as locked. `caught`: by the check that must.
 * `missed`: an honest miss, in which nothing must be found. `not_checked`: nothing differs, and it could not be
 * derived again. `differs`: anything else, with the reasons.
 */
export type Judgement = {
  readonly name: string;
  readonly result: 'replayed' | 'caught' | 'missed' | 'not_checked' | 'differs';
  readonly detail: string;
  readonly records: number;
};

const DIFFERENCES_SHOWN = 3;

/** Judges what a folder holds. Raises `Stop` for what cannot be read. */
export async function judgeFound(
  found: Found,
  machines: readonly Replayable[],
  output: Output,
): Promise<Judgement> {
  const { name, missing } = found;
  if (missing !== null) return { name, result: 'differs', detail: `missing file: ${missing}`, records: 0 };
  return found.kind === 'forgery' ? judgeForgery(found, machines, output) : judgeRun(found, machines, output);
}

async function judgeRun(
  { kind, name, folder, ledger }: Found,
  machines: readonly Replayable[],
  output: Output,
): Promise<Judgement> {
  const { document } = await verifyFile(ledger, { machines }, output);
  const records = document.head?.count ?? 0;
  const { integrity, rederivation } = document.checks;
  const failed = (['integrity', 'rederivation'] as const).find(
    (check) => document.checks[check].verdict === 'failed',
  );
  const fault =
    failed !== undefined
      ? `${failed} failed: ${whereIn(document.checks[failed])}`
      : kind === 'fixture'
        ? await lockFault(folder, ledger)
        : null;
  if (fault !== null) return { name, result: 'differs', detail: fault, records };
  return integrity.verdict === 'held' && rederivation.verdict === 'held'
    ? { name, result: 'replayed', detail: 'identical', records }
    : { name, result: 'not_checked', detail: uncheckedText(rederivation), records };
}

type Check = VerifyDocument['checks']['rederivation'];

function whereIn({ code, record }: Check): string {
  return `${code ?? ''}${record === null ? '' : ` at record ${record}`}`;
}

function uncheckedText(check: Check): string {
  return check.code === 'unknown_machine'
    ? 'unknown_machine: give its machine with --machine FILE.mjs, or update assay'
    : whereIn(check);
}

async function lockFault(folder: string, ledger: string): Promise<string | null> {
  const fixture = parseFixture(await readJson(join(folder, 'fixture.json')));
  if (fixture._tag === 'Left')
    return `fixture.json: ${fixture.left.map(({ code, path }) => `${code} ${path}`).join(', ')}`;
  const { records } = await readLedger(ledger);
  const compared = compareFixture(records, await readJson(join(folder, 'expected.json')), nativeSha256);
  return compared._tag === 'Right' ? null : faultText(compared.left);
}

function faultText(fault: FixtureFault): string {
  switch (fault.code) {
    case 'expected':
      return `expected.json: ${fault.faults.map(({ code, path }) => `${code} ${path}`).join(', ')}`;
    case 'ledger':
      return `ledger.jsonl: ${fault.error.code}`;
    case 'differs':
      return differencesText(fault.differences);
  }
}

type Differences = Extract<FixtureFault, { readonly code: 'differs' }>['differences'];

function differencesText(differences: Differences): string {
  const shown = differences
    .slice(0, DIFFERENCES_SHOWN)
    .map(({ field, expected, got }) => `${field}: expected ${short(expected)}, got ${short(got)}`);
  const left = differences.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [`${left} more`])].join('; ');
}

async function judgeForgery(
  { name, folder, ledger }: Found,
  machines: readonly Replayable[],
  output: Output,
): Promise<Judgement> {
  const expected = parseForgery(await readJson(join(folder, 'expected.json')));
  if (expected._tag === 'Left')
    return { name, result: 'differs', detail: `expected.json: ${expected.left.path}`, records: 0 };
  const document = await verifyForgery(expected.right, folder, ledger, machines, output);
  const compared = compareForgery(document, expected.right);
  const records = document.head?.count ?? 0;
  const { check, verdict, code } = expected.right;
  if (compared._tag === 'Left')
    return {
      name,
      result: 'differs',
      detail: compared.left
        .map(
          ({ field, expected: wanted, got }) =>
            `${check} ${field}: expected ${short(wanted)}, got ${short(got)}`,
        )
        .join('; '),
      records,
    };
  if (verdict === 'held') return { name, result: 'replayed', detail: 'identical', records };
  const isMiss = check === 'completeness' && verdict === 'not_checked';
  return {
    name,
    result: isMiss ? 'missed' : 'caught',
    detail: isMiss ? 'nothing to find in the file alone' : `${check}: ${code ?? ''}`,
    records,
  };
}

async function verifyForgery(
  expected: ForgeryExpected,
  folder: string,
  ledger: string,
  machines: readonly Replayable[],
  output: Output,
): Promise<VerifyDocument> {
  const given = forgeryOptions(expected.with);
  const kept =
    expected.with.folder === undefined
      ? {}
      : await keptBeside(join(folder, expected.with.folder), ledger, machines, output);
  const options = {
    machines,
    keepIndex: true,
    ...(given._tag === 'Right' ? given.right : {}),
    ...kept,
    ...(await authorshipBeside(authorshipFlags(expected, folder))),
  };
  const paths = [ledger, ...(expected.with.other === undefined ? [] : [join(folder, expected.with.other)])];
  const reports: VerifyReport[] = [];
  for (const path of paths) reports.push(await verifyFile(path, options, output));
  const [document] = verifyTogether(reports);
  if (document === undefined) throw new RangeError('a forgery without a ledger');
  return document;
}

async function authorshipBeside(flags: AuthorshipFlags): Promise<Pick<VerifyOptions, 'authorship'>> {
  if (!asksForAuthorship(flags)) return {};
  const { authorshipOption, readEvidence } = await import('../sign/evidence-files.js');
  return authorshipOption(await readEvidence(flags));
}

/** What `verify` is given of signatures and keys. */
function authorshipFlags(
  { with: { signature, proof, trust, threshold } }: ForgeryExpected,
  folder: string,
): AuthorshipFlags {
  const beside = (name: string | undefined): readonly string[] =>
    name === undefined ? [] : [join(folder, name)];
  return {
    signature: beside(signature),
    proof: beside(proof),
    trust: trust ?? [],
    ...(threshold === undefined ? {} : { expect: [`signers=${threshold}`] }),
  };
}

/** What `verify --with` reads of a folder. */
async function keptBeside(
  folder: string,
  ledger: string,
  machines: readonly Replayable[],
  output: Output,
): Promise<Pick<VerifyOptions, 'outside' | 'cited' | 'answers'>> {
  const outside = keptIn(folder, output);
  const reports: VerifyReport[] = [];
  for (const path of ledgersIn(folder, [ledger]))
    reports.push(await verifyFile(path, { machines, keepIndex: true, keepRecords: true }, output));
  return { outside, cited: citable(reports, output), answers: answersBy(await answerDerivers()) };
}

function short(value: Json): string {
  return JSON.stringify(value).slice(0, 80);
}

/**
 * What a folder holds: a golden fixture, a forgery (or its twin), or a run that is just replayed. `missing`: a
 * file without which nothing can be tested.
 */
export type Found = {
  readonly kind: 'fixture' | 'forgery' | 'run';
  readonly name: string;
  readonly folder: string;
  readonly ledger: string;
  readonly missing: string | null;
};

const DEPTH_MAX = 8;
const FILES = ['ledger.jsonl', 'expected.json', 'fixture.json'] as const;

/**
 * Everything to test below a folder, in the order of names. Raises `Stop`: `missing_file`, `no_fixtures`,
 * `unreadable`.
 */
export function findFixtures(folder: string): readonly Found[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw misuse(
      'missing_file',
      'the folder does not exist',
      folder,
      'name a folder of fixtures, or of what assay run wrote',
    );
  const found = findIn(folder, '.', 0);
  if (found.length === 0)
    throw misuse(
      'no_fixtures',
      'this folder has no fixtures',
      folder,
      'a fixture is a folder with ledger.jsonl and expected.json; a run ends in .ledger.jsonl',
    );
  return found;
}

function findIn(folder: string, name: string, depth: number): readonly Found[] {
  const at = (file: string): string => join(folder, file);
  const held = FILES.filter((file) => existsSync(at(file)));
  // A fixture that lost a file is one all the same: left out, it would pass.
  if (held.includes('expected.json') || held.includes('fixture.json')) {
    for (const file of held) requireFile(at(file));
    const missing = (['ledger.jsonl', 'expected.json'] as const).find((file) => !held.includes(file));
    return [
      {
        kind: held.includes('fixture.json') ? 'fixture' : 'forgery',
        name,
        folder,
        ledger: at('ledger.jsonl'),
        missing: missing ?? null,
      },
    ];
  }
  const entries = listEntries(folder);
  const runs = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ledger.jsonl'))
    .map(
      (entry): Found => ({
        kind: 'run',
        name: join(name, entry.name),
        folder,
        ledger: at(entry.name),
        missing: null,
      }),
    );
  const inner =
    depth === DEPTH_MAX
      ? []
      : entries
          .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
          .flatMap((entry) => findIn(at(entry.name), join(name, entry.name), depth + 1));
  return [...runs, ...inner];
}

function listEntries(folder: string): ReturnType<typeof sorted> {
  try {
    return sorted(folder);
  } catch (error) {
    const errno = readErrno(error);
    if (errno === null) throw error;
    throw misuse('unreadable', `this folder cannot be read (${errno})`, folder, 'check its permissions');
  }
}

function sorted(
  folder: string,
): readonly { readonly name: string; readonly isFile: () => boolean; readonly isDirectory: () => boolean }[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
