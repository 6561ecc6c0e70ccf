import { expect, it } from 'vitest';
import { encodeLine, orThrow } from '@assay/kernel';
import { makeChain, headOfChain } from '@assay/testing/store-contract';
import { atPlace, describeServer, evidence, sql } from './tools/server.js';

const SIZES = Array.from({ length: 12 }, (_, more) => 1 + more);
const ODD = ['two\nlines', 'a "quote" and \\n', '', 'é, 漢, 🜁', '$1 % \u0000 \u2028', "'); --"];

/** An opening of two, then groups of so many records. */
function chainFor(run: string, size: number, groups: number): ReturnType<typeof makeChain> {
  return makeChain(
    run,
    Array.from({ length: 1 + size * groups }, (_, at) => `${at} ${ODD[at % ODD.length]}`),
  );
}

async function linesOf(lines: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(new TextDecoder().decode(line));
  return found;
}

describeServer('groups of one record to twelve', () => {
  it('are stored as they were given, whatever their lines hold', () =>
    atPlace(async (_, store) => {
      for (const size of SIZES) {
        const run = `of-${size}`;
        const chain = chainFor(run, size, 3);
        let head = orThrow(await store.append(run, null, chain.slice(0, 2)));
        for (let at = 2; at < chain.length; at += size)
          head = orThrow(await store.append(run, head, chain.slice(at, at + size)));
        expect(head).toEqual(headOfChain(run, chain));
        expect(await linesOf(store.read(run))).toEqual(chain.map(encodeLine));
      }
    }));

  it('after a head that is no longer the last: stale_head, and nothing is stored', () =>
    atPlace(async ({ schema, open }, store) => {
      const rival = await open();
      for (const size of SIZES) {
        const run = `of-${size}`;
        const chain = chainFor(run, size, 1);
        const before = orThrow(await store.append(run, null, chain.slice(0, 2)));
        const other = [
          ...chain.slice(0, 2),
          ...makeChain(run, [chain[1]?.payload ?? null, 'of another']).slice(2),
        ];
        const actual = orThrow(await rival.append(run, before, other.slice(2)));
        const then = await evidence(schema);
        expect(await store.append(run, before, chain.slice(2))).toEqual({
          _tag: 'Left',
          left: { code: 'stale_head', run_id: run, expected: before, actual },
        });
        expect(await evidence(schema)).toEqual(then);
      }
      await rival.close();
    }));

  it('after a head with another hash, in a run begun anew: stale_head, nothing stored', () =>
    atPlace(async ({ schema, open }, store) => {
      const rival = await open();
      for (const size of SIZES) {
        const run = `of-${size}`;
        const chain = chainFor(run, size, 1);
        const before = orThrow(await store.append(run, null, chain.slice(0, 2)));
        await sql(
          `DELETE FROM "${schema}".records WHERE run = '${run}'; DELETE FROM "${schema}".runs WHERE run = '${run}'`,
        );
        const actual = orThrow(await rival.append(run, null, makeChain(run, ['of another'])));
        const then = await evidence(schema);
        expect(await store.append(run, before, chain.slice(2))).toEqual({
          _tag: 'Left',
          left: { code: 'stale_head', run_id: run, expected: before, actual },
        });
        expect(await evidence(schema)).toEqual(then);
      }
      await rival.close();
    }));
});
