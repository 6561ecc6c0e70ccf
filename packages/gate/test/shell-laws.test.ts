import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore, type Store } from '@assay/host';
import { err } from '@assay/kernel';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { GateError, openGate, type Gate, type GateOptions } from '../src/shell/index.ts';

const runs = lawRuns('gate shell', 0.4);
type Runs = NonNullable<Parameters<typeof memoryStore>[0]>;
const SECOND = 1_000_000;

const pause = (ms: number): Promise<void> =>
  new Promise((next) => {
    setTimeout(next, ms);
  });

type Event = { readonly t: string; readonly n: number };
type Line = {
  readonly kind: string;
  readonly payload: {
    readonly events: readonly Event[];
    readonly requests: readonly { readonly id: string; readonly kind: string; readonly body: object }[];
  };
};
/** The decisions that are stored. */
function readDecisions(stored: Runs): readonly Line['payload'][] {
  return (stored.get('r')?.lines ?? [])
    .map((line) => JSON.parse(Buffer.from(line).toString()) as Line)
    .flatMap(({ kind, payload }) => (kind === 'decision' ? [payload] : []));
}

describe('the shell of the gate', () => {
  const open = (policy: object, now: () => number = () => 0): Promise<Gate> =>
    openGate({ policy: { gate: 1, allow: ['*'], ...policy } as never, store: memoryStore(), run: 'r', now });
  /** How many of 50 calls at once are performed. */
  async function performAtOnce(gate: Gate, spent: object = {}): Promise<number> {
    let performed = 0;
    await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) =>
        gate.call({ tool: 'pay', input: { at, max_tokens: 100 } }, async (_input, { spend }) => {
          performed += 1;
          await pause(2);
          spend(spent as never);
        }),
      ),
    );
    return performed;
  }

  it('gate/twenty-of-fifty-parallel-calls', async () => {
    expect(await performAtOnce(await open({ budgets: [{ max: 20 }] }))).toBe(20);
    const bounds = [{ tool: '*', unit: 'tokens', max: 500, at: '/max_tokens' }];
    const tokens = await open({ bounds, budgets: [{ unit: 'tokens', max: 2_000 }] });
    expect(await performAtOnce(tokens, { tokens: 60 })).toBe(20);
    expect(tokens.summary).toMatchObject({ spent: [['2000 tokens', 1_200]] });
    let now = 1_000 * SECOND;
    const window = await open({ budgets: [{ max: 20, window: '60s' }] }, () => now);
    expect(await performAtOnce(window)).toBe(20);
    // A clock that is set back opens nothing; a minute and a part later there is room.
    now -= 3_600 * SECOND;
    expect(await performAtOnce(window)).toBe(0);
    now += 3_600 * SECOND + 62 * SECOND;
    expect(await performAtOnce(window)).toBe(20);
  });

  it('gate/observe-performs-every-call', async () => {
    const gate = await open({ mode: 'observe', allow: [], deny: ['*'], budgets: [{ max: 1 }] });
    expect(await performAtOnce(gate)).toBe(50);
    expect(gate.summary).toMatchObject({ denied: 50, done: 50 });
  });
});

/** A store whose `dieAt`-th append stores `kept` records of its group and fails, and all that follow fail. */
function dyingStore(stored: Runs, dieAt: number, kept: number): Store {
  const inner = memoryStore(stored);
  let appends = 0;
  return {
    ...inner,
    append: async (run, head, records) => {
      appends += 1;
      if (appends < dieAt) return inner.append(run, head, records);
      const first = appends === dieAt ? records.slice(0, Math.min(kept, records.length - 1)) : [];
      if (first.length > 0) await inner.append(run, head, first);
      return err({ code: 'unavailable', run_id: run, operation: 'append', errno: 'ENOSPC' });
    },
  };
}

describe('processes that die in an append, one after the other', () => {
  const POLICY = {
    gate: 1,
    allow: ['pay', 'read'],
    ask: ['send'],
    budgets: [{ id: 'all', max: 12 }],
  } as const;
  const TOOLS = ['pay', 'read', 'send'];
  const life = fc.record({
    dieAt: fc.integer({ min: 1, max: 8 }),
    kept: fc.integer({ min: 0, max: 9 }),
    brought: fc.integer({ min: 1, max: 5 }),
    isDead: fc.boolean(),
  });

  it('gate/nothing-is-performed-without-a-durable-decision, gate/no-call-is-performed-under-two-keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
        const stored: Runs = new Map();
        const performed: { readonly id: string; readonly tool: string; readonly key: string }[] = [];
        const ended = new Set<string>();
        let brought = 0;
        const options: Omit<GateOptions, 'store'> = {
          policy: POLICY,
          run: 'r',
          idempotent: ['read'],
          now: () => 0,
        };
        const callOnce = async (gate: Gate, at: number): Promise<void> => {
          const [tool, id] = [TOOLS[at % 3] ?? '', `call-${at}`];
          const call = { tool, input: { at }, call_id: id, approve: async () => at % 2 === 0 };
          try {
            const result = await gate.call(call, async (_, { key, n }) => {
              const decided = readDecisions(stored);
              const asked = decided
                .flatMap(({ requests }) => requests)
                .find(({ id: each }) => key.includes(`/${each}/`));
              expect(asked).toMatchObject({ kind: 'perform', body: { n, tool } });
              performed.push({ id, tool, key });
              await pause(0);
              return { at };
            });
            expect(result).toEqual({ at });
          } catch (error) {
            // What is raised in the tool by a failed expectation is an error of the call, and fails here.
            if (error instanceof GateError) return expect(error.code).toBe('store');
            expect(error).toMatchObject({ name: 'GateRefused' });
          }
          ended.add(id);
        };
        for (const { dieAt, kept, brought: more, isDead } of [
          ...lives,
          { dieAt: 99, kept: 0, brought: 0, isDead: false },
        ]) {
          const store = dyingStore(stored, isDead ? dieAt : 99, kept);
          // oxlint-disable-next-line no-await-in-loop -- one life after the other
          const gate = await openGate({ ...options, store }).catch(() => null);
          if (gate === null) continue;
          brought += more;
          const due = Array.from({ length: brought }, (_, at) => at).filter((at) => !ended.has(`call-${at}`));
          // oxlint-disable-next-line no-await-in-loop -- one life after the other
          await Promise.all(due.map((at) => callOnce(gate, at)));
        }
        expect(ended.size).toBe(brought);
        const keys = new Map<string, Set<string>>();
        for (const { id, key } of performed) keys.set(id, (keys.get(id) ?? new Set()).add(key));
        expect([...keys.values()].filter((each) => each.size > 1)).toEqual([]);
        const unsafe = performed.filter(({ tool }) => tool !== 'read').map(({ id }) => id);
        expect(new Set(unsafe).size).toBe(unsafe.length);
        // Each call was decided once, nothing is held, and a stranger derives the same.
        const gate = await openGate({ ...options, store: memoryStore(stored) });
        await gate.finish();
        const counts = gate.summary;
        const begun = Number(counts['done']) + Number(counts['failed']);
        expect(counts).toMatchObject({ spent: counts['calls'] === 0 ? [] : [['all', begun]] });
        expect(begun).toBeLessThanOrEqual(12);
        await expect(openGate({ ...options, store: memoryStore(stored) })).rejects.toMatchObject({
          code: 'over',
        });
      }),
      runs,
    );
  });
});
