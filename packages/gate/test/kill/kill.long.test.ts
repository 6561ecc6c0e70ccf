import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRun } from '@assay/host';
import { fileStore } from '@assay/host/store-file';
import { gate as machine } from '../../src/machine/index.ts';
import { openGate } from '../../src/shell/index.ts';

/** Kills of a process that makes calls: as many as `ASSAY_KILLS` says, else 5. A third of them while it resumes. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 5);
const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-gate-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** One life, with a journal or without: killed so many milliseconds after it began, or after it is open. */
async function live(ms: number, from: 'begin' | 'open', journal: string): Promise<void> {
  const child = spawn(process.execPath, [CHILD, folder, journal], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  if (from === 'open') await Promise.race([new Promise((up) => child.stdout.once('data', up)), closed]);
  await new Promise((next) => {
    setTimeout(next, ms);
  });
  child.kill('SIGKILL');
  expect(await closed).toBeNull();
}

type Seen = { readonly tool: string; readonly key: string; readonly n: number; readonly at: number };
type Ended = { readonly id: string; readonly at?: number; readonly error?: string };
async function readLog<T>(name: string): Promise<readonly T[]> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as T] : []));
}

/** What tools saw, by the call. */
function groupByCall(seen: readonly Seen[]): readonly (readonly Seen[])[] {
  const byCall = new Map<number, Seen[]>();
  for (const row of seen) byCall.set(row.at, [...(byCall.get(row.at) ?? []), row]);
  return [...byCall.values()];
}

it('killed again and again: no call is performed undecided, under two keys, or twice, and each is settled', {
  timeout: 60_000 + 20_000 * KILLS,
}, async () => {
  for (let life = 0; life < KILLS; life += 1)
    // oxlint-disable-next-line no-await-in-loop -- one life after the other
    await live(
      life % 3 === 2 ? 250 + ((life * 97) % 400) : (life * 61) % 600,
      life % 3 === 2 ? 'begin' : 'open',
      life % 2 === 1 ? 'journal' : 'none',
    );
  const policy = { gate: 1, allow: ['effect', 'safe'], budgets: [{ id: 'all', max: 1_000_000 }] } as const;
  const gate = await openGate({ policy, store: folder, run: 'kill' });
  await gate.finish();
  const { calls, done, failed } = gate.summary;
  expect(Number(done) + Number(failed)).toBe(calls);
  await gate.close();
  const store = fileStore(folder);
  expect((await loadRun(machine, 'kill', store))._tag).toBe('Right');
  await store.close();
  const ledger = (await readFile(join(folder, 'kill.ledger.jsonl'), 'utf8')).trimEnd().split('\n');
  const records = ledger.map((line) => JSON.parse(line) as { record_hash: string; payload: Payload });
  const genesis = records[0]?.record_hash ?? '';
  const asked = records
    .flatMap(({ payload }) => payload.requests ?? [])
    .filter(({ kind }) => kind === 'perform');
  const decided = new Map(asked.map(({ id, body }) => [`${genesis}/${id}/0`, body]));
  const seen = await readLog<Seen>('seen');
  expect(seen.length).toBeGreaterThan(KILLS);
  expect(
    seen.filter(({ key, n, tool }) => decided.get(key)?.n !== n || decided.get(key)?.tool !== tool),
  ).toEqual([]);
  const byCall = groupByCall(seen);
  expect(byCall.filter((all) => new Set(all.map(({ key }) => key)).size > 1)).toEqual([]);
  expect(byCall.filter((all) => all.length > 1 && all[0]?.tool === 'effect')).toEqual([]);
  const ended = await readLog<Ended>('ended');
  expect(ended.filter(({ id, at, error }) => error === undefined && id !== `call-${at}`)).toEqual([]);
  expect(ended.filter(({ error }) => error !== undefined && error !== 'lost')).toEqual([]);
  const lost = ended.filter(({ error }) => error === 'lost');
  console.log(`gate: ${KILLS} kills, ${seen.length} calls seen by tools, ${lost.length} lost`);
});

type Payload = {
  readonly requests?: readonly {
    readonly id: string;
    readonly kind: string;
    readonly body: { readonly n: number; readonly tool: string };
  }[];
};
