/**
 * A task whose process died after its tools had worked and before that was recorded: what was done is not
 * done again.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argv, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { bytesIn, firstRecords, folderWith } from './lib/places.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const RUN = 'once';
let made = 0;

function workspaceWith(files: Readonly<Record<string, string>>): string {
  const workspace = at(`workspace-${(made += 1)}`);
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) writeFileSync(join(workspace, path), content);
  return workspace;
}

/** The file of notes of a ledger's run. */
const notesOf = (store: string, ledger: string): string =>
  join(store, 'calls', `${/"record_hash":"([0-9a-f]{64})"/.exec(ledger)?.[1] ?? ''}.done`);
const kindsIn = (ledger: string): readonly string[] =>
  ledger
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly kind: string }).kind);

/** Tasks of which each second carrying out would find other things than the first. */
const TASKS: readonly (readonly [task: string, done: (workspace: string) => boolean])[] = [
  [
    'move a.txt to archive/a.txt',
    (workspace) => existsSync(join(workspace, 'archive/a.txt')) && !existsSync(join(workspace, 'a.txt')),
  ],
  ['copy a.txt to b.txt', (workspace) => existsSync(join(workspace, 'b.txt'))],
];

describe.each(TASKS)('%s', (task, isDone) => {
  test('cut before any record of it, with the notes of what was done, it ends with the same bytes', async () => {
    const workspace = workspaceWith({ 'a.txt': 'one\ntwo\n', 'c.txt': 'x\n' });
    const whole = at(`whole-${made}`);
    const first = await called(
      ...argv`task ${task} --workspace ${workspace} --set clock=stamps --set run_id=${RUN}`,
      ...argv`--store file:${whole}`,
    );
    expect([first.code, isDone(workspace)], first.stderr).toEqual([0, true]);
    const ledger = (await bytesIn(`file:${whole}`, RUN)) ?? '';
    const notes = readFileSync(notesOf(whole, ledger));
    // Groups are stored whole: a cut lies before a proposal.
    const cuts = kindsIn(ledger).flatMap((kind, index) => (kind === 'proposal' ? [index] : []));
    expect(cuts.length).toBeGreaterThan(3);
    for (const kept of cuts) {
      const store = at(`cut-${(made += 1)}`);
      const url = folderWith(store, RUN, firstRecords(ledger, kept));
      mkdirSync(join(store, 'calls'));
      writeFileSync(notesOf(store, ledger), notes);
      const { code, stderr } = await called('resume', `${url}#${RUN}`, '--workspace', workspace);
      expect([kept, code, await bytesIn(url, RUN)], stderr).toEqual([kept, 0, ledger]);
      expect(isDone(workspace)).toBe(true);
    }
  });

  test('without the notes it is done a second time, which shows', async () => {
    const workspace = workspaceWith({ 'a.txt': 'one\ntwo\n', 'c.txt': 'x\n' });
    const whole = at(`whole-${made}`);
    await called(
      ...argv`task ${task} --workspace ${workspace} --set clock=stamps --set run_id=${RUN}`,
      ...argv`--store file:${whole}`,
    );
    const ledger = (await bytesIn(`file:${whole}`, RUN)) ?? '';
    const kinds = kindsIn(ledger);
    const worked = ledger
      .split('\n')
      .findIndex((line, index) => kinds[index] === 'proposal' && line.includes('"source":"tool"'));
    rmSync(join(whole, 'calls'), { recursive: true });
    const url = folderWith(at(`cut-${(made += 1)}`), RUN, firstRecords(ledger, worked));
    await called('resume', `${url}#${RUN}`, '--workspace', workspace);
    expect(await bytesIn(url, RUN)).not.toBe(ledger);
  });
});

describe.skipIf(process.platform === 'win32')('notes of what was done that cannot be used', () => {
  const SPOILED: readonly (readonly [what: string, spoil: (path: string) => void, why: string])[] = [
    [
      'a pipe',
      (path) => {
        rmSync(path);
        execFileSync('mkfifo', [path]);
      },
      'ERR_NO_FILE',
    ],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      'ERR_NO_FILE',
    ],
    [
      'a device that is full',
      (path) => {
        rmSync(path);
        symlinkSync('/dev/full', path);
      },
      'ERR_NO_FILE',
    ],
    ['a file too large to be read', (path) => truncateSync(path, 5_000_000_000), 'ERR_FS_FILE_TOO_LARGE'],
    ['lines that are none', (path) => writeFileSync(path, '\u0000\u0001\nnonsense\n'), 'damaged'],
  ];

  test.each(SPOILED)(
    '%s: resume goes on, and says once that a call may be repeated',
    async (_, spoil, why) => {
      const workspace = workspaceWith({ 'a.txt': 'one\ntwo\n' });
      const store = at(`spoiled-${(made += 1)}`);
      await called(
        ...argv`task ${'copy a.txt to b.txt'} --workspace ${workspace} --set clock=stamps`,
        ...argv`--set run_id=${RUN} --store file:${store}`,
      );
      const ledger = (await bytesIn(`file:${store}`, RUN)) ?? '';
      writeFileSync(
        join(store, `${RUN}.ledger.jsonl`),
        firstRecords(ledger, kindsIn(ledger).indexOf('proposal')),
      );
      spoil(notesOf(store, ledger));
      rmSync(join(workspace, 'b.txt'));
      const { code, stderr } = await called('resume', `file:${store}#${RUN}`, '--workspace', workspace);
      const lines = stderr.split('\n').filter((line) => line.includes('a call may be repeated'));
      expect([code, lines, existsSync(join(workspace, 'b.txt'))], stderr).toEqual([
        0,
        [expect.stringContaining(`${notesOf(store, ledger)}`)],
        true,
      ]);
      expect(lines[0]).toContain(`(${why})`);
    },
  );

  test('a line that a crash cut is none of them: nothing is said', async () => {
    const workspace = workspaceWith({ 'a.txt': 'one\ntwo\n' });
    const store = at(`spoiled-${(made += 1)}`);
    await called(
      ...argv`task ${'copy a.txt to b.txt'} --workspace ${workspace} --set clock=stamps`,
      ...argv`--set run_id=${RUN} --store file:${store}`,
    );
    const ledger = (await bytesIn(`file:${store}`, RUN)) ?? '';
    writeFileSync(
      join(store, `${RUN}.ledger.jsonl`),
      firstRecords(ledger, kindsIn(ledger).indexOf('proposal')),
    );
    const text = readFileSync(notesOf(store, ledger), 'utf8');
    writeFileSync(notesOf(store, ledger), `${text.slice(0, 90)}~\n${text}${text.slice(0, 90)}`);
    expect(await called('resume', `file:${store}#${RUN}`, '--workspace', workspace)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('a call may be repeated'),
    });
  });
});
