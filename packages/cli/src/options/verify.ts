/**
 * The options of `verify`, from text.
 *
 * @module
 */
import { isDigest, parseHeadLine, type Result } from '@assay/kernel';
import { parseExpectation, type Expectation, type VerifyLimits, type VerifyOptions } from '@assay/verifier';
import { filterOrElse, fromNullable, map, mapLeft, traverseArray } from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { misuse, type Stop, badValue } from '../problems/problem.js';
import { machinesFor } from './machines.js';

/** Options as the command line gives them. */
export type VerifyFlags = AuthorshipFlags & {
  readonly head?: string;
  readonly expect: readonly string[];
  readonly with?: string;
  readonly checks?: string;
  readonly limit: readonly string[];
  readonly junit?: string;
  readonly witness: readonly string[];
  readonly machine: readonly string[];
};

/** How checks are done, and which of them must be: of `--checks`. */
export type Checks = {
  readonly hashOnly: boolean;
  readonly reference: boolean;
  readonly strict: boolean;
  readonly allowUnchecked: boolean;
};

/** Reads `--checks`: words apart by commas. Raises `Stop`: `bad_value`, `conflict`. */
export function readChecks({ checks }: Pick<VerifyFlags, 'checks'>): Checks {
  const words = checks?.split(',') ?? [];
  const unknown = words.find((word) => !['hash', 'twice', 'all', 'any'].includes(word));
  if (unknown !== undefined)
    throw badValue('unknown check', `--checks ${checks ?? ''}`, 'give hash, twice, all or any');
  const read = {
    hashOnly: words.includes('hash'),
    reference: words.includes('twice'),
    strict: words.includes('all'),
    allowUnchecked: words.includes('any'),
  };
  if (read.hashOnly && read.reference)
    throw misuse(
      'conflict',
      'a second encoder has nothing to do where payloads are not read',
      `--checks ${checks ?? ''}`,
      'give one of them',
    );
  return read;
}

const SIGNERS = 'signers=';

/** A head line. Raises `Stop`: `bad_value`. */
export function readHead(text: string): NonNullable<VerifyOptions['head']> {
  return pipe(
    parseHeadLine(text.trim()),
    mapLeft(() =>
      badValue(
        'not a head line',
        `--head ${text}`,
        'paste the line that assay head printed: assay-head:1:COUNT:HASH',
      ),
    ),
    orStop,
  );
}

/** Expectations. Raises `Stop`: `bad_value`. */
function readExpectations(texts: readonly string[]): readonly Expectation[] {
  const own = texts.filter((text) => !text.startsWith(SIGNERS));
  return pipe(own, traverseArray(readExpectation), orStop);
}

/**
 * The user's own limits: those of the verifier, and the seconds of a re-derivation. Raises `Stop`: `bad_value`.
 */
export function readLimits(texts: readonly string[]): Partial<VerifyLimits & { readonly seconds: number }> {
  return pipe(
    texts,
    traverseArray(parseLimit),
    map((limits) => Object.fromEntries(limits)),
    orStop,
  );
}

function readExpectation(text: string): Result<Stop, Expectation> {
  return pipe(
    parseExpectation(text),
    mapLeft(() =>
      badValue(
        'unknown expectation',
        `--expect ${text}`,
        'give machine=NAME@VERSION, policy=HASH, input=HASH, run=RUN_ID or signers=N',
      ),
    ),
    filterOrElse(isHash, () =>
      badValue('not a hash', `--expect ${text}`, 'give 64 of 0-9 and a-f, as assay show prints it'),
    ),
    filterOrElse(isWhole, () =>
      badValue(
        'a machine needs a name and a version',
        `--expect ${text}`,
        'write it machine=NAME@VERSION, such as machine=intent@1',
      ),
    ),
  );
}

/** A policy or an input that is no hash would fail on every ledger. */
function isHash({ key, value }: Expectation): boolean {
  return (key !== 'policy' && key !== 'input') || isDigest(value);
}

/** The verifier compares text: a machine without a version would fail on every ledger. */
function isWhole({ key, value }: Expectation): boolean {
  return key !== 'machine' || /^[^@]+@(?:0|[1-9][0-9]*)$/.test(value);
}

function parseLimit(text: string): Result<Stop, readonly [string, number]> {
  return pipe(
    /^(?:(?:records|bytes)=[0-9]{1,15}|seconds=[1-9][0-9]{0,5})$/.exec(text),
    fromNullable(badValue('not a limit', `--limit ${text}`, 'give records=N, bytes=N or seconds=N')),
    map(([found]) => found.split('=')),
    map(([key = '', value = '']) => [key, Number(value)] as const),
  );
}

/** The value that was read, or what stopped it, raised. */
function orStop<A>(read: Result<Stop, A>): A {
  if (read._tag === 'Left') throw read.left;
  return read.right;
}

/** Options of `verify` that ask for authorship. */
export type AuthorshipFlags = {
  readonly signature: readonly string[];
  readonly trust: readonly string[];
  readonly proof: readonly string[];
  readonly log?: string;
  readonly expect?: readonly string[];
};

/** How many trusted keys must have signed, as given: of `--expect signers=N`. */
export function readSigners({ expect = [] }: AuthorshipFlags): string | undefined {
  return expect.findLast((text) => text.startsWith(SIGNERS))?.slice(SIGNERS.length);
}

/** True where one of them was given. */
export function asksForAuthorship(flags: AuthorshipFlags): boolean {
  const { signature, trust, proof, log } = flags;
  // With a log, a key is that of the log, unless there are signatures as well.
  const keys = log === undefined ? trust.length : 0;
  return signature.length + keys + proof.length > 0 || readSigners(flags) !== undefined;
}

/** What is read from text alone: everything but keys, evidence and what is kept outside. Raises `Stop`. */
export async function plainOptions(files: readonly string[], flags: VerifyFlags): Promise<VerifyOptions> {
  const { hashOnly, reference } = readChecks(flags);
  const { seconds: _seconds, ...limits } = readLimits(flags.limit);
  return {
    // Modules of the user run in threads, a new one for each ledger.
    machines: hashOnly || flags.machine.length > 0 ? [] : await machinesFor([], files),
    head: flags.head === undefined ? null : readHead(flags.head),
    expect: readExpectations(flags.expect),
    limits,
    hashOnly,
    keepIndex: files.length > 1 || flags.with !== undefined,
    ...(reference ? { reference: (await import('@assay/kernel/reference')).referenceEncode } : {}),
  };
}
