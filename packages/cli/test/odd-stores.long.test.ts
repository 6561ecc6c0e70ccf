/**
 * Stores whose place, locks or files are something else than they must be: each is told what it is, and
 * nobody waits for it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { smallChain } from '@assay/testing/store-contract';
import { fileStore, nodeDisk, nodeProcesses, renderToken } from '@assay/host/store-file';
import { readErrno } from '@assay/host/files';
import { storeProblem } from '../src/files/store.ts';
import { notesProblem } from '../src/problems/store-problem.ts';
import { spawned, temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';

const folder = temporaryFolder();
const REQUEST = 'Keep audit logs for 90 days.';

describe.skipIf(process.platform === 'win32')('what is called .locks and is no folder', () => {
  test.each<readonly [string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, '')],
    ['a link to nowhere', (path) => symlinkSync(`${path}-none`, path)],
    [
      'a link to a file',
      (path) => {
        writeFileSync(`${path}-file`, '');
        symlinkSync(`${path}-file`, path);
      },
    ],
  ])('%s: is named, and the folder of the store is not called a file', async (what, make) => {
    const at = join(folder, `locks-${what.replaceAll(' ', '-')}`);
    mkdirSync(at);
    make(join(at, '.locks'));
    expect(await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${at}`)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        new RegExp(
          String.raw`^assay: store_unavailable: .*\(ERR_NO_LOCKS\)\n.*\n {2}remedy {2}its \.locks is not a folder`,
        ),
      ),
    });
    expect(existsSync(join(at, 'x.ledger.jsonl'))).toBe(false);
    rmSync(join(at, '.locks'));
    expect((await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${at}`)).code).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('what is called like the lock of a run and is none', () => {
  /** The name of an owner that is dead: no process of this machine started then. */
  const dead = renderToken({ ...nodeProcesses.self(), start: '1' });
  test.each<readonly [string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, '')],
    ['a link to nowhere', (path) => symlinkSync(`${path}-none`, path)],
    [
      'a link to a folder',
      (path) => {
        mkdirSync(`${path}-folder`);
        symlinkSync(`${path}-folder`, path);
      },
    ],
    [
      'a pipe',
      (path) => {
        execFileSync('mkfifo', [path]);
      },
    ],
    ...(process.platform === 'linux'
      ? [
          [
            'a folder in the place of its owner',
            (path: string) => {
              mkdirSync(join(path, dead), { recursive: true });
            },
          ] as const,
        ]
      : []),
  ])('%s: is named with the line that takes it away, and nothing is left of the try', async (what, make) => {
    const at = join(folder, `lock-${what.replaceAll(' ', '-')}`);
    mkdirSync(join(at, '.locks'), { recursive: true });
    make(join(at, '.locks', 'x'));
    const before = readdirSync(join(at, '.locks'));
    const { code, stderr } = await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${at}`);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(
        new RegExp(
          String.raw`^assay: store_unavailable: .*\(ERR_NO_LOCK\)
.*
 {2}remedy {2}\.locks/x is not a lock`,
        ),
      ),
    ]);
    expect([existsSync(join(at, 'x.ledger.jsonl')), readdirSync(join(at, '.locks'))]).toEqual([
      false,
      before,
    ]);
    const [, line = ''] = /remove it: (rm -r .+)$/m.exec(stderr) ?? [];
    execFileSync('sh', ['-c', line]);
    expect((await called('run', REQUEST, '--set', 'run_id=x', '--store', `file:${at}`)).code).toBe(0);
  });
});

describe('a quota that is used up is a full disk, and told as one', () => {
  const unnamed = Object.assign(new Error('UNKNOWN: unknown error, write'), {
    code: 'UNKNOWN',
    errno: -constants.errno.EDQUOT,
    syscall: 'write',
  });
  test('of a store, its notes, and a file that is written', async () => {
    const store = fileStore(join(folder, 'quota'), {
      disk: { ...nodeDisk, makeFolder: () => Promise.reject(unnamed) },
    });
    const appended = await store.append('x', null, smallChain('x', 1));
    expect(appended).toMatchObject({ left: { code: 'unavailable', errno: 'EDQUOT' } });
    expect(
      storeProblem({ code: 'unavailable', run_id: 'x', operation: 'append', errno: 'EDQUOT' }, 'file:./runs')
        .problem.remedy,
    ).toContain('quota');
    expect([
      readErrno(unnamed),
      readErrno(Object.assign(new Error('odd'), { code: 'UNKNOWN', errno: -1 })),
    ]).toEqual(['EDQUOT', null]);
  });

  test.each([
    ['EDQUOT', 'quota'],
    ['ELOOP', 'remove it'],
    ['ENOENT', 'remove the link'],
    ['ERR_OUT_OF_RANGE', 'restore it from a copy'],
    ['ERR_FS_FILE_TOO_LARGE', 'restore it from a copy'],
    ['EACCES', 'permission'],
  ])('notes of calls say what is to be done about %s', (errno, remedy) => {
    expect(
      notesProblem({ code: 'notes', reason: 'unavailable', path: 'p', errno }, 'copy again').problem.remedy,
    ).toContain(remedy);
  });
});

describe.skipIf(process.platform === 'win32')('a database that is no file', () => {
  test.each(['', '-wal', '-shm', '-journal'])(
    'a pipe named runs.db%s: nobody waits for it, and it is told what it is',
    async (end) => {
      const at = join(folder, `pipe${end}`);
      mkdirSync(at);
      const url = `sqlite:${join(at, 'runs.db')}`;
      if (end !== '')
        expect((await spawned(['run', REQUEST, '--set', 'run_id=x', '--store', url])).code).toBe(0);
      rmSync(join(at, `runs.db${end}`), { force: true });
      execFileSync('mkfifo', [join(at, `runs.db${end}`)]);
      for (const args of [
        ['store', 'list', url],
        ['store', 'check', url],
        ['resume', `${url}#x`],
        ['run', REQUEST, '--set', 'run_id=y', '--store', url],
      ]) {
        const { code, stdout, stderr } = await spawned(args);
        expect([args, code, stdout + stderr]).toEqual([
          args,
          5,
          expect.stringMatching(/ERR_NO_FILE[^]*remove that/),
        ]);
      }
    },
  );

  test.each(['-wal', '-shm', '-journal'])(
    'a pipe named runs.db%s beside the database that a link leads to, which is there or not: ' +
      'it is told what it is, and stays',
    async (end) => {
      const at = join(folder, `linked${end}`);
      mkdirSync(join(at, 'far'), { recursive: true });
      symlinkSync('far/runs.db', join(at, 'link.db'));
      execFileSync('mkfifo', [join(at, 'far', `runs.db${end}`)]);
      const run = ['run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${join(at, 'link.db')}`];
      expect(await spawned(run)).toMatchObject({ code: 5, stderr: expect.stringMatching(/\(ERR_NO_FILE\)/) });
      expect(readdirSync(join(at, 'far'))).toEqual([`runs.db${end}`]);
      rmSync(join(at, 'far', `runs.db${end}`));
      expect((await spawned(run)).code).toBe(0);
      execFileSync('mkfifo', [join(at, 'far', `runs.db${end}`)]);
      expect(await spawned(run)).toMatchObject({ code: 5, stderr: expect.stringMatching(/\(ERR_NO_FILE\)/) });
      expect(readdirSync(join(at, 'far'))).toContain(`runs.db${end}`);
    },
  );

  test(
    'a link that leads up from a folder that is reached by a link: what is beside the ' +
      'database is seen under either name',
    async () => {
      const at = join(folder, 'up');
      mkdirSync(join(at, 'real', 'sub'), { recursive: true });
      symlinkSync('real/sub', join(at, 'short'));
      symlinkSync('../x.db', join(at, 'real', 'sub', 'db'));
      execFileSync('mkfifo', [join(at, 'real', 'x.db-wal')]);
      for (const name of ['real/sub/db', 'short/db'])
        expect(
          await spawned(['run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${join(at, name)}`]),
        ).toMatchObject({ code: 5, stderr: expect.stringMatching(/\(ERR_NO_FILE\)/) });
      expect(readdirSync(join(at, 'real'))).toEqual(['sub', 'x.db-wal']);
    },
  );

  test.each(['-wal', '-shm', '-journal'])(
    'a pipe named runs.db%s where there is no database yet: it is told what it is, and none is made',
    async (end) => {
      const at = join(folder, `new${end}`);
      mkdirSync(at);
      execFileSync('mkfifo', [join(at, `runs.db${end}`)]);
      expect(
        await spawned(['run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${join(at, 'runs.db')}`]),
      ).toMatchObject({ code: 5, stderr: expect.stringMatching(/\(ERR_NO_FILE\)[^]*remove that/) });
      expect(readdirSync(at)).toEqual([`runs.db${end}`]);
      rmSync(join(at, `runs.db${end}`));
      expect(
        (await spawned(['run', REQUEST, '--set', 'run_id=x', '--store', `sqlite:${join(at, 'runs.db')}`]))
          .code,
      ).toBe(0);
    },
  );

  test.each(['/dev/null', '/dev/zero'])('%s is no medium that fails', async (path) => {
    expect(await spawned(['store', 'list', `sqlite:${path}`])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/\(ERR_NO_FILE\)[^]*give the path of a database/),
    });
  });
});
