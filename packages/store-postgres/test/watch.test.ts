import { expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '../src/index.ts';
import type { PostgresStore } from '../src/postgres-store.ts';
import { startProxy } from './tools/proxy.js';
import { atPlace, describeServer, sql, urlOf } from './tools/server.js';

const RUN = 'run';
const chain = smallChain(RUN, 40);
const POLL_NEVER = 600_000;

/** Follows a run to `count` records, only looking when woken; what it read, and how often it was woken. */
async function followed(
  store: PostgresStore,
  count: number,
  pollMs: number,
): Promise<{ readonly lines: number; readonly wakes: number }> {
  let lines = 0;
  let wakes = 0;
  let wake = (): void => undefined;
  let isDue = false;
  const watch = store.watch(
    RUN,
    () => {
      wakes += 1;
      isDue = true;
      wake();
    },
    { pollMs },
  );
  while (lines < count) {
    if (!isDue)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    isDue = false;
    if (orThrow(await store.head(RUN)) === null) continue;
    for await (const line of store.read(RUN, lines)) lines += Math.sign(line.length);
  }
  await watch.stop();
  return { lines, wakes };
}

/** Appends the chain, record by record or two, with pauses. */
async function write(store: PostgresStore): Promise<void> {
  for (let at = 0; at < chain.length; at += 2) {
    orThrow(
      await store.append(
        RUN,
        at === 0 ? null : headOfChain(RUN, chain.slice(0, at)),
        chain.slice(at, at + 2),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, (at * 7) % 20));
  }
}

/** How many listen at a place. */
async function listening(schema: string): Promise<number> {
  return (await listeners(schema)).length;
}

/** The server's processes of those who listen at a place. */
async function listeners(schema: string): Promise<readonly unknown[]> {
  return (
    await sql(`SELECT pid FROM pg_stat_activity WHERE application_name = 'assay' AND query = $1`, [
      `LISTEN "assay ${schema}"`,
    ])
  ).map(({ pid }) => pid);
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 3));
}

describeServer('watching a run', () => {
  it('wakes by notifications alone, where it is not to look for ten minutes', () =>
    atPlace(async ({ schema, open }, writer) => {
      const reader = await open();
      const following = followed(reader, chain.length, POLL_NEVER);
      await until(async () => (await listening(schema)) === 1);
      await write(writer);
      const { lines, wakes } = await following;
      expect(lines).toBe(chain.length);
      expect(wakes).toBeGreaterThan(1);
      await reader.close();
    }));

  it('loses nothing where every notification is lost', () =>
    atPlace(
      async ({ open }, writer) => {
        const reader = await open();
        const following = followed(reader, chain.length, 15);
        await write(writer);
        expect((await following).lines).toBe(chain.length);
        await reader.close();
      },
      { notify: false },
    ));

  it('loses nothing where its connections break again and again', () =>
    atPlace(async ({ schema }, writer) => {
      const proxy = await startProxy();
      const reader = orThrow(openUrl(urlOf(schema, { port: proxy.port })));
      const following = followed(reader, chain.length, 15);
      const over = new AbortController();
      const breaking = (async () => {
        while (!over.signal.aborted) {
          await sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'assay' AND query = $1`,
            [`LISTEN "assay ${schema}"`],
          );
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      await write(writer);
      expect((await following).lines).toBe(chain.length);
      over.abort();
      await breaking;
      await reader.close();
      await proxy.close();
    }));

  it('listens again after its connection broke', () =>
    atPlace(async ({ schema, open }, writer) => {
      const reader = await open();
      orThrow(await writer.append(RUN, null, chain.slice(0, 1)));
      const watch = reader.watch(RUN, () => undefined, { pollMs: 10 });
      await until(async () => (await listening(schema)) === 1);
      const [first] = await listeners(schema);
      await sql('SELECT pg_terminate_backend($1)', [first]);
      await until(async () => (await listeners(schema)).some((pid) => pid !== first));
      await watch.stop();
      await until(async () => (await listening(schema)) === 0);
      await reader.close();
    }));

  it('wakes once at the beginning, and not for other runs or forged notifications', () =>
    atPlace(async ({ schema, open }, writer) => {
      const reader = await open();
      orThrow(await writer.append(RUN, null, chain.slice(0, 1)));
      let wakes = 0;
      const watch = reader.watch(
        RUN,
        () => {
          wakes += 1;
        },
        { pollMs: 20 },
      );
      await until(async () => wakes === 1 && (await listening(schema)) === 1);
      orThrow(await writer.append('other', null, smallChain('other', 2)));
      await sql(`SELECT pg_notify($1, $2)`, [`assay ${schema}`, RUN]);
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect(wakes).toBe(1);
      orThrow(await writer.append(RUN, headOfChain(RUN, chain.slice(0, 1)), chain.slice(1, 2)));
      await until(() => wakes === 2);
      await watch.stop();
      orThrow(await writer.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(wakes).toBe(2);
      await reader.close();
    }));

  it('of a whole store wakes for any run, by notifications alone', () =>
    atPlace(async ({ schema, open }, writer) => {
      const reader = await open();
      let wakes = 0;
      const watch = reader.watch(null, () => (wakes += 1), { pollMs: POLL_NEVER });
      await until(async () => wakes === 1 && (await listening(schema)) === 1);
      for (const [index, run] of ['one', 'other'].entries()) {
        orThrow(await writer.append(run, null, smallChain(run, 2)));
        await until(() => wakes === index + 2);
      }
      await watch.stop();
      await reader.close();
    }));

  it('ends with the store, also where no server answers', async () => {
    const store = orThrow(openUrl('postgres://127.0.0.1:1/none'));
    let woken = 0;
    const watch = store.watch(
      RUN,
      () => {
        woken += 1;
      },
      { pollMs: 5 },
    );
    await new Promise((resolve) => setTimeout(resolve, 60));
    await store.close();
    await watch.stop();
    await store
      .watch(RUN, () => {
        woken += 1;
      })
      .stop();
    expect(woken).toBe(0);
  });

  it('of what is no run, or at no interval, is a defect', async () => {
    const store = orThrow(openUrl('postgres://127.0.0.1:1/none'));
    expect(() => store.watch('../x', () => undefined)).toThrow(TypeError);
    for (const pollMs of [0, -1, Number.NaN, 1e9])
      expect(() => store.watch(RUN, () => undefined, { pollMs })).toThrow(RangeError);
    await store.close();
  });
});

describeServer('telling watchers', () => {
  it('never takes part in an append: where it fails, appends do not', () =>
    atPlace(async ({ schema }) => {
      const proxy = await startProxy();
      const store = orThrow(openUrl(urlOf(schema, { port: proxy.port })));
      proxy.cutNext('pg_notify', 'forget', 1_000);
      await write(store);
      expect(orThrow(await store.head(RUN))).toEqual(headOfChain(RUN, chain));
      await store.close();
      expect(proxy.cuts()).toBeGreaterThan(0);
      await proxy.close();
    }));

  it('goes together where many appends come at once, and is done before the store is closed', () =>
    atPlace(async ({ schema, open }) => {
      const told: string[] = [];
      const { Client } = await import('pg');
      const ear = new Client({ connectionString: urlOf(schema).replace(/\?.*$/, '') });
      await ear.connect();
      ear.on('notification', ({ payload }) => told.push(payload ?? ''));
      await ear.query(`LISTEN "assay ${schema}"`);
      const writer = await open();
      for (let at = 0; at < 30; at += 1)
        orThrow(
          await writer.append(
            RUN,
            at === 0 ? null : headOfChain(RUN, chain.slice(0, at)),
            chain.slice(at, at + 1),
          ),
        );
      orThrow(await writer.append('last', null, smallChain('last', 1)));
      await writer.close();
      await until(() => told.includes('last'));
      expect(told.length).toBeLessThan(20);
      await ear.end();
    }));
});
