import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { orThrow, validateChain } from '@assay/kernel';
import { sources } from '../../../vitest.workspace.js';
import { describeServer, makePlace, sql, urlOf, type ServerPlace } from './tools/server.js';

/** `ASSAY_KILLS=100 npx vitest run packages/store-postgres/test/processes.test.ts` is the long form. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 20);
const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;
let place: ServerPlace;
const children = new Set<ChildProcess>();

/** A message of a child after each of its appends. */
type Acknowledged = { readonly count: number; readonly hash: string };

describeServer('writers in several processes', () => {
  /** Children run the sources, as one file that plain Node can start, where it finds the driver. */
  beforeAll(async () => {
    folder = await mkdtemp(join(root, 'node_modules', '.assay-test-'));
    place = makePlace();
    await build({
      configFile: false,
      logLevel: 'error',
      root,
      resolve: { alias: Object.entries(sources).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: join(root, path) })) },
      ssr: { noExternal: true, external: ['pg'] },
      build: { ssr: fileURLToPath(new URL('tools/writer.ts', import.meta.url)), outDir: folder, emptyOutDir: false, minify: false, rollupOptions: { output: { entryFileNames: 'writer.mjs' } } },
    });
  });

  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await place.remove();
  });

  it('that begin one run at the same time: one writes its whole ledger, the others get stale_head', async () => {
    for (let round = 0; round < 4; round += 1) {
      const runId = `race-${round}`;
      const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(runId, name)));
      const ends = (await Promise.all(rivals.map((rival) => ask(rival, 'race')))) as readonly { readonly appended: number; readonly code: string | null }[];
      expect(ends.filter(({ code }) => code === null)).toEqual([{ appended: 21, code: null }]);
      expect(ends.filter(({ code }) => code !== null)).toEqual(Array.from({ length: 3 }, () => ({ appended: 0, code: 'stale_head' })));
      expect(orThrow(validateChain(await ledger(runId))).count).toBe(21);
      await Promise.all(rivals.map(kill));
    }
  });

  it('two at one run, each going on wherever it ends: every acknowledged group is there once, and nothing forks', async () => {
    const heads: Acknowledged[][] = [[], []];
    const pair = await Promise.all([start('shared', 'a'), start('shared', 'b')]);
    pair.forEach((child, index) => child.on('message', (message: Acknowledged) => heads[index]?.push(message)));
    await Promise.all(pair.map((child) => ask(child, 'share')));
    while (!heads.every((own) => own.length >= 15)) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all(pair.map(kill));
    await settled();
    const records = (await ledger('shared')) as readonly { readonly record_hash: string }[];
    expect(orThrow(validateChain(records)).count).toBe(records.length);
    const acknowledged = heads.flat();
    expect(new Set(acknowledged.map(({ count }) => count)).size).toBe(acknowledged.length);
    for (const { count, hash } of acknowledged) expect(records[count - 1]?.record_hash).toBe(hash);
  });

  it(`killed again and again at any moment (${KILLS} times): nothing that was acknowledged is lost, nothing is doubled or cut`, async () => {
    let acknowledged: Acknowledged = { count: 0, hash: '' };
    let appends = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const child = await start('killed', 'x');
      child.on('message', (message: Acknowledged) => {
        acknowledged = message;
        appends += 1;
      });
      await ask(child, 'loop');
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 29));
      await kill(child);
      await settled();
      const records = (await ledger('killed')) as readonly { readonly record_hash: string }[];
      expect(orThrow(validateChain(records)).count).toBe(records.length);
      // Groups are whole: three records each.
      expect(records.length % 3).toBe(0);
      expect(records.length - acknowledged.count).toBeGreaterThanOrEqual(0);
      expect(records.length - acknowledged.count).toBeLessThanOrEqual(3);
      expect(records[acknowledged.count - 1]?.record_hash).toBe(acknowledged.hash);
    }
    expect(appends).toBeGreaterThan(KILLS);
  }, 60_000 + KILLS * 3_000);
});

async function start(runId: string, name: string): Promise<ChildProcess> {
  const child = fork(join(folder, 'writer.mjs'), [urlOf(place.schema), runId, name], { stdio: 'inherit', execArgv: [] });
  children.add(child);
  await told(child);
  return child;
}

async function ask(child: ChildProcess, message: string): Promise<unknown> {
  const answer = told(child);
  child.send(message);
  return answer;
}

/** The next message of a child; a child that ends instead fails the test. */
async function told(child: ChildProcess): Promise<unknown> {
  return Promise.race([once(child, 'message').then(([message]: readonly unknown[]) => message), once(child, 'exit').then(([code]: readonly unknown[]) => Promise.reject(new Error(`the child ended: ${String(code)}`)))]);
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  children.delete(child);
}

/** Waits until the server has finished what killed writers had asked for. */
async function settled(): Promise<void> {
  while ((await sql(`SELECT pid FROM pg_stat_activity WHERE application_name = 'assay' AND state <> 'idle' AND query LIKE '%"${place.schema}".%'`)).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
}

async function ledger(runId: string): Promise<readonly unknown[]> {
  return (await sql(`SELECT text FROM "${place.schema}".records WHERE run = $1 ORDER BY seq`, [runId])).map(({ text }) => JSON.parse(String(text)) as unknown);
}
