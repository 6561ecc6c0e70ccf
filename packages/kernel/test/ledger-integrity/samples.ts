import { createHash } from 'node:crypto';
import {
  encodeLine,
  utf8Bytes,
  validateRunFile,
  type Digest,
  type IntegrityFault,
  type Json,
  type JsonObject,
  type Result,
  type RunSummary,
} from '@assay/kernel';
import { chain, fileOf, hashOf, LedgerBuilder, type Draft } from '../../tools/ledger-builder.js';

/** The runtime's own digest: same bytes, quicker tests. */
export const sha256 = (bytes: Uint8Array): Digest =>
  createHash('sha256').update(bytes).digest('hex') as Digest;

/**
 * Positions: 0 genesis, 1 decision (opens 1.0 1.1 1.2, a seed), 2 proposal, 3 rejection, 4 proposal,
 * 5 decision (opens 5.0, withdraws 1.2, a claim and an edge), 6 artifact a, 7 artifact b, 8 proposal to
 * nobody, 9 rejection not_open, 10 proposal, 11 decision, 12 close (5.0 left open).
 */
export function sample(): LedgerBuilder {
  const ledger = new LedgerBuilder();
  ledger.decide({ asks: [1, 2, 3], graph: { nodes: [{ kind: 'seed', payload: 's' }], edges: [] } });
  ledger.propose('1.0', { a: 0.5 }).reject('unclear').propose('1.0', 'x');
  const [seed, claim] = [ledger.nodeId('seed', 's'), ledger.nodeId('claim', 'c')];
  ledger.decide({
    asks: [4],
    withdrawn: ['1.2'],
    graph: {
      nodes: [{ kind: 'claim', payload: 'c' }],
      edges: [{ kind: 'depends_on', from_id: claim, to_id: seed }],
    },
  });
  ledger.artifact('a', [1]).artifact('b', 'c').propose('9.9', null).reject('not_open');
  return ledger.propose('1.1', true).decide().close();
}

/** The fault of a verdict that is one. */
export function faultIn(result: Result<IntegrityFault, RunSummary>): IntegrityFault {
  if (result._tag === 'Right') throw new Error('it holds');
  return result.left;
}

/** "code@record", or "held". */
export function verdictOf(file: Uint8Array): string {
  const result = validateRunFile(file, { sha256 });
  return result._tag === 'Right' ? 'held' : `${result.left.code}@${result.left.record}`;
}

/** Verdict of the sample's drafts changed and chained. */
export function rechained(
  change: (drafts: Draft[]) => readonly Draft[],
  ledger: LedgerBuilder = sample(),
): string {
  return verdictOf(fileOf(chain(change([...ledger.drafts]))));
}

/** Verdict of the sample's lines changed as text. */
export function lines(
  change: (lines: readonly string[]) => readonly string[],
  ledger: LedgerBuilder = sample(),
): string {
  return verdictOf(
    utf8Bytes(
      change(ledger.records().map(encodeLine))
        .map((line) => `${line}\n`)
        .join(''),
    ),
  );
}

/** A proposal payload with its hash computed again. */
export function rehashed(proposal: JsonObject): JsonObject {
  const { source = null, confidence = null, value = null } = proposal;
  return { ...proposal, proposal_hash: hashOf({ source, confidence, value }) };
}

/** The item at an index that is there. */
export function itemAt<A>(items: readonly A[], index: number): A {
  const item = items.at(index);
  if (item === undefined) throw new Error(`no item ${index} of ${items.length}`);
  return item;
}

/** An object without one key. */
export function without<A extends object>(object: A, key: keyof A): Json {
  return Object.fromEntries<Json>(Object.entries(object).filter(([name]) => name !== key));
}
