import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { orThrow, validateChain } from '@assay/kernel';
import { fileStore } from '@assay/store-file';
import { sources } from '../../../vitest.workspace.js';
import { temporaryFolder } from './tools/folder.js';

/** How often a writer is killed; more for a long run: `ASSAY_KILLS=200 npx vitest run packages/store-file/test/processes.test.ts`. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 20);

let bundle: { readonly path: string; readonly remove: () => Promise<void> };
let folder: { readonly path: string; readonly remove: () => Promise<void> };
const children = new Set<ChildProcess>();

/** Children run the sources, as one file that plain Node can start. */
beforeAll(async () => {
  bundle = await temporaryFolder();
  folder = await temporaryFolder();
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    resolve: { alias: Object.entries(sources).map(([name, path]) => ({ find: new RegExp(`^${name}$`), replacement: join(root, path) })) },
    ssr: { noExternal: true },
    build: { ssr: fileURLToPath(new URL('tools/writer.ts', import.meta.url)), outDir: bundle.path, emptyOutDir: false, minify: false, rollupOptions: { output: { entryFileNames: 'writer.mjs' } } },
  });
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

afterAll(async () => {
  await bundle.remove();
  await folder.remove();
});

async function start(runId: string, name: string): Promise<ChildProcess> {
  const child = fork(join(bundle.path, 'writer.mjs'), [folder.path, runId, name], { stdio: 'inherit', execArgv: [] });
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

async function ledger(runId: string): Promise<readonly unknown[]> {
  const text = await readFile(join(folder.path, `${runId}.ledger.jsonl`), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n').map((line) => JSON.parse(line) as unknown);
}

describe('writers in several processes', () => {
  it('that begin one run at the same time: one writes its whole ledger, the others get locked or stale_head', async () => {
    for (let round = 0; round < 5; round += 1) {
      const runId = `race-${round}`;
      const rivals = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(runId, name)));
      const ends = (await Promise.all(rivals.map((rival) => ask(rival, 'race')))) as readonly { readonly appended: number; readonly code: string | null }[];
      const winners = ends.filter(({ code }) => code === null);
      expect(winners).toEqual([{ appended: 21, code: null }]);
      for (const { appended, code } of ends) if (code !== null) expect([appended, ['locked', 'stale_head'].includes(code)]).toEqual([0, true]);
      const records = await ledger(runId);
      expect(orThrow(validateChain(records)).count).toBe(21);
      await Promise.all(rivals.map(kill));
    }
  });

  it('take a run over from a killed writer, and never from one that lives', async () => {
    const first = await start('over', 'first');
    await ask(first, 'race');
    const second = await start('over', 'second');
    expect(await ask(second, 'claim')).toEqual({ code: 'locked' });
    await kill(first);
    expect(await ask(second, 'claim')).toEqual({ code: null });
    const third = await start('over', 'third');
    expect(await ask(third, 'claim')).toEqual({ code: 'locked' });
    const own = fileStore(folder.path);
    expect(await own.append('over', orThrow(await own.head('over')), [])).toEqual({ _tag: 'Left', left: { code: 'locked', run_id: 'over', owner: expect.stringContaining(`process ${second.pid} on `) } });
    await own.close();
  });

  it('that all come for a dead writer\'s run: exactly one gets it', async () => {
    const first = await start('heirs', 'first');
    await ask(first, 'race');
    const heirs = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => start('heirs', name)));
    await kill(first);
    const answers = (await Promise.all(heirs.map((heir) => ask(heir, 'claim')))) as readonly { readonly code: string | null }[];
    expect(answers.map(({ code }) => code).sort()).toEqual(['locked', 'locked', 'locked', 'locked', 'locked', null]);
  });

  it(`killed again and again at any moment (${KILLS} times): nothing that was acknowledged is lost, nothing is doubled`, async () => {
    let acknowledged = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const child = await start('killed', 'x');
      child.on('message', (message: { readonly count: number }) => {
        acknowledged = Math.max(acknowledged, message.count);
      });
      await ask(child, 'loop');
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 23));
      await kill(child);
      const store = fileStore(folder.path);
      expect(orThrow(await store.head('killed'))?.count).toBeGreaterThanOrEqual(acknowledged);
      await store.close();
    }
    const last = await start('killed', 'x');
    await ask(last, 'claim');
    await kill(last);
    const end = orThrow(validateChain(await ledger('killed')));
    expect(end.count).toBeGreaterThanOrEqual(acknowledged);
    expect(acknowledged).toBeGreaterThan(KILLS * 3);
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.new'))).toEqual([]);
  }, 60_000 + KILLS * 2_000);
});
