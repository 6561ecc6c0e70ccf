/**
 * Which recordings a task was begun with, where two processes begin it at the same moment: those of the one
 * whose first record is stored.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Digest, EvidenceRecord } from '@assay/kernel';
import type { CastRole } from '@assay/controller';
import { folderDoneCalls, type FolderDoneCalls } from '@assay/host';
import { noteRecordings } from '@assay/agent';
import { recordingsOf, requireRecordings } from '../src/commands/control/begun-with.ts';
import { notesFolder } from '../src/files/notes-folder.ts';
import { temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { firstRecords } from './lib/places.ts';
import { begunIn, tasks } from './lib/tasks.ts';

const folder = temporaryFolder();
const GENESIS = 'a'.repeat(64) as Digest;
const PLAYS: ReadonlySet<CastRole> = new Set(['R1']);

/** The two that begin one task, each with a recording of its own. */
async function two(name: string): Promise<{
  readonly store: string;
  readonly first: FolderDoneCalls;
  readonly second: FolderDoneCalls;
  readonly note: (done: FolderDoneCalls, file: string) => Promise<() => Promise<void>>;
}> {
  const store = `file:${join(folder, name)}`;
  mkdirSync(join(folder, name));
  const calls = (await notesFolder(store)) ?? '';
  return {
    store,
    first: folderDoneCalls(calls),
    second: folderDoneCalls(calls),
    note: (done, file) =>
      noteRecordings(done, GENESIS, recordingsOf({ recorded: PLAYS }, [`R1=recorded:${file}`])),
  };
}

/** What has to be named again; null where nothing is known. */
async function asked(store: string): Promise<string | null> {
  const required = requireRecordings(
    { record_hash: GENESIS } as EvidenceRecord,
    { unnamed: PLAYS } as never,
    'x',
    {
      store,
      workspace: 'w',
      proposer: [],
      allow: [],
      shell: [],
      confirm: [],
      set: [],
      clock: false,
      llm: [],
      budget: [],
    } as never,
  );
  return required.then(
    () => null,
    (error: { readonly problem: { readonly remedy: string } }) =>
      /R1=recorded:([^\s;]+)/.exec(error.problem.remedy)?.[1] ?? '',
  );
}

test(
  'a slower process sets the note of the other aside before that one has its first record: ' +
    'it is noted again',
  async () => {
    const { store, first, second, note } = await two('aside');
    const begin = await first.anew(GENESIS);
    await begin();
    const stands = await note(first, 'mine.json');
    // It finds a note and, in the store, no run: as where one was taken away.
    const beginToo = await second.anew(GENESIS);
    await stands();
    await beginToo();
    await note(second, 'other.json');
    expect(await asked(store)).toBe(resolve('mine.json'));
  },
);

test('whose first record is stored has the last word, whoever notes last', async () => {
  const { store, first, second, note } = await two('last');
  const stands = await note(first, 'mine.json');
  await stands();
  await note(second, 'other.json');
  expect(await asked(store)).toBe(resolve('mine.json'));
});

test('a process that is killed behind its first record has noted them before it', async () => {
  const { store, first, note } = await two('killed');
  await note(first, 'mine.json');
  expect(await asked(store)).toBe(resolve('mine.json'));
});

test('a task whose call was killed names its own recordings, though a slower process noted others', async () => {
  const task = tasks().find(({ directive }) => directive === 'refine') ?? expect.unreachable('refine');
  const [place, workspace] = [join(folder, 'task'), begunIn(join(folder, 'task-workspace'), task)];
  const store = `file:${place}`;
  await called('control', task.task, '--workspace', workspace, ...task.args, ...task.roles, '--store', store);
  const { record_hash } = JSON.parse(task.ledger.split('\n')[0] ?? '') as EvidenceRecord;
  await noteRecordings(folderDoneCalls((await notesFolder(store)) ?? ''), record_hash, {
    roles: ['R1', 'R2', 'R4a', 'R4b'],
    options: ['R1=recorded:other.json'],
  });
  writeFileSync(join(place, `${task.name}.ledger.jsonl`), firstRecords(task.ledger, 1));
  const { code, stderr } = await called('resume', task.name, '--store', store, '--workspace', workspace);
  expect([code, stderr]).toEqual([2, expect.stringContaining(task.roles.join(' '))]);
});
