/**
 * Two verifiers, one in TypeScript and one in Python written from `docs/formats` alone, say the same about
 * every fixture, every forgery and a sample of single changed bytes: integrity, completeness and authorship,
 * to the code and record.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeLoose, parsePublicKey, readEvidenceLines, weigh, type EvidenceLines } from '@assay/attest';
import { nativeSha256 } from '@assay/host';
import { openUrl } from '@assay/host/store-file';
import { encodeLine, orThrow, utf8Bytes, type EvidenceRecord } from '@assay/kernel';
import {
  answersBy,
  citedLedger,
  verify,
  type CitedLedger,
  type Verdict,
  type VerifyDocument,
} from '@assay/verifier';
import { FOLDER, forgeries, largeForgeries, twins, writeItems } from '../scripts/forgeries/list.mjs';
import { judge, MACHINES, type Forgery } from './lib/judge-forgery.ts';
import { called } from '../packages/cli/test/lib/called.ts';
import type { Ended } from '../packages/cli/test/lib/assay.ts';
import { poll } from '../scripts/forgeries/runs.mjs';
import { randomForks } from './lib/random-forks.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCRIPT = join(ROOT, 'independent/python/verify.py');
const OUTPUT_MAX = 64 * 1_048_576;

type Answer = Pick<Verdict, 'verdict' | 'code' | 'record' | 'detail'>;
type PythonResult = {
  readonly file: string;
  readonly head: VerifyDocument['head'];
  readonly outcome: string;
  readonly checks: {
    readonly integrity: Answer;
    readonly completeness: Answer;
    readonly authorship: Answer;
    readonly time: Answer;
  };
};

/** What the Python verifier prints; its exit codes 3 and 4 are answers too. */
async function printed<A>(args: readonly string[]): Promise<A> {
  const { stdout } = await promisify(execFile)('python3', [SCRIPT, '--json', ...args], {
    maxBuffer: OUTPUT_MAX,
    cwd: ROOT,
  }).catch((error: unknown) => {
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 3 || error.code === 4) &&
      'stdout' in error
    )
      return { stdout: String(error.stdout) };
    throw error;
  });
  return JSON.parse(stdout) as A;
}

/** Asks the Python verifier about ledgers. */
async function python(args: readonly string[]): Promise<readonly PythonResult[]> {
  return (await printed<{ readonly results: readonly PythonResult[] }>(args)).results;
}

const saidOfLog = ({ checks }: Pick<PythonResult, 'checks'>): readonly string[] =>
  [checks.completeness, checks.time].map(({ verdict, code }) => `${verdict} ${code ?? ''}`);
const answer = ({ verdict, code, record }: Answer): Omit<Answer, 'detail'> => ({ verdict, code, record });
const said = ({ head, outcome, checks }: Pick<PythonResult, 'head' | 'outcome' | 'checks'>): object => ({
  head,
  outcome,
  integrity: answer(checks.integrity),
  completeness: answer(checks.completeness),
  authorship: answer(checks.authorship),
});

const folder = mkdtempSync(join(tmpdir(), 'assay-agreement-'));
beforeAll(() => writeItems(folder, [...twins(), ...forgeries(), ...largeForgeries()]));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('both verifiers agree', () => {
  const items: readonly Pick<Forgery, 'name' | 'bytes' | 'others' | 'brought'>[] = [
    ...twins().map(({ name, bytes, head, others, brought }) => ({
      name,
      bytes,
      ...(others === undefined ? {} : { others }),
      brought: brought ?? (head === undefined ? {} : { head }),
    })),
    ...forgeries(),
    ...largeForgeries(),
  ];

  test.each(items.map((item) => [item.name, item] as const))('%s', async (name, item) => {
    const place = join(folder, name);
    const head = item.brought?.head === undefined ? [] : ['--head', item.brought.head];
    const kept = item.brought?.folder === undefined ? [] : ['--with', join(place, item.brought.folder)];
    const { signature, proof, trust = [], threshold } = item.brought ?? {};
    const signed = [
      ...(signature === undefined ? [] : ['--signature', join(place, signature)]),
      ...(proof === undefined ? [] : ['--proof', join(place, proof)]),
      ...trust.flatMap((key) => ['--trust', key]),
      ...(threshold === undefined ? [] : ['--threshold', String(threshold)]),
    ];
    const [result] = await python([
      ...head,
      ...kept,
      ...signed,
      join(place, 'ledger.jsonl'),
      ...(item.brought?.other === undefined ? [] : [join(place, item.brought.other)]),
    ]);
    // It has no machines: of answers from other ledgers it compares the heads, and says so.
    expect(result === undefined ? null : said(result)).toEqual(said(judge(item, { answers: answersBy([]) })));
    const { code } = judge(item).checks.completeness;
    if (code === 'answer_mismatch')
      expect(result?.checks.completeness.detail).toBe('heads compared, contents not');
  });
});

test('both say the same of a ledger by a log: its folder, its proof, and what is wrong with a proof', async () => {
  const path = (name: string): string => join(folder, name);
  const [log, key, witness] = ['log', 'log.key', 'witness.key'].map(path) as [string, string, string];
  const ours = async (...args: readonly string[]): Promise<Ended> => called(...args);
  const store = orThrow(openUrl(`file:${path('runs')}`));
  for (const run_id of ['a', 'b']) orThrow(await store.append(run_id, null, poll({ run_id })));
  orThrow(await store.append('open', null, poll({ run_id: 'open', answers: [] })));
  await store.close();
  for (const name of [key, witness]) await ours('keygen', name);
  const at = ['--log', log, '--store', `file:${path('runs')}`];
  await ours('log', 'append', ...at, '--key', key);
  await ours('log', 'prove', 'a', '--log', log, '-o', path('unwitnessed'));
  await ours('log', 'witness', '--log', log, '--key', witness, '--state', path('state'));
  await ours('log', 'prove', 'a', '--log', log, '-o', path('a.proof'));
  await ours('log', 'prove', 'open', '--log', log, '-o', path('open.proof'));
  const proof = readFileSync(path('a.proof'), 'utf8');
  const bad = (name: string, change: (text: string) => string): void =>
    writeFileSync(path(name), change(proof));
  bad('moved', (text) => text.replace('"index":0', '"index":1'));
  bad('edited', (text) => text.replace('"outcome":"success"', '"outcome":"refused"'));
  bad('resized', (text) => text.replace(String.raw`\n5\n`, String.raw`\n6\n`));
  bad('timed', (text) => text.replace(/(assay-witness[^ ]* \S{20})\S{4}/, '$1AAAA'));
  bad('unsigned', (text) => text.replace(/(— assay-log[^ ]* \S{20})\S{4}/, '$1AAAA'));
  const [own, theirs] = [key, witness].map((name) => readFileSync(`${name}.pub`, 'utf8').trim()) as [
    string,
    string,
  ];
  const cases: readonly (readonly [run: string, given: string, trust: string | null, by: string | null])[] = [
    ...['a', 'b', 'open'].map((run) => [run, log, own, theirs] as const),
    ['a', path('a.proof'), own, theirs],
    ['a', path('a.proof'), own, null],
    ['a', path('a.proof'), own, own],
    ['a', path('a.proof'), theirs, theirs],
    ['a', path('a.proof'), null, theirs],
    ['b', path('a.proof'), own, theirs],
    ['open', path('open.proof'), own, theirs],
    ...['unwitnessed', 'moved', 'edited', 'resized', 'timed', 'unsigned'].map(
      (name) => ['a', path(name), own, theirs] as const,
    ),
  ];
  const answers = new Set<string>();
  for (const [run, given, trust, by] of cases) {
    const ledger = path(`runs/${run}.ledger.jsonl`);
    const args = [
      ...['--log', given],
      ...(trust === null ? [] : ['--trust', trust]),
      ...(by === null ? [] : ['--witness', by]),
      ledger,
    ];
    const [result] = JSON.parse((await ours('verify', ...args, '--json')).stdout)
      .results as readonly PythonResult[];
    const [other] = await python(args);
    if (result === undefined || other === undefined) throw new Error('nothing');
    expect([run, given, ...saidOfLog(other)]).toEqual([run, given, ...saidOfLog(result)]);
    saidOfLog(result).forEach((one) => answers.add(one));
  }
  expect([...answers].toSorted()).toEqual([
    'failed bad_proof',
    'failed bad_signature',
    'failed bad_witness',
    'failed unlogged',
    'held ',
    'not_checked no_authority',
    'not_checked no_key',
    'not_checked no_witness',
    'not_checked unclosed',
    'not_checked unknown_key',
  ]);
});

test('both judge proofs without their ledger alike', async () => {
  const brought = [...twins(), ...forgeries()].filter((item) => item.brought?.proof !== undefined);
  const answers = new Set<unknown>();
  for (const { name, brought: { signature = '', proof = '', trust = [], threshold = 1 } = {} } of brought) {
    const [signatures, proofs] = [join(folder, name, signature), join(folder, name, proof)];
    const read = (path: string): EvidenceLines => readEvidenceLines(readFileSync(path));
    const ours = judgeLoose(
      weigh({
        signatures: [read(signatures)],
        proofs: [read(proofs)],
        trusted: trust.map((line) => orThrow(parsePublicKey(line))),
        threshold,
      }),
    ).map(({ verdict, code }) => ({ verdict, code }));
    const theirs = await printed<{ readonly proofs: unknown }>([
      '--signature',
      signatures,
      '--proof',
      proofs,
      '--threshold',
      String(threshold),
      ...trust.flatMap((key) => ['--trust', key]),
    ]);
    expect(theirs.proofs, name).toEqual(ours);
    for (const { verdict, code } of ours) answers.add(code ?? verdict);
  }
  expect(answers).toEqual(new Set(['held', 'bad_proof', 'signed_other', 'no_genesis']));
});

test('a blob that is no file is named, and not the ledger that asks for it', async () => {
  const kept = join(folder, 'kept');
  const place = join(ROOT, FOLDER, 'twin-kept-outside');
  const [blob = ''] = readdirSync(join(place, 'kept', 'blobs'));
  mkdirSync(join(kept, 'blobs', blob), { recursive: true });
  await expect(python(['--with', kept, join(place, 'ledger.jsonl')])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`cannot read ${join(kept, 'blobs', blob)}: not a file`) as unknown,
  });
});

test('both compare forks with their parents alike', async () => {
  const beside = join(folder, 'parents');
  mkdirSync(beside);
  const fileOf = (records: readonly EvidenceRecord[]): Uint8Array =>
    utf8Bytes(records.map((record) => `${encodeLine(record)}\n`).join(''));
  const options = { machines: MACHINES, sha256: nativeSha256, keepIndex: true };
  const cited = new Map<string, CitedLedger>();
  const forks = randomForks(20_261_123, 150).map(({ parent, fork }, index) => {
    const ledger = citedLedger(verify('parent', fileOf(parent), options));
    if (ledger !== null) cited.set(ledger.run_id, ledger);
    writeFileSync(join(beside, `${index}.jsonl`), fileOf(parent));
    const path = join(folder, `fork-${index}.jsonl`);
    writeFileSync(path, fileOf(fork));
    return { path, ours: verify(path, fileOf(fork), { ...options, cited }).document };
  });
  const theirs = await python(['--with', beside, ...forks.map(({ path }) => path)]);
  const bases = forks.map(({ path, ours }, index) => {
    expect(ours.checks.rederivation.verdict, path).not.toBe('failed');
    expect(said(theirs[index] ?? expect.fail('no answer')), path).toEqual(said(ours));
    return (ours.checks.completeness.detail as { readonly cited: { readonly base: string } }).cited.base;
  });
  for (const base of ['held', 'failed', 'not_checked'])
    expect(bases.filter((other) => other === base).length, base).toBeGreaterThan(9);
});

describe('both verifiers agree on the golden fixtures', () => {
  const fixtures = readdirSync(join(ROOT, 'golden-fixtures'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== basename(FOLDER))
    .map(({ name }) => join('golden-fixtures', name, 'ledger.jsonl'))
    .filter((path) => existsSync(join(ROOT, path)));

  test('every one of them', async () => {
    const results = await python(fixtures.map((path) => join(ROOT, path)));
    for (const [index, path] of fixtures.entries()) {
      const result = results[index];
      const { document } = verify(path, readFileSync(join(ROOT, path)), { machines: MACHINES });
      expect(result === undefined ? null : said(result), path).toEqual(said(document));
    }
  });
});

describe('both verifiers agree on single changed bytes', () => {
  const bytes = readFileSync(join(ROOT, FOLDER, 'twin-poll', 'ledger.jsonl'));
  /** Every 7th byte, with masks that change a digit, a letter's case, a quote and the top bit. */
  const flips = Array.from({ length: Math.floor(bytes.length / 7) }, (_, index) => ({
    offset: index * 7,
    mask: [0x01, 0x02, 0x20, 0x80][index % 4] ?? 1,
  }));

  test(`${flips.length} of them`, async () => {
    const paths = flips.map(({ offset, mask }) => {
      const path = join(folder, `flip-${offset}-${mask}`);
      writeFileSync(
        path,
        bytes.map((byte, at) => (at === offset ? byte ^ mask : byte)),
      );
      return path;
    });
    const results = await python(paths);
    expect(results.length).toBe(flips.length);
    const differing = results.flatMap((result) => {
      const ours = verify(result.file, readFileSync(result.file)).document.checks.integrity;
      const same = JSON.stringify(answer(ours)) === JSON.stringify(answer(result.checks.integrity));
      return same
        ? []
        : [
            {
              file: basename(result.file),
              python: answer(result.checks.integrity),
              typescript: answer(ours),
            },
          ];
    });
    expect(differing).toEqual([]);
  });
});
