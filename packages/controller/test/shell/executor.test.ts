/** One port for every call (calls/C1, calls/C3, calls/C15): any tool, as it was decided, told with its whole. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hashText, nobleSha256, type Json, type Request } from '@assay/kernel';
import type { CallAnswer, Tool } from '@assay/controller';
import { parseAnswer, type CallBody } from '../../src/protocol/requests.ts';
import { folderOutputs, memoryOutputs, type DoneCalls, type Outputs, type PortError } from '@assay/host';
import { callPort, type TaskTool } from '../../src/shell/index.ts';
import { declared } from '../../src/shell/executor/mcp-tools.ts';
import { contents, makeWorld } from './tools/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Run = TaskTool['run'];

/** A host's own tool. */
function tool(run: Run, more: Partial<Tool> = {}): TaskTool {
  return {
    name: 'notes',
    class: 'write',
    reversible: true,
    holds: false,
    again: false,
    schema: {},
    ...more,
    run,
  };
}

function body(more: Partial<CallBody> = {}): CallBody {
  return { subtask: '0.0', n: 0, tool: 'notes', input: { text: 'x' }, confirmed: null, not: [], ...more };
}

type With = {
  readonly tools?: readonly TaskTool[];
  readonly listed?: readonly Tool[];
  readonly units?: number;
  readonly outputs?: Outputs;
  readonly done?: DoneCalls | null;
  readonly key?: string;
  readonly signal?: AbortSignal;
};

async function made(asked: Json | CallBody, given: With = {}): Promise<CallAnswer> {
  const { tools = [], listed = tools, units = 4_000, outputs = memoryOutputs(), done = null } = given;
  const port = callPort({ tools, listed: () => listed, units: () => units, outputs, done });
  const { key = 'k', signal = new AbortController().signal } = given;
  const { value } = await port.perform({ kind: 'call', body: asked } as unknown as Request, { key, signal });
  expect(parseAnswer((value ?? null) as Json, { kind: 'call' })._tag).toBe('Right');
  return value as unknown as CallAnswer;
}

it('a tool that never answers ends as a call that timed out', async () => {
  const tools = [tool(() => new Promise(() => {}))];
  const port = callPort({
    tools,
    listed: () => tools,
    units: () => 4_000,
    outputs: memoryOutputs(),
    done: null,
    timeoutMs: 20,
  });
  const asked = { kind: 'call', body: body() } as unknown as Request;
  expect(await port.perform(asked, { key: 'k', signal: new AbortController().signal })).toMatchObject({
    failure: { code: 'timeout', final: true },
  });
});

describe('what came of a call', () => {
  it('is told with its size and digest; of a tool that says no target its input is one', async () => {
    const answer = await made(body(), { tools: [tool(() => Promise.resolve({ output: 'ä' }))] });
    expect(answer).toEqual({
      status: 'ok',
      code: null,
      why: null,
      output: 'ä',
      output_bytes: 2,
      digest: hashText('ä', nobleSha256),
      target: '{"text":"x"}',
      irreversible: false,
      loses: null,
    });
    const long = await made(body({ input: 'y'.repeat(900) }), {
      tools: [tool(() => Promise.resolve({ output: '' }))],
    });
    expect(long.target).toMatch(/^"y{199}… sha256 [0-9a-f]{64}$/);
  });

  it('is shown as head and tail of so many units, and kept whole by its digest, in a folder or in memory', async () => {
    const whole = `${'a'.repeat(5_000)}\n${'b'.repeat(5_000)}`;
    for (const outputs of [memoryOutputs(), folderOutputs(join(folder, 'outputs'))]) {
      const tools = [tool(() => Promise.resolve({ output: whole }))];
      const { output, output_bytes, digest } = await made(body(), { tools, outputs, units: 300 });
      expect([output.length <= 300, output.startsWith('aaa'), output.endsWith('bbb'), output_bytes]).toEqual([
        true,
        true,
        true,
        10_001,
      ]);
      expect(await outputs.find(digest ?? ('' as never))).toBe(whole);
      expect(await outputs.find(hashText('another', nobleSha256))).toBeNull();
    }
    const outputs = memoryOutputs();
    const { digest } = await made(body(), {
      tools: [tool(() => Promise.resolve({ output: 'short' }))],
      outputs,
    });
    expect(await outputs.find(digest ?? ('' as never))).toBeNull();
  });

  it('of a tool that raises is an error in its words; of one that nobody waits for none', async () => {
    const fails = tool(() => Promise.reject(new Error('no such table \ud800')));
    expect(await made(body(), { tools: [fails] })).toMatchObject({
      status: 'error',
      code: 'failed',
      output: 'no such table \ufffd',
    });
    const controller = new AbortController();
    const cut = tool(() => {
      controller.abort(new Error('out of time'));
      return Promise.reject(new Error('cut off'));
    });
    await expect(made(body(), { tools: [cut], signal: controller.signal })).rejects.toThrow('out of time');
  });

  it('of a request that is none is a final failure', async () => {
    const port = callPort({
      tools: [],
      listed: () => [],
      units: () => 200,
      outputs: memoryOutputs(),
      done: null,
    });
    const answer = await port.perform({ kind: 'call', body: { tool: 'x' } } as unknown as Request, {
      key: 'k',
      signal: new AbortController().signal,
    });
    expect(answer.failure).toMatchObject({ final: true, detail: { code: 'not_call' } });
  });
});

describe('what is not called', () => {
  const never = tool(() => Promise.reject(new Error('it was called')));
  it.each([
    ['a tool that is not there', 'unknown_tool', { tools: [] }, {}],
    [
      'a tool that is declared otherwise than when the run began',
      'changed',
      { listed: [{ ...declared(never), again: true }] },
      {},
    ],
    [
      'a tool whose schema is another one',
      'changed',
      { listed: [{ ...declared(never), schema: { type: 'object' } }] },
      {},
    ],
    ['a target that is blocked', 'blocked_target', {}, { not: ['{"text":"x"}'] }],
  ])('%s: %s', async (_, code, given: With, asked: Partial<CallBody>) => {
    expect(await made(body(asked), { tools: [never], ...given })).toMatchObject({
      status: 'denied',
      code,
      irreversible: false,
    });
  });

  it('a tool that cannot be undone says so, unless it was denied or knows better', async () => {
    const reversible = false;
    const said = (answer: Partial<CallAnswer>): Promise<CallAnswer> =>
      made(body(), { tools: [tool(() => Promise.resolve({ output: '', ...answer }), { reversible })] });
    expect([
      (await said({})).irreversible,
      (await said({ status: 'error' })).irreversible,
      (await said({ status: 'denied', code: 'no' })).irreversible,
      (await said({ irreversible: false })).irreversible,
    ]).toEqual([true, true, false, false]);
  });
});

describe('the tools of this machine', () => {
  it('look, hold, and act on what was confirmed: by the target that they found', async () => {
    const world = await makeWorld([{ path: 'a.txt', content: 'old' }]);
    const { tools } = world;
    const write = { tool: 'write_file', input: { path: 'a.txt', content: 'new' } };
    const held = await made(body(write), { tools });
    expect(held).toMatchObject({
      status: 'denied',
      code: 'needs_confirmation',
      target: 'a.txt',
      irreversible: true,
    });
    expect(held.loses).toBe(hashText('old', nobleSha256));
    // Something else stands there by now: it holds again.
    writeFileSync(join(world.root, 'a.txt'), 'other');
    const again = await made(body({ ...write, confirmed: { loses: held.loses, target: held.target } }), {
      tools,
    });
    expect([again.code, again.loses]).toEqual(['needs_confirmation', hashText('other', nobleSha256)]);
    expect(
      await made(body({ ...write, confirmed: { loses: again.loses, target: again.target } }), { tools }),
    ).toMatchObject({
      status: 'ok',
      loses: again.loses,
    });
    expect(readFileSync(join(world.root, 'a.txt'), 'utf8')).toBe('new');
    expect(
      await made(body({ ...write, input: { path: './/a.txt', content: 'z' }, not: ['a.txt'] }), { tools }),
    ).toMatchObject({
      status: 'denied',
      code: 'blocked_target',
    });
    world.remove();
  });

  it('tell what they do in their schema, and of a long file all of it', async () => {
    const world = await makeWorld([{ path: 'long.txt', content: 'ä'.repeat(9_000) }]);
    const outputs = memoryOutputs();
    const read = { tool: 'read_file', input: { path: 'long.txt' } };
    const { output, output_bytes, digest } = await made(body(read), { tools: world.tools, outputs });
    expect([output.length <= 4_000, output_bytes]).toEqual([true, 18_000]);
    expect(await outputs.find(digest ?? ('' as never))).toBe('ä'.repeat(9_000));
    expect(world.tools.map(({ schema }) => typeof (schema as { description?: Json }).description)).toEqual(
      world.tools.map(() => 'string'),
    );
    world.remove();
  });
});

/** Notes in memory, as a folder keeps them. */
function notes(): DoneCalls & { readonly kept: Map<string, unknown> } {
  const kept = new Map<string, Parameters<DoneCalls['note']>[2]>();
  return {
    kept,
    find: (key, at) => Promise.resolve(kept.get(`${key} ${at}`) ?? null),
    note: (key, at, value) => Promise.resolve(void kept.set(`${key} ${at}`, value)),
  };
}

describe('a call whose answer is not recorded', () => {
  const counted = (again: boolean, more: Partial<Tool> = {}): TaskTool & { readonly calls: () => number } => {
    let calls = 0;
    const run: Run = () => {
      calls += 1;
      return Promise.resolve({ output: `call ${calls}` });
    };
    return { ...tool(run, { again, ...more }), calls: () => calls };
  };

  it('is not made again once it is noted done, whatever the tool', async () => {
    for (const again of [true, false]) {
      const [one, done] = [counted(again), notes()];
      const first = await made(body(), { tools: [one], done });
      expect(await made(body(), { tools: [one], done })).toEqual(first);
      expect(one.calls()).toBe(1);
      expect((await made(body(), { tools: [one], done, key: 'another' })).output).toBe('call 2');
    }
  });

  it('and was begun and not noted done, is made again where that changes nothing more, else lost', async () => {
    for (const again of [true, false]) {
      const done = notes();
      const dies = tool(() => new Promise(() => undefined), { again });
      made(body(), { tools: [dies], done }).catch(() => undefined); // Nobody waits for this call.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const one = counted(again);
      if (again) expect((await made(body(), { tools: [one], done })).output).toBe('call 1');
      else
        await expect(made(body(), { tools: [one], done })).rejects.toMatchObject({
          class: 'lost',
        } satisfies Partial<PortError>);
      expect(one.calls()).toBe(again ? 1 : 0);
    }
  });

  it('and only looked, is made again; where nothing can be noted, what may be made once is not made', async () => {
    const [looks, done] = [counted(true, { class: 'read' }), notes()];
    await made(body(), { tools: [looks], done });
    expect((await made(body(), { tools: [looks], done })).output).toBe('call 2');
    expect(done.kept.size).toBe(0);
    const full: DoneCalls = {
      find: () => Promise.reject(new Error('EIO')),
      note: () => Promise.reject(new Error('ENOSPC')),
    };
    expect((await made(body(), { tools: [counted(true)], done: full })).output).toBe('call 1');
    await expect(made(body(), { tools: [counted(false)], done: full })).rejects.toThrow('journal');
  });

  it('and moved a file, has moved it once', async () => {
    const world = await makeWorld([{ path: 'a.txt', content: 'a' }]);
    const done = notes();
    const asked = body({ tool: 'move_file', input: { from: 'a.txt', to: 'b.txt' } });
    const first = await made(asked, { tools: world.tools, done });
    expect(await made(asked, { tools: world.tools, done })).toEqual(first);
    expect([...contents(world.root).keys()]).toEqual(['b.txt']);
    expect(existsSync(join(world.root, 'a.txt'))).toBe(false);
    world.remove();
  });
});

describe('what a host’s tool says in its own way', () => {
  it('is put into the form of an answer: nothing that it did is lost with it', async () => {
    const odd = tool(() =>
      Promise.resolve({
        output: 'gone',
        status: 'odd' as never,
        code: 'ENOENT: no such file',
        why: 'w'.repeat(9_000),
        target: 'x'.repeat(1_000),
        irreversible: true,
      }),
    );
    const answer = await made(body(), { tools: [odd] });
    expect(answer).toMatchObject({ status: 'error', code: 'enoent_no_such_file', irreversible: true });
    expect([answer.target.length <= 300, answer.why?.length]).toEqual([true, 2_000]);
  });
});
