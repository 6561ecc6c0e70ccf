import { expect, it } from 'vitest';
import { LINE_LIMITS, orThrow, utf8Length } from '@assay/kernel';
import { makeChain, headOfChain, smallChain } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';
import { startProxy } from './tools/proxy.js';
import { atPlace, describeServer, sql, urlOf } from './tools/server.js';

const RUN = 'run';

describeServer('reading', () => {
  it('more lines than a page holds gives each of them once, from any position', () =>
    atPlace(async (_, store) => {
      const chain = smallChain(RUN, 1_300);
      orThrow(await store.append(RUN, null, chain));
      for (const from of [0, 1, 511, 512, 513, 1_024, 1_299, 1_300, 5_000]) {
        const sequences: number[] = [];
        for await (const line of store.read(RUN, from))
          sequences.push(Number(/#([0-9]{12})","v":1\}$/.exec(new TextDecoder().decode(line))?.[1]));
        expect(sequences).toEqual(
          Array.from({ length: Math.max(0, 1_300 - from) }, (__, index) => from + index),
        );
      }
    }));

  it('a list in pages is the list, without a run twice or left out', () =>
    atPlace(async (_, store) => {
      const ids = ['a', 'a-b', 'a.b', 'aa', 'b', 'b.1', 'b.10', 'b.2'];
      for (const id of ids) orThrow(await store.append(id, null, smallChain(id, 1)));
      const whole = orThrow(await store.list());
      expect(whole.toSorted()).toEqual(ids);
      for (let limit = 1; limit <= ids.length + 1; limit += 1) {
        const paged: string[] = [];
        for (;;) {
          const page = orThrow(await store.list({ after: paged.at(-1) ?? '', limit }));
          expect(page.length).toBeLessThanOrEqual(limit);
          paged.push(...page);
          if (page.length < limit) break;
        }
        expect(paged).toEqual(whole);
      }
    }));

  it('a line of the greatest length comes back as it was', () =>
    atPlace(async ({ schema }, store) => {
      const room = LINE_LIMITS.bytes - 1_000;
      const chain = makeChain(RUN, ['"\\'.repeat(room / 4)]);
      orThrow(await store.append(RUN, null, chain));
      const sizes: number[] = [];
      for await (const line of store.read(RUN)) sizes.push(line.length);
      expect(sizes[1]).toBeGreaterThan(LINE_LIMITS.bytes - 2_000);
      expect(orThrow(await store.head(RUN))).toEqual(headOfChain(RUN, chain));
      expect(
        await sql(`SELECT octet_length(text)::int AS size FROM "${schema}".records WHERE seq = 1`),
      ).toEqual([{ size: sizes[1] }]);
    }));

  it('asks for no more than a page ahead of its reader', () =>
    atPlace(async ({ schema }, store) => {
      const chain = makeChain(
        RUN,
        Array.from({ length: 60 }, (_, index) => `${index} ${'é'.repeat(150_000)}`),
      );
      orThrow(await store.append(RUN, null, chain));
      const proxy = await startProxy();
      const reader = orThrow(openUrl(urlOf(schema, { port: proxy.port })));
      let read = 0;
      let most = 0;
      for await (const line of reader.read(RUN)) {
        read += line.length;
        if (line.length > 1_000) await new Promise((resolve) => setTimeout(resolve, 2));
        most = Math.max(most, proxy.received() - read);
      }
      expect(read).toBeGreaterThan(18_000_000);
      expect(most).toBeLessThan(1_048_576 + 2 * utf8Length('é'.repeat(150_000)) + 65_536);
      await reader.close();
      await proxy.close();
    }));

  it('a reader that stops, or waits, holds no connection and no transaction', () =>
    atPlace(async ({ schema }, store) => {
      const chain = makeChain(
        RUN,
        Array.from({ length: 30 }, () => 'x'.repeat(100_000)),
      );
      orThrow(await store.append(RUN, null, chain));
      const readers = Array.from({ length: 12 }, () => store.read(RUN)[Symbol.asyncIterator]());
      for (const reader of readers) await reader.next();
      expect(
        await sql(
          `SELECT pid FROM pg_stat_activity WHERE application_name = 'assay' AND query LIKE ` +
            `'%"${schema}".%' AND state <> 'idle'`,
        ),
      ).toEqual([]);
      expect(orThrow(await store.head(RUN))).toEqual(headOfChain(RUN, chain));
      for (const reader of readers) await reader.return?.();
    }));

  it('ends with the store', () =>
    atPlace(async (_, store) => {
      orThrow(await store.append(RUN, null, smallChain(RUN, 600)));
      const reading = store.read(RUN);
      const iterator = reading[Symbol.asyncIterator]();
      await iterator.next();
      await store.close();
      const rest = async (): Promise<void> => {
        while ((await iterator.next()).done !== true);
      };
      await expect(rest()).rejects.toMatchObject({ error: { code: 'closed' } });
    }));
});
