import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { memoryNotes, memoryStore, nativeSha256, type Store } from '@assay/host';
import { hashCanonical, orThrow } from '@assay/kernel';
import { leaveAnswer, openGate, type Gate, type GateCall, type GateOptions } from '../src/shell/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-gate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const POLICY = {
  gate: 1,
  allow: ['read', 'pay'],
  ask: ['send'],
  budgets: [{ id: 'all', max: 20 }],
} as const satisfies GateOptions['policy'];

type Runs = NonNullable<Parameters<typeof memoryStore>[0]>;
/** A process over stored runs; it is killed by forgetting it. */
const open = (runs: Runs, options: Partial<GateOptions> = {}): Promise<Gate> =>
  openGate({ policy: POLICY, store: memoryStore(runs), run: 'r', now: () => 1_000_000, ...options });

const SEND: GateCall = { tool: 'send', input: { to: 'ada' }, call_id: 's' };
const never = (): Promise<never> => new Promise(() => undefined);
/** Lets a call come to its tool. */
const turn = (): Promise<void> =>
  new Promise((next) => {
    setTimeout(next, 20);
  });

describe('a gate that is opened again', () => {
  it('takes no other policy, names what differs, and takes no run that is over', async () => {
    const runs: Runs = new Map();
    const gate = await open(runs);
    await expect(open(runs, { policy: { gate: 1, allow: ['read'] } })).rejects.toMatchObject({
      ...{ code: 'other_policy' },
      detail: { keys: ['allow', 'ask', 'budgets'] },
      message:
        'This run was begun under another policy (allow, ask, budgets changed). ' +
        'Start a new run or session, or restore the policy.',
    });
    await gate.finish();
    await gate.close();
    await expect(open(runs)).rejects.toMatchObject({ code: 'over' });
    await expect(open(runs, { policy: { gate: 1, alow: [] } as never })).rejects.toMatchObject({
      ...{ code: 'bad_policy' },
      detail: { at: '/alow' },
      message: expect.stringMatching(/^This is not a policy: \/alow must be one of gate /),
    });
    await expect(open(runs, { run: undefined as never })).rejects.toThrow('openGate: give run, the id');
    await expect(open(runs, { policy: join(folder, 'none.json') })).rejects.toMatchObject({
      code: 'policy_file',
    });
  });

  it('gives the recorded result of a call that is made again under its id', async () => {
    const runs: Runs = new Map();
    const call = { tool: 'read', input: { a: 1 }, call_id: '1' };
    await (await open(runs)).call(call, () => ({ b: [2] }));
    await (await open(runs)).call({ ...call, call_id: '2' }, () => undefined);
    const gate = await open(runs);
    await expect(gate.call(call, never)).resolves.toEqual({ b: [2] });
    await expect(gate.call({ ...call, call_id: '2' }, never)).resolves.toBeNull();
    const fresh = await open(runs, { call_ids: 'fresh' });
    await expect(fresh.call(call, () => 'again')).resolves.toBe('again');
    expect(fresh.summary).toMatchObject({ calls: 3 });
  });

  it('a call that was under way: lost and charged, or made again under its key where its tool may be', async () => {
    const runs: Runs = new Map();
    const options = { idempotent: ['re*'] };
    const keys: string[] = [];
    const first = await open(runs, options);
    for (const tool of ['pay', 'read'])
      void first.call({ tool, input: {}, call_id: tool }, (_, { key }) => {
        keys.push(key);
        return never();
      });
    await turn();
    const second = await open(runs, options);
    expect(second.summary).toMatchObject({ failed: 1, spent: [['all', 1]] });
    await expect(second.call({ tool: 'pay', input: {}, call_id: 'pay' }, never)).rejects.toMatchObject({
      code: 'lost',
    });
    await second.call({ tool: 'read', input: {}, call_id: 'read' }, (_, { key }) => {
      keys.push(key);
    });
    expect(keys[2]).toBe(keys[1]);
    expect(second.summary).toMatchObject({ done: 1, failed: 1, spent: [['all', 2]] });
  });

  it('with a journal: a call that was decided and never begun is performed, one that was begun is lost', async () => {
    const runs: Runs = new Map();
    const kept: string[] = [];
    const journal = memoryNotes(kept);
    const first = await open(runs, { journal });
    const decided = await first.decide({ tool: 'pay', input: {}, call_id: '1' });
    expect(decided).toMatchObject({ verdict: 'perform', n: 1 });
    // As if the process died before the note: nobody took this call up.
    kept.length = 0;
    void first.call({ tool: 'pay', input: {}, call_id: '2' }, never);
    await turn();
    const second = await open(runs, { journal });
    expect(second.summary).toMatchObject({ failed: 1 });
    await expect(second.call({ tool: 'pay', input: {}, call_id: '1' }, () => 'paid')).resolves.toBe('paid');
    await expect(second.call({ tool: 'pay', input: {}, call_id: '2' }, never)).rejects.toMatchObject({
      code: 'lost',
    });
  });

  it('a call of a process without a journal is lost, whoever has one now', async () => {
    const runs: Runs = new Map();
    void (await open(runs)).call({ tool: 'pay', input: {}, call_id: '1' }, never);
    await turn();
    const second = await open(runs, { journal: memoryNotes() });
    expect(second.summary).toMatchObject({ failed: 1 });
  });

  it('a journal that cannot be written: the call is not begun and costs nothing', async () => {
    const journal = { begin: () => Promise.reject(new Error('disk full')) };
    const gate = await open(new Map(), { journal });
    await expect(gate.call({ tool: 'pay', input: {} }, never)).rejects.toMatchObject({ code: 'journal' });
    expect(gate.summary).toMatchObject({ failed: 1, spent: [['all', 0]] });
  });

  it('leaves the calls of another process open, which settles them by their id', async () => {
    const runs: Runs = new Map();
    const options = { isElsewhere: true };
    const call = { tool: 'pay', input: {}, call_id: '1' };
    await expect((await open(runs, options)).decide(call)).resolves.toMatchObject({ verdict: 'perform' });
    await expect((await open(runs, options)).decide(call)).resolves.toMatchObject({
      verdict: 'perform',
      n: 1,
    });
    const post = await open(runs, options);
    const n = post.find(call);
    expect(n).toBe(1);
    await post.settle(n ?? 0, { result: 'paid', spent: { tokens: 3 } });
    await expect(post.settle(n ?? 0, {})).rejects.toMatchObject({ code: 'not_open' });
    expect(post.find(call)).toBeNull();
    await expect((await open(runs, options)).decide(call)).resolves.toMatchObject({
      ...{ verdict: 'known' },
      end: { ok: true, result: 'paid' },
    });
  });

  it('takes a client for the person who was asked where the client then performs the call', async () => {
    const runs: Runs = new Map();
    const options = { isElsewhere: true };
    await expect((await open(runs, options)).decide(SEND)).resolves.toMatchObject({ verdict: 'pending' });
    const post = await open(runs, options);
    const n = post.find(SEND) ?? 0;
    await expect(post.settle(n, {})).rejects.toMatchObject({ code: 'not_open' });
    await expect(post.answer(n, { approved: true, by: 'client' })).resolves.toBe(true);
    await post.settle(n, { ok: false, result: 'no such mailbox' });
    expect(post.summary).toMatchObject({ asked: 1, failed: 1 });
  });
});

describe('an approval from another process', () => {
  const digest = orThrow(hashCanonical(SEND.input, nativeSha256));
  const approval = { n: 1, digest, approved: true, by: 'ada' };
  /** A process whose call waits, and for which an approval is left. */
  async function approve(runs: Runs, answers: string): Promise<Gate> {
    const gate = await open(runs, { answers });
    await expect(gate.call(SEND, never)).rejects.toMatchObject({ code: 'pending' });
    await leaveAnswer(answers, approval);
    return gate;
  }

  it('is taken up by whoever makes the call again, for this input alone', async () => {
    const answers = join(folder, 'one');
    mkdirSync(answers);
    const gate = await open(new Map(), { answers });
    await expect(gate.call(SEND, () => 'sent')).rejects.toMatchObject({ code: 'pending', n: 1 });
    for (const text of ['{"digest":', '[]', `{"digest":"${digest}","approved":"yes"}`]) {
      writeFileSync(join(answers, '1.json'), text);
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      expect(await gate.collect()).toBe(0);
    }
    await leaveAnswer(answers, { ...approval, digest: 'a'.repeat(64) as never });
    await expect(gate.call(SEND, () => 'sent')).rejects.toMatchObject({ code: 'pending', n: 1 });
    await leaveAnswer(answers, approval);
    await expect(gate.call({ ...SEND, call_id: 'other' }, () => 'sent')).resolves.toBe('sent');
    await gate.close();
  });

  it('is taken up while somebody here is still asked, whose answer counts no more', async () => {
    const answers = join(folder, 'two');
    const gate = await open(new Map(), { answers });
    let isOver = false;
    const asking = gate.call(
      {
        ...SEND,
        approve: ({ signal }) => {
          signal.addEventListener('abort', () => {
            isOver = true;
          });
          return never();
        },
      },
      () => 'sent',
    );
    await turn();
    await leaveAnswer(answers, { ...approval, approved: false });
    await expect(asking).rejects.toMatchObject({ code: 'declined', n: 1 });
    expect(isOver).toBe(true);
    await gate.close();
  });

  it('is carried out while nobody asks; the result waits for whoever makes the call again, once', async () => {
    const answers = join(folder, 'three');
    const runs: Runs = new Map();
    const first = await approve(runs, answers);
    // Taken up by one process, carried out by the next: that it never began is known.
    expect(await first.collect()).toBe(1);
    const gate = await open(runs, { answers });
    expect(gate.waiting()).toEqual([]);
    const sent = async ({ to }: { to: string }): Promise<string> => `to ${to}`;
    await expect(gate.carryOut({ send: sent })).resolves.toEqual([
      { n: 1, tool: 'send', ok: true, result: 'to ada' },
    ]);
    await expect(gate.carryOut({ send: sent })).resolves.toEqual([]);
    const { call_id: _, ...anew } = SEND;
    await expect(gate.call(anew, never)).resolves.toBe('to ada');
    await expect(gate.call(anew, never)).rejects.toMatchObject({ code: 'pending', n: 2 });
    await gate.close();
  });

  it('that was being carried out when its process died is lost', async () => {
    const answers = join(folder, 'four');
    const runs: Runs = new Map();
    const first = await approve(runs, answers);
    await new Promise<void>((begun) => {
      const hang = (): Promise<string> => {
        begun();
        return new Promise(() => undefined);
      };
      void first.carryOut({ send: hang });
    });
    const gate = await open(runs, { answers });
    await expect(gate.carryOut({ send: never })).resolves.toEqual([]);
    await expect(gate.call(SEND, never)).rejects.toMatchObject({ code: 'lost' });
  });
});

describe('a run that is closed', () => {
  it('while calls wait and are performed: the first are declined, the others are waited for', async () => {
    const runs: Runs = new Map();
    const gate = await open(runs);
    await expect(gate.call(SEND, never)).rejects.toMatchObject({ code: 'pending' });
    let answer = (_: boolean): void => undefined;
    const asked = gate.call(
      {
        ...SEND,
        input: 2,
        call_id: 't',
        approve: () => new Promise<boolean>((resolve) => (answer = resolve)),
      },
      never,
    );
    const performed = gate.call({ tool: 'read', input: {} }, turn);
    await new Promise((next) => {
      setTimeout(next, 10);
    });
    const [, end] = await Promise.allSettled([gate.finish(), asked, performed]);
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'closed', n: 2 } });
    answer(true);
    expect(gate.summary).toMatchObject({ asked: 2, declined: 2, done: 1 });
    await gate.close();
    await expect(open(runs)).rejects.toMatchObject({ code: 'over' });
  });

  it('a store is closed though a tool hangs', async () => {
    let isClosed = false;
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      close: async () => {
        isClosed = true;
        await inner.close();
      },
    };
    const gate = await open(new Map(), { store });
    void gate.call({ tool: 'read', input: {} }, never);
    await turn();
    await gate.close({ waitMs: 10 });
    expect(isClosed).toBe(true);
  });
});
