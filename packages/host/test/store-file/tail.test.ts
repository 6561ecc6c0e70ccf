import { mkdir, open, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { orThrow } from '@assay/kernel';
import { StoreReadError, type Store } from '@assay/host';
import {
  chainBytes,
  makeChain,
  headOfChain,
  smallChain,
  temporaryFolder,
} from '@assay/testing/store-contract';
import { fileStore, nodeDisk } from '../../src/store-file/index.ts';
import type { Disk } from '../../src/store-file/disk.ts';

const RUN = 'run';
const chain = smallChain(RUN, 4);
const bytes = Buffer.from(chainBytes(chain));

let folder: { readonly path: string; readonly remove: () => Promise<void> };
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'run.ledger.jsonl');
});
afterEach(() => folder.remove());

/**
 * What the store says of a file with these bytes, asked for the head and by an append; the file must stay as
 * it is.
 */
async function judged(content: Uint8Array): Promise<unknown> {
  await writeFile(file, content);
  const store = fileStore(folder.path);
  const head = await store.head(RUN);
  const append = await store.append(RUN, headOfChain(RUN, chain), []);
  await store.close();
  expect((await readFile(file)).equals(content)).toBe(true);
  expect(await readdir(folder.path)).toEqual(['run.ledger.jsonl']);
  if (head._tag === 'Right') return { head: head.right, append };
  expect(append).toEqual(head);
  return head.left;
}

describe('a file whose end is no end of a ledger is torn, and is left as it was', () => {
  const torn = (detail: string): unknown => ({ code: 'torn', run_id: RUN, detail });
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ['an empty file', Buffer.from(''), 'the file is empty'],
    ['the beginning of a first line', bytes.subarray(0, 40), 'no line is whole'],
    ['text without a line end', Buffer.from('hello'), 'no line is whole'],
    ['text', Buffer.from('hello\nworld\n'), 'the last line is no sound record'],
    [
      'a last line with another value',
      Buffer.from(bytes.toString().replace(/"value":2/, '"value":3')),
      'the last line is no sound record',
    ],
    [
      'a last line with another ts',
      Buffer.from(bytes.toString().replace('t0#000000000003', 't0#000000000004')),
      'the last line is no sound record',
    ],
    [
      'a last line that is not canonical',
      Buffer.from(bytes.toString().replace(/"v":1}\n$/, '"v": 1}\n')),
      'the last line is no sound record',
    ],
    ['CRLF', Buffer.from(bytes.toString().replaceAll('\n', '\r\n')), 'the last line is no sound record'],
    [
      'a blank line at the end',
      Buffer.concat([bytes, Buffer.from('\n')]),
      'the last line is no sound record',
    ],
    [
      'zeros with a line end',
      Buffer.concat([bytes, Buffer.alloc(9), Buffer.from('\n')]),
      'the last line is no sound record',
    ],
    [
      'foreign text after the last line',
      Buffer.concat([bytes, Buffer.from('{"note":1}')]),
      'what stands after the last line is no beginning of a record',
    ],
    [
      '17 MiB after the last line',
      Buffer.concat([bytes, Buffer.alloc(17 * 1_048_576, '{')]),
      'the last line is longer than any record',
    ],
    [
      'a last line of 17 MiB',
      Buffer.concat([bytes, Buffer.alloc(17 * 1_048_576, '{'), Buffer.from('\n')]),
      'the last line is longer than any record',
    ],
    ['17 MiB in one line', Buffer.alloc(17 * 1_048_576, '{'), 'the last line is longer than any record'],
  ];
  for (const [what, content, detail] of cases) {
    it(what, async () => {
      expect(await judged(content)).toEqual(torn(detail));
    });
  }

  it('a record without a sequence', async () => {
    const { Ledger } = await import('@assay/kernel');
    const foreign = new Ledger();
    orThrow(foreign.append('2026-01-01T00:00:00Z', 'note', {}));
    expect(await judged(chainBytes(foreign.records))).toEqual(torn('the last line is no sound record'));
  });
});

describe('a closed run ends with its close', () => {
  const closed = (): Promise<Uint8Array> =>
    import('@assay/kernel').then(({ Ledger, logicalTime }) => {
      const ledger = new Ledger();
      orThrow(ledger.append(logicalTime('t0', 0), 'genesis', { run_id: RUN }));
      orThrow(ledger.append(logicalTime('t0', 1), 'close', { status: 'success' }));
      return chainBytes(ledger.records);
    });

  it.each(['{', '{"kind":"prop', '\0\0\0'])(
    '%j after it is no cut write: the file is torn, and left as it was',
    async (remnant) => {
      const content = Buffer.concat([await closed(), Buffer.from(remnant)]);
      expect(await judged(content)).toEqual({
        code: 'torn',
        run_id: RUN,
        detail: 'bytes stand after the close of the run',
      });
    },
  );

  it('without more, its head is that of the close', async () => {
    expect(await judged(await closed())).toMatchObject({ head: { run_id: RUN, count: 2 } });
  });
});

describe('a file that ends in a cut line', () => {
  for (const [what, remnant] of [
    ['a letter', '{'],
    ['half an envelope', '{"kind":"prop'],
    ['zeros', '\0\0\0'],
    ['a beginning and zeros', '{"ki\0\0'],
    ['a whole record without its line end', bytes.toString().split('\n')[3] ?? ''],
  ] as const) {
    it(`(${what}) has the head of its whole lines, and is mended by the next append only`, async () => {
      const content = Buffer.concat([bytes, Buffer.from(remnant)]);
      await writeFile(file, content);
      const store = fileStore(folder.path);
      expect(orThrow(await store.head(RUN))).toEqual(headOfChain(RUN, chain));
      let lines = 0;
      for await (const _ of store.read(RUN)) lines += 1;
      expect(lines).toBe(4);
      expect(await store.append(RUN, headOfChain(RUN, chain.slice(0, 3)), [])).toMatchObject({
        left: { code: 'stale_head' },
      });
      expect(await readFile(file)).toEqual(content);
      orThrow(await store.append(RUN, headOfChain(RUN, chain), []));
      expect(await readFile(file)).toEqual(bytes);
      await store.close();
    });
  }
});

describe('the ledger of another run under this name', () => {
  it('is refused, read or appended to, and left as it was', async () => {
    await writeFile(file, chainBytes(smallChain('other', 3)));
    const refusal = { code: 'run_id', run_id: RUN, detail: 'other_run' };
    const store = fileStore(folder.path);
    expect(await store.head(RUN)).toEqual({ _tag: 'Left', left: refusal });
    expect(await store.append(RUN, null, chain)).toEqual({ _tag: 'Left', left: refusal });
    await expect(store.read(RUN)[Symbol.asyncIterator]().next()).rejects.toEqual(
      new StoreReadError({ code: 'run_id', run_id: RUN, detail: 'other_run' }),
    );
    await store.close();
    expect(await readFile(file)).toEqual(Buffer.from(chainBytes(smallChain('other', 3))));
  });

  it('is found in a file of one line', async () => {
    expect(await judged(chainBytes(smallChain('other', 1)))).toEqual({
      code: 'run_id',
      run_id: RUN,
      detail: 'other_run',
    });
  });

  it('is found behind a first line longer than one read', async () => {
    const { Ledger, logicalTime } = await import('@assay/kernel');
    const ledger = new Ledger();
    orThrow(ledger.append(logicalTime('t0', 0), 'genesis', { run_id: 'other', input: 'x'.repeat(200_000) }));
    orThrow(ledger.append(logicalTime('t0', 1), 'proposal', 1));
    await writeFile(file, chainBytes(ledger.records));
    const store = fileStore(folder.path);
    expect(await store.head(RUN)).toMatchObject({ left: { code: 'run_id', detail: 'other_run' } });
    await store.close();
  });

  it('where the file system knows no case: the second of two ids that differ only in case is refused', async () => {
    const lower = (path: string): string => join(folder.path, path.slice(folder.path.length).toLowerCase());
    const disk: Disk = {
      ...nodeDisk,
      open: (path, mode) => nodeDisk.open(lower(path), mode),
      rename: (from, to) => nodeDisk.rename(lower(from), lower(to)),
      remove: (path) => nodeDisk.remove(lower(path)),
      look: (path) => nodeDisk.look(lower(path)),
      lookAtName: (path) => nodeDisk.lookAtName(lower(path)),
      list: (path) => nodeDisk.list(lower(path)),
      makeFolder: (path) => nodeDisk.makeFolder(lower(path)),
      removeFolder: (path) => nodeDisk.removeFolder(lower(path)),
    };
    const store = fileStore(folder.path, { disk });
    const first = makeChain('Run', ['first']);
    orThrow(await store.append('Run', null, first));
    expect(await store.append('run', null, makeChain('run', ['second']))).toMatchObject({
      left: { code: 'locked' },
    });
    await store.close();
    const next = fileStore(folder.path, { disk });
    expect(await next.append('run', null, makeChain('run', ['second']))).toEqual({
      _tag: 'Left',
      left: { code: 'run_id', run_id: 'run', detail: 'other_run' },
    });
    expect(await next.head('run')).toMatchObject({ left: { code: 'run_id' } });
    orThrow(await next.append('Run', headOfChain('Run', first), []));
    await next.close();
    expect(await readFile(file)).toEqual(Buffer.from(chainBytes(first)));
  });
});

describe('a file changed behind the store', () => {
  it('is looked at again: a longer one is stale, a shorter one too, and a removed one is no run', async () => {
    const store = fileStore(folder.path);
    const head = orThrow(await store.append(RUN, null, chain.slice(0, 3)));
    const stale = (actual: unknown): unknown => ({
      _tag: 'Left',
      left: { code: 'stale_head', run_id: RUN, expected: head, actual },
    });
    await writeFile(file, bytes);
    expect(await store.append(RUN, head, chain.slice(3))).toEqual(stale(headOfChain(RUN, chain)));
    await writeFile(file, chainBytes(chain.slice(0, 2)));
    expect(await store.append(RUN, head, chain.slice(3))).toEqual(stale(headOfChain(RUN, chain.slice(0, 2))));
    const { unlink } = await import('node:fs/promises');
    await unlink(file);
    expect(await store.append(RUN, head, chain.slice(3))).toEqual(stale(null));
    await store.close();
  });

  it('other names in the folder are no runs', async () => {
    await mkdir(join(folder.path, 'sub'));
    for (const name of ['x.jsonl', '.ledger.jsonl', 'CON.ledger.jsonl', 'run.ledger.jsonl.new', 'notes.txt'])
      await writeFile(join(folder.path, name), '');
    await writeFile(file, bytes);
    const store = fileStore(folder.path);
    expect(orThrow(await store.list())).toEqual(['run']);
    await store.close();
  });

  it('a line longer than any record ends the reading as torn, in bounded memory', async () => {
    const handle = await open(file, 'w');
    await handle.write(bytes.subarray(0, bytes.indexOf(10) + 1));
    for (let part = 0; part < 20; part += 1) await handle.write(Buffer.alloc(1_048_576, 'x'));
    await handle.write('\n');
    await handle.close();
    const store = fileStore(folder.path);
    const lines = store.read(RUN)[Symbol.asyncIterator]();
    expect((await lines.next()).done).toBe(false);
    await expect(lines.next()).rejects.toMatchObject({ error: { code: 'torn' } });
    await store.close();
  });
});

it('a long ledger is read from any sequence as if its lines were counted, whatever their length', async () => {
  const values = Array.from({ length: 300 }, (_, at) => 'x'.repeat((at * 7_919) % 2_500));
  const long = makeChain(RUN, [...values, 'y'.repeat(400_000), ...values]);
  await writeFile(file, chainBytes(long));
  const store = fileStore(folder.path);
  const whole = await readAll(store, 0);
  expect(whole).toHaveLength(long.length);
  // oxlint-disable-next-line no-await-in-loop -- one reading after the other
  for (const from of [1, 2, 150, 300, 301, 302, 500, long.length - 1, long.length, long.length + 5])
    expect((await readAll(store, from)).join('\n') === whole.slice(from).join('\n'), `from ${from}`).toBe(
      true,
    );
  // A line whose end says no sequence: the lines are counted.
  const odd = Buffer.from(chainBytes(long)).toString().replace('#000000000301"', '#00000000030x"');
  await writeFile(file, odd);
  expect((await readAll(store, 400)).length).toBe(long.length - 400);
  await store.close();
});

async function readAll(store: Pick<Store, 'read'>, from: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of store.read(RUN, from)) lines.push(Buffer.from(line).toString());
  return lines;
}
