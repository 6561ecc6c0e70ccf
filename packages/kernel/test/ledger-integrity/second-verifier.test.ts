import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateRunFile, type EvidenceRecord, type Json, type JsonObject } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJson, arbitraryLedger } from '../../tools/arbitrary-ledger.js';
import { draws } from '../../tools/laws.ts';
import { chain, erase, fileOf, hashOf, type Draft } from '../../tools/ledger-builder.js';
import { sample, sha256 } from './samples.js';

const SEED = 20_260_102;
const FILES = draws(3_000);
const VERIFIER = fileURLToPath(new URL('../../../../independent/python/verify.py', import.meta.url));

type Judged = {
  readonly results: readonly {
    readonly checks: {
      readonly integrity: {
        readonly verdict: string;
        readonly code: string | null;
        readonly record: number | null;
      };
    };
  }[];
};

/** Values that are wrong almost everywhere, and a few that are right somewhere. */
const hostile: fc.Arbitrary<Json> = fc.oneof(
  arbitraryJson(),
  fc.constantFrom<Json>(
    { nodes: [], edges: [] },
    'malformed',
    'a~b',
    '999999999999.0',
    '1000000000000.0',
    null,
    '',
    'a',
    -1,
    0,
    1,
    0.5,
    2 ** 53 - 1,
    true,
    [],
    {},
    '1.0',
    '01.0',
    '5.0',
    '1.65536',
    'not_open',
    'success',
    'human',
    'seed',
    'CON',
    'x.',
    'run-1',
    'assay/0',
    't',
    'refines',
  ),
  fc.constantFrom<Json>(
    hashOf(1),
    { $sealed: hashOf(2) },
    { $sealed: 1 },
    { $blob: { bytes: 1, media: 'a/b', sha256: hashOf(3) } },
    { $blob: { bytes: 1.5, media: '', sha256: hashOf(3) } },
    { tokens: 1 },
    { tokens: -1 },
    [0.5],
    ['1.0'],
  ),
);

/** Replaces, removes or adds one field somewhere inside a value. */
function disturb(value: Json, path: readonly number[], by: Json, how: number): Json {
  if (typeof value !== 'object' || value === null || path.length === 0) return by;
  const [at = 0, ...rest] = path;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (items.length === 0 || how === 1) return [...items, by];
    return items.flatMap((item, index) =>
      index !== at % items.length
        ? [item]
        : how === 2 && rest.length === 0
          ? []
          : [disturb(item, rest, by, how)],
    );
  }
  const entries = Object.entries(value as JsonObject);
  if (entries.length === 0) return { x: by };
  const index = at % entries.length;
  return Object.fromEntries(
    entries.flatMap(([key, item], n) =>
      n !== index
        ? [[key, item] as const]
        : how === 2 && rest.length === 0
          ? []
          : how === 3 && rest.length === 0
            ? [[`${key}x`, item] as const]
            : [[key, disturb(item, rest, by, how)] as const],
    ),
  );
}

const forgery = fc
  .tuple(
    fc.oneof(arbitraryLedger(), fc.constant(sample().records())),
    fc.nat(),
    fc.array(fc.nat(20), { maxLength: 4 }),
    hostile,
    fc.nat(6),
    fc.array(fc.nat(40), { maxLength: 1 }),
    fc.nat(9),
    fc.constantFrom(
      '',
      'x',
      't#000000000000',
      't#00000000001',
      't#000000000NaN',
      'u#000000000007',
      'a b#000000000000',
    ),
  )
  .map(([records, at, path, by, how, gone, move, ts]) => {
    const drafts: Draft[] = records.map((record, index) =>
      index === at % records.length && how < 5
        ? { ...record, payload: disturb(record.payload ?? null, path, by, how) }
        : record,
    );
    const [a, b] = [drafts[at % drafts.length], drafts[(at + 1) % drafts.length]];
    if (how === 6 && a !== undefined) drafts[at % drafts.length] = { ...a, ts };
    if (how === 5 && a !== undefined && b !== undefined) {
      // Two payloads and kinds change places; their times stay.
      drafts[at % drafts.length] = { ...b, ts: a.ts };
      drafts[(at + 1) % drafts.length] = { ...a, ts: b.ts };
    }
    const refreshed = move < 7 ? drafts.map(freshen) : drafts;
    return erase(chain(refreshed), gone);
  });

/** Computes the hashes inside a payload again, as a careful forger would. */
function freshen(draft: Draft): Draft {
  const payload = draft.payload;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return draft;
  const { source = null, confidence = null, value = null, content = null, ...rest } = payload as JsonObject;
  if (draft.kind === 'proposal' && 'proposal_hash' in rest)
    return {
      ...draft,
      payload: { ...(payload as JsonObject), proposal_hash: hashOf({ source, confidence, value }) },
    };
  if (draft.kind === 'artifact' && 'artifact_hash' in rest)
    return { ...draft, payload: { ...(payload as JsonObject), artifact_hash: hashOf(content) } };
  return draft;
}

function judgedByPython(files: readonly Uint8Array[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-second-'));
  try {
    const names = files.map((file, index) => {
      const name = join(folder, `${index}.ledger.jsonl`);
      writeFileSync(name, file);
      return name;
    });
    let out = '';
    try {
      out = execFileSync('python3', [VERIFIER, '--json', ...names], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      const { status, stdout } = error as { readonly status: number; readonly stdout: string };
      if (status !== 3) throw error;
      out = stdout;
    }
    return (JSON.parse(out) as Judged).results.map(({ checks: { integrity } }) =>
      integrity.verdict === 'held' ? 'held' : `${integrity.code}@${integrity.record}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function judgedByKernel(file: Uint8Array): string {
  const result = validateRunFile(file, { sha256 });
  return result._tag === 'Right' ? 'held' : `${result.left.code}@${result.left.record}`;
}

describe('the second verifier, written from docs/formats', () => {
  it(`agrees on ${FILES} forged ledgers, code and record`, () => {
    console.log(`second verifier: seed ${SEED}`);
    const forged: readonly (readonly EvidenceRecord[])[] = fc.sample(forgery, { seed: SEED, numRuns: FILES });
    const files = forged.map(fileOf);
    const verdicts = files.map(judgedByKernel);
    const second = judgedByPython(files);
    for (const [index, verdict] of verdicts.entries()) {
      if (second[index] !== verdict)
        throw new Error(
          `file ${index}: kernel ${verdict}, second verifier ` +
            `${second[index]}\n${new TextDecoder().decode(files[index])}`,
        );
    }
    const codes = new Set(verdicts.map((verdict) => verdict.split('@')[0]));
    console.log([...codes].sort().join(' '));
    for (const code of ['held', 'ts', 'order', 'payload_shape']) expect(codes).toContain(code);
    if (FILES >= 1_000)
      for (const code of ['number', 'token', 'request_id', 'close']) expect(codes).toContain(code);
  });
});
