import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaign } from './campaign.mjs';
import { missing, startPostgres, startRedis } from './servers.mjs';

/**
 * `npm run crash -- --only fleet [--runs N] [--engine E]` is the long form. The short one begins with one engine: in its
 * midst it changes to the other and back.
 */
const RUNS = Number(process.env['ASSAY_FLEET_RUNS'] ?? 40);
const ENGINES = (process.env['ASSAY_FLEET_ENGINE'] ?? 'dbos').split(',');

if (missing !== null) {
  if (process.env['CI'] === 'true') throw new Error(`the campaign of the fleet needs ${missing}`);
  process.stderr.write(`the campaign of the fleet is not run here: it needs ${missing}\n`);
}

let servers: {
  postgres: Awaited<ReturnType<typeof startPostgres>>;
  redis: Awaited<ReturnType<typeof startRedis>>;
};
beforeAll(async () => {
  if (missing === null) servers = { postgres: await startPostgres(), redis: await startRedis() };
});
afterAll(async () => {
  if (missing !== null) return;
  await servers.postgres.remove();
  await servers.redis.remove();
});

const timeout = 300_000 + 1_000 * RUNS;
for (const kind of ENGINES) {
  it.skipIf(missing !== null)(`${kind}: without faults no call is repeated`, { timeout }, async () => {
    const report = await campaign({ kind, runs: Math.ceil(RUNS / 4), faults: false, servers });
    console.log(JSON.stringify(report));
    expect(report.problems).toEqual([]);
    expect(report.totals).toMatchObject({ closed: report.runs, failed: 0 });
    expect(report.repeats).toBe(0);
  });

  it.skipIf(missing !== null)(
    `${kind}: killed, stopped, cut off and wiped, every run is closed`,
    { timeout },
    async () => {
      const report = await campaign({ kind, runs: RUNS, faults: true, servers });
      console.log(JSON.stringify(report));
      expect(report.problems).toEqual([]);
      expect(report.totals).toMatchObject({ closed: RUNS, failed: 0 });
      expect(report.kills).toBeGreaterThan(0);
      expect(report).toMatchObject({ pauses: 2, restarts: 1, wipes: 1, changes: 2 });
      expect(report.applied).toBe(report.keys);
    },
  );
}
