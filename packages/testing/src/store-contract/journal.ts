/** The suite that every journal passes: what one process notes, another finds, and nothing is charged or done twice. */
import assert from 'node:assert/strict';
import type { Digest } from '@assay/kernel';
import { nativeSha256, type Journal } from '@assay/host';
import type { Runner } from './contract.js';

/** A place where a journal lies. `open`: as another process would; each is closed by `close`. */
export type JournalPlace = {
  readonly open: () => Promise<{ readonly journal: Journal; readonly close: () => Promise<void> }>;
  readonly remove: () => Promise<void>;
};

const GENESIS = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const KEY = `${GENESIS}/7.0/0`;
const RUN = { runId: 'run-1', genesis: GENESIS };

/** Declares the suite for one kind of journal. */
export function journalContract(name: string, makePlace: () => JournalPlace, { describe, it }: Runner): void {
  const at = async (work: (open: () => Promise<Journal>) => Promise<void>): Promise<void> => {
    const place = makePlace();
    const closes: (() => Promise<void>)[] = [];
    try {
      await work(async () => {
        const { journal, close } = await place.open();
        closes.push(close);
        return journal;
      });
    } finally {
      for (const close of closes) await close();
      await place.remove();
    }
  };
  describe(`journal contract: ${name}`, () => {
    it('gives the bounds noted under a key before, whoever noted them, and keeps runs apart', () =>
      at(async (open) => {
        const [one, other] = [await open(), await open()];
        assert.deepEqual(await one.calls.begin('run-1', KEY, { calls: 1 }), []);
        assert.deepEqual(await other.calls.begin('run-1', KEY, { calls: 2 }), [{ calls: 1 }]);
        assert.deepEqual(await one.calls.begin('run-1', KEY, null), [{ calls: 1 }, { calls: 2 }]);
        assert.deepEqual(await one.calls.begin('run-2', KEY, null), []);
      }));

    it('takes back the call whose answer comes later', () =>
      at(async (open) => {
        const one = await open();
        await one.calls.begin('run-1', KEY, { calls: 1 });
        await one.calls.begin('run-1', KEY, { calls: 2 });
        await one.calls.takeBack?.('run-1', KEY);
        assert.deepEqual(await (await open()).calls.begin('run-1', KEY, null), [{ calls: 1 }]);
      }));

    it('charges nobody for a run that was taken away, and keeps what is noted meanwhile', () =>
      at(async (open) => {
        const one = await open();
        await one.calls.begin('run-1', KEY, { calls: 1 });
        await one.done().note(KEY, 0, { was: 1 });
        const forget = [await one.calls.anew?.('run-1'), await one.done().anew(GENESIS)];
        await (await open()).calls.begin('run-1', KEY, { calls: 3 });
        for (const each of forget) await each?.();
        assert.deepEqual(await (await open()).calls.begin('run-1', KEY, null), [{ calls: 3 }]);
        assert.equal(await (await open()).done().find(KEY, 0), null);
      }));

    it('finds what a tool had done, call by call', () =>
      at(async (open) => {
        const done = (await open()).done();
        assert.equal(await done.find(KEY, 0), null);
        await done.note(KEY, 0, {});
        await done.note(KEY, 1, { answer: { text: 'é"\n' } });
        const again = (await open()).done();
        assert.deepEqual(
          [await again.find(KEY, 0), await again.find(KEY, 1)],
          [{}, { answer: { text: 'é"\n' } }],
        );
        assert.equal(await again.find(`${OTHER}/7.0/0`, 0), null);
      }));

    it('keeps bytes, outputs and the last snapshot', () =>
      at(async (open) => {
        const one = await open();
        const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
        const digest = await one.blobs.put(bytes);
        assert.equal(digest, nativeSha256(bytes));
        await one.blobs.put(bytes);
        await one.outputs.keep(digest, 'whole\u0000');
        await one.snapshots.save('run-1', Uint8Array.of(1)).catch(() => undefined);
        const other = await open();
        assert.deepEqual(new Uint8Array((await other.blobs.find(digest)) ?? []), bytes);
        assert.equal(await other.outputs.find(digest), 'whole\u0000');
        assert.equal(await other.blobs.find(OTHER as Digest), null);
        await other.snapshots.save('run-1', Uint8Array.of(1, 2));
        assert.deepEqual([...((await one.snapshots.load('run-1')) ?? [])], [1, 2]);
        assert.equal(await one.snapshots.load('run-2'), null);
      }));

    it('is copied line by line, and copied again changes nothing', () =>
      at(async (open) => {
        const one = await open();
        for (const calls of [1, 1]) await one.calls.begin('run-1', KEY, { calls });
        await one.done().note(KEY, 0, { was: 1 });
        const lines = await one.lines(RUN);
        assert.deepEqual(lines, {
          calls: [`${KEY} {"calls":1}`, `${KEY} {"calls":1}`],
          done: [`${KEY} 0 {"was":1}`],
        });
        await at(async (openTarget) => {
          const target = await openTarget();
          for (let time = 0; time < 2; time += 1) await target.add(RUN, lines);
          assert.deepEqual(await (await openTarget()).lines(RUN), lines);
        });
      }));
  });
}
