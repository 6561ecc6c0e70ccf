import { describe, expect, it } from 'vitest';
import { memoryStore } from '@assay/host';
import { Later, openGate, type Gate, type GateOptions } from '../src/shell/index.ts';

const POLICY = {
  gate: 1,
  allow: ['read', 'slow', 'write(path: reports/**)'],
  ask: [{ tool: 'send', reason: 'mail leaves the house' }],
  deny: [{ tool: '*', when: { '/path': { glob: ['**/.env*'] } }, reason: 'secrets' }],
} as const satisfies GateOptions['policy'];

const open = (options: Partial<GateOptions> = {}): Promise<Gate> =>
  openGate({ policy: POLICY, store: memoryStore(), run: 'r', now: () => 1_000_000, ...options });

const pause = (): Promise<void> =>
  new Promise((next) => {
    setTimeout(next, 5);
  });

/** A tool that counts what it is called with. */
function counting<T>(give: (input: unknown) => T): {
  readonly seen: unknown[];
  readonly run: (input: unknown) => Promise<T>;
} {
  const seen: unknown[] = [];
  return {
    seen,
    run: async (input) => {
      seen.push(structuredClone(input));
      await pause();
      return give(input);
    },
  };
}

describe('a call', () => {
  it('is performed where the policy allows it, else refused with words for the model', async () => {
    const gate = await open();
    const { read, write } = gate.wrap({
      read: async ({ path }: { path: string }) => `text of ${path}`,
      write: async (_: { path: string }) => 'written',
    });
    await expect(read({ path: 'a' })).resolves.toBe('text of a');
    await expect(write({ path: 'reports/a/b' })).resolves.toBe('written');
    await expect(read({ path: 'x/.env' })).rejects.toThrow(/^read is refused: secrets\. /);
    await expect(write({ path: 'b' })).rejects.toMatchObject({
      name: 'GateRefused',
      ...{ code: 'no_rule', n: 4, would: { t: 'meet' } },
      message:
        'write is refused. No rule allows this call; the rule "allow write(path: reports/**)" would if ' +
        '/path glob reports/**.',
    });
    await gate.finish();
    await expect(read({ path: 'a' })).rejects.toMatchObject({ code: 'closed' });
    await gate.close();
  });

  it('is not performed where its input was changed while it was approved, and costs nothing', async () => {
    const gate = await open();
    const { run, seen } = counting(() => 1);
    const input = { to: 'ada' };
    const approve = async (): Promise<boolean> => {
      input.to = 'eve';
      return true;
    };
    await expect(gate.call({ tool: 'send', input, approve }, run)).rejects.toMatchObject({
      code: 'other_input',
    });
    expect(seen).toEqual([]);
    expect(gate.summary).toMatchObject({ asked: 1, failed: 1 });
    await gate.close();
  });

  it('that is asked for again by its id waits for the first, or gets its recorded result', async () => {
    const gate = await open({ keep: 8 });
    const { run, seen } = counting((input) => (input as { text: string }).text);
    const call = (call_id: string, text: string): Promise<unknown> =>
      gate.call({ tool: 'read', input: { text }, call_id }, run);
    await expect(Promise.all([call('1', 'long, long text'), call('1', 'long, long text')])).resolves.toEqual([
      'long, long text',
      'long, long text',
    ]);
    await expect(call('1', 'long, long text')).rejects.toMatchObject({ code: 'result_not_kept' });
    await expect(call('2', 'short')).resolves.toBe('short');
    await expect(call('2', 'short')).resolves.toBe('short');
    expect(seen).toHaveLength(2);
    // Another input, or another principal, is another call.
    await call('2', 'other');
    await gate.call({ tool: 'read', input: { text: 'short' }, call_id: '2', principal: 'b' }, run);
    expect(seen).toHaveLength(4);
    await gate.close();
  });

  it('with an input that is no JSON of the kernel is refused, whatever it is', async () => {
    const gate = await open();
    const { run, seen } = counting(() => 1);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => {
          throw new Error('no');
        },
      },
    );
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that their order is known
    for (const input of [
      cycle,
      hostile,
      undefined,
      { a: 1n },
      () => 1,
      { at: new Date() },
      '\ud800',
      { $blob: 'x' },
    ])
      await expect(gate.call({ tool: 'read', input }, run)).rejects.toMatchObject({ code: 'inadmissible' });
    expect(seen).toEqual([]);
    await expect(
      gate.call({ tool: 'read', input: { text: 'x'.repeat(4_194_304) } }, async () => 2),
    ).resolves.toBe(2);
    await expect(gate.call({ tool: 'read', input: Array(70_000).fill(0) }, run)).rejects.toMatchObject({
      code: 'inadmissible',
    });
    await gate.close();
  });
});

describe('a person', () => {
  it('is asked once by whoever makes the call; a refusal is told; what fails leaves the call waiting', async () => {
    const gate = await open();
    const { run, seen } = counting(() => 'sent');
    const ask = (approve?: () => Promise<boolean>): Promise<unknown> =>
      gate.call({ tool: 'send', input: { to: 'ada' }, ...(approve === undefined ? {} : { approve }) }, run);
    await expect(ask()).rejects.toMatchObject({ name: 'GatePending', n: 1 });
    await expect(ask(() => Promise.reject(new Later()))).rejects.toMatchObject({ n: 1 });
    await expect(ask(() => Promise.reject(new Error('interrupt')))).rejects.toThrow('interrupt');
    expect(gate.waiting()).toMatchObject([{ n: 1, tool: 'send', input: { to: 'ada' } }]);
    await expect(ask(() => Promise.resolve(true))).resolves.toBe('sent');
    await expect(ask(() => Promise.resolve(false))).rejects.toMatchObject({ code: 'declined', n: 2 });
    expect(seen).toHaveLength(1);
    await gate.close();
  });
});

describe('a store', () => {
  it('of another gate: the second writer decides nothing', async () => {
    const runs = new Map();
    const [one, two] = [await open({ store: memoryStore(runs) }), await open({ store: memoryStore(runs) })];
    const { run, seen } = counting(() => 1);
    await one.call({ tool: 'read', input: { at: 1 } }, run);
    await expect(two.call({ tool: 'read', input: { at: 2 } }, run)).rejects.toMatchObject({ code: 'store' });
    await expect(two.call({ tool: 'read', input: { at: 3 } }, run)).rejects.toMatchObject({ code: 'store' });
    expect(seen).toEqual([{ at: 1 }]);
  });
});
