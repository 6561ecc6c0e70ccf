import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { orThrow, type EvidenceRecord, type Json } from '@assay/kernel';
import { intentReplayable, replay } from '@assay/kernel/intent';
import { compareFixture, parseFixture } from '@assay/verifier';

const FOLDER = new URL('../../../../golden-fixtures/', import.meta.url);
const SCRIPT = fileURLToPath(new URL('../../../../scripts/fixtures-intent.mjs', import.meta.url));
const names = readdirSync(FOLDER).filter((name) => name.startsWith('intent-')).sort();

function read(name: string, file: string): string {
  return readFileSync(new URL(`${name}/${file}`, FOLDER), 'utf8');
}

function recordsOf(name: string): readonly EvidenceRecord[] {
  return read(name, 'ledger.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line) as EvidenceRecord);
}

describe('golden fixtures of the intent machine', () => {
  it('there are at least four, and each is of this version', () => {
    expect(names.length).toBeGreaterThanOrEqual(4);
    for (const name of names) expect(orThrow(parseFixture(JSON.parse(read(name, 'fixture.json')) as Json))).toMatchObject({ name, machine: { name: intentReplayable.name, version: intentReplayable.version } });
  });

  it.each(names)('%s replays to what it locks', (name) => {
    const expected = JSON.parse(read(name, 'expected.json')) as { readonly [field: string]: Json };
    const follower = orThrow(replay(recordsOf(name)));
    expect(follower.due).toEqual([]);
    expect([follower.summary_hash, follower.dag.root(), follower.outcome, follower.head.hash, follower.dag.nodeCount, follower.dag.edgeCount]).toEqual(
      ['summary_hash', 'dag_root_hash', 'status', 'ledger_last_hash', 'node_count', 'edge_count'].map((field) => expected[field]),
    );
    expect(compareFixture(recordsOf(name), expected)).toEqual({ _tag: 'Right', right: null });
  });

  it('the hostile text changed no policy, and the veto of the pin names both atoms', () => {
    const [genesis] = recordsOf('intent-hostile-text');
    expect((genesis?.payload as { readonly policy: { readonly max_nodes: number } }).policy.max_nodes).toBe(6);
    const vetoes = recordsOf('intent-pin-veto').flatMap(({ kind, payload }) => (kind === 'decision' ? (payload as { readonly events: readonly Json[] }).events : []));
    const atom = { key: 'card_data', op: '=', value: true, unit: null };
    expect(vetoes).toContainEqual({ t: 'vetoed', slot: 'hand', index: 0, name: 'keep-the-card', vetoes: [{ code: 'pin_conflict', claim: 2, claimed: { modality: 'must', atom }, pinned: { modality: 'must_not', atom } }] });
  });

  it('CI rewrites none', () => {
    const run = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8', env: { ...process.env, CI: 'true' } });
    expect([run.status, run.stderr.split(':')[0]]).toEqual([2, 'fixtures']);
  });
});
