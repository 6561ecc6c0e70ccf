import { describe, expect, it } from 'vitest';
import { ok, type Json } from '@assay/kernel';
import {
  ask,
  failing,
  go,
  payloadAt,
  propose,
  puppet,
  start,
  telling,
  type Puppet,
  type PuppetRun,
} from './puppet.js';

const UNFIT: Json = { reject: { code: 'unfit', detail: { n: 1 } } };

function decided(step: ReturnType<typeof go>): Json {
  return payloadAt(step, 1)['events'] ?? null;
}

describe('attempts, final and exhausted', () => {
  const of = (attempts: number): PuppetRun => start({ asks: [ask({ attempts })] }).run;

  it('attempts n: the n-th rejection is not recorded, decide gets exhausted with its code and detail', () => {
    let run = of(3);
    for (const expected of ['unfit', 'unfit']) {
      const step = go(run, propose('1.0', { value: UNFIT }));
      expect(step.rejection?.code).toBe(expected);
      run = step.run;
    }
    const last = go(run, propose('1.0', { value: UNFIT }));
    expect(last.rejection).toBeNull();
    expect(decided(last)).toEqual([
      { failed: { code: 'exhausted', final: true, detail: { code: 'unfit', detail: { n: 1 } } }, spent: {} },
    ]);
    expect(last.run.open.size).toBe(0);
  });

  it('what parse rejects on the last attempt is exhausted likewise', () => {
    const last = go(of(1), propose('1.0', { value: { parse: { code: 'garbled', detail: null } } }));
    expect(decided(last)).toEqual([
      { failed: { code: 'exhausted', final: true, detail: { code: 'garbled', detail: null } }, spent: {} },
    ]);
  });

  it('a failure on the last attempt, or a final one on any, reaches decide as recorded', () => {
    const failure = { code: 'denied', final: false, detail: { why: 'closed' } } as const;
    expect(decided(go(of(1), failing('1.0', failure)))).toEqual([{ failed: failure, spent: {} }]);
    expect(decided(go(of(9), failing('1.0', { ...failure, final: true })))).toEqual([
      { failed: { ...failure, final: true }, spent: {} },
    ]);
  });

  it('attempts 0: none is the last', () => {
    let run = of(0);
    for (let count = 1; count <= 200; count += 1) run = go(run, propose('1.0', { value: UNFIT })).run;
    expect(run.open.get('1.0')?.rejections).toBe(200);
    expect(go(run, failing('1.0')).rejection?.code).toBe('timeout');
    expect(go(run, failing('1.0', { final: true })).rejection).toBeNull();
  });

  it('not_open and source_not_accepted use no attempt: an accepted source still has its last one', () => {
    let run = of(2);
    for (let count = 0; count < 5; count += 1) run = go(run, propose('1.0', { source: 'human' })).run;
    run = go(run, propose('1.0', { value: UNFIT })).run;
    expect(run.open.get('1.0')?.rejections).toBe(1);
    expect(go(run, propose('1.0', { source: 'human' })).rejection?.code).toBe('source_not_accepted');
    expect(go(run, propose('1.0', { value: UNFIT })).rejection).toBeNull();
  });

  it('a good answer on the last attempt is decided on as it is', () => {
    expect(decided(go(of(1), telling('1.0', { events: ['fine'] })))).toEqual(['fine']);
  });

  it('Answer.spent is this attempt and every rejected one on this request, not those of others', () => {
    let { run } = start({ asks: [ask({ attempts: 9 }), ask({ attempts: 9 })] });
    run = go(run, propose('1.0', { value: UNFIT, spent: { tokens: 1 } })).run;
    run = go(run, propose('1.0', { source: 'human', spent: { tokens: 10, ms: 0 } })).run;
    run = go(run, propose('1.1', { value: UNFIT, spent: { tokens: 100 } })).run;
    run = go(run, propose('7.7', { spent: { tokens: 1_000 } })).run;
    const step = go(run, failing('1.0', { final: true }, { spent: { usd_micros: 4 } }));
    expect(decided(step)).toMatchObject([{ spent: { tokens: 11, ms: 0, usd_micros: 4 } }]);
    expect(step.run.open.get('1.1')?.spent).toEqual({ tokens: 100 });
  });

  it(
    'spent has its units in one order, whatever order they came in: a machine that lists ' +
      'them decides the same after a resume',
    () => {
      const lister: Puppet = {
        ...puppet,
        decide: (state, answer, context) =>
          answer.input._tag === 'Left'
            ? ok({ events: [Object.keys(answer.spent)] })
            : puppet.decide(state, answer, context),
      };
      const { run } = start({ asks: [ask({ attempts: 9 })] }, lister);
      const once = go(run, failing('1.0', {}, { spent: { zeta: 1, alpha: 1 } })).run;
      expect(decided(go(once, failing('1.0', { final: true }, { spent: { beta: 1 } })))).toEqual([
        ['alpha', 'beta', 'zeta'],
      ]);
      expect(decided(go(run, failing('1.0', { final: true }, { spent: { zeta: 1, alpha: 1 } })))).toEqual([
        ['alpha', 'zeta'],
      ]);
    },
  );
});
