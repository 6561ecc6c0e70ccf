/** `assay keygen`: a key to sign heads with. */
import {
  formatEnvelope,
  formatPublicKey,
  MerkleTree,
  signedHead,
  signHead,
  formatProof,
  proveConsistency,
  proveInclusion,
  type Proof,
} from '@assay/attest';
import { nativeEd25519, leadsToRoot, openTreeFile, type OpenTree, type TreeOrigin } from '@assay/attest/node';
import { nativeSha256 } from '@assay/host';
import type { RunSummary } from '@assay/kernel';
import type { Context, Output } from '../call/output.js';
import { makeKeyFiles, readSecretKey, addLines, lastRecord, recordAt } from './sign/evidence-files.js';
import { readFacts } from '../files/ledger.js';
import { requireApart, requireTarget, moveInto } from '../files/write.js';
import { EXIT, type ExitCode, misuse, badValue } from '../problems/problem.js';
import { jsonShown, show } from '../terminal/shown.js';
import { dirname } from 'node:path';
import { temporaryBeside } from '@assay/host/files';
import { notRead } from '../files/read.js';

/** Writes a secret key and its public one, and prints the public one. The secret is never printed. */
export async function keygen({ output }: Context, path: string): Promise<ExitCode> {
  const { secretPath, publicPath, key } = await makeKeyFiles(path);
  const line = formatPublicKey(key.bytes);
  output.document({
    key: { id: key.id, public_key: line, secret_file: secretPath, public_file: publicPath },
  });
  output.data(show`${line}`);
  output.note(
    show`assay: ${secretPath} is the secret key, keep it private; share ${publicPath} or the line above`,
  );
  return EXIT.done;
}

/** Signs the head of a ledger and prints it, or adds it to a file. Raises `Stop`. */
export async function signLedger(
  output: Output,
  file: string,
  keyFile: string,
  path: string | undefined,
): Promise<RunSummary> {
  // What is wrong with the key is said before a long ledger is read.
  const secret = readSecretKey(keyFile);
  if (path !== undefined) {
    requireTarget(path);
    requireApart([path], [file, keyFile]);
  }
  const tree = new MerkleTree(nativeSha256);
  const summary = await readFacts(file, ({ record_hash }) => tree.add(record_hash));
  const signed = signedHead(summary, tree.root());
  const envelope = signHead(signed, secret, nativeEd25519);
  const line = formatEnvelope(envelope);
  if (path !== undefined) await addLines(path, [line]);
  output.document({
    signed,
    keyid: envelope.signatures[0]?.keyid,
    envelope: JSON.parse(line) as unknown,
    file: path ?? null,
  });
  if (path === undefined) output.data(jsonShown(JSON.parse(line)));
  else output.line(show`${path}: signed ${signed.count} records, last ${signed.last_hash}`);
  return summary;
}

/** Options of `prove`. */
type ProveFlags = {
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
    throw badValue(
      `this ledger has no head of ${count ?? ''} records`,
      `--count ${count ?? ''}`,
      `give ${first + 1} to ${first + whole}`,
    );
  if (since !== undefined) {
    const from = numberIn(since, '--since') - first;
    if (from < 1 || from > size)
      throw badValue(
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
    throw badValue('not a number of records', `${option} ${text}`, 'give a whole number');
  return Number(text);
}

/**
 * The tree of a ledger, stored at `path` or made anew, as {@link openTreeFile} does it. Raises `Stop`:
 * `other_file`, and those of files and ledgers.
 */
async function treeOfFile(
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
