import { describe, expect, it } from 'vitest';
import type { Request } from '@assay/kernel';
import { clockPort } from '@assay/host';
import { virtually } from './simulation/virtually.js';

const request: Request = { id: '1.0', kind: 'tick', body: { until_us: 7_200_000_500 }, accepts: ['clock'], attempts: 1 };
const call = { key: 'k', signal: new AbortController().signal };

describe('a clock as a port', () => {
  it('answers with the time, of source clock, and never goes back', async () => {
    const readings = [5, 9.7, 3, 12];
    const port = clockPort({ read: () => readings.shift() ?? 0 });
    expect([port.source, port.proposer]).toEqual(['clock', 'clock']);
    const asked = { ...request, body: null };
    expect(await port.perform(asked, call)).toEqual({ value: { t_us: 9 }, at_us: 9 });
    expect(await port.perform(asked, call)).toEqual({ value: { t_us: 12 }, at_us: 12 });
    const real = await clockPort().perform(asked, call);
    expect(Math.abs((real.at_us ?? 0) / 1_000 - Date.now())).toBeLessThan(60_000);
  });

  it('waits for a time, also where the clock is set meanwhile, and ends at the signal', async () => {
    const seen = await virtually(async (life) => {
      let offset = 0;
      const port = clockPort({ read: () => life.timer.now() * 1_000 + offset, timer: life.timer, until: ({ body }) => (body as { readonly until_us: number }).until_us, value: (t_us) => t_us });
      const answer = await port.perform(request, call);
      const waited = life.timer.now();
      const again = port.perform({ ...request, body: { until_us: 20 * 3_600_000_000 } }, call);
      offset = 20 * 3_600_000_000;
      await again;
      const controller = new AbortController();
      void life.wait('aborts', 5).then(() => controller.abort());
      await port.perform({ ...request, body: { until_us: 10 ** 15 } }, { key: 'k', signal: controller.signal });
      return { answer, waited, noticed: life.timer.now() - waited };
    });
    expect(seen).toEqual({ answer: { value: 7_200_001_000, at_us: 7_200_001_000 }, waited: 7_200_001, noticed: 3_600_005 });
  });
});
