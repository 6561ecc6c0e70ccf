/**
 * A world of model-backed agents, killed again and again: what the upstream saw was held, each call is settled once,
 * and the ledger is one that a run without kills could have written.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRun } from '@assay/host';
import { fileStore } from '@assay/host/store-file';
import { hasLoopback } from '../../../../test/lib/loopback.ts';
import type { EvidenceRecord } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import { ecology } from '../../src/index.js';
import { findLimit } from '../../src/config/resolve.js';
import { findEffects } from '../../tools/call-laws.js';

/** Kills: as many as `ASSAY_KILLS` says, else 5. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 5);
const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

type Asked = { readonly kind: string; readonly key: string; readonly id: string; readonly text: string };
const asked: Asked[] = [];
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-ecology-kill-'));
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { key, id, body } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly key: string;
        readonly id: string;
        readonly body: { readonly agent?: string; readonly shown: unknown };
      };
      const kind = (request.url ?? '/').slice(1);
      asked.push({ kind, key, id, text: kind === 'call' ? String(body.shown) : (body.agent ?? '') });
      const n = asked.length;
      // Every seventh call is answered by a server in trouble, the others after some time.
      setTimeout(() => response.end(JSON.stringify(answer(kind, body.agent ?? '', n))), (n * 13) % 24);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

function answer(kind: string, agent: string, n: number): object {
  const spent = { input_tokens: 20, output_tokens: 10 };
  if (kind === 'call')
    return n % 7 === 0
      ? { failure: { code: 'unavailable', final: true, detail: { class: 'server_error' } } }
      : { value: `answer ${n}`, spent };
  const others = ['ann', 'bob', 'cid'].filter((id) => id !== agent);
  const pay = { to: others[n % 2], amount: 1 + (n % 3) };
  const begin = { target: 'gpt', body: `${agent} asks ${n}`, max_output: 100 };
  const invoke = (id: string, method: string, args: object) => ({ op: 'invoke', id, method, args });
  return {
    value: {
      actions: [invoke('genesis_calls_api', 'begin', begin), invoke('genesis_ledger_api', 'transfer', pay)],
    },
    spent,
  };
}

/** One life: killed so many milliseconds after it is up; null: it ends by itself. */
async function live(ms: number | null, steps: number): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const child = spawn(process.execPath, [CHILD, folder, `http://127.0.0.1:${port}`, String(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  await Promise.race([new Promise((up) => child.stdout.once('data', up)), closed]);
  if (ms === null) {
    expect(await closed).toBe(0);
    return;
  }
  await new Promise((next) => {
    setTimeout(next, ms);
  });
  child.kill('SIGKILL');
  expect(await closed).toBeNull();
}

it.skipIf(!hasLoopback)(
  'ecology/held-before-made, ecology/settled-once (L38, L39) over kills',
  { timeout: 60_000 + 10_000 * KILLS },
  async () => {
    for (let life = 0; life < KILLS; life += 1)
      // oxlint-disable-next-line no-await-in-loop -- one life after the other
      await live((life * 67) % 310, 100_000);
    await live(null, 40);
    const store = fileStore(folder);
    // Derived again from its first record: each decision is the one that follows from its answer.
    const loaded = await loadRun(ecology, 'kill', store);
    expect(loaded._tag).toBe('Right');
    await store.close();
    if (loaded._tag !== 'Right') return;
    const { state } = loaded.right.run;
    const text = await readFile(join(folder, 'kill.ledger.jsonl'), 'utf8');
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as EvidenceRecord);
    const genesis = records[0]?.record_hash ?? '';
    const { faults, requests, calls, ended } = findEffects(records);
    expect(faults).toEqual([]);
    const open = [...state.calls].filter(([, call]) => call.ended === null).map(([id]) => id);
    expect([...calls.values()].filter((id) => !ended.has(id)).toSorted()).toEqual(open.toSorted());
    // What the upstream saw is what was asked for, and of calls what was held, under keys of this run.
    const foreign = asked.filter(({ key, id }) => !requests.has(id) || !key.startsWith(`${genesis}/${id}/`));
    expect(foreign).toEqual([]);
    expect(asked.filter(({ kind, id }) => kind === 'call' && !calls.has(id))).toEqual([]);
    expect(asked.filter(({ kind }) => kind === 'call').length).toBeGreaterThan(KILLS);
    // Nobody lost money: budgets and what is spent add up.
    const held = [...state.accounts].reduce((sum, [, { amounts }]) => sum + BigInt(amounts.llm_budget), 0n);
    expect(held).toBe(findLimit(state.config, 'llm_budget'));
    const lost = records.reduce(
      (sum, { payload }) => sum + Number(readField(readField(payload, 'provenance'), 'lost_calls') ?? 0),
      0,
    );
    console.log(
      `ecology: ${KILLS} kills, ${records.length} records, ${asked.length} calls seen upstream, ` +
        `${calls.size} metered calls, ${lost} lost and charged`,
    );
  },
);
