/**
 * `assay prove`: that a record stands under a head, or that a later head goes on from an earlier one.
 *
 * @module
 */
import { dirname } from 'node:path';
import { formatProof, proveConsistency, proveInclusion, type Proof } from '@assay/attest';
import { leadsToRoot, openTreeFile, type OpenTree, type TreeOrigin } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import { temporaryBeside } from '@assay/host/files';
import type { Context } from '../call/output.js';
import { readFacts } from '../files/ledger.js';
import { notRead } from '../files/read.js';
import { moveInto, requireApart, requireTarget } from '../files/write.js';
import { EXIT, misuse, type ExitCode } from '../problems/problem.js';
import { jsonShown, show } from '../terminal/shown.js';
import { addLines, lastRecord, recordAt } from './sign/evidence-files.js';

/** Options of `prove`. */
export type ProveFlags = {
  readonly since?: string;
  readonly count?: string;
  readonly tree?: string;
  readonly showRecord?: boolean;
  readonly output?: string;
};

type Asked = ProveFlags & { readonly record: string | undefined };

/** Prints a proof and that of the run's first record, or adds them to a file. */
export async function prove(
  { output }: Context,
  file: string,
  record: string | undefined,
  given: ProveFlags,
): Promise<ExitCode> {
  const flags = { ...given, record };
  if (file === '-') throw misuse('stdin', 'a proof needs a file, not standard input', '-', 'name the ledger');
  if ((flags.record === undefined) === (flags.since === undefined))
    throw misuse(
      'conflict',
      'prove makes one proof at a time',
      'RECORD, --since',
      'give one of them: assay prove LEDGER RECORD, or --since COUNT',
    );
  if (flags.showRecord === true && flags.record === undefined)
    throw misuse(
      'conflict',
      '--show-record needs a record',
      '--show-record',
      'name the record behind the ledger',
    );
  const { output: path, tree: treePath } = flags;
  for (const target of [path, treePath]) if (target !== undefined) requireTarget(target);
  requireApart(
    [path, treePath].filter((target) => target !== undefined),
    [file],
  );
  const {
    proofs: [proof, first],
    origin,
  } = await makeProofs(file, treePath ?? null, flags);
  const lines = (first === undefined ? [proof] : [proof, first]).map(formatProof);
  if (path !== undefined) await addLines(path, lines);
  output.document({ proof, first: first ?? null, file: path ?? null });
  if (path === undefined) for (const line of lines) output.data(jsonShown(JSON.parse(line)));
  else
    output.line(
      show`${path}: ${
        proof.t === 'assay.inclusion.v1'
          ? show`record ${proof.index} under ${proof.size} records`
          : show`${proof.to.size} records go on from ${proof.from.size}`
      }`,
    );
  if (treePath !== undefined && origin === 'made')
    output.note(show`assay: ${treePath} keeps the tree for the next proof`);
  if (treePath !== undefined && origin === 'replaced')
    output.note(show`assay: ${treePath} did not match this ledger and was replaced`);
  return EXIT.done;
}

type Made = { readonly proofs: readonly [Proof, ...Proof[]]; readonly origin: TreeOrigin };

/**
 * The proof that was asked for and that of the first record, from a stored tree where it leads to its own
 * root, else from one made anew.
 */
async function makeProofs(
  file: string,
  treePath: string | null,
  flags: Asked,
  isAnew = false,
): Promise<Made> {
  const opened = await treeOfFile(file, treePath, isAnew);
  try {
    const proof = await makeProof(file, opened, flags);
    const first = await firstProof(file, opened, proof);
    const proofs: Made['proofs'] = first === null ? [proof] : [proof, first];
    if (proofs.every((each) => leadsToRoot(opened, each))) return { proofs, origin: opened.origin };
    // The ledger was read a moment ago: it has changed since.
    if (opened.origin !== 'stored')
      throw misuse(
        'stale_tree',
        'the ledger changed during the call',
        file,
        'try again when no process writes to the ledger',
      );
  } finally {
    opened.close();
  }
  return makeProofs(file, treePath, flags, true);
}

async function makeProof(
  file: string,
  { tree, header: { size: whole, first } }: OpenTree,
  { record, since, count, showRecord }: Asked,
): Promise<Proof> {
  const size = count === undefined ? whole : numberIn(count, '--count') - first;
  if (size < 1 || size > whole)
    throw misuse(
      'bad_value',
      `this ledger has no head of ${count ?? ''} records`,
      `--count ${count ?? ''}`,
      `give ${first + 1} to ${first + whole}`,
    );
  if (since !== undefined) {
    const from = numberIn(since, '--since') - first;
    if (from < 1 || from > size)
      throw misuse(
        'bad_value',
        `no earlier head has ${since} records`,
        `--since ${since}`,
        `give ${first + 1} to ${first + size}`,
      );
    return proveConsistency(tree, from, size);
  }
  const index = numberIn(record ?? '', 'record');
  if (index >= size)
    throw misuse(
      'no_record',
      'no such record under this head',
      `record ${index}`,
      `records are counted from 0 to ${size - 1}`,
    );
  const shown = showRecord === true ? await recordAt(file, index) : null;
  return proveInclusion(tree, index, size, shown);
}

/**
 * Proof of the run's first record without its payload, from which who has no ledger learns where the run
 * begins; null where the proof shows that record itself.
 */
async function firstProof(file: string, { tree }: OpenTree, proof: Proof): Promise<Proof | null> {
  if (proof.t === 'assay.inclusion.v1' && proof.index === 0 && proof.record !== null) return null;
  const { payload: _, ...shown } = await recordAt(file, 0);
  return proveInclusion(tree, 0, proof.t === 'assay.inclusion.v1' ? proof.size : proof.to.size, shown);
}

function numberIn(text: string, option: string): number {
  if (!/^(?:0|[1-9][0-9]{0,12})$/.test(text))
    throw misuse('bad_value', 'not a number of records', `${option} ${text}`, 'give a whole number');
  return Number(text);
}

/**
 * The tree of a ledger, stored at `path` or made anew, as {@link openTreeFile} does it. Raises `Stop`:
 * `other_file`, and those of files and ledgers.
 */
export async function treeOfFile(
  ledger: string,
  path: string | null,
  isAnew: boolean,
): Promise<OpenTree & { readonly origin: TreeOrigin }> {
  const tree = await openTreeFile(path, isAnew, {
    sha256: nativeSha256,
    read: async (take) => (await readFacts(ledger, ({ record_hash }) => take(record_hash))).first,
    last: async () => {
      const last = await lastRecord(ledger);
      return last === null ? null : { recordHash: last.record_hash, position: Number(last.ts.slice(-12)) };
    },
    beside: (target) => {
      requireTarget(target);
      return temporaryBeside(dirname(target));
    },
    moveInto,
  });
  if (tree._tag === 'Right') return tree.right;
  if (tree.left.code === 'unreadable') throw notRead(path ?? '', tree.left.cause);
  throw misuse(
    'other_file',
    'this file exists and is not a cached tree',
    path ?? '',
    'name another file for --tree; this one was not changed',
  );
}
