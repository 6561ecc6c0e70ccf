/**
 * A task and its memory: the run's own result never waits for the memory, and nothing is done with a memory
 * that does not hold.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { advance, openRequests, orThrow, type Json } from '@assay/kernel';
import { controlDocumentSchema } from '@assay/controller/schemas';
import { memory } from '@assay/controller/memory';
import { loadRun, nativeSha256, type Store } from '@assay/host';
import { openUrl } from '@assay/host/store-file';
import { createMemory } from '@assay/controller/memory-shell';
import { memoryAt } from './lib/memory.ts';
import { argv, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';

const base = temporaryFolder();
const at = (...parts: readonly string[]): string => join(base, ...parts);
const DELETE = ['task', 'delete a.txt', '--confirm', 'remove_file:a.txt', '--set', 'clock=stamps'] as const;

function workspace(name: string): string {
  mkdirSync(at(name));
  writeFileSync(at(name, 'a.txt'), 'a');
  return at(name);
}

/**
 * A store that holds the memory's lock, as a process that dreams does, until it is closed: it has told the
 * memory one thing.
 */
async function held(url: string, kind: 'dream' | 'end'): Promise<Store> {
  const store = orThrow(openUrl(url));
  orThrow(await createMemory(store, 'memory'));
  const { head, run } = orThrow(await loadRun(memory, 'memory', store, { sha256: nativeSha256 }));
  const asked = openRequests(run).find((open) => open.kind === kind);
  const step = orThrow(
    advance(run, {
      request_id: asked?.id ?? '',
      source: 'human',
      proposer: 'human',
      confidence: null,
      value: { at_us: 1 },
      failure: null,
      at_us: null,
      spent: {},
      cites: [],
      provenance: {},
    }),
  );
  orThrow(await store.append('memory', head, step.records));
  return store;
}

describe('a memory that another process holds', () => {
  test('keeps no run from ending: everything is written first, and what to type is named', async () => {
    const url = `file:${at('busy')}`;
    const holder = await held(url, 'dream');
    const [folder, out] = [workspace('one'), at('one-out')];
    const { code, stderr, stdout } = await called(
      ...argv`${DELETE} --workspace ${folder} --memory ${url} -o ${out}`,
    );
    expect({ code, stdout, stderr }).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('done'),
      stderr: expect.stringMatching(/^assay: memory_untold: .*store_locked/m),
    });
    expect([existsSync(join(folder, 'a.txt')), existsSync(join(out, 'run.ledger.jsonl'))]).toEqual([
      false,
      true,
    ]);
    const typed = `assay resume ${out} --memory ${url}`;
    expect(stderr).toContain(`type: ${typed}`);
    await holder.close();
    expect(await called(...typed.split(' ').slice(1))).toMatchObject({ code: 0, stderr: '' });
    expect((await memoryAt(url, 'memory')).run.state.cited.size).toBeGreaterThan(0);
  });

  test('is said in the JSON document too: why it was not told, and what tells it later', async () => {
    const url = `file:${at('busy-json')}`;
    const holder = await held(url, 'dream');
    const [folder, out] = [workspace('three'), at('three-out')];
    const { code, stdout } = await called(
      ...argv`${DELETE} --workspace ${folder} --memory ${url} -o ${out} --json`,
    );
    await holder.close();
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect(controlDocumentSchema(document as Json)).toBeNull();
    const remedy = `type: assay resume ${out} --memory ${url}`;
    expect({ code, document }).toMatchObject({
      code: 5,
      document: {
        status: 'success',
        memory_untold: {
          code: 'memory_untold',
          message: expect.stringContaining('store_locked'),
          place: url,
          remedy,
        },
      },
    });
    const told = await called(...DELETE, '--workspace', workspace('four'), '--memory', url, '--json');
    expect([told.code, JSON.parse(told.stdout)]).toMatchObject([0, { memory_untold: null }]);
  });

  test('is told by resume of a stored task, which waits for it a little', async () => {
    const [url, store] = [`file:${at('waited')}`, `file:${at('tasks')}`];
    const holder = await held(url, 'dream');
    const first = await called(
      ...argv`${DELETE} --workspace ${workspace('two')} --memory ${url} --store ${store} --set run_id=task`,
    );
    expect(first).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`type: assay resume '${store}#task' --memory ${url}`),
    });
    const waiting = called('resume', `${store}#task`, '--memory', url);
    await new Promise((resolve) => setTimeout(resolve, 800));
    await holder.close();
    expect(await waiting).toMatchObject({ code: 0, stderr: '' });
    const told = (await memoryAt(url, 'memory')).run.state.cited.size;
    expect((await called('resume', `${store}#task`, '--memory', url)).code).toBe(0);
    expect([told > 0, (await memoryAt(url, 'memory')).run.state.cited.size]).toEqual([true, told]);
  });
});

describe('a memory that does not hold', () => {
  test.each([
    ['edited', (text: string) => text.replace(/900000/, '800000')],
    [
      'with a line that is no record',
      (text: string) =>
        text
          .split('\n')
          .map((line, index) => (index === 1 ? '{}' : line))
          .join('\n'),
    ],
    [
      'of one line less in the middle',
      (text: string) =>
        text
          .split('\n')
          .filter((_, index) => index !== 2)
          .join('\n'),
    ],
  ])('%s: the task is refused before its first act', async (name, damage) => {
    const url = `file:${at(`damaged ${name}`)}`;
    const folder = workspace(`of ${name}`);
    expect((await called(...DELETE, '--workspace', folder, '--memory', url)).code).toBe(0);
    writeFileSync(join(folder, 'a.txt'), 'a');
    // More follows what is damaged: a store itself looks at the end.
    expect(
      (
        await called(
          ...argv`task ${'find * largest | names -> Name; write Name to report.md'} --workspace ${folder}`,
          ...argv`--memory ${url} --set clock=stamps`,
        )
      ).code,
    ).toBe(0);
    const file = join(at(`damaged ${name}`), 'memory.ledger.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, damage(text));
    expect(readFileSync(file, 'utf8')).not.toBe(text);
    const tasks = `file:${at(`tasks of ${name}`)}`;
    for (const kept of [[], ['--store', tasks]]) {
      const { code, stderr } = await called(...DELETE, '--workspace', folder, '--memory', url, ...kept);
      expect({ code, stderr }).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^assay: store_\w+: /),
      });
    }
    expect([
      existsSync(join(folder, 'a.txt')),
      existsSync(at(`tasks of ${name}`, 'task.ledger.jsonl')),
    ]).toEqual([true, false]);
  });

  test('one that has ended takes nothing more: the task is refused before its first act', async () => {
    const url = `file:${at('ended')}`;
    await (await held(url, 'end')).close();
    const folder = workspace('unended');
    expect(await called(...DELETE, '--workspace', folder, '--memory', url)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: memory_ended: /),
    });
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
  });
});
