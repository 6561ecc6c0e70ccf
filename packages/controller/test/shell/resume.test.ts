/**
 * A task that is cut off and gone on with: evidence read back from the store, calls made once, and what a
 * person is asked about waiting for the day on which somebody is there (calls/C4, calls/C10, calls/C15).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  makeContinuation,
  orThrow,
  snapshot,
  type EvidenceRecord,
  type GenesisInput,
  type Json,
  type Snapshot,
} from '@assay/kernel';
import { controller, type Target } from '@assay/controller';
import { drive, folderDoneCalls, folderOutputs, memoryStore, type Store } from '@assay/host';
import type { Dialogue } from '@assay/host';
import { driveTask, type TaskTool } from '@assay/controller/shell';
import { rulesPlayer } from '@assay/proposers/task-rules';
import { contents, makeWorld, policyFor, type World } from './tools/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-resume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genesis = (world: World, text: string): GenesisInput => ({
  run_id: 'task',
  ts_base: 'T',
  policy: policyFor(world.tools) as unknown as Json,
  input: { text, session: [], deadline_us: null },
});

type Driving = {
  readonly tools?: readonly TaskTool[];
  readonly person?: Dialogue | null;
  readonly confirmed?: readonly Target[];
  readonly begin?: GenesisInput;
  readonly stop?: (snapshot: Snapshot | null, records: number) => boolean;
};

/** Drives a task, new or stored, as far as it goes: how it ended, or how it was cut off. */
async function driven(
  world: World,
  store: Store,
  text: string,
  { tools = world.tools, person = null, confirmed = [], begin = genesis(world, text), stop }: Driving = {},
): Promise<string> {
  const runId = begin.run_id;
  const start = orThrow(await store.head(runId)) === null ? begin : runId;
  const ended = await driveTask({
    start,
    runId,
    store,
    tools,
    portsOf: () => rulesPlayer.ports,
    person,
    confirmed,
    recall: null,
    outputs: folderOutputs(join(world.root, '..', 'outputs')),
    done: folderDoneCalls(join(world.root, '..', 'done')),
    onAppend: () => undefined,
    drive: async (_, driving) => {
      if (stop === undefined) return orThrow(await drive(controller, start, { ...driving, store })).end;
      for (let from = start; ; from = runId) {
        const { end, run } = orThrow(await drive(controller, from, { ...driving, store, steps: 1 }));
        if (end !== 'paused' || stop(snapshot(run), run.count)) return end;
      }
    },
  }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  return typeof ended === 'string' ? ended : orThrow(ended).ended;
}

/** A store that raises at the append of a number, before or after it took what is appended. */
function dying(store: Store, at: number, isTaken: boolean): Store {
  let appends = 0;
  return {
    ...store,
    append: async (...given) => {
      appends += 1;
      if (appends === at && !isTaken) throw new Error('killed');
      const appended = await store.append(...given);
      if (appends === at) throw new Error('killed');
      return appended;
    },
  };
}

async function linesOf(store: Store): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of store.read('task')) lines.push(Buffer.from(line).toString('utf8'));
  return lines;
}

const FILES = [
  { path: 'a.txt', content: `${'alpha '.repeat(900)}\n`, minute: 1 },
  { path: 'b.txt', content: 'old\n', minute: 2 },
];
/** Every append in the long lane. */
const STRIDE = process.env['ASSAY_LANE'] === 'long' ? 1 : 7;
const person: Dialogue = { say: () => undefined, ask: () => Promise.resolve('yes') };

/** Records without what another clock or another try at a call would say: what was decided, and by what. */
function decided(lines: readonly string[]): readonly unknown[] {
  return lines
    .map((line) => JSON.parse(line) as EvidenceRecord)
    .filter(({ kind }) => kind === 'proposal')
    .map(({ payload }) => (payload as { readonly value: Json }).value)
    .filter((value) => JSON.stringify(value)?.includes('t_us') !== true);
}

describe('killed at any append, before or after it is stored', () => {
  // Long outputs, a file that is lost once it is confirmed, and one that is moved.
  it.each(['copy a.txt to b.txt', 'move a.txt to c.txt', 'write "new" to b.txt'])(
    '%s: it is gone on with to the same answers, and nothing is done twice',
    async (text) => {
      const whole = await makeWorld(FILES);
      const wholeStore = memoryStore();
      expect(await driven(whole, wholeStore, text, { person })).toBe('success');
      const appends = (await linesOf(wholeStore)).length;
      for (let at = 1; at < appends; at += STRIDE)
        for (const isTaken of [false, true]) {
          const world = await makeWorld(FILES);
          const store = memoryStore();
          const first = await driven(world, dying(store, at, isTaken), text, { person });
          if (first === 'success') {
            world.remove();
            continue;
          }
          expect(first).toMatch(/killed|store/);
          expect([at, isTaken, await driven(world, store, text, { person })]).toEqual([
            at,
            isTaken,
            'success',
          ]);
          expect(contents(world.root)).toEqual(contents(whole.root));
          expect(decided(await linesOf(store))).toEqual(decided(await linesOf(wholeStore)));
          world.remove();
        }
      whole.remove();
    },
  );
});

it('killed between an act that must not be made twice and its record: lost, and it is not made again', async () => {
  const world = await makeWorld(FILES);
  const store = memoryStore();
  const dies = world.tools.map((tool) =>
    tool.name === 'move_file'
      ? {
          ...tool,
          run: async (...given: Parameters<TaskTool['run']>) => {
            await tool.run(...given);
            return new Promise<never>(() => undefined);
          },
        }
      : tool,
  );
  // The process that waits for the call is gone: nothing of it is recorded, and nothing noted done.
  void driven(world, store, 'move a.txt to c.txt', { tools: dies });
  for (let waited = 0; waited < 500 && !contents(world.root).has('c.txt'); waited += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const stored = await linesOf(store);
  expect(await driven(world, store, 'move a.txt to c.txt')).not.toBe('success');
  const failures = (await linesOf(store))
    .slice(stored.length)
    .filter((line) => line.includes('"class":"lost"'));
  expect(failures).toHaveLength(1);
  expect(contents(world.root).has('a.txt')).toBe(false);
  world.remove();
});

describe('what a person is asked about', () => {
  const text = 'write "new" to b.txt';
  const named: Target = { tool: 'write_file', target: 'b.txt' };

  it('waits where nobody is there, and is done by another process once it is named by what the tool said', async () => {
    const world = await makeWorld(FILES);
    const store = memoryStore();
    expect(await driven(world, store, text)).toBe('waiting');
    const lines = await linesOf(store);
    expect(await driven(world, store, text, { confirmed: [{ ...named, target: './b.txt' }] })).toBe(
      'waiting',
    );
    expect(await linesOf(store)).toEqual(lines);
    expect(await driven(world, store, text, { confirmed: [named] })).toBe('success');
    expect(Buffer.from(contents(world.root).get('b.txt') ?? '', 'base64').toString()).toBe('new');
    world.remove();
  });

  it('is asked again where something else stands there by now', async () => {
    const world = await makeWorld(FILES);
    const store = memoryStore();
    expect(await driven(world, store, text)).toBe('waiting');
    world.put({ path: 'b.txt', content: 'changed since' });
    const said: string[] = [];
    const asked: Dialogue = { say: (line) => void said.push(line), ask: () => Promise.resolve('yes') };
    expect(await driven(world, store, text, { person: asked })).toBe('success');
    expect(said.filter((line) => line.includes('b.txt'))).toEqual([
      expect.stringContaining('write_file  b.txt'),
      '  write_file  b.txt: a file of 13 bytes is there and would be replaced',
    ]);
    world.remove();
  });

  it('a name that was typed is spent by what it allowed, also where that was cut off before it was done', async () => {
    for (let at = 1; ; at += 1) {
      const world = await makeWorld(FILES);
      const store = memoryStore();
      await driven(world, store, text);
      await driven(world, dying(store, at, true), text, { confirmed: [named] });
      const isAllowed = (await linesOf(store)).some((line) => line.includes('"approved":true'));
      if (!isAllowed) {
        world.remove();
        continue;
      }
      world.put({ path: 'b.txt', content: 'changed since' });
      expect(await driven(world, store, text, { confirmed: [named] })).toBe('waiting');
      expect(Buffer.from(contents(world.root).get('b.txt') ?? '', 'base64').toString()).toBe('changed since');
      expect(await driven(world, store, text, { confirmed: [named] })).toBe('success');
      world.remove();
      return;
    }
  });

  it('and refused ends the task: abandoned, nothing lost', async () => {
    const world = await makeWorld(FILES);
    const no: Dialogue = { say: () => undefined, ask: () => Promise.resolve('no') };
    expect(await driven(world, memoryStore(), text, { person: no })).toBe('refused');
    expect(Buffer.from(contents(world.root).get('b.txt') ?? '', 'base64').toString()).toBe('old\n');
    world.remove();
  });
});

it('a continuation reads what its base shows; without the base it says so, and does nothing twice', async () => {
  for (const isThere of [true, false]) {
    const world = await makeWorld([{ path: 'long.txt', content: 'x'.repeat(60_000) }]);
    const store = memoryStore();
    const text = 'copy long.txt to d.txt';
    let base: Snapshot | null = null;
    // The state is hashed again once a long input was decided on, which is in the middle of the work.
    const stop: Driving['stop'] = (taken, records) => (base = records > 10 ? taken : null) !== null;
    expect(await driven(world, store, text, { stop })).toBe('paused');
    if (base === null) throw new Error('no snapshot');
    const begin = { ...genesis(world, text), run_id: 'task-2', base: makeContinuation(base) };
    const other = isThere ? store : memoryStore();
    expect(await driven(world, other, text, { begin })).toBe(isThere ? 'success' : 'refused');
    const lines: string[] = [];
    for await (const line of other.read('task-2')) lines.push(Buffer.from(line).toString('utf8'));
    expect(lines.some((line) => line.includes('"code":"no_history"'))).toBe(!isThere);
    world.remove();
  }
});
