/** What is appended is what is read. */
import assert from 'node:assert/strict';
import {
  makeChain,
  type Declare,
  headOfChain,
  left,
  lines,
  readError,
  right,
  RUN,
  smallChain,
  texts,
} from './bench.js';

/** Declares these cases. */
export function declareAppending(declare: Declare): void {
  declare(
    'a place without runs lists none, and a run that does not exist has no head and nothing to read',
    async ({ store }) => {
      assert.deepEqual(right(await store.list()), []);
      assert.equal(right(await store.head(RUN)), null);
      assert.deepEqual(await readError(store, RUN), { code: 'not_found', run_id: RUN });
    },
  );

  declare(
    'append returns the head after the group, and another store finds the same',
    async ({ store, another }) => {
      const chain = smallChain(RUN, 5);
      const head = right(await store.append(RUN, null, chain.slice(0, 2)));
      assert.deepEqual(head, headOfChain(RUN, chain.slice(0, 2)));
      assert.deepEqual(right(await store.append(RUN, head, chain.slice(2))), headOfChain(RUN, chain));
      const reader = await another();
      assert.deepEqual(right(await reader.head(RUN)), headOfChain(RUN, chain));
      assert.deepEqual(await lines(reader, RUN), texts(chain));
    },
  );

  declare(
    'each line is the canonical text of its record, also of one megabyte, of every script and of hostile keys',
    async ({ store }) => {
      const chain = makeChain(RUN, [
        'é 漢字 😀 \u2028 \u0085 \u0000 "\\',
        { __proto__: null, '': [], ﬀ: 1e-7, '😀': -1.5 },
        'x'.repeat(1_048_576),
        '漢'.repeat(400_000),
      ]);
      right(await store.append(RUN, null, chain));
      assert.deepEqual(await lines(store, RUN), texts(chain));
    },
  );

  declare('what a reader does to a line it was given changes nothing stored', async ({ store }) => {
    const chain = smallChain(RUN, 3);
    right(await store.append(RUN, null, chain));
    for await (const line of store.read(RUN)) line.fill(0);
    assert.deepEqual(await lines(store, RUN), texts(chain));
  });

  declare('reading starts at a sequence, and at its end gives nothing', async ({ store }) => {
    const chain = smallChain(RUN, 6);
    right(await store.append(RUN, null, chain));
    for (let from = 0; from <= 7; from += 1)
      assert.deepEqual(await lines(store, RUN, from), texts(chain.slice(from)), `from ${from}`);
  });

  declare('a continuation counts on from its base', async ({ store, another }) => {
    const chain = makeChain(RUN, [1, 2, 3], 7);
    right(await store.append(RUN, null, chain.slice(0, 2)));
    right(await store.append(RUN, headOfChain(RUN, chain.slice(0, 2)), chain.slice(2)));
    assert.equal(right(await (await another()).head(RUN))?.count, 11);
    assert.deepEqual(await lines(store, RUN, 9), texts(chain.slice(2)));
    assert.deepEqual(await lines(store, RUN, 3), texts(chain));
  });

  declare(
    'a group may come record by record, cut anywhere: the rest continues it and nothing else does',
    async ({ store, another }) => {
      const chain = smallChain(RUN, 9);
      right(await store.append(RUN, null, chain.slice(0, 1)));
      await store.close();
      for (let cut = 1; cut < chain.length; cut += 1) {
        const next = await another();
        const head = headOfChain(RUN, chain.slice(0, cut));
        if (cut > 1)
          assert.deepEqual(
            left(
              await next.append(RUN, headOfChain(RUN, chain.slice(0, cut - 1)), chain.slice(cut - 1, cut)),
            ),
            {
              code: 'stale_head',
              run_id: RUN,
              expected: headOfChain(RUN, chain.slice(0, cut - 1)),
              actual: head,
            },
          );
        right(await next.append(RUN, head, chain.slice(cut, cut + 1)));
        await next.close();
      }
      assert.deepEqual(await lines(await another(), RUN), texts(chain));
    },
  );

  declare(
    'reading while appending gives a whole beginning of the ledger, at least what was appended before',
    async ({ store }) => {
      const chain = smallChain(RUN, 200);
      right(await store.append(RUN, null, chain.slice(0, 1)));
      const writer = (async () => {
        for (let at = 1; at < chain.length; at += 3)
          right(await store.append(RUN, headOfChain(RUN, chain.slice(0, at)), chain.slice(at, at + 3)));
      })();
      let seen = 1;
      while (seen < chain.length) {
        const before = right(await store.head(RUN))?.count ?? 0;
        const read = await lines(store, RUN);
        assert.ok(read.length >= before && read.length >= seen, `${read.length} lines after ${before}`);
        assert.deepEqual(read, texts(chain.slice(0, read.length)));
        seen = read.length;
      }
      await writer;
    },
  );

  declare(
    'reading from a position while appending gives whole records from there on, without a gap',
    async ({ store, another }) => {
      const chain = smallChain(RUN, 120);
      const from = 17;
      right(await store.append(RUN, null, chain.slice(0, 1)));
      const reader = await another();
      const writer = (async () => {
        for (let at = 1; at < chain.length; at += 4)
          right(await store.append(RUN, headOfChain(RUN, chain.slice(0, at)), chain.slice(at, at + 4)));
      })();
      let seen = 0;
      while (seen < chain.length - from) {
        const before = right(await reader.head(RUN))?.count ?? 0;
        const read = await lines(reader, RUN, from);
        assert.ok(
          read.length >= seen && read.length >= before - from,
          `${read.length} lines from ${from} after ${before}`,
        );
        assert.deepEqual(read, texts(chain.slice(from, from + read.length)));
        seen = read.length;
      }
      await writer;
    },
  );

  declare(
    'a reading that began sees through, whatever is appended before it ends',
    async ({ store, another }) => {
      const chain = makeChain(
        RUN,
        Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(40_000)}`),
      );
      right(await store.append(RUN, null, chain.slice(0, 30)));
      const reader = await another();
      const read: string[] = [];
      for await (const line of reader.read(RUN, 2)) {
        const at = read.push(new TextDecoder().decode(line));
        if (at <= 10)
          right(
            await store.append(RUN, headOfChain(RUN, chain.slice(0, 29 + at)), chain.slice(29 + at, 30 + at)),
          );
      }
      assert.ok(read.length >= 28 && read.length <= 38, `${read.length} lines`);
      assert.deepEqual(read, texts(chain.slice(2, 2 + read.length)));
      // Who stops reading early leaves nothing behind that would keep others out.
      for await (const line of reader.read(RUN)) if (line.length > 0) break;
      right(await store.append(RUN, headOfChain(RUN, chain.slice(0, 40)), chain.slice(40)));
      assert.deepEqual(await lines(reader, RUN), texts(chain));
    },
  );

  declare(
    'text of every script, unassigned and private characters and the order of UTF-16 keys come back byte for byte',
    async ({ store, another }) => {
      const scripts = [
        'Ελληνικά',
        'кириллица',
        'עברית',
        'العربية',
        'हिन्दी',
        'ไทย',
        '한국어',
        '日本語',
        '\u{1D518}\u{10FFFF}',
        'e\u0301 é',
        '\uFEFF\uFFFE\uFFFF',
        '\u202E\u200D',
        '\u0000\u001F\u007F\u0080',
        '\r\n\t',
        "'; DROP TABLE records; --",
        '%s $1 ? :a @b \\x00',
      ];
      const chain = makeChain(RUN, [
        ...scripts,
        Object.fromEntries(scripts.map((text, index) => [text, index])),
        { '\u{10000}': 1, '\uE000': 2, '\uFFFF': 3 },
      ]);
      right(await store.append(RUN, null, chain));
      assert.deepEqual(await lines(await another(), RUN), texts(chain));
    },
  );

  declare(
    'records that do not continue the expected head are a defect, and nothing is stored',
    async ({ store }) => {
      const chain = smallChain(RUN, 4);
      const other = smallChain('run-2', 4);
      const head = right(await store.append(RUN, null, chain.slice(0, 2)));
      await assert.rejects(store.append(RUN, head, chain.slice(3)), RangeError);
      await assert.rejects(store.append(RUN, head, chain.slice(0, 1)), RangeError);
      await assert.rejects(store.append(RUN, head, [...chain.slice(2), ...chain.slice(2)]), RangeError);
      await assert.rejects(store.append(RUN, head, makeChain(RUN, ['fork', 'fork']).slice(2)), RangeError);
      await assert.rejects(store.append(RUN, { ...head, count: 3 }, chain.slice(2)), RangeError);
      await assert.rejects(store.append('run-2', head, chain.slice(2)), RangeError);
      await assert.rejects(store.append('run-3', null, other), RangeError);
      await assert.rejects(store.append('run-3', null, []), RangeError);
      assert.deepEqual(right(await store.list()), [RUN]);
      assert.deepEqual(await lines(store, RUN), texts(chain.slice(0, 2)));
    },
  );

  declare('an empty group claims a run and changes nothing', async ({ store }) => {
    const chain = smallChain(RUN, 3);
    const head = right(await store.append(RUN, null, chain));
    assert.deepEqual(right(await store.append(RUN, head, [])), head);
    assert.deepEqual(await lines(store, RUN), texts(chain));
    assert.deepEqual(
      left(await store.append(RUN, headOfChain(RUN, chain.slice(0, 2)), [])).code,
      'stale_head',
    );
  });
}
