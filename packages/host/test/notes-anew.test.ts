/**
 * A run begun again after its store was taken away is not charged for the calls of the one before: with the
 * same first record its keys are the same.
 */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { isObject, openRun, orThrow, type JsonObject } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  drive,
  folderNotes,
  idempotencyKey,
  memoryStore,
  type DriveOptions,
  type Port,
  type Store,
} from '../src/index.ts';
import type { MemoryRuns } from '../src/store.ts';
import { AT_ONCE, copyNotes, payloads, poll, port } from './tools.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-notes-anew-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let own: string;
let path: string;
let made = 0;
beforeEach(() => {
  own = join(folder, `place-${(made += 1)}`);
  mkdirSync(own);
  path = join(own, 'poll-1.calls');
});

const POLICY = { voters: 1, quorum: 1, attempts: 2 };
const { run } = orThrow(openRun(tally, poll(POLICY)));
const KEY = idempotencyKey(run, '1.0');
const RUN = run.genesis.run_id;
const costly = (): ReturnType<typeof port> & Port => ({
  ...port(() => ({ value: { option: 'soup' }, spent: { cents: 4 } })),
  bound: () => ({ cents: 10 }),
});

async function driven(store: Store, given: Partial<DriveOptions> = {}): Promise<unknown> {
  const ballot = costly();
  return drive(tally, poll(POLICY), {
    store,
    ports: ({ kind }) => (kind === 'ballot' ? ballot : null),
    retry: AT_ONCE,
    ...given,
    budget: { limits: { cents: 20 }, notes: folderNotes(own), ...given.budget },
  });
}
const answersIn = async (store: Store): Promise<readonly JsonObject[]> =>
  (await payloads(store, 'proposal')).filter(isObject).filter(({ proposer }) => proposer === 'test');

describe('a run that its store does not have', () => {
  it('is charged for a call of its own that was cut off, also by a process that knew the file before', async () => {
    writeFileSync(path, `${KEY} {"cents":7}\n`);
    const runs: MemoryRuns = new Map();
    const notes = folderNotes(own);
    expect(await notes.begin(RUN, KEY, null)).toEqual([{ cents: 7 }]);
    orThrow(
      (await driven(memoryStore(runs), {
        signal: AbortSignal.abort(),
        budget: { limits: {}, notes },
      })) as never,
    );
    expect(await notes.begin(RUN, KEY, { cents: 5 })).toEqual([]);
    expect([await notes.begin(RUN, KEY, null), await folderNotes(own).begin(RUN, KEY, null)]).toEqual([
      [{ cents: 5 }],
      [{ cents: 5 }],
    ]);
    const store = memoryStore(runs);
    orThrow((await driven(store, { budget: { limits: {}, notes: folderNotes(own) } })) as never);
    expect((await answersIn(store))[0]).toMatchObject({
      spent: { cents: 9 },
      provenance: { lost_calls: 1, lost_charged: { cents: 5 } },
    });
  });

  it.each(['', `${KEY} {"ce`, 'no note\n', `${KEY} {"cents":3}\n${KEY} {"c~\n`])(
    'whatever else the file ends in: %j',
    async (end) => {
      writeFileSync(path, `${KEY} {"cents":7}\n${end}`);
      const store = memoryStore();
      orThrow((await driven(store)) as never);
      expect((await answersIn(store))[0]?.['spent']).toEqual({ cents: 4 });
      expect(readFileSync(path, 'utf8').startsWith(`${KEY} {"cents":7}\n${end}~\nanew `)).toBe(true);
    },
  );

  it('is begun by two processes at once: what the one notes stays, whenever the other looks', async () => {
    writeFileSync(path, `${KEY} {"cents":7}\n`);
    const [one, other] = [folderNotes(own), folderNotes(own)];
    const forgets = [await other.anew?.(RUN), await one.anew?.(RUN)];
    await forgets[1]?.();
    expect(await one.begin(RUN, KEY, { cents: 5 })).toEqual([]);
    await forgets[0]?.();
    for (const notes of [one, other, folderNotes(own)])
      expect(await notes.begin(RUN, KEY, null)).toEqual([{ cents: 5 }]);
    // It ended before the other was asked: the notes are of a run that is there.
    expect(await one.begin(RUN, KEY, { cents: 6 })).toEqual([{ cents: 5 }]);
    for (const notes of [one, other])
      expect(await notes.begin(RUN, KEY, null)).toEqual([{ cents: 5 }, { cents: 6 }]);
  });

  it('is not stored where its notes cannot be read; a stored one that is over needs none', async () => {
    mkdirSync(path);
    const store = memoryStore();
    expect(await driven(store)).toEqual({
      _tag: 'Left',
      left: { code: 'notes', reason: 'unavailable', path, errno: 'ERR_NO_FILE' },
    });
    expect(orThrow(await store.list())).toEqual([]);
    rmSync(path, { recursive: true });
    orThrow((await driven(store)) as never);
    rmSync(path);
    mkdirSync(path);
    expect(await driven(store)).toMatchObject({ _tag: 'Right', right: { end: 'success' } });
  });
});

describe('a mark in the notes', () => {
  const read = async (text: string): Promise<unknown> => {
    writeFileSync(path, text);
    return folderNotes(own).begin(RUN, KEY, null);
  };
  const note = `${KEY} {"cents":7}\n`;

  it('takes away nothing behind it, and one that was cut takes away nothing', async () => {
    expect(await read(`${note}anew ${note.length} ~\n`)).toEqual([]);
    expect(await read(`${note}anew ${note.length + 1} ~\n${note}`)).toEqual([{ cents: 7 }, { cents: 7 }]);
    expect(await read(`${note}anew ${note.length}~\n`)).toEqual([{ cents: 7 }]);
    expect(await read(`${note}anew ${note.length} `)).toEqual([{ cents: 7 }]);
    expect(await read(`${note}é anew ${note.length} ~\n`)).toEqual([{ cents: 7 }]);
  });

  it('counts in bytes, and a damaged line behind it is told at its number', async () => {
    const odd = 'é no note\n';
    expect(await read(`${odd}${note}anew ${Buffer.byteLength(odd)} ~\n`)).toEqual([{ cents: 7 }]);
    await expect(read(`${odd}${note}anew ${Buffer.byteLength(odd)} ~\nno note\n`)).rejects.toMatchObject({
      fault: { reason: 'damaged', line: 4 },
    });
  });

  it('stands in no copy: what it takes away is not copied, and what is there is compared without it', async () => {
    const to = join(own, 'to');
    writeFileSync(path, `${note}anew ${note.length} ~\n${KEY} {"cents":5}\n`);
    mkdirSync(to);
    writeFileSync(join(to, 'poll-1.calls'), `${KEY} {"cents":5}\nanew ${note.length} ~\n`);
    await copyNotes(own, to, RUN);
    expect(await folderNotes(to).begin(RUN, KEY, null)).toEqual([{ cents: 5 }]);
    await copyNotes(own, to, RUN);
    appendFileSync(path, note);
    await copyNotes(own, to, RUN);
    expect(await folderNotes(to).begin(RUN, KEY, null)).toEqual([{ cents: 5 }, { cents: 7 }]);
  });
});
