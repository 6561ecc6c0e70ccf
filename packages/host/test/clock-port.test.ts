import { describe, expect, it } from 'vitest';
import { orThrow, type Request } from '@assay/kernel';
import { tally } from '@assay/testing';
import { clockPort, drive, lastClockReading, memoryStore, portsByKind, StoreReadError } from '@assay/host';
import { payloads, poll } from './tools.js';
import { virtually } from './simulation/virtually.js';

const request: Request = {
  id: '1.0',
  kind: 'tick',
  body: { until_us: 7_200_000_500 },
  accepts: ['clock'],
  attempts: 1,
};
const call = { key: 'k', signal: new AbortController().signal };

describe('a clock as a port', () => {
  it('answers with the time, of source clock, and never goes back', async () => {
    const readings = [9.7, 3, 12];
    const port = clockPort({ read: () => readings.shift() ?? 0 });
    expect([port.source, port.proposer]).toEqual(['clock', 'clock']);
    const asked = { ...request, body: null };
    for (const t_us of [9, 9, 12])
      expect(await port.perform(asked, call)).toEqual({ value: { t_us }, at_us: t_us });
    const real = await clockPort().perform(asked, call);
    expect(Math.abs((real.at_us ?? 0) / 1_000 - Date.now())).toBeLessThan(60_000);
  });

  it('waits for a time, also where the clock is set meanwhile, and ends at the signal', async () => {
    const seen = await virtually(async (life) => {
      let offset = 0;
      const port = clockPort({
        read: () => life.timer.now() * 1_000 + offset,
        timer: life.timer,
        until: ({ body }) => (body as { readonly until_us: number }).until_us,
        value: (t_us) => t_us,
      });
      const answer = await port.perform(request, call);
      const waited = life.timer.now();
      const again = port.perform({ ...request, body: { until_us: 20 * 3_600_000_000 } }, call);
      offset = 20 * 3_600_000_000;
      await again;
      const controller = new AbortController();
      void life.wait('aborts', 5).then(() => controller.abort());
      const early = await port
        .perform({ ...request, body: { until_us: 10 ** 15 } }, { key: 'k', signal: controller.signal })
        .then(String, ({ name }: Error) => name);
      return { answer, waited, noticed: life.timer.now() - waited, early };
    });
    // No answer before its time: who aborts gets none.
    expect(seen).toEqual({
      answer: { value: 7_200_001_000, at_us: 7_200_001_000 },
      waited: 7_200_001,
      noticed: 3_600_005,
      early: 'AbortError',
    });
  });

  it('leaves a longer wait than it stays to a later drive', async () => {
    const asked = { ...request, body: null };
    const port = clockPort({ read: () => 5, until: () => 3_000_000, leaveAfterMs: 2_000 });
    await expect(port.perform(asked, call)).rejects.toMatchObject({ name: 'Later', until: 3_000_000 });
  });

  it('takes nothing for a time that is none', async () => {
    const asked = { ...request, body: null };
    for (const bad of [-1, -0.5, 1e300, 2 ** 53]) {
      await expect(clockPort({ read: () => bad }).perform(asked, call)).rejects.toThrow(
        'clockPort: read: expected microseconds from 0 to 2^53 - 1',
      );
      expect(() => clockPort({ notBefore: bad })).toThrow(RangeError);
    }
    await expect(clockPort({ until: () => 1e300 }).perform(asked, call)).rejects.toThrow(RangeError);
    for (const bad of [NaN, Infinity, 'now' as never]) {
      await expect(clockPort({ read: () => bad }).perform(asked, call)).rejects.toThrow(RangeError);
      await expect(clockPort({ until: () => bad }).perform(asked, call)).rejects.toThrow(RangeError);
      expect(() => clockPort({ notBefore: bad })).toThrow(RangeError);
    }
  });

  it('shows the right time again after a reading that was none', async () => {
    const readings = [5, 1e300, 7, 2 ** 53, 6, 2 ** 53 - 1];
    const port = clockPort({ read: () => readings.shift() ?? 0 });
    const told: unknown[] = [];
    for (let count = 0; count < 6; count += 1)
      told.push(
        await port.perform({ ...request, body: null }, call).then(
          ({ at_us }) => at_us,
          ({ name }: Error) => name,
        ),
      );
    expect(told).toEqual([5, 'RangeError', 7, 'RangeError', 7, 2 ** 53 - 1]);
  });

  it('continues from the latest stored reading, also where the clock was set back', async () => {
    const store = memoryStore();
    const accepting: typeof tally = {
      ...tally,
      open: (genesis, context) => {
        const opened = tally.open(genesis, context);
        if (opened._tag === 'Left') return opened;
        const asks = (opened.right.decision.asks ?? []).map((ask) => ({
          ...ask,
          accepts: ['clock' as const],
        }));
        return { _tag: 'Right', right: { ...opened.right, decision: { ...opened.right.decision, asks } } };
      },
    };
    const driven = async (read: number, steps: number): Promise<void> => {
      const clock = clockPort({
        read: () => read,
        notBefore: await lastClockReading(store, 'poll-1'),
        value: () => ({ option: 'soup' }),
      });
      orThrow(await drive(accepting, poll(), { store, ports: portsByKind({ ballot: clock }), steps }));
    };
    expect(await lastClockReading(store, 'poll-1')).toBe(0);
    await driven(5_000, 1);
    expect(await lastClockReading(store, 'poll-1')).toBe(5_000);
    await driven(3_000, 1);
    await driven(9_000, 9);
    expect(
      (await payloads(store, 'proposal')).map((proposal) => (proposal as { readonly at_us: number }).at_us),
    ).toEqual([5_000, 5_000, 9_000]);
    await store.close();
    await expect(lastClockReading(store, 'poll-1')).rejects.toThrow(StoreReadError);
  });
});
