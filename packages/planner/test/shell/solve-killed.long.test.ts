/** The goal of `leaves.test.ts` in a process that is killed with kill -9 at random points, and gone on with. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orThrow, runView, type EvidenceRecord } from '@assay/kernel';
import { controller } from '@assay/controller';
import { loadRun, soundRecord } from '@assay/host';
import { planner } from '@assay/planner';
import { fileStore } from '@assay/host/store-file';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { RIGHT } from './tools/solving.mjs';

/** Kills, at least: as many as `ASSAY_KILLS` says, else 8. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 8);
const CHILD = fileURLToPath(new URL('tools/solve-child.mjs', import.meta.url));
const beside = mkdtempSync(join(tmpdir(), 'assay-solve-'));
afterAll(() => rmSync(beside, { recursive: true, force: true }));

/** One life: killed so many milliseconds after its `groups`-th durable group; the exit code, null where killed. */
function live(folder: string, groups: number, afterMs: number): Promise<number | null> {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = 0;
  child.stdout.on('data', (data: Buffer) => {
    seen += data.toString().split('\n').length - 1;
    if (seen >= groups) setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve(code)));
}

async function recordsOf(folder: string): Promise<readonly EvidenceRecord[]> {
  const store = fileStore(join(folder, 'runs'));
  const records: EvidenceRecord[] = [];
  for await (const line of store.read('solved')) records.push(soundRecord(line) as EvidenceRecord);
  await store.close();
  return records;
}

/** What of a run does not speak of time: kinds, requests, sources, values, costs. */
async function toldOf(folder: string): Promise<unknown> {
  const view = orThrow(runView(await recordsOf(folder)));
  return [
    [...view.requests.values()].map(({ value: { id, kind } }) => [id, kind]),
    [...view.answers].map(([id, given]) => [
      id,
      given.map(({ proposal: { source, value, spent, failure } }) => [source, value, spent, failure]),
    ]),
    view.close?.value,
  ];
}

it('killed again and again, it is solved, and its ledger shows no kill', { timeout: 600_000 }, async () => {
  const whole = join(beside, 'whole');
  expect(await live(whole, Infinity, 0)).toBe(0);
  const told = await toldOf(whole);
  const places = fc.sample(fc.tuple(fc.integer({ min: 1, max: 13 }), fc.nat(60)), { numRuns: 64, seed: 20 });
  let kills = 0;
  for (let run = 0; kills < KILLS; run += 1) {
    const folder = join(beside, `killed-${run}`);
    const lives: (number | null)[] = [];
    for (let life = 0; lives.at(-1) !== 0 && life < 40; life += 1) {
      const [groups, afterMs] = places[(run * 7 + life) % places.length] ?? [1, 0];
      lives.push(await live(folder, life > 5 ? Infinity : groups, afterMs));
    }
    const killed = lives.filter((code) => code === null).length;
    expect([run, lives.at(-1), await toldOf(folder)]).toEqual([run, 0, told]);
    expect(readFileSync(join(folder, 'workspace/src/add.mjs'), 'utf8')).toBe(RIGHT);
    const store = fileStore(join(folder, 'runs'));
    orThrow(await loadRun(planner, 'solved', store));
    const answers = [...orThrow(runView(await recordsOf(folder))).answers.values()].flat();
    for (const { run_id, ...head } of answers.flatMap(({ proposal }) => proposal.cites))
      expect(orThrow(await loadRun(controller, run_id, store)).head).toEqual({ run_id, ...head });
    await store.close();
    const calls = readFileSync(join(folder, 'calls.txt'), 'utf8').trimEnd().split('\n');
    const again = calls.length - new Set(calls).size;
    expect(again).toBeLessThanOrEqual(killed);
    kills += killed;
  }
  process.stdout.write(`a goal was solved through ${kills} kills\n`);
});
