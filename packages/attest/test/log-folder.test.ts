/** The log of runs as a folder: sequencer, witness, guard, and what is wrong with a folder. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Digest, utf8Bytes } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { writeAll } from '@assay/host/files';
import { nodeDisk, nodeProcesses, takeLock } from '@assay/host/store-file';
import {
  derivePublicKey,
  formatEntry,
  judgeRunProof,
  type LogEntry,
  makeClosing,
  makeOpening,
} from '../src/index.ts';
import {
  extendsTree,
  type LogError,
  LogReader,
  type LogShell,
  nativeEd25519,
  openLog,
  openLogGuard,
  proveRun,
  readCheckpoint,
  readCosigned,
  witnessLog,
} from '../src/node.ts';

const [SECRET, WITNESS] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const hash = (text: string): Digest => nativeSha256(utf8Bytes(text));
const SHELL: LogShell = {
  sha256: nativeSha256,
  writeAll,
  lock: (folder, name) => takeLock(nodeDisk, nodeProcesses, folder, name),
};
const place = mkdtempSync(join(tmpdir(), 'assay-log-'));
afterAll(() => rmSync(place, { recursive: true }));
let made = 0;
const newFolder = (): string => join(place, `log-${(made += 1)}`);

const facts = (run: number) => ({
  run_id: `run-${run}`,
  genesis_hash: hash(`genesis ${run}`),
  machine: { name: 'tally', version: 1 },
  count: 11,
  hash: hash(`head ${run}`),
  tree_root: hash(`tree ${run}`),
  outcome: 'success' as const,
});
const opening = (run: number): LogEntry =>
  makeOpening(`run-${run}`, facts(run).genesis_hash, facts(run).machine);
const openings = (from: number, to: number): readonly LogEntry[] =>
  Array.from({ length: to - from }, (_, at) => opening(from + at));
const closing = (run: number, opened: number): LogEntry => makeClosing(facts(run), opened) as LogEntry;

/** Appends batches to a log, each in a session of its own. */
async function append(folder: string, ...batches: readonly (readonly LogEntry[])[]): Promise<void> {
  for (const batch of batches) {
    const log = await openLog(folder, SECRET, SHELL);
    await log.append(batch);
    await log.close();
  }
}

function witness(folder: string, statePath = join(dirname(folder), `state-${folder.slice(-3)}`)) {
  return witnessLog({ folder, statePath, secret: WITNESS, now: () => 1_700_000_000 }, SHELL);
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as LogError).code;
  }
};

describe('a sequencer', () => {
  test('writes the same files in one batch or in many, but for the partial ones on the way', async () => {
    const [one, many] = [newFolder(), newFolder()];
    const all = openings(0, 600);
    await append(one, all);
    await append(
      many,
      all.slice(0, 3),
      all.slice(3, 255),
      all.slice(255, 256),
      all.slice(256, 300),
      all.slice(300),
    );
    expect(filesIn(one)).toEqual([
      'checkpoint',
      'entries/000',
      'entries/001',
      'entries/002.p/88',
      'tile/0/000',
      'tile/0/001',
      'tile/0/002.p/88',
      'tile/1/000.p/2',
    ]);
    expect(filesIn(many)).toEqual([...filesIn(one), 'tile/1/000.p/1'].toSorted());
    for (const name of filesIn(one))
      expect(readFileSync(join(many, name))).toEqual(readFileSync(join(one, name)));
  });

  test('keeps the partial files of a checkpoint until the full one is there', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 2));
    await append(folder, openings(2, 5));
    expect(filesIn(folder)).toEqual([
      'checkpoint',
      'entries/000.p/2',
      'entries/000.p/5',
      'tile/0/000.p/2',
      'tile/0/000.p/5',
    ]);
  });

  test('knows its runs again, refuses what does not fit them, and another sequencer, and another key', async () => {
    const folder = newFolder();
    await append(folder, [opening(1), opening(2), closing(2, 1)]);
    const log = await openLog(folder, SECRET, SHELL);
    expect([...log.index.runs].map(([id, { opened, end }]) => [id, opened, end === null])).toEqual([
      ['run-1', 0, true],
      ['run-2', 1, false],
    ]);
    expect(log.checkpoint()?.size).toBe(3);
    await expect(openLog(folder, SECRET, SHELL)).rejects.toMatchObject({ code: 'log_locked' });
    await expect(log.append([opening(1)])).rejects.toThrow(RangeError);
    await log.append([]);
    await log.close();
    await expect(openLog(folder, WITNESS, SHELL)).rejects.toMatchObject({ code: 'log_key' });
    // A refusal lets go of the lock, and changes nothing.
    await append(folder, [closing(1, 0)]);
    expect(readCheckpoint(folder, nativeSha256)?.size).toBe(4);
  });

  test('a crash before the checkpoint leaves the log as it was; what lies beyond it is written anew', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 200));
    const before = readFileSync(join(folder, 'checkpoint'));
    const failing = {
      ...SHELL,
      writeAll: async (drafts: Parameters<LogShell['writeAll']>[0]) => {
        if (drafts.some(({ path }) => path.endsWith('checkpoint')))
          throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
        await writeAll(drafts);
      },
    };
    const log = await openLog(folder, SECRET, failing);
    await expect(log.append(openings(1_000, 1_100))).rejects.toThrow('full');
    await log.close();
    expect(readFileSync(join(folder, 'checkpoint'))).toEqual(before);
    expect(existsSync(join(folder, 'entries/000'))).toBe(true);
    await append(folder, openings(200, 300));
    const clean = newFolder();
    await append(clean, openings(0, 300));
    for (const name of filesIn(clean))
      expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(clean, name)));
  });
});

describe('a witness', () => {
  test('cosigns a log that grows, once for each checkpoint, and never one that does not', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 3));
    expect(await witness(folder)).toMatchObject({ result: 'cosigned', isFirst: true });
    expect(await witness(folder)).toMatchObject({ result: 'known' });
    await append(folder, openings(3, 700));
    expect(await witness(folder)).toMatchObject({ result: 'cosigned', isFirst: false });
    const forked = newFolder();
    await append(forked, [...openings(0, 2), opening(999), ...openings(3, 800)]);
    const state = join(dirname(folder), `state-${folder.slice(-3)}`);
    const [before, kept] = [readFileSync(join(forked, 'checkpoint')), readFileSync(state)];
    await expect(witness(forked, state)).rejects.toMatchObject({ code: 'inconsistent' });
    const shorter = newFolder();
    await append(shorter, openings(0, 3));
    await expect(witness(shorter, state)).rejects.toMatchObject({ code: 'inconsistent' });
    expect([readFileSync(join(forked, 'checkpoint')), readFileSync(state)]).toEqual([before, kept]);
  });

  test('its cosignature is kept while a newer checkpoint has none', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 3));
    expect(readCosigned(folder, nativeSha256, null)).toBeNull();
    await witness(folder);
    await append(folder, openings(3, 4), openings(4, 5));
    expect(readCheckpoint(folder, nativeSha256)?.size).toBe(5);
    expect(readCosigned(folder, nativeSha256, null)?.size).toBe(3);
    const key = Buffer.from(derivePublicKey(WITNESS, nativeEd25519).bytes).toString('hex');
    expect(readCosigned(folder, nativeSha256, [key])?.size).toBe(3);
    expect(readCosigned(folder, nativeSha256, ['00'.repeat(32)])).toBeNull();
  });

  test('refuses the state of another log, what is no state, no log, and a line that is being written', async () => {
    const folder = newFolder();
    const state = join(place, 'state');
    mkdirSync(folder);
    await expect(witness(folder, state)).rejects.toMatchObject({ code: 'log_missing' });
    await append(folder, openings(0, 3));
    writeFileSync(state, 'x');
    await expect(witness(folder, state)).rejects.toMatchObject({ code: 'log_state' });
    const other = newFolder();
    const log = await openLog(other, WITNESS, SHELL);
    await log.append(openings(0, 3));
    await log.close();
    writeFileSync(state, readFileSync(join(other, 'checkpoint')));
    await expect(witness(folder, state)).rejects.toMatchObject({ code: 'log_state' });
    writeFileSync(join(folder, 'checkpoint'), '— assay-wit', { flag: 'a' });
    await expect(witness(folder, join(place, 'new'))).rejects.toMatchObject({ code: 'log_locked' });
    // A reader passes over the line that has no end, and the next batch is without it.
    expect(readCheckpoint(folder, nativeSha256)?.size).toBe(3);
    await append(folder, openings(3, 4));
    expect(await witness(folder, join(place, 'new'))).toMatchObject({ result: 'cosigned' });
  });

  test('two with one state: the second waits its turn', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 3));
    const state = join(place, 'shared');
    const other = await SHELL.lock(place, 'shared');
    await expect(witness(folder, state)).rejects.toMatchObject({ code: 'log_locked' });
    if (other._tag === 'Right') await other.right.release();
    expect(await witness(folder, state)).toMatchObject({ result: 'cosigned' });
  });
});

describe('a folder', () => {
  const damages: readonly (readonly [string, (folder: string) => void])[] = [
    ['a line changed', (at) => edit(at, 'entries/000', (text) => text.replace('run-7"', 'run-8"'))],
    ['a file of entries cut short', (at) => edit(at, 'entries/001', (text) => text.slice(0, -1))],
    [
      'its last line cut off',
      (at) => edit(at, 'entries/002.p/88', (text) => text.slice(0, text.lastIndexOf('{'))),
    ],
    ['a file of entries gone', (at) => rmSync(join(at, 'entries/001'))],
    ['a line that is no entry', (at) => edit(at, 'entries/000', (text) => `x${text}`)],
    ['a checkpoint cut short', (at) => edit(at, 'checkpoint', (text) => text.slice(0, 90))],
    [
      'a checkpoint of another size',
      (at) => edit(at, 'checkpoint', (text) => text.replace('\n600\n', '\n599\n')),
    ],
    ['an empty checkpoint', (at) => writeFileSync(join(at, 'checkpoint'), '')],
  ];
  const edit = (folder: string, name: string, change: (text: string) => string): void =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));

  const sound = (async () => {
    const folder = newFolder();
    await append(folder, openings(0, 600));
    return folder;
  })();

  test.each(damages)(
    '%s: damaged, for readers and for its sequencer, which changes nothing',
    async (_, damage) => {
      const folder = newFolder();
      cpSync(await sound, folder, { recursive: true });
      damage(folder);
      const copy = newFolder();
      cpSync(folder, copy, { recursive: true });
      const read = (): void => {
        const checkpoint = readCheckpoint(folder, nativeSha256);
        if (checkpoint !== null) new LogReader(folder, nativeSha256).extendTo(checkpoint, () => undefined);
      };
      expect(codeOf(read)).toBe('log_damaged');
      await expect(openLog(folder, SECRET, SHELL)).rejects.toMatchObject({ code: 'log_damaged' });
      expect(filesIn(folder)).toEqual(filesIn(copy));
      for (const name of filesIn(copy))
        expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(copy, name)));
    },
  );

  test('a proof leads to the checkpoint, or its tiles are damaged; an older checkpoint is proven by newer files', async () => {
    const folder = newFolder();
    await append(folder, [...openings(0, 300), closing(7, 7)], openings(300, 1_000));
    const checkpoint = readCheckpoint(folder, nativeSha256);
    if (checkpoint === null) throw new Error('none');
    const proof = proveRun(folder, checkpoint, 'run-7', nativeSha256);
    expect([proof?.opened.index, proof?.end?.index]).toEqual([7, 300]);
    const crypto = { engine: nativeEd25519, sha256: nativeSha256 };
    const trust = { trusted: [derivePublicKey(SECRET, nativeEd25519)], witnesses: [] };
    expect(judgeRunProof(proof, facts(7), trust, crypto).completeness).toBeNull();
    expect(proveRun(folder, checkpoint, 'run-299', nativeSha256)?.end).toBeNull();
    expect(proveRun(folder, checkpoint, 'run-29', nativeSha256)?.opened.index).toBe(29);
    expect(proveRun(folder, checkpoint, 'run-1000', nativeSha256)).toBeNull();
    const tile = readFileSync(join(folder, 'tile/0/000'));
    tile[8] = (tile[8] ?? 0) ^ 1;
    writeFileSync(join(folder, 'tile/0/000'), tile);
    expect(codeOf(() => proveRun(folder, checkpoint, 'run-7', nativeSha256))).toBe('log_damaged');
    writeFileSync(join(folder, 'tile/0/000'), tile.subarray(0, 100));
    expect(codeOf(() => proveRun(folder, checkpoint, 'run-7', nativeSha256))).toBe('log_damaged');
  });

  test('extends each of its earlier states, and no other one', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 520));
    const newest = readCheckpoint(folder, nativeSha256);
    if (newest === null) throw new Error('none');
    const reader = new LogReader(folder, nativeSha256);
    const states: { size: number; root: Digest }[] = [];
    const more = new LogReader(folder, nativeSha256);
    reader.extendTo(newest, (_, { digest }) => {
      more.tree.add(digest);
      states.push({ size: more.tree.size, root: more.tree.root() });
    });
    for (const state of states) expect(extendsTree(folder, state, newest, nativeSha256)).toBe(true);
    expect(extendsTree(folder, { size: 300, root: hash('x') }, newest, nativeSha256)).toBe(false);
    expect(extendsTree(folder, { size: 521, root: newest.root }, newest, nativeSha256)).toBe(false);
    const tile = readFileSync(join(folder, 'tile/0/000'));
    writeFileSync(join(folder, 'tile/0/000'), tile.with(40, (tile[40] ?? 0) ^ 1));
    expect(codeOf(() => extendsTree(folder, states[2] ?? newest, newest, nativeSha256))).toBe('log_damaged');
    expect(codeOf(() => reader.extendTo({ size: 5, root: newest.root }, () => undefined))).toBe(
      'inconsistent',
    );
  });
});

describe('a guard', () => {
  const run = (at: number) => ({ run_id: `run-${at}`, genesis_hash: facts(at).genesis_hash });

  test('lets a run go once its opening is cosigned, and not before', async () => {
    const folder = newFolder();
    const guard = openLogGuard({ folder, sha256: nativeSha256, waitMs: 100 });
    await expect(guard.opened(run(1))).rejects.toMatchObject({ code: 'log_unwitnessed' });
    await append(folder, openings(0, 3));
    await expect(guard.opened(run(1))).rejects.toMatchObject({ code: 'log_unwitnessed' });
    const waiting = openLogGuard({ folder, sha256: nativeSha256 });
    const all = Promise.all([waiting.opened(run(1)), waiting.opened(run(2))]);
    await witness(folder);
    await all;
    await append(folder, openings(3, 4));
    await waiting.opened(run(1));
    const late = openLogGuard({ folder, sha256: nativeSha256, waitMs: 100 });
    await expect(late.opened(run(3))).rejects.toMatchObject({ code: 'log_unwitnessed' });
    await expect(late.opened({ ...run(1), genesis_hash: hash('other') })).rejects.toMatchObject({
      code: 'log_unwitnessed',
    });
  });

  test('counts no cosignature of the log itself, nor of another than the witnesses named', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 2));
    const own = { folder, statePath: `${folder}.own`, secret: SECRET, now: () => 1_700_000_000 };
    await witnessLog(own, SHELL);
    const guard = openLogGuard({ folder, sha256: nativeSha256, waitMs: 100 });
    await expect(guard.opened(run(1))).rejects.toMatchObject({ code: 'log_unwitnessed' });
    await witness(folder);
    await guard.opened(run(1));
    const other = openLogGuard({ folder, sha256: nativeSha256, waitMs: 100, witnesses: ['00'.repeat(32)] });
    await expect(other.opened(run(1))).rejects.toMatchObject({ code: 'log_unwitnessed' });
  });

  test('lets no run go that was given up', async () => {
    const folder = newFolder();
    const { run_id, genesis_hash, count, hash: head } = facts(1);
    const end = { run_id, genesis_hash, count, hash: head, by: 'ada', code: 'dropped', opened: 1 } as const;
    await append(folder, [...openings(0, 2), { t: 'assay.run-abandoned.v1', ...end }]);
    await witness(folder);
    const guard = openLogGuard({ folder, sha256: nativeSha256, waitMs: 100 });
    await guard.opened(run(0));
    await expect(guard.opened(run(1))).rejects.toMatchObject({ code: 'log_unwitnessed' });
  });

  test('ends with its signal, and on a log that is not what was cosigned', async () => {
    const folder = newFolder();
    await append(folder, openings(0, 3));
    const ending = new AbortController();
    const waiting = openLogGuard({ folder, sha256: nativeSha256, signal: ending.signal }).opened(run(1));
    ending.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    await witness(folder);
    writeFileSync(
      join(folder, 'entries/000.p/3'),
      [opening(1), opening(2), opening(0)].map((entry) => `${formatEntry(entry)}\n`).join(''),
    );
    expect(codeOf(() => openLogGuard({ folder, sha256: nativeSha256 }))).toBe('log_damaged');
  });
});
